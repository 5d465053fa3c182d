// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What word comes next, by a Transformer whose words see those before them, and what it is good for.
//
// A. Radford et al.: Improving Language Understanding by Generative Pre-Training. 2018; A. Simoulin, B.
// Crabbe: Un modele Transformer Generatif Pre-entraine pour le francais. TALN 2021 (GPT_fr), equations
// 9.4 to 9.13 of A. Simoulin's thesis. Words are scored by their own vectors. `loss` learns texts, and
// `class_loss` goes on with classes, told by the state of the last word; where a class is a word
// behind a text, it is a text. `answer` says how likely a text is behind another one: a prompt asks
// which answer is the best one. `summary` and `sample` go on behind a text and a word that asks for
// it (`tl;dr`), by words that are drawn among the two, or the 50, most probable ones.
nn.import "../common/one_stack.mlir"
nn.sizes {words = 8000, places = 512, heads = 4, columns = 32, width = heads * columns, classes = 6}

#stack = {heads = #nn.given<"heads" = 4>, columns = #nn.given<"columns" = 32>,
          inner = #nn.given<"inner" = 512>}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>
!y = tensor<6xf32>

func.func private @tables() -> (!E, !P) {
  %E = nn.param "words" : !E init <normal(0.0, 0.09)>
  %P = nn.param "places" : !P init <sinusoidal(1.0)>
  return %E, %P : !E, !P
}

/// The states behind all words of a text, and keys and values of both layers.
func.func private @known(%words: !ids, %E: !E, %P: !P) -> (!xs, !xs, !xs, !xs, !xs) {
  %i = nn.positions %words limit 512 : !ids
  %x = nn.call @vectors(%words, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %h, %k0, %v0, %k1, %v1 = nn.call @past(%x) with #stack : (!xs) -> (!xs, !xs, !xs, !xs, !xs)
  return %h, %k0, %v0, %k1, %v1 : !xs, !xs, !xs, !xs, !xs
}

/// Log-probabilities of the words behind each word of a text.
func.func private @told(%in: !ids) -> !ys {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %h, %k0, %v0, %k1, %v1 = nn.call @known(%in, %E, %P) : (!ids, !E, !P) -> (!xs, !xs, !xs, !xs, !xs)
  %s = nn.call @scores(%h, %E) : (!xs, !E) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p : !ys
}

/// The mean over the words w_t of -log P(w_t | w_1 ... w_t-1).
func.func @loss(%in: !ids {cambium.name = "text.in", cambium.rows = "text"},
                %out: !ids {cambium.name = "text.out", cambium.rows = "text"}) -> !f {
  %p = nn.call @told(%in) : (!ids) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %m = nn.mean %right over 0 : !fs
  %l = arith.negf %m : !f
  return %l : !f
}

/// The same: how surprising a text is, the logarithm of its perplexity.
func.func @predict(%in: !ids {cambium.name = "text.in", cambium.rows = "text"},
                   %out: !ids {cambium.name = "text.out", cambium.rows = "text"}) -> !f {
  %l = nn.call @loss(%in, %out) : (!ids, !ids) -> !f
  return %l : !f
}

/// The mean of the logarithms of the probabilities of those words of a text whose mark is 1.
func.func @answer(%in: !ids {cambium.name = "text.in", cambium.rows = "text"},
                  %out: !ids {cambium.name = "text.out", cambium.rows = "text"},
                  %marks: !fs {cambium.name = "marks", cambium.rows = "text"}) -> !f {
  %p = nn.call @told(%in) : (!ids) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %marked = arith.mulf %right, %marks : !fs
  %sum = nn.sum %marked over 0 : !fs
  %count = nn.sum %marks over 0 : !fs
  %y = arith.divf %sum, %count : !f
  return %y : !f
}

//===--- Classes ---===//

/// Scores of the classes, by the state behind the last word.
func.func @classes(%in: !ids {cambium.name = "text.in", cambium.rows = "text"}) -> !y {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %h, %k0, %v0, %k1, %v1 = nn.call @known(%in, %E, %P) : (!ids, !E, !P) -> (!xs, !xs, !xs, !xs, !xs)
  %end = arith.constant dense<2147483647> : !i
  %last = nn.take %h, %end : !xs, !i
  %y = nn.call @dense_one(%last) in "classes" : (!x) -> !y
  return %y : !y
}

func.func @class_loss(%in: !ids {cambium.name = "text.in", cambium.rows = "text"},
                      %label: !i {cambium.name = "label"}) -> !f {
  %y = nn.call @classes(%in) : (!ids) -> !y
  %l = nn.cross_entropy %y, %label : !y, !i
  return %l : !f
}

//===--- Texts that go on ---===//

/// Log-probabilities of the words behind the last ones, and the next places, of which none is beyond
/// the table.
func.func private @go_on(%w: !ids, %i: !ids, %E: !E, %P: !P, %fk0: !xs, %fv0: !xs, %fk1: !xs,
                         %fv1: !xs, %k0: !own, %v0: !own, %k1: !own, %v1: !own)
    -> (!ys, !ids, !own, !own, !own, !own) {
  %one = arith.constant dense<1> : !i
  %ones = nn.broadcast %one dims [] like %i : !i, !ids -> !ids
  %next = arith.addi %i, %ones : !ids
  %all = arith.constant dense<1.0> : tensor<512xf32>
  %count = nn.sum %all over 0 : tensor<512xf32>
  %places = arith.fptosi %count : !f to !i
  %most = arith.subi %places, %one : !i
  %mosts = nn.broadcast %most dims [] like %i : !i, !ids -> !ids
  %at = arith.minsi %i, %mosts : !ids
  %x = nn.call @vectors(%w, %at, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %y, %ka, %va, %kb, %vb = nn.call @behind_step(%x, %fk0, %fv0, %fk1, %fv1, %k0, %v0, %k1, %v1)
    with #stack : (!xs, !xs, !xs, !xs, !xs, !own, !own, !own, !own) -> (!xs, !own, !own, !own, !own)
  %s = nn.call @scores(%y, %E) : (!xs, !E) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
}

/// A word that asks, its place behind a text, and what is known of the text.
func.func private @stand(%in: !ids, %prompt: !ids) -> (!i, !i, !E, !P, !xs, !xs, !xs, !xs) {
  %zero = arith.constant dense<0> : !i
  %one = arith.constant dense<1> : !i
  %end = arith.constant dense<2147483647> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %h, %k0, %v0, %k1, %v1 = nn.call @known(%in, %E, %P) : (!ids, !E, !P) -> (!xs, !xs, !xs, !xs, !xs)
  %begin = nn.take %prompt, %zero : !ids, !i
  %i = nn.positions %in limit 512 : !ids
  %last = nn.take %i, %end : !ids, !i
  %place = arith.addi %last, %one : !i
  return %begin, %place, %E, %P, %k0, %v0, %k1, %v1 : !i, !i, !E, !P, !xs, !xs, !xs, !xs
}

/// A text of at most 100 words behind the word that asks, each drawn among the two most probable.
func.func @summary(%in: !ids {cambium.name = "text.in", cambium.rows = "text"},
                   %prompt: !ids {cambium.name = "prompt", cambium.rows = "prompt"})
    -> (tensor<1x100xi32>, tensor<1xi32>, tensor<1xf32>) {
  %end = arith.constant dense<3> : !i
  %begin, %place, %E, %P, %fk0, %fv0, %fk1, %fv1 = nn.call @stand(%in, %prompt)
    : (!ids, !ids) -> (!i, !i, !E, !P, !xs, !xs, !xs, !xs)
  %words, %lengths, %scores = depth.search sample 1 among 2 max 100 begin %begin end %end
      carried(%i = %place : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %p, %next, %ka, %va, %kb, %vb
      = nn.call @go_on(%w, %i, %E, %P, %fk0, %fv0, %fk1, %fv1, %k0, %v0, %k1, %v1)
      : (!ids, !ids, !E, !P, !xs, !xs, !xs, !xs, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<1x100xi32>, tensor<1xi32>, tensor<1xf32>
}

/// Three texts of at most 40 words, each word drawn among the 50 most probable.
func.func @sample(%in: !ids {cambium.name = "text.in", cambium.rows = "text"},
                  %prompt: !ids {cambium.name = "prompt", cambium.rows = "prompt"})
    -> (tensor<3x40xi32>, tensor<3xi32>, tensor<3xf32>) {
  %end = arith.constant dense<3> : !i
  %begin, %place, %E, %P, %fk0, %fv0, %fk1, %fv1 = nn.call @stand(%in, %prompt)
    : (!ids, !ids) -> (!i, !i, !E, !P, !xs, !xs, !xs, !xs)
  %words, %lengths, %scores = depth.search sample 3 among 50 max 40 begin %begin end %end
      carried(%i = %place : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %p, %next, %ka, %va, %kb, %vb
      = nn.call @go_on(%w, %i, %E, %P, %fk0, %fv0, %fk1, %fv1, %k0, %v0, %k1, %v1)
      : (!ids, !ids, !E, !P, !xs, !xs, !xs, !xs, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<3x40xi32>, tensor<3xi32>, tensor<3xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @classify loss @class_loss optimizer #train.optimizer<adam> clip_norm 5.0
