// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read from its brackets: a binary Tree-LSTM.
//
// Nangia and Bowman 2018, ListOps: A Diagnostic Dataset for Latent Tree Learning
// (data and task); cell: Simoulin 2022, equations 3.22-3.27. Words stand at the
// leaves alone: digits, operators such as "[MAX", and their end "]".
//
// sizes: words = 20, hidden = 128, both = 2 * hidden

nn.param @words : tensor<20x128xf32> init #nn.init<normal(0.0, 1.0)>
nn.param @W_i : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @W_o : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @W_u : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<256x128xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<256x128xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<256x128xf32> init #nn.init<xavier_uniform>
nn.param @U_f1 : tensor<256x128xf32> init #nn.init<xavier_uniform>
nn.param @U_f2 : tensor<256x128xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<128xf32> {no_decay}
nn.param @b_o : tensor<128xf32> {no_decay}
nn.param @b_u : tensor<128xf32> {no_decay}
nn.param @b_f : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @V_1 : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @c_1 : tensor<128xf32> {no_decay}
nn.param @V_2 : tensor<128x10xf32> init #nn.init<xavier_uniform>
nn.param @c_2 : tensor<10xf32> {no_decay}

// The state of the root.
func.func private @encode(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<128xf32> {
  %E = nn.use @words : tensor<20x128xf32>
  %W_i = nn.use @W_i : tensor<128x128xf32>
  %W_o = nn.use @W_o : tensor<128x128xf32>
  %W_u = nn.use @W_u : tensor<128x128xf32>
  %U_i = nn.use @U_i : tensor<256x128xf32>
  %U_o = nn.use @U_o : tensor<256x128xf32>
  %U_u = nn.use @U_u : tensor<256x128xf32>
  %U_f1 = nn.use @U_f1 : tensor<256x128xf32>
  %U_f2 = nn.use @U_f2 : tensor<256x128xf32>
  %b_i = nn.use @b_i : tensor<128xf32>
  %b_o = nn.use @b_o : tensor<128xf32>
  %b_u = nn.use @b_u : tensor<128xf32>
  %b_f = nn.use @b_f : tensor<128xf32>

  %x = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<20x128xf32>
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<128xf32>)
                     children(%hk : tensor<2x128xf32>, %ck : tensor<2x128xf32>)
                     -> (tensor<128xf32>, tensor<128xf32>) {
    %hh = nn.reshape %hk : tensor<2x128xf32> -> tensor<256xf32>
    %i0 = nn.linear %hh, %U_i, %b_i : tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>
    %i = nn.sigmoid %i0 : tensor<128xf32>
    %o0 = nn.linear %hh, %U_o, %b_o : tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>
    %o = nn.sigmoid %o0 : tensor<128xf32>
    %u0 = nn.linear %hh, %U_u, %b_u : tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>
    %u = math.tanh %u0 : tensor<128xf32>
    %f10 = nn.linear %hh, %U_f1, %b_f : tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>
    %f1 = nn.sigmoid %f10 : tensor<128xf32>
    %f20 = nn.linear %hh, %U_f2, %b_f : tensor<256xf32>, tensor<256x128xf32>, tensor<128xf32>
    %f2 = nn.sigmoid %f20 : tensor<128xf32>
    %c1s = nn.slice %ck over 0 from 0 size 1 : tensor<2x128xf32>
    %c1 = nn.reshape %c1s : tensor<1x128xf32> -> tensor<128xf32>
    %c2s = nn.slice %ck over 0 from 1 size 1 : tensor<2x128xf32>
    %c2 = nn.reshape %c2s : tensor<1x128xf32> -> tensor<128xf32>
    %iu = arith.mulf %i, %u : tensor<128xf32>
    %fc1 = arith.mulf %f1, %c1 : tensor<128xf32>
    %fc2 = arith.mulf %f2, %c2 : tensor<128xf32>
    %s = arith.addf %iu, %fc1 : tensor<128xf32>
    %cj = arith.addf %s, %fc2 : tensor<128xf32>
    %tc = math.tanh %cj : tensor<128xf32>
    %hj = arith.mulf %o, %tc : tensor<128xf32>
    tree.yield %hj, %cj : tensor<128xf32>, tensor<128xf32>
  } leaf {
    %i0 = nn.linear %xj, %W_i, %b_i : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
    %i = nn.sigmoid %i0 : tensor<128xf32>
    %o0 = nn.linear %xj, %W_o, %b_o : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
    %o = nn.sigmoid %o0 : tensor<128xf32>
    %u0 = nn.linear %xj, %W_u, %b_u : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
    %u = math.tanh %u0 : tensor<128xf32>
    %cj = arith.mulf %i, %u : tensor<128xf32>
    %tc = math.tanh %cj : tensor<128xf32>
    %hj = arith.mulf %o, %tc : tensor<128xf32>
    tree.yield %hj, %cj : tensor<128xf32>, tensor<128xf32>
  }
  %root = tree.root %tree, %h : tensor<?x128xf32>
  return %root : tensor<128xf32>
}

func.func private @classify(%s: tensor<128xf32>) -> tensor<10xf32> {
  %V_1 = nn.use @V_1 : tensor<128x128xf32>
  %c_1 = nn.use @c_1 : tensor<128xf32>
  %V_2 = nn.use @V_2 : tensor<128x10xf32>
  %c_2 = nn.use @c_2 : tensor<10xf32>
  %a = nn.linear %s, %V_1, %c_1 : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
  %r = nn.relu %a : tensor<128xf32>
  %y = nn.linear %r, %V_2, %c_2 : tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>
  return %y : tensor<10xf32>
}

// Scores of the values 0 to 9.
func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<10xf32> {
  %s = call @encode(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<128xf32>
  %y = call @classify(%s) : (tensor<128xf32>) -> tensor<10xf32>
  return %y : tensor<10xf32>
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = call @predict(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<10xf32>
  %l = nn.cross_entropy %y, %label : tensor<10xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> {clip_norm = 5.0 : f64}
