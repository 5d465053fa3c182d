// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Latin word that Romance words come from, letter by letter.
//
// C. Meloni, S. Ravfogel, Y. Goldberg: Ab Antiquo: Neural Proto-language Reconstruction. NAACL 2021;
// as Y. M. Kim et al. trained it again (Transformed Protoform Reconstruction. ACL 2023): the state
// of the decoder is the query of the next step, and values have the letters themselves in them.
//
// `start` is a list of one letter, with which a word begins: its row is the decoder, which is
// carried from letter to letter.
nn.import "../common/gru.mlir"
nn.import "../common/layers.mlir"
nn.sizes {letters = 69, languages = 13, embedding = 51, hidden = 130, steps = 30,
          pair = 2 * embedding, input = embedding + hidden, inner = 111, wide = 2 * inner}

#dropout = #nn.given<"dropout" = 0.32379>
!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!go = tensor<?xi1>
!xs = tensor<?x51xf32>
!in = tensor<?x181xf32>
!hs = tensor<?x130xf32>
!ys = tensor<?x69xf32>
!list = tensor<?x30xf32>
!numbers = tensor<?x30xi32>
!C = tensor<69x51xf32>
!L = tensor<13x51xf32>
!J = tensor<102x51xf32>

/// The vectors of letters and of languages, and what makes one of both.
func.func private @tables() -> (!C, !L, !J, tensor<51xf32>) {
  %C = nn.param "letters" : !C init <normal(0.0, 1.0)>
  %L = nn.param "languages" : !L init <normal(0.0, 1.0)>
  %W = nn.param "read.W" : !J init <xavier_uniform>
  %b = nn.param "read.b" : tensor<51xf32> no_decay
  return %C, %L, %W, %b : !C, !L, !J, tensor<51xf32>
}

/// The vectors of letters of a language: W [letter; language] + b.
func.func private @read(%letters: !ids, %languages: !ids) -> !xs {
  %C, %L, %W, %b = nn.call @tables() : () -> (!C, !L, !J, tensor<51xf32>)
  %c = nn.embed %letters, %C : !ids, !C
  %l = nn.embed %languages, %L : !ids, !L
  %both = nn.concat %c, %l over 1 : !xs, !xs
  %x = nn.linear %both, %W, %b : tensor<?x102xf32>, !J, tensor<51xf32>
  return %x : !xs
}

/// The values of the attention: K h_i + V x_i.
func.func private @values(%x: !xs, %h: !hs) -> !hs {
  %K = nn.param "key" : tensor<130x130xf32> init <xavier_uniform>
  %V = nn.param "letter" : tensor<51x130xf32> init <xavier_uniform>
  %k = nn.linear %h, %K : !hs, tensor<130x130xf32>
  %v = nn.linear %x, %V : !xs, tensor<51x130xf32>
  %kv = arith.addf %k, %v : !hs
  return %kv : !hs
}

/// The sum of the values, weighted by softmax(h_i . Q s) for the state s.
func.func private @attend(%s: !hs, %h: !hs, %values: !hs) -> !hs {
  %Q = nn.param "query" : tensor<130x130xf32> init <xavier_uniform>
  %q = nn.linear %s, %Q : !hs, tensor<130x130xf32>
  %a = nn.attention %q, %h, %values heads 1 scale 1.0 : !hs, !hs, !hs
  return %a : !hs
}

/// The state behind the letter x, what was attended to and the state before.
func.func private @step(%x: !xs, %a: !hs, %h: !hs) -> !hs {
  %xa = nn.concat %x, %a over 1 : !xs, !hs
  %in = nn.dropout %xa rate #dropout : !in
  %s0 = nn.call @gru_rows(%in, %h) in "decoder" : (!in, !hs) -> !hs
  %s = nn.dropout %s0 rate #dropout : !hs
  return %s : !hs
}

/// Scores of the letters: three layers over s + a.
func.func private @score(%s: !hs, %a: !hs) -> !ys {
  %W = nn.param "third.W" : tensor<111x69xf32> init <xavier_uniform>
  %sa = arith.addf %s, %a : !hs
  %z1 = nn.call @dense(%sa) in "first" : (!hs) -> tensor<?x222xf32>
  %h1 = nn.relu %z1 : tensor<?x222xf32>
  %z2 = nn.call @dense(%h1) in "second" : (tensor<?x222xf32>) -> tensor<?x111xf32>
  %h2 = nn.relu %z2 : tensor<?x111xf32>
  %y = nn.linear %h2, %W : tensor<?x111xf32>, tensor<111x69xf32>
  return %y : !ys
}

/// What is attended to: the states behind the letters of the daughters, and their values. The
/// decoder's first state, and the last one of the daughters in the place of what it has attended to.
func.func private @begin(%letters: !ids, %languages: !ids, %start: !ids)
    -> (!hs, !hs, !hs, !hs) {
  %mark = arith.constant dense<12> : !i
  %nothing = arith.constant dense<0.0> : tensor<130xf32>
  %x0 = nn.call @read(%letters, %languages) : (!ids, !ids) -> !xs
  %x = nn.dropout %x0 rate #dropout : !xs
  %chain = tree.chain %x : !xs
  %h0 = nn.call @gru_states(%chain, %x) in "encoder" : (!tree.tree, !xs) -> !hs
  %last = tree.root %chain, %h0 : !hs
  %h = nn.dropout %h0 rate #dropout : !hs
  %v = nn.call @values(%x, %h) in "attention" : (!xs, !hs) -> !hs
  %marks = nn.broadcast %mark dims [] like %start : !i, !ids -> !ids
  %b = nn.call @read(%start, %marks) : (!ids, !ids) -> !xs
  %a = nn.broadcast %last dims [1] like %start : tensor<130xf32>, !ids -> !hs
  %none = nn.broadcast %nothing dims [1] like %start : tensor<130xf32>, !ids -> !hs
  %s = nn.call @step(%b, %a, %none) : (!xs, !hs, !hs) -> !hs
  return %h, %v, %s, %a : !hs, !hs, !hs, !hs
}

/// The state behind a Latin letter, and what it attends to.
func.func private @next(%letter: !ids, %s: !hs, %h: !hs, %v: !hs) -> (!hs, !hs) {
  %latin = arith.constant dense<11> : !i
  %latins = nn.broadcast %latin dims [] like %letter : !i, !ids -> !ids
  %x = nn.call @read(%letter, %latins) : (!ids, !ids) -> !xs
  %a = nn.call @attend(%s, %h, %v) in "attention" : (!hs, !hs, !hs) -> !hs
  %t = nn.call @step(%x, %a, %s) : (!xs, !hs, !hs) -> !hs
  return %t, %a : !hs, !hs
}

/// The mean cross entropy of the letters, of which each sees those before it.
func.func @loss(%letters: !ids {cambium.name = "letters", cambium.rows = "source"},
                %languages: !ids {cambium.name = "languages", cambium.rows = "source"},
                %start: !ids {cambium.name = "start", cambium.rows = "start"},
                %word: !ids {cambium.name = "word", cambium.rows = "word"}) -> !f {
  %one = arith.constant dense<1> : !i
  %unit = arith.constant dense<1.0> : !f
  %units = nn.broadcast %unit dims [] like %word : !f, !ids -> !fs
  %count = nn.sum %units over 0 : !fs
  %number = arith.fptosi %count : !f to !i
  %n = nn.broadcast %number dims [] like %start : !i, !ids -> !ids
  %ones = nn.broadcast %one dims [] like %start : !i, !ids -> !ids
  %first = arith.subi %ones, %ones : !ids
  %nothing = arith.sitofp %first : !ids to !fs
  %h, %v, %s0, %a0 = nn.call @begin(%letters, %languages, %start)
    : (!ids, !ids, !ids) -> (!hs, !hs, !hs, !hs)
  %s, %a, %sum, %k, %steps = depth.iterate max 30
      carried(%st = %s0 : !hs, %at = %a0 : !hs, %l = %nothing : !fs, %i = %first : !ids) {
    %y = nn.call @score(%st, %at) : (!hs, !hs) -> !ys
    %letter = nn.take %word, %i : !ids, !ids
    %ce = nn.cross_entropy %y, %letter : !ys, !ids
    %more = arith.addf %l, %ce : !fs
    %sn, %an = nn.call @next(%letter, %st, %h, %v) : (!ids, !hs, !hs, !hs) -> (!hs, !hs)
    %j = arith.addi %i, %ones : !ids
    %go = arith.cmpi slt, %j, %n : !ids
    depth.yield %go, %sn, %an, %more, %j : !go, !hs, !hs, !fs, !ids
  }
  %all = nn.sum %sum over 0 : !fs
  %mean = arith.divf %all, %count : !f
  return %mean : !f
}

/// The number of the greatest score.
func.func private @best(%y: !ys) -> !ids {
  %letters = arith.constant dense<[
    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0,
    17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0,
    33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0,
    49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0,
    65.0, 66.0, 67.0, 68.0]> : tensor<69xf32>
  %numbers = nn.broadcast %letters dims [1] like %y : tensor<69xf32>, !ys -> !ys
  %most = nn.max %y over 1 : !ys
  %all = nn.broadcast %most dims [0] : !fs -> !ys
  %is = arith.cmpf oeq, %y, %all : !ys
  %one = arith.uitofp %is : tensor<?x69xi1> to !ys
  %number = arith.mulf %one, %numbers : !ys
  %best = nn.max %number over 1 : !ys
  %i = arith.fptosi %best : !fs to !ids
  return %i : !ids
}

/// The letters of the word, each the best behind those before it; 1 behind its end.
func.func private @decode(%letters: !ids, %languages: !ids, %start: !ids) -> !list {
  %one = arith.constant dense<1> : !i
  %end = arith.constant dense<3> : !i
  %places = arith.constant dense<[
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26, 27, 28, 29]> : tensor<30xi32>
  %place = nn.broadcast %places dims [1] like %start : tensor<30xi32>, !ids -> !numbers
  %ones = nn.broadcast %one dims [] like %start : !i, !ids -> !ids
  %ends = nn.broadcast %end dims [] like %start : !i, !ids -> !ids
  %first = arith.subi %ones, %ones : !ids
  %onesf = arith.sitofp %ones : !ids to !fs
  %empty = nn.broadcast %onesf dims [0] : !fs -> !list
  %h, %v, %s0, %a0 = nn.call @begin(%letters, %languages, %start)
    : (!ids, !ids, !ids) -> (!hs, !hs, !hs, !hs)
  %s, %a, %list, %k, %steps = depth.iterate max 30 compact
      carried(%st = %s0 : !hs, %at = %a0 : !hs, %w = %empty : !list, %i = %first : !ids) {
    %y = nn.call @score(%st, %at) : (!hs, !hs) -> !ys
    %letter = nn.call @best(%y) : (!ys) -> !ids
    %number = arith.sitofp %letter : !ids to !fs
    %copies = nn.broadcast %number dims [0] : !fs -> !list
    %at_i = nn.broadcast %i dims [0] : !ids -> !numbers
    %here = arith.cmpi eq, %place, %at_i : !numbers
    %more = arith.select %here, %copies, %w : tensor<?x30xi1>, !list
    %sn, %an = nn.call @next(%letter, %st, %h, %v) : (!ids, !hs, !hs, !hs) -> (!hs, !hs)
    %j = arith.addi %i, %ones : !ids
    %go = arith.cmpi ne, %letter, %ends : !ids
    depth.yield %go, %sn, %an, %more, %j : !go, !hs, !hs, !list, !ids
  }
  return %list : !list
}

/// For each place of the word its letter, as scores: 1 for it, 0 for others.
func.func @predict(%letters: !ids {cambium.name = "letters", cambium.rows = "source"},
                   %languages: !ids {cambium.name = "languages", cambium.rows = "source"},
                   %start: !ids {cambium.name = "start", cambium.rows = "start"},
                   %places: !ids {cambium.name = "places", cambium.rows = "places"}) -> !ys {
  %zero = arith.constant dense<0> : !i
  %unit = arith.constant dense<1.0> : !f
  %lists = nn.call @decode(%letters, %languages, %start) : (!ids, !ids, !ids) -> !list
  %list = nn.take %lists, %zero : !list, !i
  %copies = nn.broadcast %list dims [1] like %places : tensor<30xf32>, !ids -> !list
  %number = nn.pick %copies, %places : !list, !ids
  %letter = arith.fptosi %number : !fs to !ids
  %units = nn.broadcast %unit dims [] like %places : !f, !ids -> !fs
  %y = nn.one_hot %letter, %units size 69 : !ids, !fs
  return %y : !ys
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
