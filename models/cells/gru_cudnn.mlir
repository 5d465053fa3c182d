// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gated recurrent unit, reset after the product.
//
// The GRU of cuDNN and PyTorch: two biases per gate, and the reset gate acts on U_h h_t-1 + c_h, so
// that the products of all gates see the same state.
nn.import "../common/gru.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5}

!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hp = tensor<1x150xf32>
!E = tensor<2000x200xf32>

/// The state of the last word.
func.func @encode(%words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %chain = tree.chain %words : !words
  %h = tree.fold %chain nodes(%xt = %x : !x) children(%h1 : !hp) -> (!h) {
    // the state before: that of the only child, zero for the first word
    %hp = nn.reshape %h1 : !hp -> !h
    %ht = nn.call @gru_cudnn_cell(%xt, %hp) : (!x, !h) -> !h
    tree.yield %ht : !h
  }
  %last = tree.root %chain, %h : tensor<?x150xf32>
  return %last : !h
}

/// Cross entropy of a linear layer over the state of the last word.
func.func @loss(%words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%words) : (!words) -> !h
  %y = nn.call @dense_one(%h) in "classes" : (!h) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
