// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of sentences from which the sentences can be written again, though words were lost.
//
// F. Hill, K. Cho, A. Korhonen: Learning Distributed Representations of Sentences from Unlabelled
// Data. NAACL 2016, SDAE: an LSTM reads a sentence in which words are missing and neighbours have
// changed places; another one, which begins with its last state, writes the sentence as it was.
nn.import "../common/lstm.mlir"
nn.sizes {words = 10000, input = 200, hidden = 300}

#vectors = #nn.init<uniform(-0.1, 0.1)>
!words = tensor<?xi32>
!x = tensor<?x200xf32>
!h = tensor<300xf32>
!hs = tensor<?x300xf32>
!V = tensor<300x10000xf32>
!y = tensor<?x10000xf32>

func.func private @vectors(%tokens: !words) -> !x {
  %E = nn.param "words" : tensor<10000x200xf32> init #vectors
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<10000x200xf32>
  return %x : !x
}

/// The states of an LSTM that begins with h and c, and its cells.
func.func private @run(%tokens: !words, %x: !x, %h: !h, %c: !h) -> (!hs, !hs) {
  %chain = tree.chain %tokens : !words
  %hs, %cs = nn.call @lstm_from(%chain, %x, %h, %c) : (!tree.tree, !x, !h, !h) -> (!hs, !hs)
  return %hs, %cs : !hs, !hs
}

/// The state and the cell behind the last word.
func.func private @read(%tokens: !words) -> (!h, !h) {
  %zero = arith.constant dense<0.0> : !h
  %end = arith.constant dense<2147483647> : tensor<i32>
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %hs, %cs = nn.call @run(%tokens, %x, %zero, %zero) in "encoder"
      : (!words, !x, !h, !h) -> (!hs, !hs)
  %h = nn.take %hs, %end : !hs, tensor<i32>
  %c = nn.take %cs, %end : !hs, tensor<i32>
  return %h, %c : !h, !h
}

/// The state: what is used of the model.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !h {
  %h, %c = nn.call @read(%tokens) : (!words) -> (!h, !h)
  return %h : !h
}

/// -sum_t log P(w_t | w_1 ... w_t-1, h) of the sentence as it was.
func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %in: !words {cambium.name = "clean.in", cambium.rows = "clean"},
                %out: !words {cambium.name = "clean.out", cambium.rows = "clean"})
    -> tensor<f32> {
  %V = nn.param "scores" : !V init #vectors
  %h, %c = nn.call @read(%tokens) : (!words) -> (!h, !h)
  %x = nn.call @vectors(%in) : (!words) -> !x
  %hs, %cs = nn.call @run(%in, %x, %h, %c) in "decoder" : (!words, !x, !h, !h) -> (!hs, !hs)
  %y = nn.linear %hs, %V : !hs, !V
  %l = nn.cross_entropy %y, %out : !y, !words
  %sum = nn.sum %l over 0 : tensor<?xf32>
  return %sum : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
