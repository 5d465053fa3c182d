// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long short-term memory.
//
// The cell is that of common/lstm.mlir. A sequence is a tree in which a word's only child is the
// word before it.
nn.import "../common/lstm.mlir"
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
  %h, %c = tree.fold %chain nodes(%xt = %x : !x) children(%h1 : !hp, %c1 : !hp) -> (!h, !h) {
    // the state before: that of the only child, zero for the first word
    %hp = nn.reshape %h1 : !hp -> !h
    %cp = nn.reshape %c1 : !hp -> !h
    %ht, %ct = nn.call @lstm_cell(%xt, %hp, %cp) : (!x, !h, !h) -> (!h, !h)
    tree.yield %ht, %ct : !h, !h
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
