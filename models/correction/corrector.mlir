// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sentence with mistakes becomes one without: a Transformer that learns from made mistakes too.
//
// S. Kiyono, J. Suzuki, M. Mita, T. Mizumoto, K. Inui: An Empirical Study of Incorporating Pseudo Data
// into Grammatical Error Correction. EMNLP 2019. `loss` has smoothed labels. `predict` searches, by
// score per word. `noisy` is the search of BackTrans (noisy): the model, trained from right to wrong,
// writes mistakes, because in each step a random number up to `beta` is added to the score of each
// hypothesis (Xie et al. 2018). `score` says how likely a correction is that another model has made.
nn.import "../common/writing.mlir"
nn.sizes {words = 8000, places = 256, width = 128}

#inner = {inner = #nn.given<"inner" = 512>}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>

/// Log-probabilities of the words of a target that is known.
func.func private @told(%source: !ids, %in: !ids) -> !ys {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %s = nn.call @known(%in, %m, %E, %P) : (!ids, !xs, !E, !P) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p : !ys
}

/// The mean over the words of the cross entropy with labels of which a part is spread over all words.
func.func @loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %smoothing = nn.constant "smoothing" = 0.1 : !f
  %one = arith.constant dense<1.0> : !f
  %p = nn.call @told(%source, %in) : (!ids, !ids) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %any = nn.mean %p over 1 : !ys
  %a = nn.mean %right over 0 : !fs
  %b = nn.mean %any over 0 : !fs
  %rest = arith.subf %one, %smoothing : !f
  %ar = arith.mulf %a, %rest : !f
  %bs = arith.mulf %b, %smoothing : !f
  %sum = arith.addf %ar, %bs : !f
  %l = arith.negf %sum : !f
  return %l : !f
}

/// The logarithm of the probability of a target.
func.func @score(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                 %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                 %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %p = nn.call @told(%source, %in) : (!ids, !ids) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %y = nn.sum %right over 0 : !fs
  return %y : !f
}

/// The five best targets, of at most 80 words.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"})
    -> (tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %words, %lengths, %scores = depth.search beam 5 length_penalty 1.0 max 80 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %p, %next, %ka, %va, %kb, %vb = nn.call @write(%w, %i, %m, %E, %P, %k0, %v0, %k1, %v1)
      with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>
}

/// The same with noise on the scores of hypotheses.
func.func @noisy(%source: !ids {cambium.name = "source", cambium.rows = "source"})
    -> (tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>) {
  %beta = nn.constant "beta" = 6.0 : !f
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %words, %lengths, %scores = depth.search beam 5 length_penalty 1.0 max 80 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %p, %next, %ka, %va, %kb, %vb = nn.call @write(%w, %i, %m, %E, %P, %k0, %v0, %k1, %v1)
      with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    %r = nn.random uniform(0.0, 1.0) like %w : !ids -> !fs
    %betas = nn.broadcast %beta dims [] like %r : !f, !fs -> !fs
    %n = arith.mulf %r, %betas : !fs
    %ns = nn.broadcast %n dims [0] like %p : !fs, !ys -> !ys
    %q = arith.addf %p, %ns : !ys
    depth.yield %q, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 1.0
