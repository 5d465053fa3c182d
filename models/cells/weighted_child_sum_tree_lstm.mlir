// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child-Sum Tree-LSTM with a weight per edge.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, eq. 5.6-5.12: the Child-Sum Tree-LSTM in which the states of the
// children are weighted (5.6), here by the input `alpha`, one number per edge; in the thesis they
// are a parser's scores. The path of the forget gates (5.10, 5.11) is not weighted.
nn.import "../common/tree_lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>
!edges = tensor<?xf32>

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                  %alpha: !edges {cambium.name = "alpha"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %h, %c = tree.fold %tree nodes(%xj = %x : !x) edges(%ak = %alpha : !edges)
                     children(%hk : !hs, %ck : !hs) -> (!h, !h) {
    // h~_j = sum_k alpha_kj h_k (5.6)
    %hs = nn.matmul %ak, %hk : !edges, !hs
    %hj, %cj = nn.call @child_sum_cell(%xj, %hs, %hk, %ck) : (!x, !h, !hs, !hs) -> (!h, !h)
    tree.yield %hj, %cj : !h, !h
  }
  %root = tree.root %tree, %h : !hs
  return %root : !h
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %alpha: !edges {cambium.name = "alpha"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%tree, %words, %alpha) : (!tree, !words, !edges) -> !h
  %y = nn.call @dense_one(%h) in "classes" : (!h) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
