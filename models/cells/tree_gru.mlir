// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tree-GRU with a reset gate per child.
//
// W. Jin, R. Barzilay, T. Jaakkola: Junction Tree Variational Autoencoder for Molecular Graph
// Generation. ICML 2018, section on the tree encoder, bottom-up: a GRU whose previous state is the
// sum of the children's states and whose candidate sees each child through its own reset gate. On
// a chain it is the GRU of gru.mlir.
nn.import "../common/gates.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>

/// The state of a node with the word x and the children's states h_k.
func.func private @tree_gru_cell(%x: !x, %hk: !hs) -> !h {
  // s_j = sum_k h_k
  %s = nn.sum %hk over 0 : !hs
  // z_j = sigmoid(W_z x_j + U_z s_j + b_z)
  %za = nn.call @gate(%x, %s) in "z" : (!x, !h) -> !h
  %z = nn.sigmoid %za : !h
  // r_jk = sigmoid(W_r x_j + U_r h_k + b_r), one gate per child
  %ra = nn.call @gate_each(%x, %hk) in "r" : (!x, !hs) -> !hs
  %r = nn.sigmoid %ra : !hs
  // g_j = tanh(W_h x_j + U_h sum_k r_jk * h_k + b_h)
  %rh = arith.mulf %r, %hk : !hs
  %rs = nn.sum %rh over 0 : !hs
  %ga = nn.call @gate(%x, %rs) in "h" : (!x, !h) -> !h
  %g = math.tanh %ga : !h
  // h_j = (1 - z_j) * s_j + z_j * g_j
  %d = arith.subf %g, %s : !h
  %zd = arith.mulf %z, %d : !h
  %h = arith.addf %s, %zd : !h
  return %h : !h
}

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %h = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !hs) -> (!h) {
    %hj = nn.call @tree_gru_cell(%xj, %hk) : (!x, !hs) -> !h
    tree.yield %hj : !h
  }
  %root = tree.root %tree, %h : !hs
  return %root : !h
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%tree, %words) : (!tree, !words) -> !h
  %y = nn.call @dense_one(%h) in "classes" : (!h) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
