// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// N-ary Tree-LSTM for binary trees.
//
// K. S. Tai, R. Socher, C. D. Manning: Improved Semantic Representations From Tree-Structured Long
// Short-Term Memory Networks. ACL 2015, eq. 9-14 with N = 2: the children are ordered, and each of
// the two forget gates sees both of them (U_f1 = [U_11; U_12], U_f2 = [U_21; U_22]). Word 0 is no
// word: the vector of inner nodes is zero.
nn.import "../common/gates.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5, both = 2 * hidden}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>
!h2 = tensor<2x150xf32>
!hh = tensor<300xf32>
!U = tensor<300x150xf32>

/// The state of a node with the word x and the children [h_1; h_2], [c_1; c_2].
func.func private @nary_cell(%x: !x, %hk: !h2, %ck: !h2) -> (!h, !h) {
  // so that U_1 h_1 + U_2 h_2 is one product
  %hh = nn.reshape %hk : !h2 -> !hh
  // i_j = sigmoid(W_i x_j + sum_l U_il h_jl + b_i) (9); o_j likewise (11), u_j with tanh (12)
  %ia = nn.call @gate(%x, %hh) in "i" : (!x, !hh) -> !h
  %i = nn.sigmoid %ia : !h
  %oa = nn.call @gate(%x, %hh) in "o" : (!x, !hh) -> !h
  %o = nn.sigmoid %oa : !h
  %ua = nn.call @gate(%x, %hh) in "u" : (!x, !hh) -> !h
  %u = math.tanh %ua : !h
  // f_jk = sigmoid(W_f x_j + sum_l U_fkl h_jl + b_f) (10)
  %U_1 = nn.param "f.U_1" : !U init <xavier_uniform>
  %U_2 = nn.param "f.U_2" : !U init <xavier_uniform>
  %fx = nn.call @dense_one(%x) in "f" : (!x) -> !h
  %f1h = nn.linear %hh, %U_1 : !hh, !U
  %f2h = nn.linear %hh, %U_2 : !hh, !U
  %f1 = arith.addf %fx, %f1h : !h
  %f2 = arith.addf %fx, %f2h : !h
  %f12 = nn.concat %f1, %f2 over 0 : !h, !h
  %fa = nn.reshape %f12 : !hh -> !h2
  %f = nn.sigmoid %fa : !h2
  // c_j = i_j * u_j + sum_l f_jl * c_jl (13)
  %iu = arith.mulf %i, %u : !h
  %fc = arith.mulf %f, %ck : !h2
  %fcs = nn.sum %fc over 0 : !h2
  %c = arith.addf %iu, %fcs : !h
  // h_j = o_j * tanh(c_j) (14)
  %t = math.tanh %c : !h
  %h = arith.mulf %o, %t : !h
  return %h, %c : !h, !h
}

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %h, %c = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !h2, %ck : !h2) -> (!h, !h) {
    %hj, %cj = nn.call @nary_cell(%xj, %hk, %ck) : (!x, !h2, !h2) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
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
