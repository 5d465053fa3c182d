// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentiment of every phrase of a sentence: a matrix-vector recursive neural network
// with a loss at every node.
//
// Socher, Huval, Manning and Ng 2012, Semantic Compositionality through Recursive
// Matrix-Vector Spaces: every node has a vector and a matrix, and the matrix of each
// part acts on the vector of the other one. The matrices here are what a node adds to
// the identity, so that words begin with I plus a little, as in the paper; a phrase's
// is I + W_M [A; B], where the paper has W_M [I + A; I + B]. Words have full matrices,
// not low-rank ones.
//
// sizes: words = 20000, hidden = 25, both = 2 * hidden, square = hidden * hidden

nn.param @words : tensor<20000x25xf32> init #nn.init<uniform(-0.05, 0.05)> {group = "embeddings"}
nn.param @matrices : tensor<20000x625xf32> init #nn.init<uniform(-0.001, 0.001)> {group = "matrices"}
nn.param @W : tensor<50x25xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<25xf32> {no_decay}
nn.param @W_M : tensor<25x50xf32> init #nn.init<xavier_uniform>
nn.param @V : tensor<25x5xf32> init #nn.init<xavier_uniform>
nn.param @c : tensor<5xf32> {no_decay}

// The scores of the five classes at every node.
func.func private @scores(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<?x5xf32> {
  %E = nn.use @words : tensor<20000x25xf32>
  %M = nn.use @matrices : tensor<20000x625xf32>
  %W = nn.use @W : tensor<50x25xf32>
  %bias = nn.use @b : tensor<25xf32>
  %W_M = nn.use @W_M : tensor<25x50xf32>
  %V = nn.use @V : tensor<25x5xf32>
  %c_v = nn.use @c : tensor<5xf32>

  %x0 = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<20000x25xf32>
  %x = nn.dropout %x0 rate 0.2 : tensor<?x25xf32>
  %xm = nn.embed %words, %M {padding_id = 0 : i64} : tensor<?xi32>, tensor<20000x625xf32>
  %v, %m = tree.fold %tree nodes(%xj = %x : tensor<25xf32>, %xmj = %xm : tensor<625xf32>)
                     children(%vk : tensor<2x25xf32>, %mk : tensor<2x25x25xf32>)
                     -> (tensor<25xf32>, tensor<25x25xf32>) {
    %a0 = nn.slice %vk over 0 from 0 size 1 : tensor<2x25xf32>
    %b0 = nn.slice %vk over 0 from 1 size 1 : tensor<2x25xf32>
    %a = nn.reshape %a0 : tensor<1x25xf32> -> tensor<25xf32>
    %b = nn.reshape %b0 : tensor<1x25xf32> -> tensor<25xf32>
    %A0 = nn.slice %mk over 0 from 0 size 1 : tensor<2x25x25xf32>
    %B0 = nn.slice %mk over 0 from 1 size 1 : tensor<2x25x25xf32>
    %A = nn.reshape %A0 : tensor<1x25x25xf32> -> tensor<25x25xf32>
    %B = nn.reshape %B0 : tensor<1x25x25xf32> -> tensor<25x25xf32>
    // p = tanh(W [(I + B) a; (I + A) b] + bias)
    %B_a = nn.matmul %B, %a : tensor<25x25xf32>, tensor<25xf32>
    %Ba = arith.addf %B_a, %a : tensor<25xf32>
    %A_b = nn.matmul %A, %b : tensor<25x25xf32>, tensor<25xf32>
    %Ab = arith.addf %A_b, %b : tensor<25xf32>
    %BaAb = nn.concat %Ba, %Ab over 0 : tensor<25xf32>, tensor<25xf32>
    %pa = nn.linear %BaAb, %W, %bias : tensor<50xf32>, tensor<50x25xf32>, tensor<25xf32>
    %p = math.tanh %pa : tensor<25xf32>
    // P = W_M [A; B]
    %AB = nn.concat %A, %B over 0 : tensor<25x25xf32>, tensor<25x25xf32>
    %P = nn.matmul %W_M, %AB : tensor<25x50xf32>, tensor<50x25xf32>
    tree.yield %p, %P : tensor<25xf32>, tensor<25x25xf32>
  } leaf {
    %X = nn.reshape %xmj : tensor<625xf32> -> tensor<25x25xf32>
    tree.yield %xj, %X : tensor<25xf32>, tensor<25x25xf32>
  }
  %y = nn.linear %v, %V, %c_v : tensor<?x25xf32>, tensor<25x5xf32>, tensor<5xf32>
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
  groups {embeddings = #train.optimizer<adagrad>, matrices = #train.optimizer<adagrad>} {clip_norm = 10.0 : f64}
