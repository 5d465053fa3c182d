// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gated recurrent unit, reset after the product: the one of cuDNN and PyTorch.
//
// K. Cho et al.: Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine
// Translation. EMNLP 2014; models/cells has the form of the paper too. Two biases per gate, and the
// reset gate acts on U_h h_t-1 + c_h, so that the products of all gates see the same state.
nn.import "layers.mlir"
nn.sizes {input = 200, hidden = 150, both = 2 * hidden}

!x = tensor<200xf32>
!xs = tensor<?x200xf32>
!h = tensor<150xf32>
!hp = tensor<1x150xf32>
!hs = tensor<?x150xf32>

/// The state behind the word x and the state h.
func.func private @gru_cudnn_cell(%x: !x, %h: !h) -> !h {
  // r_t = sigmoid(W_r x_t + b_r + U_r h_t-1 + c_r)
  %rx = nn.call @dense_one(%x) in "r.x" : (!x) -> !h
  %rh = nn.call @dense_one(%h) in "r.h" : (!h) -> !h
  %ra = arith.addf %rx, %rh : !h
  %r = nn.sigmoid %ra : !h
  // z_t = sigmoid(W_z x_t + b_z + U_z h_t-1 + c_z)
  %zx = nn.call @dense_one(%x) in "z.x" : (!x) -> !h
  %zh = nn.call @dense_one(%h) in "z.h" : (!h) -> !h
  %za = arith.addf %zx, %zh : !h
  %z = nn.sigmoid %za : !h
  // n_t = tanh(W_h x_t + b_h + r_t * (U_h h_t-1 + c_h))
  %nx = nn.call @dense_one(%x) in "n.x" : (!x) -> !h
  %nh = nn.call @dense_one(%h) in "n.h" : (!h) -> !h
  %rn = arith.mulf %r, %nh : !h
  %na = arith.addf %nx, %rn : !h
  %n = math.tanh %na : !h
  // h_t = (1 - z_t) * n_t + z_t * h_t-1
  %d = arith.subf %h, %n : !h
  %zd = arith.mulf %z, %d : !h
  %ht = arith.addf %n, %zd : !h
  return %ht : !h
}

/// The states of all rows of a chain.
func.func private @gru_states(%chain: !tree.tree, %x: !xs) -> !hs {
  %h = tree.fold %chain nodes(%xt = %x : !x) children(%h1 : !hp) -> (!h) {
    // the state before: that of the only child, zero for the first word
    %hp = nn.reshape %h1 : !hp -> !h
    %ht = nn.call @gru_cudnn_cell(%xt, %hp) : (!x, !h) -> !h
    tree.yield %ht : !h
  }
  return %h : !hs
}

/// Both directions side by side.
func.func private @gru_both(%x: !xs) -> tensor<?x300xf32> {
  %there = tree.chain %x : !xs
  %f = nn.call @gru_states(%there, %x) in "forward" : (!tree.tree, !xs) -> !hs
  %back = tree.chain %x reversed : !xs
  %b = nn.call @gru_states(%back, %x) in "backward" : (!tree.tree, !xs) -> !hs
  %h = nn.concat %f, %b over 1 : !hs, !hs
  return %h : tensor<?x300xf32>
}

/// The states of rows of their own, behind their inputs and their states.
func.func private @gru_rows(%x: !xs, %h: !hs) -> !hs {
  %rx = nn.call @dense(%x) in "r.x" : (!xs) -> !hs
  %rh = nn.call @dense(%h) in "r.h" : (!hs) -> !hs
  %ra = arith.addf %rx, %rh : !hs
  %r = nn.sigmoid %ra : !hs
  %zx = nn.call @dense(%x) in "z.x" : (!xs) -> !hs
  %zh = nn.call @dense(%h) in "z.h" : (!hs) -> !hs
  %za = arith.addf %zx, %zh : !hs
  %z = nn.sigmoid %za : !hs
  %nx = nn.call @dense(%x) in "n.x" : (!xs) -> !hs
  %nh = nn.call @dense(%h) in "n.h" : (!hs) -> !hs
  %rn = arith.mulf %r, %nh : !hs
  %na = arith.addf %nx, %rn : !hs
  %n = math.tanh %na : !hs
  %d = arith.subf %h, %n : !hs
  %zd = arith.mulf %z, %d : !hs
  %ht = arith.addf %n, %zd : !hs
  return %ht : !hs
}
