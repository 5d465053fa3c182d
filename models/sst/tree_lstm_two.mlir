// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence praises or blames: a constituency Tree-LSTM with a loss at every
// node that does either.
//
// Tai, Socher and Manning 2015, sections 3.2 and 4.1; cell: Simoulin 2022, equations
// 3.22-3.27. Words stand at the leaves alone: the cell of a leaf reads the word, that
// of a phrase its two parts. Classes 0 (negative) and 1 (positive); a neutral phrase has
// the weight 0.
//
// sizes: words = 20000, input = 128, hidden = 150, both = 2 * hidden

nn.param @words : tensor<20000x128xf32> init #nn.init<uniform(-0.05, 0.05)> {group = "embeddings"}
nn.param @W_i : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @W_o : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @W_u : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f1 : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f2 : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<150xf32> {no_decay}
nn.param @b_o : tensor<150xf32> {no_decay}
nn.param @b_u : tensor<150xf32> {no_decay}
nn.param @b_f : tensor<150xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @V : tensor<150x2xf32> init #nn.init<xavier_uniform>
nn.param @c : tensor<2xf32> {no_decay}

// The scores of the two classes at every node.
func.func private @scores(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<?x2xf32> {
  %E = nn.use @words : tensor<20000x128xf32>
  %W_i = nn.use @W_i : tensor<128x150xf32>
  %W_o = nn.use @W_o : tensor<128x150xf32>
  %W_u = nn.use @W_u : tensor<128x150xf32>
  %U_i = nn.use @U_i : tensor<300x150xf32>
  %U_o = nn.use @U_o : tensor<300x150xf32>
  %U_u = nn.use @U_u : tensor<300x150xf32>
  %U_f1 = nn.use @U_f1 : tensor<300x150xf32>
  %U_f2 = nn.use @U_f2 : tensor<300x150xf32>
  %b_i = nn.use @b_i : tensor<150xf32>
  %b_o = nn.use @b_o : tensor<150xf32>
  %b_u = nn.use @b_u : tensor<150xf32>
  %b_f = nn.use @b_f : tensor<150xf32>
  %V = nn.use @V : tensor<150x2xf32>
  %c_v = nn.use @c : tensor<2xf32>

  %x0 = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<20000x128xf32>
  %x = nn.dropout %x0 rate 0.3 : tensor<?x128xf32>
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<128xf32>)
                     children(%hk : tensor<2x150xf32>, %ck : tensor<2x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    %hh = nn.reshape %hk : tensor<2x150xf32> -> tensor<300xf32>
    %i0 = nn.linear %hh, %U_i, %b_i : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %i = nn.sigmoid %i0 : tensor<150xf32>
    %o0 = nn.linear %hh, %U_o, %b_o : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %o = nn.sigmoid %o0 : tensor<150xf32>
    %u0 = nn.linear %hh, %U_u, %b_u : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %u = math.tanh %u0 : tensor<150xf32>
    %f10 = nn.linear %hh, %U_f1, %b_f : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %f1 = nn.sigmoid %f10 : tensor<150xf32>
    %f20 = nn.linear %hh, %U_f2, %b_f : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %f2 = nn.sigmoid %f20 : tensor<150xf32>
    %c1s = nn.slice %ck over 0 from 0 size 1 : tensor<2x150xf32>
    %c1 = nn.reshape %c1s : tensor<1x150xf32> -> tensor<150xf32>
    %c2s = nn.slice %ck over 0 from 1 size 1 : tensor<2x150xf32>
    %c2 = nn.reshape %c2s : tensor<1x150xf32> -> tensor<150xf32>
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc1 = arith.mulf %f1, %c1 : tensor<150xf32>
    %fc2 = arith.mulf %f2, %c2 : tensor<150xf32>
    %s = arith.addf %iu, %fc1 : tensor<150xf32>
    %cj = arith.addf %s, %fc2 : tensor<150xf32>
    %tc = math.tanh %cj : tensor<150xf32>
    %hj = arith.mulf %o, %tc : tensor<150xf32>
    tree.yield %hj, %cj : tensor<150xf32>, tensor<150xf32>
  } leaf {
    %i0 = nn.linear %xj, %W_i, %b_i : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %i = nn.sigmoid %i0 : tensor<150xf32>
    %o0 = nn.linear %xj, %W_o, %b_o : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %o = nn.sigmoid %o0 : tensor<150xf32>
    %u0 = nn.linear %xj, %W_u, %b_u : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %u = math.tanh %u0 : tensor<150xf32>
    %cj = arith.mulf %i, %u : tensor<150xf32>
    %tc = math.tanh %cj : tensor<150xf32>
    %hj = arith.mulf %o, %tc : tensor<150xf32>
    tree.yield %hj, %cj : tensor<150xf32>, tensor<150xf32>
  }
  %hd = nn.dropout %h rate 0.5 : tensor<?x150xf32>
  %y = nn.linear %hd, %V, %c_v : tensor<?x150xf32>, tensor<150x2xf32>, tensor<2xf32>
  return %y : tensor<?x2xf32>
}

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<?x2xf32> {
  %y = call @scores(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// The sum of the cross entropies of all phrases that are not neutral.
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %words: tensor<?xi32> {cambium.name = "words"},
                %labels: tensor<?xi32> {cambium.name = "labels"},
                %weights: tensor<?xf32> {cambium.name = "weights"}) -> tensor<f32> {
  %y = call @scores(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x2xf32>
  %l = nn.cross_entropy %y, %labels : tensor<?x2xf32>, tensor<?xi32>
  %w = arith.mulf %l, %weights : tensor<?xf32>
  %s = nn.sum %w over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  groups {embeddings = #train.optimizer<adagrad>} {clip_norm = 10.0 : f64}
