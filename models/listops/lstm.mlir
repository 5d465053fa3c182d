// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read as a sequence: an LSTM.
//
// Nangia and Bowman 2018, ListOps: A Diagnostic Dataset for Latent Tree Learning
// (data and task); cell: Simoulin 2022, equations 3.5-3.10. It reads digits,
// operators and their ends, without the brackets.
//
// sizes: words = 20, hidden = 128

nn.param @words : tensor<20x128xf32> init #nn.init<normal(0.0, 1.0)>
nn.param @W_i : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<128x128xf32> init #nn.init<orthogonal>
nn.param @b_i : tensor<128xf32> {no_decay}
nn.param @W_o : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<128x128xf32> init #nn.init<orthogonal>
nn.param @b_o : tensor<128xf32> {no_decay}
nn.param @W_f : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @U_f : tensor<128x128xf32> init #nn.init<orthogonal>
nn.param @b_f : tensor<128xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @W_u : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<128x128xf32> init #nn.init<orthogonal>
nn.param @b_u : tensor<128xf32> {no_decay}

nn.param @V_1 : tensor<128x128xf32> init #nn.init<xavier_uniform>
nn.param @c_1 : tensor<128xf32> {no_decay}
nn.param @V_2 : tensor<128x10xf32> init #nn.init<xavier_uniform>
nn.param @c_2 : tensor<10xf32> {no_decay}

// The state after the last token.
func.func private @lstm(%x: tensor<?x128xf32>) -> tensor<128xf32> {
  %W_i = nn.use @W_i : tensor<128x128xf32>
  %U_i = nn.use @U_i : tensor<128x128xf32>
  %b_i = nn.use @b_i : tensor<128xf32>
  %W_o = nn.use @W_o : tensor<128x128xf32>
  %U_o = nn.use @U_o : tensor<128x128xf32>
  %b_o = nn.use @b_o : tensor<128xf32>
  %W_f = nn.use @W_f : tensor<128x128xf32>
  %U_f = nn.use @U_f : tensor<128x128xf32>
  %b_f = nn.use @b_f : tensor<128xf32>
  %W_u = nn.use @W_u : tensor<128x128xf32>
  %U_u = nn.use @U_u : tensor<128x128xf32>
  %b_u = nn.use @b_u : tensor<128xf32>
  %chain = tree.chain %x : tensor<?x128xf32>
  %h, %c = tree.fold %chain nodes(%xt = %x : tensor<128xf32>)
                     children(%hp : tensor<1x128xf32>, %cp : tensor<1x128xf32>)
                     -> (tensor<128xf32>, tensor<128xf32>) {
    %h0 = nn.reshape %hp : tensor<1x128xf32> -> tensor<128xf32>
    %c0 = nn.reshape %cp : tensor<1x128xf32> -> tensor<128xf32>
    // i, o, f = sigmoid(W x + U h + b), u = tanh(W x + U h + b)
    %i0 = nn.linear %xt, %W_i, %b_i : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
    %i1 = nn.linear %h0, %U_i : tensor<128xf32>, tensor<128x128xf32>
    %i2 = arith.addf %i0, %i1 : tensor<128xf32>
    %i = nn.sigmoid %i2 : tensor<128xf32>
    %o0 = nn.linear %xt, %W_o, %b_o : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
    %o1 = nn.linear %h0, %U_o : tensor<128xf32>, tensor<128x128xf32>
    %o2 = arith.addf %o0, %o1 : tensor<128xf32>
    %o = nn.sigmoid %o2 : tensor<128xf32>
    %f0 = nn.linear %xt, %W_f, %b_f : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
    %f1 = nn.linear %h0, %U_f : tensor<128xf32>, tensor<128x128xf32>
    %f2 = arith.addf %f0, %f1 : tensor<128xf32>
    %f = nn.sigmoid %f2 : tensor<128xf32>
    %u0 = nn.linear %xt, %W_u, %b_u : tensor<128xf32>, tensor<128x128xf32>, tensor<128xf32>
    %u1 = nn.linear %h0, %U_u : tensor<128xf32>, tensor<128x128xf32>
    %u2 = arith.addf %u0, %u1 : tensor<128xf32>
    %u = math.tanh %u2 : tensor<128xf32>
    // c = i * u + f * c', h = o * tanh(c)
    %iu = arith.mulf %i, %u : tensor<128xf32>
    %fc = arith.mulf %f, %c0 : tensor<128xf32>
    %ct = arith.addf %iu, %fc : tensor<128xf32>
    %tc = math.tanh %ct : tensor<128xf32>
    %ht = arith.mulf %o, %tc : tensor<128xf32>
    tree.yield %ht, %ct : tensor<128xf32>, tensor<128xf32>
  }
  %last = tree.root %chain, %h : tensor<?x128xf32>
  return %last : tensor<128xf32>
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
func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<10xf32> {
  %E = nn.use @words : tensor<20x128xf32>
  %x = nn.embed %tokens, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<20x128xf32>
  %s = call @lstm(%x) : (tensor<?x128xf32>) -> tensor<128xf32>
  %y = call @classify(%s) : (tensor<128xf32>) -> tensor<10xf32>
  return %y : tensor<10xf32>
}

func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = call @predict(%tokens) : (tensor<?xi32>) -> tensor<10xf32>
  %l = nn.cross_entropy %y, %label : tensor<10xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> {clip_norm = 5.0 : f64}
