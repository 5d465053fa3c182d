// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are (SICK), by trees that a head of a published encoder chooses.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, section 5.4.2: what a head's query of one word gives to the keys of the
// others are the scores of its heads (5.17, 5.18), below the weighted Tree-LSTM (5.5-5.12). A word is
// the first of its pieces; [CLS] and [SEP] are no words, but the encoder sees them. The head is the
// one that `attention.names` names, of the layer behind the layers that are here.
nn.import "../common/transformer.mlir"
nn.import "../common/weighted_tree_lstm.mlir"
nn.import "../common/pairs.mlir"
nn.sizes {words = 20000, input = 300, hidden = 150, state = 384, key = 32}

#encoder = {layers = #nn.given<"layers" = 5>, heads = #nn.given<"heads" = 12>,
            inner = #nn.given<"inner" = 1536>, words = #nn.given<"pieces" = 30522>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}
#similarity = #nn.given<"similarity" = 50>
!f = tensor<f32>
!fs = tensor<?xf32>
!ids = tensor<?xi32>
!pairs = tensor<?x?xf32>
!x = tensor<?x300xf32>
!s = tensor<?x384xf32>
!k = tensor<?x32xf32>
!h = tensor<150xf32>
!E = tensor<20000x300xf32>
!scores = tensor<5xf32>

/// s_kj = softmax_j(q_k . m_j / sqrt(d)) of word j as the head of word k, s_kk of k as the root.
/// `first` has the place of each word's first piece.
func.func private @head_scores(%pieces: !ids, %first: !ids) -> !pairs {
  %none = arith.constant dense<0> : tensor<i32>
  %segments = nn.broadcast %none dims [] like %pieces : tensor<i32>, !ids -> !ids
  %all = nn.call @bert(%pieces, %segments) with #encoder : (!ids, !ids) -> !s
  %x = nn.take %all, %first : !s, !ids
  %q = nn.call @dense(%x) in "query" : (!s) -> !k
  %m = nn.call @dense(%x) in "key" : (!s) -> !k
  %same = arith.constant dense<1.0> : tensor<32xf32>
  %width = nn.sum %same over 0 : tensor<32xf32>
  %part = math.rsqrt %width : !f
  %s = nn.pair_scores %q, %m : !k, !k
  %y = nn.each rows(%si = %s : !fs) -> (!fs) {
    %parts = nn.broadcast %part dims [] like %si : !f, !fs -> !fs
    %li = arith.mulf %si, %parts : !fs
    %pi = nn.softmax %li over 0 : !fs
    nn.yield %pi : !fs
  }
  return %y : !pairs
}

func.func private @encode(%words: !ids, %pieces: !ids, %first: !ids) -> !h {
  %E = nn.param "words" : !E frozen
  %x = nn.embed %words, %E padding_id 0 : !ids, !E
  %s = nn.call @head_scores(%pieces, %first) in "parser" with {group = "parser"}
      : (!ids, !ids) -> !pairs
  %heads, %alpha = nn.call @choose(%s) : (!pairs) -> (!ids, !fs)
  %h = nn.call @compose(%x, %heads, %alpha) in "tree" : (!x, !ids, !fs) -> !h
  return %h : !h
}

/// log p^ of the scores 1 to 5; both sentences share all parameters.
func.func private @log_scores(%words_a: !ids, %pieces_a: !ids, %first_a: !ids, %words_b: !ids,
                              %pieces_b: !ids, %first_b: !ids) -> !scores {
  %a = nn.call @encode(%words_a, %pieces_a, %first_a) : (!ids, !ids, !ids) -> !h
  %b = nn.call @encode(%words_b, %pieces_b, %first_b) : (!ids, !ids, !ids) -> !h
  %l = nn.call @score_relatedness(%a, %b) in "relatedness" with {similarity = #similarity}
      : (!h, !h) -> !scores
  return %l : !scores
}

/// The expected score.
func.func @predict(%words_a: !ids {cambium.name = "words_a", cambium.rows = "words_a"},
                   %pieces_a: !ids {cambium.name = "pieces_a"},
                   %first_a: !ids {cambium.name = "first_a", cambium.rows = "words_a"},
                   %words_b: !ids {cambium.name = "words_b", cambium.rows = "words_b"},
                   %pieces_b: !ids {cambium.name = "pieces_b"},
                   %first_b: !ids {cambium.name = "first_b", cambium.rows = "words_b"}) -> !f {
  %l = nn.call @log_scores(%words_a, %pieces_a, %first_a, %words_b, %pieces_b, %first_b)
      : (!ids, !ids, !ids, !ids, !ids, !ids) -> !scores
  %y = nn.call @expected_score(%l) : (!scores) -> !f
  return %y : !f
}

/// KL(p || p^) of the score among its neighbours.
func.func @loss(%words_a: !ids {cambium.name = "words_a", cambium.rows = "words_a"},
                %pieces_a: !ids {cambium.name = "pieces_a"},
                %first_a: !ids {cambium.name = "first_a", cambium.rows = "words_a"},
                %words_b: !ids {cambium.name = "words_b", cambium.rows = "words_b"},
                %pieces_b: !ids {cambium.name = "pieces_b"},
                %first_b: !ids {cambium.name = "first_b", cambium.rows = "words_b"},
                %score: !f {cambium.name = "target"}) -> !f {
  %l = nn.call @log_scores(%words_a, %pieces_a, %first_a, %words_b, %pieces_b, %first_b)
      : (!ids, !ids, !ids, !ids, !ids, !ids) -> !scores
  %kl = nn.call @score_loss(%l, %score) : (!scores, !f) -> !f
  return %kl : !f
}

/// The head of each word, -1 for the root.
func.func @parse(%pieces: !ids {cambium.name = "pieces"},
                 %first: !ids {cambium.name = "first", cambium.rows = "words"})
    -> (!ids {cambium.name = "heads"}) {
  %s = nn.call @head_scores(%pieces, %first) in "parser" with {group = "parser"}
      : (!ids, !ids) -> !pairs
  %heads = tree.max_spanning %s : !pairs
  return %heads : !ids
}

// Weight decay is the gradient of lambda ||theta||^2 with lambda = 1e-4 in the loss (5.14).
// @composition holds the encoder constant: it costs no gradient.
train.step @relatedness loss @loss optimizer #train.optimizer<adagrad, weight_decay = 2.0e-4>
  clip_norm 5.0
train.step @composition loss @loss updates ["default"]
  optimizer #train.optimizer<adagrad, weight_decay = 2.0e-4> clip_norm 5.0
