// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent network on a directed acyclic graph.
//
// B. Shuai, Z. Zuo, B. Wang, G. Wang: DAG-Recurrent Neural Networks For Scene Labeling. CVPR 2016,
// in one direction: the children of a vertex are its predecessors, which other vertices may share;
// every vertex is classified.
nn.import "../common/gates.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>

/// The states of all vertices.
func.func @states(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !hs {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %h = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !hs) -> (!h) {
    // h_j = tanh(W x_j + U sum_k h_k + b)
    %s = nn.sum %hk over 0 : !hs
    %a = nn.call @gate(%xj, %s) : (!x, !h) -> !h
    %hj = math.tanh %a : !h
    tree.yield %hj : !h
  }
  return %h : !hs
}

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !h {
  %h = nn.call @states(%tree, %words) : (!tree, !words) -> !hs
  %root = tree.root %tree, %h : !hs
  return %root : !h
}

/// Mean over the vertices of the cross entropy of o_j = softmax(V h_j + c).
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %labels: !words {cambium.name = "labels"}) -> tensor<f32> {
  %h = nn.call @states(%tree, %words) : (!tree, !words) -> !hs
  %y = nn.call @dense(%h) in "classes" : (!hs) -> tensor<?x5xf32>
  %lj = nn.cross_entropy %y, %labels : tensor<?x5xf32>, !words
  %l = nn.mean %lj over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
