// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of sentences from which the sentences around them can be written.
//
// R. Kiros et al.: Skip-Thought Vectors. NeurIPS 2015: a GRU reads a sentence, and two others, which
// see its last state beside each word, write the one before and the one behind.
nn.import "../common/gru.mlir"
nn.sizes {words = 10000, input = 200, hidden = 300, given = input + hidden}

#vectors = #nn.init<uniform(-0.1, 0.1)>
!words = tensor<?xi32>
!x = tensor<?x200xf32>
!h = tensor<300xf32>
!hs = tensor<?x300xf32>
!g = tensor<?x500xf32>
!V = tensor<300x10000xf32>
!y = tensor<?x10000xf32>

func.func private @vectors(%tokens: !words) -> !x {
  %E = nn.param "words" : tensor<10000x200xf32> init #vectors
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<10000x200xf32>
  return %x : !x
}

/// The state behind the last word: what is used of the model.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !h {
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %chain = tree.chain %tokens : !words
  %h = nn.call @gru_states(%chain, %x) in "encoder" : (!tree.tree, !x) -> !hs
  %last = tree.root %chain, %h : !hs
  return %last : !h
}

/// -sum_t log P(w_t | w_1 ... w_t-1, h), by scores V s of the state s in front of each word.
func.func private @told(%h: !h, %x: !x, %in: !words, %out: !words, %V: !V) -> tensor<f32> {
  %hs = nn.broadcast %h dims [1] like %x : !h, !x -> !hs
  %g = nn.concat %x, %hs over 1 : !x, !hs
  %chain = tree.chain %in : !words
  %s = nn.call @gru_states(%chain, %g) : (!tree.tree, !g) -> !hs
  %y = nn.linear %s, %V : !hs, !V
  %l = nn.cross_entropy %y, %out : !y, !words
  %sum = nn.sum %l over 0 : tensor<?xf32>
  return %sum : tensor<f32>
}

/// Of the sentence before and of the one behind; both are scored with the same V.
func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %before_in: !words {cambium.name = "before.in", cambium.rows = "before"},
                %before_out: !words {cambium.name = "before.out", cambium.rows = "before"},
                %behind_in: !words {cambium.name = "behind.in", cambium.rows = "behind"},
                %behind_out: !words {cambium.name = "behind.out", cambium.rows = "behind"})
    -> tensor<f32> {
  %V = nn.param "scores" : !V init #vectors
  %h = nn.call @predict(%tokens) : (!words) -> !h
  %bx = nn.call @vectors(%before_in) : (!words) -> !x
  %b = nn.call @told(%h, %bx, %before_in, %before_out, %V) in "before"
      : (!h, !x, !words, !words, !V) -> tensor<f32>
  %nx = nn.call @vectors(%behind_in) : (!words) -> !x
  %n = nn.call @told(%h, %nx, %behind_in, %behind_out, %V) in "behind"
      : (!h, !x, !words, !words, !V) -> tensor<f32>
  %l = arith.addf %b, %n : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
