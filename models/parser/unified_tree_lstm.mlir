// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are (SICK), by trees that a parser chooses and that learn from the answer.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, chapter 5: scores of words as heads of words (5.1-5.4), of which the
// tree of the greatest sum is taken; a Child-Sum Tree-LSTM over it weighs the states of children by
// the scores of their arcs (5.5-5.12), through which the parser is trained. The step `treebank` trains
// the parser alone, by given heads.
nn.import "../common/gru.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/weighted_tree_lstm.mlir"
nn.import "../common/pairs.mlir"
nn.sizes {words = 20000, input = 300, hidden = 150, state = 100, both = 2 * state, arc = 120}

#similarity = #nn.given<"similarity" = 50>
!f = tensor<f32>
!fs = tensor<?xf32>
!id = tensor<i32>
!ids = tensor<?xi32>
!pairs = tensor<?x?xf32>
!x = tensor<300xf32>
!xs = tensor<?x300xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!b = tensor<?x200xf32>
!a = tensor<?x120xf32>
!E = tensor<20000x300xf32>
!scores = tensor<5xf32>

func.func private @vectors(%words: !ids) -> !xs {
  %E = nn.param "words" : !E frozen
  %x = nn.embed %words, %E padding_id 0 : !ids, !E
  return %x : !xs
}

/// s_kj = d_k U h_j + W (d_k; h_j) + b (5.1-5.4) of word j as the head of word k; s_kk is that of k as
/// the root.
func.func private @arc_scores(%x: !xs) -> !pairs {
  %U = nn.param "arc.U" : tensor<120x120xf32> init <xavier_uniform>
  %u = nn.param "arc.head" : tensor<120xf32>
  %w = nn.param "arc.dependent" : tensor<120x1xf32> init <xavier_uniform>
  %b0 = nn.param "arc.b" : tensor<1xf32> no_decay
  %h = nn.call @gru_both(%x) in "gru" : (!xs) -> !b
  %d = nn.call @dense(%h) in "dependent" : (!b) -> !a
  %k = nn.call @dense(%h) in "head" : (!b) -> !a
  %q = nn.linear %d, %U, %u : !a, tensor<120x120xf32>, tensor<120xf32>
  %s = nn.pair_scores %q, %k : !a, !a
  %r1 = nn.linear %d, %w, %b0 : !a, tensor<120x1xf32>, tensor<1xf32>
  %r = nn.reshape %r1 : tensor<?x1xf32> -> !fs
  %y = nn.each rows(%si = %s : !fs, %ri = %r : !f) -> (!fs) {
    %rs = nn.broadcast %ri dims [] like %si : !f, !fs -> !fs
    %yi = arith.addf %si, %rs : !fs
    nn.yield %yi : !fs
  }
  return %y : !pairs
}

func.func private @encode(%words: !ids) -> !h {
  %x = nn.call @vectors(%words) : (!ids) -> !xs
  %s = nn.call @arc_scores(%x) in "parser" with {group = "parser"} : (!xs) -> !pairs
  %heads, %alpha = nn.call @choose(%s) : (!pairs) -> (!ids, !fs)
  %h = nn.call @compose(%x, %heads, %alpha) in "tree" : (!xs, !ids, !fs) -> !h
  return %h : !h
}

/// log p^ of the scores 1 to 5; both sentences share all parameters.
func.func private @log_scores(%words_a: !ids, %words_b: !ids) -> !scores {
  %a = nn.call @encode(%words_a) : (!ids) -> !h
  %b = nn.call @encode(%words_b) : (!ids) -> !h
  %l = nn.call @score_relatedness(%a, %b) in "relatedness" with {similarity = #similarity}
      : (!h, !h) -> !scores
  return %l : !scores
}

/// The expected score.
func.func @predict(%words_a: !ids {cambium.name = "words_a"},
                   %words_b: !ids {cambium.name = "words_b"}) -> !f {
  %l = nn.call @log_scores(%words_a, %words_b) : (!ids, !ids) -> !scores
  %y = nn.call @expected_score(%l) : (!scores) -> !f
  return %y : !f
}

/// KL(p || p^) of the score among its neighbours.
func.func @loss(%words_a: !ids {cambium.name = "words_a"}, %words_b: !ids {cambium.name = "words_b"},
                %score: !f {cambium.name = "score"}) -> !f {
  %l = nn.call @log_scores(%words_a, %words_b) : (!ids, !ids) -> !scores
  %kl = nn.call @score_loss(%l, %score) : (!scores, !f) -> !f
  return %kl : !f
}

/// The head of each word, -1 for the root.
func.func @parse(%words: !ids {cambium.name = "words", cambium.rows = "words"})
    -> (!ids {cambium.name = "heads"}) {
  %x = nn.call @vectors(%words) : (!ids) -> !xs
  %s = nn.call @arc_scores(%x) in "parser" with {group = "parser"} : (!xs) -> !pairs
  %heads = tree.max_spanning %s : !pairs
  return %heads : !ids
}

/// The mean cross entropy of the heads of the words; -1 is the root.
func.func @parse_loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                      %heads: !ids {cambium.name = "heads", cambium.rows = "words"}) -> !f {
  %x = nn.call @vectors(%words) : (!ids) -> !xs
  %s = nn.call @arc_scores(%x) in "parser" with {group = "parser"} : (!xs) -> !pairs
  %place = nn.positions %heads limit 65536 : !ids
  %ls = nn.each rows(%si = %s : !fs, %head = %heads : !id, %own = %place : !id) -> (!f) {
    %zero = arith.constant dense<0> : !id
    %isroot = arith.cmpi slt, %head, %zero : !id
    %i = arith.select %isroot, %own, %head : tensor<i1>, !id
    %l = nn.cross_entropy %si, %i : !fs, !id
    nn.yield %l : !f
  }
  %l = nn.mean %ls over 0 : !fs
  return %l : !f
}

// Weight decay is the gradient of lambda ||theta||^2 with lambda = 1e-4 in the loss (5.14).
train.step @relatedness loss @loss optimizer #train.optimizer<adagrad, weight_decay = 2.0e-4>
  clip_norm 5.0
train.step @treebank loss @parse_loss optimizer #train.optimizer<adam> clip_norm 5.0
