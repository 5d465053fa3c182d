// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Latin word that Romance words come from, letter by letter.
//
// C. Meloni, S. Ravfogel, Y. Goldberg: Ab Antiquo: Neural Proto-language Reconstruction. NAACL 2021;
// as Y. M. Kim et al. trained it again (Transformed Protoform Reconstruction. ACL 2023): the state
// of the decoder is the query of the next step, and values have the letters themselves in them.
//
// Words are found by a search. Training follows a word that is known: `start` is a list of one
// letter, with which words begin; its row is the decoder, which is carried from letter to letter.
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
!C = tensor<69x51xf32>
!L = tensor<13x51xf32>
!J = tensor<102x51xf32>

/// The vectors of letters and of languages, and what makes one of both.
func.func private @tables() -> (!C, !L, !J, tensor<51xf32>) {
  %C = nn.param "letters" : !C init <xavier_uniform>
  %L = nn.param "languages" : !L init <xavier_uniform>
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

/// What is attended to: the states behind the letters of the daughters, and their values; and the
/// last state.
func.func private @source(%letters: !ids, %languages: !ids) -> (!hs, !hs, tensor<130xf32>) {
  %x0 = nn.call @read(%letters, %languages) : (!ids, !ids) -> !xs
  %x = nn.dropout %x0 rate #dropout : !xs
  %chain = tree.chain %x : !xs
  %h0 = nn.call @gru_states(%chain, %x) in "encoder" : (!tree.tree, !xs) -> !hs
  %last = tree.root %chain, %h0 : !hs
  %h = nn.dropout %h0 rate #dropout : !hs
  %v = nn.call @values(%x, %h) in "attention" : (!xs, !hs) -> !hs
  return %h, %v, %last : !hs, !hs, tensor<130xf32>
}

/// The same with the decoder's first state, and the last one of the daughters in the place of what
/// it has attended to.
func.func private @begin(%letters: !ids, %languages: !ids, %start: !ids)
    -> (!hs, !hs, !hs, !hs) {
  %mark = arith.constant dense<12> : !i
  %nothing = arith.constant dense<0.0> : tensor<130xf32>
  %h, %v, %last = nn.call @source(%letters, %languages) : (!ids, !ids) -> (!hs, !hs, tensor<130xf32>)
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

/// A step of the search: the log-probabilities of the letter behind each of these, and the states.
/// Behind the mark with which words begin, the last state of the daughters is what was attended to.
func.func private @write(%letter: !ids, %language: !ids, %s: !hs, %last: tensor<130xf32>, %h: !hs,
                         %v: !hs) -> (!ys, !hs) {
  %mark = arith.constant dense<12> : !i
  %marks = nn.broadcast %mark dims [] like %letter : !i, !ids -> !ids
  %is = arith.cmpi eq, %language, %marks : !ids
  %first = nn.broadcast %is dims [0] : !go -> tensor<?x130xi1>
  %lasts = nn.broadcast %last dims [1] like %letter : tensor<130xf32>, !ids -> !hs
  %x = nn.call @read(%letter, %language) : (!ids, !ids) -> !xs
  %seen = nn.call @attend(%s, %h, %v) in "attention" : (!hs, !hs, !hs) -> !hs
  %a = arith.select %first, %lasts, %seen : tensor<?x130xi1>, !hs
  %t = nn.call @step(%x, %a, %s) : (!xs, !hs, !hs) -> !hs
  %y = nn.call @score(%t, %a) : (!hs, !hs) -> !ys
  %p = nn.log_softmax %y over 1 : !ys
  return %p, %t : !ys, !hs
}

/// What a search begins and ends with: letters, languages, a state.
func.func private @marks() -> (!i, !i, !i, !i, tensor<130xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %mark = arith.constant dense<12> : !i
  %latin = arith.constant dense<11> : !i
  %nothing = arith.constant dense<0.0> : tensor<130xf32>
  return %begin, %end, %mark, %latin, %nothing : !i, !i, !i, !i, tensor<130xf32>
}

/// The best words, of at most 30 letters and marks, with their lengths and scores.
func.func @predict(%letters: !ids {cambium.name = "letters", cambium.rows = "source"},
                   %languages: !ids {cambium.name = "languages", cambium.rows = "source"})
    -> (tensor<5x30xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin, %end, %mark, %latin, %nothing = nn.call @marks() : () -> (!i, !i, !i, !i, tensor<130xf32>)
  %h, %v, %last = nn.call @source(%letters, %languages) : (!ids, !ids) -> (!hs, !hs, tensor<130xf32>)
  %words, %lengths, %scores = depth.search beam 5 max 30 begin %begin end %end
      carried(%s = %nothing : tensor<130xf32>, %language = %mark : !i) next(%letter : !ids) {
    %p, %t = nn.call @write(%letter, %language, %s, %last, %h, %v)
      : (!ids, !ids, !hs, tensor<130xf32>, !hs, !hs) -> (!ys, !hs)
    %latins = nn.broadcast %latin dims [] like %letter : !i, !ids -> !ids
    depth.yield %p, %t, %latins : !ys, !hs, !ids
  }
  return %words, %lengths, %scores : tensor<5x30xi32>, tensor<5xi32>, tensor<5xf32>
}

/// The same, each letter the best behind those before it.
func.func @greedy(%letters: !ids {cambium.name = "letters", cambium.rows = "source"},
                  %languages: !ids {cambium.name = "languages", cambium.rows = "source"})
    -> (tensor<1x30xi32>, tensor<1xi32>, tensor<1xf32>) {
  %begin, %end, %mark, %latin, %nothing = nn.call @marks() : () -> (!i, !i, !i, !i, tensor<130xf32>)
  %h, %v, %last = nn.call @source(%letters, %languages) : (!ids, !ids) -> (!hs, !hs, tensor<130xf32>)
  %words, %lengths, %scores = depth.search beam 1 max 30 begin %begin end %end
      carried(%s = %nothing : tensor<130xf32>, %language = %mark : !i) next(%letter : !ids) {
    %p, %t = nn.call @write(%letter, %language, %s, %last, %h, %v)
      : (!ids, !ids, !hs, tensor<130xf32>, !hs, !hs) -> (!ys, !hs)
    %latins = nn.broadcast %latin dims [] like %letter : !i, !ids -> !ids
    depth.yield %p, %t, %latins : !ys, !hs, !ids
  }
  return %words, %lengths, %scores : tensor<1x30xi32>, tensor<1xi32>, tensor<1xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
