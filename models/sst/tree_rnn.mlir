// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentiment of every phrase of a sentence: a recursive neural network with a loss at
// every node.
//
// Socher et al. 2013, Recursive Deep Models for Semantic Compositionality Over a
// Sentiment Treebank, section 4.1: a leaf is its word vector, a phrase is
// tanh(W [h_1; h_2] + b).
//
// sizes: words = 20000, hidden = 150, both = 2 * hidden

nn.param @words : tensor<20000x150xf32> init #nn.init<uniform(-0.05, 0.05)> {group = "embeddings"}
nn.param @W : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<150xf32> {no_decay}
nn.param @V : tensor<150x5xf32> init #nn.init<xavier_uniform>
nn.param @c : tensor<5xf32> {no_decay}

// The scores of the five classes at every node.
func.func private @scores(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<?x5xf32> {
  %E = nn.use @words : tensor<20000x150xf32>
  %W = nn.use @W : tensor<300x150xf32>
  %b = nn.use @b : tensor<150xf32>
  %V = nn.use @V : tensor<150x5xf32>
  %c_v = nn.use @c : tensor<5xf32>

  %x0 = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<20000x150xf32>
  %x = nn.dropout %x0 rate 0.3 : tensor<?x150xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<150xf32>)
                 children(%hk : tensor<2x150xf32>) -> (tensor<150xf32>) {
    %both = nn.reshape %hk : tensor<2x150xf32> -> tensor<300xf32>
    %a = nn.linear %both, %W, %b : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %hj = math.tanh %a : tensor<150xf32>
    tree.yield %hj : tensor<150xf32>
  } leaf {
    tree.yield %xj : tensor<150xf32>
  }
  %hd = nn.dropout %h rate 0.5 : tensor<?x150xf32>
  %y = nn.linear %hd, %V, %c_v : tensor<?x150xf32>, tensor<150x5xf32>, tensor<5xf32>
  return %y : tensor<?x5xf32>
}

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x5xf32> {
  %y = call @scores(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// The sum of the cross entropies of all phrases of the sentence.
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %labels: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f32> {
  %y = call @scores(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x5xf32>
  %l = nn.cross_entropy %y, %labels : tensor<?x5xf32>, tensor<?xi32>
  %s = nn.sum %l over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  groups {embeddings = #train.optimizer<adagrad>} {clip_norm = 10.0 : f64}
