// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of sentences that tell which sentences stand beside one another.
//
// L. Logeswaran, H. Lee: An efficient framework for learning sentence representations. ICLR 2018,
// section 3: two encoders f and g; among the sentences of a set, f(s) g(t) is greatest for the
// neighbours t of s. A set is a piece of a document, its members are its sentences in their order.
nn.import "../common/gru.mlir"
nn.sizes {words = 20000, input = 200, hidden = 300, sentence = 2 * hidden}

#vectors = #nn.init<uniform(-0.1, 0.1)>
!words = tensor<?xi32>
!h = tensor<300xf32>
!s = tensor<600xf32>
!hs = tensor<?x300xf32>
!l = tensor<?x2xf32>

/// The state of a GRU behind the last word.
func.func private @encoder(%tokens: !words) -> !h {
  %E = nn.param "words" : tensor<20000x200xf32> init #vectors
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<20000x200xf32>
  %chain = tree.chain %tokens : !words
  %h = nn.call @gru_states(%chain, %x) in "gru" with {init = #vectors}
      : (!tree.tree, tensor<?x200xf32>) -> !hs
  %last = tree.root %chain, %h : !hs
  return %last : !h
}

/// Both vectors of a sentence, side by side: what is used of the model.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !s {
  %f = nn.call @encoder(%tokens) in "f" : (!words) -> !h
  %g = nn.call @encoder(%tokens) in "g" : (!words) -> !h
  %s = nn.concat %f, %g over 0 : !h, !h
  return %s : !s
}

/// The mean over sentences s of -log p(t | s), summed over the one before and the one behind; p is
/// a softmax of f(s) g(t) over the sentences t of the set but s.
func.func @loss(%sentences: tensor<?x?xi32> {cambium.name = "tokens", cambium.rows = "sentences"})
    -> tensor<f32> {
  %f, %g = nn.each rows(%tokens = %sentences : !words) -> (!h, !h) {
    %f1 = nn.call @encoder(%tokens) in "f" : (!words) -> !h
    %g1 = nn.call @encoder(%tokens) in "g" : (!words) -> !h
    nn.yield %f1, %g1 : !h, !h
  }
  // By distance -1, 0, 1: itself is left out, and what lies on a neighbour is asked for.
  %itself = arith.constant dense<[[0.0, 0.0, -1.0e9, 0.0, 0.0]]> : tensor<1x5xf32>
  %ask = arith.constant dense<[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]>
      : tensor<5x2xf32>
  %none = arith.constant dense<0.0> : tensor<2xf32>
  %v = nn.broadcast %none dims [1] like %g : tensor<2xf32>, !hs -> !l
  %p = nn.attention %f, %g, %v heads 1 scale 1.0 distance_bias(%itself : tensor<1x5xf32>)
      relative_values(%ask : tensor<5x2xf32>) : !hs, !hs, !l
  %tiny = arith.constant dense<1.0e-9> : tensor<f32>
  %tinies = nn.broadcast %tiny dims [] like %p : tensor<f32>, !l -> !l
  %some = arith.addf %p, %tinies : !l
  %log = math.log %some : !l
  %there = nn.call @neighbours(%f) : (!hs) -> !l
  %asked = arith.mulf %log, %there : !l
  %sums = nn.sum %asked over 1 : !l
  %mean = nn.mean %sums over 0 : tensor<?xf32>
  %loss = arith.negf %mean : tensor<f32>
  return %loss : tensor<f32>
}

/// 1 where there is a sentence before, and one behind.
func.func private @neighbours(%f: !hs) -> !l {
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %ones = nn.broadcast %one dims [1] like %f : tensor<1xf32>, !hs -> tensor<?x1xf32>
  %around = nn.window %ones before 1 after 1 : tensor<?x1xf32>
  %flags = nn.reshape %around : tensor<?x3x1xf32> -> tensor<?x3xf32>
  %W = arith.constant dense<[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %there = nn.linear %flags, %W : tensor<?x3xf32>, tensor<3x2xf32>
  return %there : !l
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
