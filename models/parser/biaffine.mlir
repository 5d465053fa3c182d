// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heads and relations of words, by scores of all words for all words.
//
// T. Dozat, C. D. Manning: Deep Biaffine Attention for Neural Dependency Parsing. ICLR 2017,
// sections 2.2 and 3.1; the tree of greatest score as in R. McDonald et al.: Non-projective
// Dependency Parsing using Spanning Tree Algorithms. EMNLP 2005. Words are known by themselves and
// by their first and last letters. The score of a word for itself is that of being the root.
nn.import "../common/tagging.mlir"
nn.import "../common/layers.mlir"
nn.sizes {hidden = 200, both = 2 * hidden, arc = 160, relation = 80, relations = 51,
          products = relations * relation}

#dropout = #nn.given<"dropout" = 0.3>
#sizes = {words = #nn.given<"words" = 8000>, ends = #nn.given<"ends" = 4000>,
          word = #nn.given<"word" = 128>, end = #nn.given<"end" = 32>, dropout = #dropout}
!f = tensor<f32>
!fs = tensor<?xf32>
!pairs = tensor<?x?xf32>
!id = tensor<i32>
!ids = tensor<?xi32>
!hs = tensor<?x400xf32>
!as = tensor<?x160xf32>
!ls = tensor<?x80xf32>
!rs = tensor<?x51xf32>

/// States of two LSTMs, one above the other.
func.func private @encode(%words: !ids, %prefixes: !ids, %suffixes: !ids) -> !hs {
  %first = nn.call @read_both(%words, %prefixes, %suffixes) with #sizes : (!ids, !ids, !ids) -> !hs
  %second = nn.call @lstm_both(%first) in "above" : (!hs) -> !hs
  %h = nn.dropout %second rate #dropout : !hs
  return %h : !hs
}

/// What a word is as an end of an arc.
func.func private @arc_end(%h: !hs) -> !as {
  %a = nn.call @dense(%h) : (!hs) -> !as
  %r = nn.relu %a : !as
  %d = nn.dropout %r rate #dropout : !as
  return %d : !as
}

/// What a word is as an end of a relation.
func.func private @relation_end(%h: !hs) -> !ls {
  %a = nn.call @dense(%h) : (!hs) -> !ls
  %r = nn.relu %a : !ls
  %d = nn.dropout %r rate #dropout : !ls
  return %d : !ls
}

/// s_ij = (U' d_i + u) . h_j (equation 5) for another word, s_ii = w . d_i + b.
func.func private @arc_scores(%h: !hs) -> !pairs {
  %U = nn.param "arc.U" : tensor<160x160xf32> init <orthogonal>
  %u = nn.param "arc.u" : tensor<160xf32> no_decay
  %w = nn.param "root.w" : tensor<160x1xf32> init <xavier_uniform>
  %b = nn.param "root.b" : tensor<1xf32> no_decay
  %d = nn.call @arc_end(%h) in "arc.dependent" : (!hs) -> !as
  %k = nn.call @arc_end(%h) in "arc.head" : (!hs) -> !as
  %q = nn.linear %d, %U, %u : !as, tensor<160x160xf32>, tensor<160xf32>
  %s = nn.pair_scores %q, %k : !as, !as
  %r1 = nn.linear %d, %w, %b : !as, tensor<160x1xf32>, tensor<1xf32>
  %r = nn.reshape %r1 : tensor<?x1xf32> -> !fs
  %i = nn.positions %h limit 65536 : !hs
  %y = nn.each rows(%si = %s : !fs, %ri = %r : !f, %ii = %i : !id) -> (!fs) {
    %j = nn.positions %si limit 65536 : !fs
    %is = nn.broadcast %ii dims [] like %si : !id, !fs -> !ids
    %own = arith.cmpi eq, %j, %is : !ids
    %rs = nn.broadcast %ri dims [] like %si : !f, !fs -> !fs
    %yi = arith.select %own, %rs, %si : tensor<?xi1>, !fs
    nn.yield %yi : !fs
  }
  return %y : !pairs
}

/// The place of the head, of the root its own.
func.func private @places(%heads: !ids) -> !ids {
  %i = nn.positions %heads limit 65536 : !ids
  %zero = arith.constant dense<0> : !id
  %zeros = nn.broadcast %zero dims [] like %heads : !id, !ids -> !ids
  %none = arith.cmpi slt, %heads, %zeros : !ids
  %p = arith.select %none, %i, %heads : tensor<?xi1>, !ids
  return %p : !ids
}

/// d_i' U_r h_j + W (d_i; h_j) + b for each relation r to the head j (equation 3).
func.func private @relation_scores(%h: !hs, %heads: !ids) -> !rs {
  %U = nn.param "relation.U" : tensor<80x4080xf32> init <xavier_uniform>
  %d = nn.call @relation_end(%h) in "relation.dependent" : (!hs) -> !ls
  %k = nn.call @relation_end(%h) in "relation.head" : (!hs) -> !ls
  %p = nn.call @places(%heads) : (!ids) -> !ids
  %kp = nn.take %k, %p : !ls, !ids
  %dU = nn.linear %d, %U : !ls, tensor<80x4080xf32>
  %dUr = nn.reshape %dU : tensor<?x4080xf32> -> tensor<?x51x80xf32>
  %two = nn.matmul %dUr, %kp batch_dims 1 : tensor<?x51x80xf32>, !ls
  %one = nn.call @dense(%d) in "relation.of_dependent" : (!ls) -> !rs
  %other = nn.call @dense(%kp) in "relation.of_head" : (!ls) -> !rs
  %s = arith.addf %two, %one : !rs
  %y = arith.addf %s, %other : !rs
  return %y : !rs
}

func.func @predict(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                   %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                   %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"})
    -> (!rs {cambium.name = "relations"}, !ids {cambium.name = "heads"}) {
  %h = nn.call @encode(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !hs
  %s = nn.call @arc_scores(%h) : (!hs) -> !pairs
  %heads = tree.max_spanning %s : !pairs
  %r = nn.call @relation_scores(%h, %heads) : (!hs, !ids) -> !rs
  return %r, %heads : !rs, !ids
}

/// The heads alone.
func.func @parse(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                 %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                 %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"})
    -> (!ids {cambium.name = "heads"}) {
  %h = nn.call @encode(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !hs
  %s = nn.call @arc_scores(%h) : (!hs) -> !pairs
  %heads = tree.max_spanning %s : !pairs
  return %heads : !ids
}

/// The mean of the cross entropies of the words: of its head, and of its relation to it.
func.func @loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                %heads: !ids {cambium.name = "heads", cambium.rows = "words"},
                %relations: !ids {cambium.name = "relations", cambium.rows = "words"}) -> !f {
  %h = nn.call @encode(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !hs
  %s = nn.call @arc_scores(%h) : (!hs) -> !pairs
  %p = nn.call @places(%heads) : (!ids) -> !ids
  %arcs = nn.each rows(%si = %s : !fs, %pi = %p : !id) -> (!f) {
    %li = nn.cross_entropy %si, %pi : !fs, !id
    nn.yield %li : !f
  }
  %r = nn.call @relation_scores(%h, %heads) : (!hs, !ids) -> !rs
  %names = nn.cross_entropy %r, %relations : !rs, !ids
  %both = arith.addf %arcs, %names : !fs
  %l = nn.sum %both over 0 : !fs
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
