// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One fully connected layer per node of a binary tree.
//
// The benchmark cell of M. Looks et al.: Deep Learning with Dynamic Computation Graphs. ICLR 2017,
// which later systems call TreeFC: a fully connected layer over the node's input and the states of
// its two children. It has no published nonlinearity of its own; here it is the rectifier.
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, input = 200, hidden = 150, classes = 5, both = 2 * hidden,
          all = input + both}

!tree = !tree.tree
!words = tensor<?xi32>
!x = tensor<200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!E = tensor<2000x200xf32>
!h2 = tensor<2x150xf32>
!hh = tensor<300xf32>
!xhh = tensor<500xf32>

/// The state of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !h {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %h = tree.fold %tree nodes(%xj = %x : !x) children(%hk : !h2) -> (!h) {
    // h_j = relu(W [x_j; h_1; h_2] + b)
    %hh = nn.reshape %hk : !h2 -> !hh
    %xhh = nn.concat %xj, %hh over 0 : !x, !hh
    %a = nn.call @dense_one(%xhh) : (!xhh) -> !h
    %hj = nn.relu %a : !h
    tree.yield %hj : !h
  }
  %root = tree.root %tree, %h : !hs
  return %root : !h
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%tree, %words) : (!tree, !words) -> !h
  %y = nn.call @dense_one(%h) in "classes" : (!h) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
