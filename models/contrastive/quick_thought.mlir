// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of sentences that tell which sentences stand beside one another.
//
// L. Logeswaran, H. Lee: An efficient framework for learning sentence representations. ICLR 2018,
// section 3: two encoders f and g; among the sentences of a set, f(s) g(t) is greatest for the
// neighbours t of s. A set is a piece of a document, its members are its sentences in their order.
nn.import "../common/gru.mlir"
nn.import "../common/neighbours.mlir"
nn.sizes {words = 20000, input = 200, hidden = 300, sentence = 2 * hidden}

#vectors = #nn.init<uniform(-0.1, 0.1)>
!words = tensor<?xi32>
!h = tensor<300xf32>
!s = tensor<600xf32>
!hs = tensor<?x300xf32>

/// The state of a GRU behind the last word.
func.func private @encoder(%tokens: !words) -> !h {
  %E = nn.param "words" : tensor<20000x200xf32> init #vectors group "embeddings"
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

/// How well the sentences of a set tell which ones stand beside them.
func.func @loss(%sentences: tensor<?x?xi32> {cambium.name = "tokens", cambium.rows = "sentences"})
    -> tensor<f32> {
  %f, %g = nn.each rows(%tokens = %sentences : !words) -> (!h, !h) {
    %f1 = nn.call @encoder(%tokens) in "f" : (!words) -> !h
    %g1 = nn.call @encoder(%tokens) in "g" : (!words) -> !h
    nn.yield %f1, %g1 : !h, !h
  }
  %loss = nn.call @neighbours_loss(%f, %g) : (!hs, !hs) -> tensor<f32>
  return %loss : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
