// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What word comes next: where the LSTM of ../sentences/lstm.mlir begins.
//
// A. M. Dai, Q. V. Le: Semi-supervised Sequence Learning. NeurIPS 2015: the vectors of the words and
// the LSTM are learned from texts without a class, and then from those with one. They have the same
// names in both files, so that `cambium-run train lstm.so --init LM/best.safetensors` begins with them.
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/perturbation.mlir"
nn.sizes {words = 20000, input = 256, hidden = 128}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!f = tensor<f32>
!xs = tensor<?x256xf32>
!hs = tensor<?x128xf32>
!y = tensor<?x20000xf32>

/// The mean over the words w_t of -log P(w_t | w_1 ... w_t-1).
func.func @loss(%in: !words {cambium.name = "text.in", cambium.rows = "text"},
                %out: !words {cambium.name = "text.out", cambium.rows = "text"}) -> !f {
  %E = nn.param "words" : tensor<20000x256xf32> init <normal(0.0, 0.1)>
  %length = nn.constant "length" = 4.0 : !f
  %x = nn.embed %in, %E padding_id 0 : !words, tensor<20000x256xf32>
  %v = nn.call @of_length(%x, %length) : (!xs, !f) -> !xs
  %d = nn.dropout %v rate #dropout : !xs
  %chain = tree.chain %d : !xs
  %h = nn.call @lstm_states(%chain, %d) in "lstm" : (!tree.tree, !xs) -> !hs
  %y = nn.call @dense(%h) in "next" : (!hs) -> !y
  %l = nn.cross_entropy %y, %out : !y, !words
  %m = nn.mean %l over 0 : tensor<?xf32>
  return %m : !f
}

/// The same: how surprising a text is, the logarithm of its perplexity.
func.func @predict(%in: !words {cambium.name = "text.in", cambium.rows = "text"},
                   %out: !words {cambium.name = "text.out", cambium.rows = "text"}) -> !f {
  %l = nn.call @loss(%in, %out) : (!words, !words) -> !f
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
