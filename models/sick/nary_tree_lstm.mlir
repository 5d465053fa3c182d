// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are, and whether one entails the other (SICK): a binary Tree-LSTM
// over constituency trees.
//
// Simoulin 2022, section 5.3.1 (set-up), equations 3.22-3.27 (cell, full 2x2 forget matrices), 5.13
// and 7.1 (heads); Tai, Socher and Manning 2015, section 4.2. Words stand at the leaves alone. Both
// sentences share all parameters.
nn.import "../common/tree_lstm.mlir"
nn.import "../common/pairs.mlir"
nn.sizes {words = 2500, input = 300, hidden = 150}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<?x300xf32>
!E = tensor<2500x300xf32>
!xj = tensor<300xf32>
!h = tensor<150xf32>
!h2 = tensor<2x150xf32>
!W = tensor<300x150xf32>
!U = tensor<150x150xf32>
#xavier = #nn.init<xavier_uniform>
!scores = tensor<5xf32>
!classes = tensor<3xf32>
#similarity = #nn.given<"similarity" = 50>

/// U_1 h_1 + U_2 h_2 + b of a gate (3.22-3.25).
func.func private @parts(%h1: !h, %h2: !h, %b: !h) -> !h {
  %U_1 = nn.param "U_1" : !U init #xavier
  %U_2 = nn.param "U_2" : !U init #xavier
  %y1 = nn.linear %h1, %U_1, %b : !h, !U, !h
  %y2 = nn.linear %h2, %U_2 : !h, !U
  %y = arith.addf %y1, %y2 : !h
  return %y : !h
}

/// The state of the root.
func.func private @encode(%tree: !tree, %words: !words) -> !h {
  %E = nn.param "words" : !E frozen
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %b_i = nn.param "i.b" : !h
  %b_o = nn.param "o.b" : !h
  %b_u = nn.param "u.b" : !h
  %h, %c = tree.fold %tree nodes(%xj = %x : !xj) children(%hk : !h2, %ck : !h2) -> (!h, !h) {
    %b_f = nn.param "f.b" : !h
    %h1, %h2 = nn.call @left_and_right(%hk) : (!h2) -> (!h, !h)
    %i = nn.call @parts(%h1, %h2, %b_i) in "i" : (!h, !h, !h) -> !h
    %o = nn.call @parts(%h1, %h2, %b_o) in "o" : (!h, !h, !h) -> !h
    %u = nn.call @parts(%h1, %h2, %b_u) in "u" : (!h, !h, !h) -> !h
    %f1 = nn.call @parts(%h1, %h2, %b_f) in "f1" : (!h, !h, !h) -> !h
    %f2 = nn.call @parts(%h1, %h2, %b_f) in "f2" : (!h, !h, !h) -> !h
    %hj, %cj = nn.call @binary_step(%i, %o, %u, %f1, %f2, %ck)
        : (!h, !h, !h, !h, !h, !h2) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  } leaf {
    %W_i = nn.param "i.W" : !W init #xavier
    %W_o = nn.param "o.W" : !W init #xavier
    %W_u = nn.param "u.W" : !W init #xavier
    %i = nn.linear %xj, %W_i, %b_i : !xj, !W, !h
    %o = nn.linear %xj, %W_o, %b_o : !xj, !W, !h
    %u = nn.linear %xj, %W_u, %b_u : !xj, !W, !h
    %hj, %cj = nn.call @leaf_step(%i, %o, %u) : (!h, !h, !h) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  }
  %root = tree.root %tree, %h : tensor<?x150xf32>
  return %root : !h
}

/// log p^ of the scores 1 to 5.
func.func private @log_scores(%tree_a: !tree, %words_a: !words, %tree_b: !tree,
                              %words_b: !words) -> !scores {
  %a = nn.call @encode(%tree_a, %words_a) : (!tree, !words) -> !h
  %b = nn.call @encode(%tree_b, %words_b) : (!tree, !words) -> !h
  %l = nn.call @score_relatedness(%a, %b) in "relatedness" with {similarity = #similarity}
      : (!h, !h) -> !scores
  return %l : !scores
}

/// The expected score.
func.func @predict(%tree_a: !tree {cambium.name = "ctree_a"},
                   %words_a: !words {cambium.name = "cwords_a"},
                   %tree_b: !tree {cambium.name = "ctree_b"},
                   %words_b: !words {cambium.name = "cwords_b"}) -> tensor<f32> {
  %l = nn.call @log_scores(%tree_a, %words_a, %tree_b, %words_b)
      : (!tree, !words, !tree, !words) -> !scores
  %y = nn.call @expected_score(%l) : (!scores) -> tensor<f32>
  return %y : tensor<f32>
}

/// KL(p || p^) of the score among its neighbours.
func.func @loss(%tree_a: !tree {cambium.name = "ctree_a"},
                %words_a: !words {cambium.name = "cwords_a"},
                %tree_b: !tree {cambium.name = "ctree_b"},
                %words_b: !words {cambium.name = "cwords_b"},
                %score: tensor<f32> {cambium.name = "score"}) -> tensor<f32> {
  %l = nn.call @log_scores(%tree_a, %words_a, %tree_b, %words_b)
      : (!tree, !words, !tree, !words) -> !scores
  %kl = nn.call @score_loss(%l, %score) : (!scores, tensor<f32>) -> tensor<f32>
  return %kl : tensor<f32>
}

/// The scores of contradiction, neutral, entailment.
func.func @entail(%tree_a: !tree {cambium.name = "ctree_a"},
                  %words_a: !words {cambium.name = "cwords_a"},
                  %tree_b: !tree {cambium.name = "ctree_b"},
                  %words_b: !words {cambium.name = "cwords_b"}) -> !classes {
  %a = nn.call @encode(%tree_a, %words_a) : (!tree, !words) -> !h
  %b = nn.call @encode(%tree_b, %words_b) : (!tree, !words) -> !h
  %y = nn.call @score_entailment(%a, %b) in "entailment" with {similarity = #similarity}
      : (!h, !h) -> !classes
  return %y : !classes
}

/// KL(p || p^) (7.1) of a target that is one class.
func.func @entail_loss(%tree_a: !tree {cambium.name = "ctree_a"},
                       %words_a: !words {cambium.name = "cwords_a"},
                       %tree_b: !tree {cambium.name = "ctree_b"},
                       %words_b: !words {cambium.name = "cwords_b"},
                       %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @entail(%tree_a, %words_a, %tree_b, %words_b)
      : (!tree, !words, !tree, !words) -> !classes
  %l = nn.cross_entropy %y, %label : !classes, tensor<i32>
  return %l : tensor<f32>
}

// Weight decay is the gradient of lambda ||theta||^2 with lambda = 5e-5 in the loss of relatedness,
// and of lambda / 2 ||theta||^2 with lambda = 1e-4 in that of entailment.
train.step @relatedness loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  clip_norm 5.0
train.step @entailment loss @entail_loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  clip_norm 5.0
