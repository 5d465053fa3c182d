// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds over all spans of a sentence: trees that a model weighs instead of choosing one.
//
// J. Maillard, S. Clark, D. Yogatama: Jointly Learning Sentence Embeddings and Syntax with
// Unsupervised Tree-LSTMs. arXiv 1705.09189, 2017. Y. Liu, M. Gardner, M. Lapata: Structured Alignment
// Networks for Matching Sentences. EMNLP 2018.
nn.import "tree_lstm.mlir"
nn.sizes {input = 200, hidden = 150, both = 2 * hidden}

!x = tensor<200xf32>
!xs = tensor<?x200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!pairs = tensor<?x2x150xf32>
!side = tensor<?x1x150xf32>
!hhs = tensor<?x300xf32>
!W = tensor<200x150xf32>
!U = tensor<300x150xf32>
!ids = tensor<?xi32>
!n = tensor<f32>
!f = tensor<?xf32>
#xavier = #nn.init<xavier_uniform>

/// What stands before a cut, and behind it.
func.func private @before_and_behind(%k: !pairs) -> (!hs, !hs) {
  %one = nn.slice %k over 1 from 0 size 1 : !pairs
  %before = nn.reshape %one : !side -> !hs
  %two = nn.slice %k over 1 from 1 size 1 : !pairs
  %behind = nn.reshape %two : !side -> !hs
  return %before, %behind : !hs, !hs
}

/// A Tree-LSTM for each cut: c = sigmoid(i) tanh(u) + sigmoid(f_1) c_1 + sigmoid(f_2) c_2,
/// h = sigmoid(o) tanh(c).
func.func private @cut_step(%i: !hs, %o: !hs, %u: !hs, %f1: !hs, %f2: !hs, %ck: !pairs)
    -> (!hs, !hs) {
  %c1, %c2 = nn.call @before_and_behind(%ck) : (!pairs) -> (!hs, !hs)
  %si = nn.sigmoid %i : !hs
  %so = nn.sigmoid %o : !hs
  %tu = math.tanh %u : !hs
  %sf1 = nn.sigmoid %f1 : !hs
  %sf2 = nn.sigmoid %f2 : !hs
  %iu = arith.mulf %si, %tu : !hs
  %fc1 = arith.mulf %sf1, %c1 : !hs
  %fc2 = arith.mulf %sf2, %c2 : !hs
  %s = arith.addf %iu, %fc1 : !hs
  %c = arith.addf %s, %fc2 : !hs
  %t = math.tanh %c : !hs
  %h = arith.mulf %so, %t : !hs
  return %h, %c : !hs, !hs
}

/// How much each cut counts: the softmax of cos(q, h_k) / temperature (Maillard et al.).
func.func private @weights_of_cuts(%h: !hs) -> !f {
  %tau = nn.constant "temperature" = 1.0 : !n
  %q = nn.param "query" : !h init <normal(0.0, 0.1)> no_decay
  %qs = nn.broadcast %q dims [1] like %h : !h, !hs -> !hs
  %e = nn.cosine_similarity %qs, %h over 1 : !hs, !hs
  %taus = nn.broadcast %tau dims [] like %e : !n, !f -> !f
  %d = arith.divf %e, %taus : !f
  %w = nn.softmax %d over 0 : !f
  return %w : !f
}

/// The state of the whole sentence, whose words have the rows: that of a span is the weighted sum of
/// what all its cuts give (Maillard et al.). Gates: U [h_1; h_2] + b; a word: W x + b.
func.func private @chart_tree_lstm(%x: !xs) -> !h {
  %t, %first, %last = tree.chart %x : !xs
  %words = nn.take %x, %first : !xs, !ids
  %b_i = nn.param "b_i" : !h no_decay
  %b_o = nn.param "b_o" : !h no_decay
  %b_u = nn.param "b_u" : !h no_decay
  %h, %c = tree.fold %t nodes(%xj = %words : !x) children(%hk : !pairs, %ck : !pairs) -> (!h, !h) {
    %U_i = nn.param "U_i" : !U init #xavier
    %U_o = nn.param "U_o" : !U init #xavier
    %U_u = nn.param "U_u" : !U init #xavier
    %U_f1 = nn.param "U_f1" : !U init #xavier
    %U_f2 = nn.param "U_f2" : !U init #xavier
    %b_f = nn.param "b_f" : !h init <constant(1.0)> no_decay
    %hh = nn.reshape %hk : !pairs -> !hhs
    %i = nn.linear %hh, %U_i, %b_i : !hhs, !U, !h
    %o = nn.linear %hh, %U_o, %b_o : !hhs, !U, !h
    %u = nn.linear %hh, %U_u, %b_u : !hhs, !U, !h
    %f1 = nn.linear %hh, %U_f1, %b_f : !hhs, !U, !h
    %f2 = nn.linear %hh, %U_f2, %b_f : !hhs, !U, !h
    %hs, %cs = nn.call @cut_step(%i, %o, %u, %f1, %f2, %ck)
        : (!hs, !hs, !hs, !hs, !hs, !pairs) -> (!hs, !hs)
    %w = nn.call @weights_of_cuts(%hs) : (!hs) -> !f
    %hj = nn.matmul %w, %hs : !f, !hs
    %cj = nn.matmul %w, %cs : !f, !hs
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
  %root = tree.root %t, %h : !hs
  return %root : !h
}

/// log of the sum over all binary trees of the exponential of the scores of their spans.
func.func private @log_partition(%t: !tree.tree, %score: !f) -> !n {
  %z = tree.fold %t nodes(%s = %score : !n) children(%zk : tensor<?x2xf32>) -> (!n) {
    %both = nn.sum %zk over 1 : tensor<?x2xf32>
    %l = nn.log_sum_exp %both over 0 : !f
    %zj = arith.addf %l, %s : !n
    tree.yield %zj : !n
  } leaf {
    tree.yield %s : !n
  }
  %r = tree.root %t, %z : !f
  return %r : !n
}
