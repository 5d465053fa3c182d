// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive neural network on binary trees.
//
// R. Socher et al.: Recursive Deep Models for Semantic Compositionality Over a Sentiment Treebank.
// EMNLP 2013, section 4.1: a leaf is its word vector, an inner node is tanh(W [h_1; h_2] + b).
nn.sizes {hidden = 150, both = 2 * hidden}

!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!h2 = tensor<2x150xf32>
!hh = tensor<300xf32>
!W = tensor<300x150xf32>

/// tanh(W [h_1; h_2] + b).
func.func private @tree_rnn_cell(%hk: !h2) -> !h {
  %hh = nn.reshape %hk : !h2 -> !hh
  %W = nn.param "W" : !W init <xavier_uniform>
  %b = nn.param "b" : !h no_decay
  %a = nn.linear %hh, %W, %b : !hh, !W, !h
  %h = math.tanh %a : !h
  return %h : !h
}

/// The states of the nodes of a tree whose words stand at the leaves.
func.func private @tree_rnn(%tree: !tree.tree, %x: !hs) -> !hs {
  %h = tree.fold %tree nodes(%xj = %x : !h) children(%hk : !h2) -> (!h) {
    %hj = nn.call @tree_rnn_cell(%hk) : (!h2) -> !h
    tree.yield %hj : !h
  } leaf {
    tree.yield %xj : !h
  }
  return %h : !hs
}
