// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are, and whether one entails the other (SICK): a Child-Sum Tree-LSTM
// over dependency trees that attends to children.
//
// Simoulin 2022, section 5.3.1 (set-up), equations 3.12-3.21 and chapter 4 (DEP, the cell), 5.13 and
// 7.1 (heads). Both sentences share all parameters.
nn.import "../common/attentive_tree_lstm.mlir"
nn.import "../common/pairs.mlir"
nn.sizes {words = 2500, input = 300, hidden = 150}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<?x300xf32>
!E = tensor<2500x300xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!scores = tensor<5xf32>
!classes = tensor<3xf32>
#query = #nn.given<"query" = 64>
#similarity = #nn.given<"similarity" = 50>

/// The state of the root.
func.func private @encode(%tree: !tree, %words: !words) -> !h {
  %E = nn.param "words" : !E frozen
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %h = nn.call @attentive_child_sum(%tree, %x) with {query = #query} : (!tree, !x) -> !hs
  %root = tree.root %tree, %h : !hs
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
func.func @predict(%tree_a: !tree {cambium.name = "tree_a"},
                   %words_a: !words {cambium.name = "words_a"},
                   %tree_b: !tree {cambium.name = "tree_b"},
                   %words_b: !words {cambium.name = "words_b"}) -> tensor<f32> {
  %l = nn.call @log_scores(%tree_a, %words_a, %tree_b, %words_b)
      : (!tree, !words, !tree, !words) -> !scores
  %y = nn.call @expected_score(%l) : (!scores) -> tensor<f32>
  return %y : tensor<f32>
}

/// KL(p || p^) of the score among its neighbours.
func.func @loss(%tree_a: !tree {cambium.name = "tree_a"},
                %words_a: !words {cambium.name = "words_a"},
                %tree_b: !tree {cambium.name = "tree_b"},
                %words_b: !words {cambium.name = "words_b"},
                %score: tensor<f32> {cambium.name = "score"}) -> tensor<f32> {
  %l = nn.call @log_scores(%tree_a, %words_a, %tree_b, %words_b)
      : (!tree, !words, !tree, !words) -> !scores
  %kl = nn.call @score_loss(%l, %score) : (!scores, tensor<f32>) -> tensor<f32>
  return %kl : tensor<f32>
}

/// The scores of contradiction, neutral, entailment.
func.func @entail(%tree_a: !tree {cambium.name = "tree_a"},
                  %words_a: !words {cambium.name = "words_a"},
                  %tree_b: !tree {cambium.name = "tree_b"},
                  %words_b: !words {cambium.name = "words_b"}) -> !classes {
  %a = nn.call @encode(%tree_a, %words_a) : (!tree, !words) -> !h
  %b = nn.call @encode(%tree_b, %words_b) : (!tree, !words) -> !h
  %y = nn.call @score_entailment(%a, %b) in "entailment" with {similarity = #similarity}
      : (!h, !h) -> !classes
  return %y : !classes
}

/// KL(p || p^) (7.1) of a target that is one class.
func.func @entail_loss(%tree_a: !tree {cambium.name = "tree_a"},
                       %words_a: !words {cambium.name = "words_a"},
                       %tree_b: !tree {cambium.name = "tree_b"},
                       %words_b: !words {cambium.name = "words_b"},
                       %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @entail(%tree_a, %words_a, %tree_b, %words_b)
      : (!tree, !words, !tree, !words) -> !classes
  %l = nn.cross_entropy %y, %label : !classes, tensor<i32>
  return %l : tensor<f32>
}

// Weight decay is the gradient of lambda ||theta||^2 with lambda = 1e-4 in the loss of relatedness,
// and of lambda / 2 ||theta||^2 with lambda = 1e-4 in that of entailment.
train.step @relatedness loss @loss optimizer #train.optimizer<adagrad, weight_decay = 2.0e-4>
  clip_norm 5.0
train.step @entailment loss @entail_loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  clip_norm 5.0
