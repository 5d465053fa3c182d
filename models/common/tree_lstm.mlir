// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tree-LSTMs.
//
// K. S. Tai, R. Socher, C. D. Manning: Improved Semantic Representations From Tree-Structured Long
// Short-Term Memory Networks. ACL 2015; numbers of equations: A. Simoulin's thesis, Université
// Paris Cité 2022.
nn.import "gates.mlir"
nn.sizes {input = 200, hidden = 150, both = 2 * hidden}

!x = tensor<200xf32>
!xs = tensor<?x200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!h2 = tensor<2x150xf32>
!hh = tensor<300xf32>
!W = tensor<200x150xf32>
!U = tensor<300x150xf32>
#xavier = #nn.init<xavier_uniform>

/// c_j = sigmoid(i) * tanh(u) + sum_k sigmoid(f_k) * c_k (3.16),
/// h_j = sigmoid(o) * tanh(c_j) (3.17).
func.func private @child_sum_step(%i: !h, %o: !h, %u: !h, %fk: !hs, %ck: !hs) -> (!h, !h) {
  %si = nn.sigmoid %i : !h
  %so = nn.sigmoid %o : !h
  %tu = math.tanh %u : !h
  %sf = nn.sigmoid %fk : !hs
  %iu = arith.mulf %si, %tu : !h
  %fc = arith.mulf %sf, %ck : !hs
  %kept = nn.sum %fc over 0 : !hs
  %cj = arith.addf %iu, %kept : !h
  %t = math.tanh %cj : !h
  %hj = arith.mulf %so, %t : !h
  return %hj, %cj : !h, !h
}

/// i = W_i x_j + U_i h~ + b_i (3.12); o, u likewise (3.13, 3.14);
/// f_k = W_f x_j + U_f h_k + b_f (3.15). h~ is what is made of the children's states.
func.func private @child_sum_cell(%x: !x, %h: !h, %hk: !hs, %ck: !hs) -> (!h, !h) {
  %i = nn.call @gate(%x, %h) in "i" : (!x, !h) -> !h
  %o = nn.call @gate(%x, %h) in "o" : (!x, !h) -> !h
  %u = nn.call @gate(%x, %h) in "u" : (!x, !h) -> !h
  %f = nn.call @gate_each(%x, %hk) in "f" : (!x, !hs) -> !hs
  %hj, %cj = nn.call @child_sum_step(%i, %o, %u, %f, %ck) : (!h, !h, !h, !hs, !hs) -> (!h, !h)
  return %hj, %cj : !h, !h
}

/// The first and the second child of a node.
func.func private @left_and_right(%k: !h2) -> (!h, !h) {
  %row1 = nn.slice %k over 0 from 0 size 1 : !h2
  %left = nn.reshape %row1 : tensor<1x150xf32> -> !h
  %row2 = nn.slice %k over 0 from 1 size 1 : !h2
  %right = nn.reshape %row2 : tensor<1x150xf32> -> !h
  return %left, %right : !h, !h
}

/// c_j = sigmoid(i) * tanh(u) + sigmoid(f_1) * c_1 + sigmoid(f_2) * c_2 (3.26),
/// h_j = sigmoid(o) * tanh(c_j) (3.27).
func.func private @binary_step(%i: !h, %o: !h, %u: !h, %f1: !h, %f2: !h, %ck: !h2) -> (!h, !h) {
  %c1, %c2 = nn.call @left_and_right(%ck) : (!h2) -> (!h, !h)
  %si = nn.sigmoid %i : !h
  %so = nn.sigmoid %o : !h
  %tu = math.tanh %u : !h
  %sf1 = nn.sigmoid %f1 : !h
  %sf2 = nn.sigmoid %f2 : !h
  %iu = arith.mulf %si, %tu : !h
  %fc1 = arith.mulf %sf1, %c1 : !h
  %fc2 = arith.mulf %sf2, %c2 : !h
  %s = arith.addf %iu, %fc1 : !h
  %cj = arith.addf %s, %fc2 : !h
  %t = math.tanh %cj : !h
  %hj = arith.mulf %so, %t : !h
  return %hj, %cj : !h, !h
}

/// The same of a leaf, which keeps nothing.
func.func private @leaf_step(%i: !h, %o: !h, %u: !h) -> (!h, !h) {
  %si = nn.sigmoid %i : !h
  %so = nn.sigmoid %o : !h
  %tu = math.tanh %u : !h
  %cj = arith.mulf %si, %tu : !h
  %t = math.tanh %cj : !h
  %hj = arith.mulf %so, %t : !h
  return %hj, %cj : !h, !h
}

/// The states of the nodes of a binary tree whose words stand at the leaves: i = U_i [h_1; h_2] +
/// b_i, o and u likewise (3.22-3.24), f_k = U_fk [h_1; h_2] + b_f (3.25). A leaf: i = W_i x + b_i.
func.func private @binary_tree_lstm(%tree: !tree.tree, %x: !xs) -> !hs {
  %b_i = nn.param "b_i" : !h no_decay
  %b_o = nn.param "b_o" : !h no_decay
  %b_u = nn.param "b_u" : !h no_decay
  %h, %c = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !h2, %ck : !h2) -> (!h, !h) {
    %U_i = nn.param "U_i" : !U init #xavier
    %U_o = nn.param "U_o" : !U init #xavier
    %U_u = nn.param "U_u" : !U init #xavier
    %U_f1 = nn.param "U_f1" : !U init #xavier
    %U_f2 = nn.param "U_f2" : !U init #xavier
    %b_f = nn.param "b_f" : !h init <constant(1.0)> no_decay
    %hh = nn.reshape %hk : !h2 -> !hh
    %i = nn.linear %hh, %U_i, %b_i : !hh, !U, !h
    %o = nn.linear %hh, %U_o, %b_o : !hh, !U, !h
    %u = nn.linear %hh, %U_u, %b_u : !hh, !U, !h
    %f1 = nn.linear %hh, %U_f1, %b_f : !hh, !U, !h
    %f2 = nn.linear %hh, %U_f2, %b_f : !hh, !U, !h
    %hj, %cj = nn.call @binary_step(%i, %o, %u, %f1, %f2, %ck)
        : (!h, !h, !h, !h, !h, !h2) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  } leaf {
    %W_i = nn.param "W_i" : !W init #xavier
    %W_o = nn.param "W_o" : !W init #xavier
    %W_u = nn.param "W_u" : !W init #xavier
    %i = nn.linear %xj, %W_i, %b_i : !x, !W, !h
    %o = nn.linear %xj, %W_o, %b_o : !x, !W, !h
    %u = nn.linear %xj, %W_u, %b_u : !x, !W, !h
    %hj, %cj = nn.call @leaf_step(%i, %o, %u) : (!h, !h, !h) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  }
  return %h : !hs
}
