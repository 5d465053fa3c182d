// pairs.mlir - Two trees, one encoder
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The similarity of two sentences: both trees go through the same cell; the words
// of one attend to the states of the other; the tree of the second one is computed
// in the model. The loss holds a gradient, so that it is smooth around the vector of
// the pair (virtual adversarial training without a power iteration).

nn.param @embedding : tensor<11x6xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @W : tensor<6x5xf32> init #nn.init<xavier_uniform>
nn.param @U : tensor<5x5xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<5xf32>
nn.param @V : tensor<5x5xf32> init #nn.init<xavier_uniform>

func.func private @states(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<?x5xf32> {
  %E = nn.use @embedding : tensor<11x6xf32>
  %W = nn.use @W : tensor<6x5xf32>
  %U = nn.use @U : tensor<5x5xf32>
  %b = nn.use @b : tensor<5xf32>
  %e = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %x = nn.dropout %e rate 0.25 : tensor<?x6xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<6xf32>)
                 children(%hk : tensor<?x5xf32>) -> (tensor<5xf32>) {
    %a = nn.linear %xj, %W, %b : tensor<6xf32>, tensor<6x5xf32>, tensor<5xf32>
    %hd = nn.dropout %hk rate 0.25 : tensor<?x5xf32>
    %m = nn.max %hd over 0 : tensor<?x5xf32>
    %u = nn.linear %m, %U : tensor<5xf32>, tensor<5x5xf32>
    %z = arith.addf %a, %u : tensor<5xf32>
    %hj = math.tanh %z : tensor<5xf32>
    tree.yield %hj : tensor<5xf32>
  }
  return %h : tensor<?x5xf32>
}

// The mean over the nodes of one sentence, weighted by how like the other they are.
func.func private @attend(%h: tensor<?x5xf32>, %query: tensor<5xf32>) -> tensor<5xf32> {
  %V = nn.use @V : tensor<5x5xf32>
  %q = nn.linear %query, %V : tensor<5xf32>, tensor<5x5xf32>
  %s = nn.matmul %h, %q : tensor<?x5xf32>, tensor<5xf32>
  %a = nn.softmax %s over 0 : tensor<?xf32>
  %r = nn.matmul %a, %h : tensor<?xf32>, tensor<?x5xf32>
  return %r : tensor<5xf32>
}

func.func @loss(%left: !tree.tree {cambium.name = "left"},
                %words: tensor<?xi32> {cambium.name = "left_words"},
                %heads: tensor<?xi32> {cambium.name = "heads"},
                %others: tensor<?xi32> {cambium.name = "right_words"},
                %score: tensor<f32> {cambium.name = "score"}) -> (tensor<f32>, tensor<f32>) {
  %right = tree.from_parents %heads : tensor<?xi32>
  %hl = call @states(%left, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x5xf32>
  %hr = call @states(%right, %others) : (!tree.tree, tensor<?xi32>) -> tensor<?x5xf32>
  %l0 = tree.root %left, %hl : tensor<?x5xf32>
  %r0 = tree.root %right, %hr : tensor<?x5xf32>
  %l = call @attend(%hl, %r0) : (tensor<?x5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %r = call @attend(%hr, %l0) : (tensor<?x5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %cos = nn.cosine_similarity %l, %r over 0 : tensor<5xf32>, tensor<5xf32>
  %mse = nn.mse %cos, %score : tensor<f32>, tensor<f32>
  %g = train.gradient %mse wrt %l : tensor<f32>, tensor<5xf32>
  %direction = train.stop_gradient %g : tensor<5xf32>
  %moved = arith.addf %l, %direction : tensor<5xf32>
  %cos2 = nn.cosine_similarity %moved, %r over 0 : tensor<5xf32>, tensor<5xf32>
  %mse2 = nn.mse %cos2, %score : tensor<f32>, tensor<f32>
  %loss = arith.addf %mse, %mse2 : tensor<f32>
  return %loss, %cos : tensor<f32>, tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
