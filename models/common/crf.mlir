// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linear-chain conditional random field.
//
// J. Lafferty, A. McCallum, F. Pereira: Conditional Random Fields. ICML 2001; on states of an LSTM:
// G. Lample et al.: Neural Architectures for Named Entity Recognition. NAACL 2016, section 2.2. A
// list of labels y has the score e_1(y_1) + T(y_1, y_2) + e_2(y_2) + ... The marginals of the labels
// are the gradient of log Z by e, and the best labels that of the best score.
nn.sizes {labels = 72}

!f = tensor<f32>
!fs = tensor<?xf32>
!ids = tensor<?xi32>
!e = tensor<72xf32>
!ek = tensor<1x72xf32>
!es = tensor<?x72xf32>
!T = tensor<72x72xf32>

/// T, from label to label.
func.func private @transitions() -> !T {
  %T = nn.param "transitions" : !T init <normal(0.0, 0.1)>
  return %T : !T
}

/// log sum over i of exp(x_i).
func.func private @log_sum(%x: !e) -> !f {
  %m = nn.max %x over 0 : !e
  %ms = nn.broadcast %m dims [] : !f -> !e
  %d = arith.subf %x, %ms : !e
  %p = math.exp %d : !e
  %z = nn.sum %p over 0 : !e
  %l = math.log %z : !f
  %y = arith.addf %l, %m : !f
  return %y : !f
}

/// log Z: a_t(j) = e_t(j) + log sum over i of exp(a_t-1(i) + T(i, j)), then over the last labels.
func.func private @log_partition(%e: !es, %T: !T) -> !f {
  %chain = tree.chain %e : !es
  %a = tree.fold %chain nodes(%et = %e : !e) children(%ak : !ek) -> (!e) {
    %p = nn.reshape %ak : !ek -> !e
    %ps = nn.broadcast %p dims [0] : !e -> !T
    %s = arith.addf %ps, %T : !T
    %m = nn.max %s over 0 : !T
    %ms = nn.broadcast %m dims [1] : !e -> !T
    %d = arith.subf %s, %ms : !T
    %x = math.exp %d : !T
    %z = nn.sum %x over 0 : !T
    %l = math.log %z : !e
    %lm = arith.addf %l, %m : !e
    %at = arith.addf %lm, %et : !e
    tree.yield %at : !e
  } leaf {
    tree.yield %et : !e
  }
  %last = tree.root %chain, %a : !es
  %z = nn.call @log_sum(%last) : (!e) -> !f
  return %z : !f
}

/// The score of the best labels: the same with a maximum in the place of the sum (Viterbi).
func.func private @best_score(%e: !es, %T: !T) -> !f {
  %chain = tree.chain %e : !es
  %a = tree.fold %chain nodes(%et = %e : !e) children(%ak : !ek) -> (!e) {
    %p = nn.reshape %ak : !ek -> !e
    %ps = nn.broadcast %p dims [0] : !e -> !T
    %s = arith.addf %ps, %T : !T
    %m = nn.max %s over 0 : !T
    %at = arith.addf %m, %et : !e
    tree.yield %at : !e
  } leaf {
    tree.yield %et : !e
  }
  %last = tree.root %chain, %a : !es
  %best = nn.max %last over 0 : !e
  return %best : !f
}

/// The score of given labels.
func.func private @score_of(%e: !es, %labels: !ids, %T: !T) -> !f {
  %one = arith.constant dense<1> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %own = nn.pick %e, %labels : !es, !ids
  %sum = nn.sum %own over 0 : !fs
  // The label before, by its number; the first one has none.
  %i = nn.positions %labels limit 2147483647 : !ids
  %ones = nn.broadcast %one dims [] like %i : tensor<i32>, !ids -> !ids
  %zeros = nn.broadcast %zero dims [] like %i : tensor<i32>, !ids -> !ids
  %j = arith.subi %i, %ones : !ids
  %before = nn.take %labels, %j : !ids, !ids
  %rows = nn.embed %before, %T : !ids, !T
  %step = nn.pick %rows, %labels : !es, !ids
  %has = arith.cmpi sgt, %i, %zeros : !ids
  %some = arith.uitofp %has : tensor<?xi1> to !fs
  %steps = arith.mulf %step, %some : !fs
  %all = nn.sum %steps over 0 : !fs
  %score = arith.addf %sum, %all : !f
  return %score : !f
}

/// -log p(labels) of a text.
func.func private @crf_loss(%e: !es, %labels: !ids) -> !f {
  %T = nn.call @transitions() : () -> !T
  %z = nn.call @log_partition(%e, %T) : (!es, !T) -> !f
  %s = nn.call @score_of(%e, %labels, %T) : (!es, !ids, !T) -> !f
  %l = arith.subf %z, %s : !f
  return %l : !f
}

/// The score of the best labels, whose gradient by the emissions tells which these are.
func.func private @crf_best(%e: !es) -> !f {
  %T = nn.call @transitions() : () -> !T
  %s = nn.call @best_score(%e, %T) : (!es, !T) -> !f
  return %s : !f
}

/// 1 for the best label of each row, 0 for others.
func.func private @crf_labels(%e: !es) -> !es {
  %s = nn.call @crf_best(%e) : (!es) -> !f
  %y = train.gradient %s wrt %e : !f, !es
  return %y : !es
}
