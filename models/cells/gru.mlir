// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gated recurrent unit, reset before the product.
//
// K. Cho et al.: Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine
// Translation. EMNLP 2014; here as in A. Simoulin's thesis, Université Paris Cité 2022, eq.
// 3.1-3.4: the reset gate acts on the state before the product with U_h (gru_cudnn.mlir: after it).
nn.import "../common/gates.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5}

!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hp = tensor<1x150xf32>
!E = tensor<2000x200xf32>

/// The state behind the word x and the state h.
func.func private @gru_cell(%x: !x, %h: !h) -> !h {
  // r_t = sigmoid(W_r x_t + U_r h_t-1 + b_r) (3.1)
  %ra = nn.call @gate(%x, %h) in "r" : (!x, !h) -> !h
  %r = nn.sigmoid %ra : !h
  // z_t = sigmoid(W_z x_t + U_z h_t-1 + b_z) (3.2)
  %za = nn.call @gate(%x, %h) in "z" : (!x, !h) -> !h
  %z = nn.sigmoid %za : !h
  // g_t = tanh(W_h x_t + U_h (r_t * h_t-1) + b_h) (3.3)
  %rh = arith.mulf %r, %h : !h
  %ga = nn.call @gate(%x, %rh) in "h" : (!x, !h) -> !h
  %g = math.tanh %ga : !h
  // h_t = (1 - z_t) * h_t-1 + z_t * g_t (3.4)
  %d = arith.subf %g, %h : !h
  %zd = arith.mulf %z, %d : !h
  %ht = arith.addf %h, %zd : !h
  return %ht : !h
}

/// The state of the last word.
func.func @encode(%words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %chain = tree.chain %words : !words
  %h = tree.fold %chain nodes(%xt = %x : !x) children(%h1 : !hp) -> (!h) {
    // the state before: that of the only child, zero for the first word
    %hp = nn.reshape %h1 : !hp -> !h
    %ht = nn.call @gru_cell(%xt, %hp) : (!x, !h) -> !h
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
