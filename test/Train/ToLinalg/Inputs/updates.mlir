// updates.mlir - A model whose training step is filled in by the test
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OPTIMIZER, GROUPS and FLAGS stand for what the test says. There is a table whose
// gradient is kept by rows, a table that is read twice, a matrix that a state and
// another path share, a bias without decay, and a frozen parameter.

nn.param @words : tensor<13x6xf32> init #nn.init<normal(0.0, 0.1)> group "embeddings"
nn.param @tags : tensor<5x6xf32> init #nn.init<normal(0.0, 0.1)> frozen
nn.param @W : tensor<6x9xf32> init #nn.init<xavier_uniform>
nn.param @U : tensor<9x9xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<9xf32> no_decay
nn.param @V : tensor<9x4xf32> init #nn.init<xavier_uniform> group "output"
nn.param @c : tensor<4xf32> group "output" no_decay

func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %tags: tensor<?xi32> {cambium.name = "tags"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %E = nn.use @words : tensor<13x6xf32>
  %T = nn.use @tags : tensor<5x6xf32>
  %W = nn.use @W : tensor<6x9xf32>
  %U = nn.use @U : tensor<9x9xf32>
  %b = nn.use @b : tensor<9xf32>
  %V = nn.use @V : tensor<9x4xf32>
  %c = nn.use @c : tensor<4xf32>
  %xw = nn.embed %words, %E padding_id 0 : tensor<?xi32>, tensor<13x6xf32>
  %xt = nn.embed %tags, %T : tensor<?xi32>, tensor<5x6xf32>
  %x = arith.addf %xw, %xt : tensor<?x6xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<6xf32>)
                 children(%hk : tensor<?x9xf32>) -> (tensor<9xf32>) {
    %a = nn.linear %xj, %W, %b : tensor<6xf32>, tensor<6x9xf32>, tensor<9xf32>
    %s = nn.sum %hk over 0 : tensor<?x9xf32>
    %u = nn.linear %s, %U : tensor<9xf32>, tensor<9x9xf32>
    %z = arith.addf %a, %u : tensor<9xf32>
    %hj = math.tanh %z : tensor<9xf32>
    tree.yield %hj : tensor<9xf32>
  }
  %r = tree.root %tree, %h : tensor<?x9xf32>
  %r2 = nn.linear %r, %U : tensor<9xf32>, tensor<9x9xf32>
  %y = nn.linear %r2, %V, %c : tensor<9xf32>, tensor<9x4xf32>, tensor<4xf32>
  %l = nn.cross_entropy %y, %label : tensor<4xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<OPTIMIZER> GROUPS FLAGS
