// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentiment of a sentence, read as a sequence from both ends: a bidirectional LSTM.
//
// Tai, Socher and Manning 2015, section 4.1 (baseline); cell: Simoulin 2022, equations
// 3.5-3.10. It sees the words and the label of the sentence, not those of its phrases.
//
// sizes: words = 20000, input = 128, hidden = 150, both = 2 * hidden

nn.param @words : tensor<20000x128xf32> init #nn.init<uniform(-0.05, 0.05)> {group = "embeddings"}

// Forward.
nn.param @W_i : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_i : tensor<150xf32> {no_decay}
nn.param @W_o : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_o : tensor<150xf32> {no_decay}
nn.param @W_f : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_f : tensor<150xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @W_u : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_u : tensor<150xf32> {no_decay}

// Backward.
nn.param @W_ir : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_ir : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_ir : tensor<150xf32> {no_decay}
nn.param @W_or : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_or : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_or : tensor<150xf32> {no_decay}
nn.param @W_fr : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_fr : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_fr : tensor<150xf32> init #nn.init<constant(1.0)> {no_decay}
nn.param @W_ur : tensor<128x150xf32> init #nn.init<xavier_uniform>
nn.param @U_ur : tensor<150x150xf32> init #nn.init<orthogonal>
nn.param @b_ur : tensor<150xf32> {no_decay}

nn.param @V : tensor<300x5xf32> init #nn.init<xavier_uniform>
nn.param @c : tensor<5xf32> {no_decay}

// The state after the last token.
func.func private @forward(%x: tensor<?x128xf32>) -> tensor<150xf32> {
  %W_i = nn.use @W_i : tensor<128x150xf32>
  %U_i = nn.use @U_i : tensor<150x150xf32>
  %b_i = nn.use @b_i : tensor<150xf32>
  %W_o = nn.use @W_o : tensor<128x150xf32>
  %U_o = nn.use @U_o : tensor<150x150xf32>
  %b_o = nn.use @b_o : tensor<150xf32>
  %W_f = nn.use @W_f : tensor<128x150xf32>
  %U_f = nn.use @U_f : tensor<150x150xf32>
  %b_f = nn.use @b_f : tensor<150xf32>
  %W_u = nn.use @W_u : tensor<128x150xf32>
  %U_u = nn.use @U_u : tensor<150x150xf32>
  %b_u = nn.use @b_u : tensor<150xf32>
  %chain = tree.chain %x : tensor<?x128xf32>
  %h, %c = tree.fold %chain nodes(%xt = %x : tensor<128xf32>)
                     children(%hp : tensor<1x150xf32>, %cp : tensor<1x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    %h0 = nn.reshape %hp : tensor<1x150xf32> -> tensor<150xf32>
    %c0 = nn.reshape %cp : tensor<1x150xf32> -> tensor<150xf32>
    // i, o, f = sigmoid(W x + U h + b), u = tanh(W x + U h + b)
    %i0 = nn.linear %xt, %W_i, %b_i : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %i1 = nn.linear %h0, %U_i : tensor<150xf32>, tensor<150x150xf32>
    %i2 = arith.addf %i0, %i1 : tensor<150xf32>
    %i = nn.sigmoid %i2 : tensor<150xf32>
    %o0 = nn.linear %xt, %W_o, %b_o : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %o1 = nn.linear %h0, %U_o : tensor<150xf32>, tensor<150x150xf32>
    %o2 = arith.addf %o0, %o1 : tensor<150xf32>
    %o = nn.sigmoid %o2 : tensor<150xf32>
    %f0 = nn.linear %xt, %W_f, %b_f : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %f1 = nn.linear %h0, %U_f : tensor<150xf32>, tensor<150x150xf32>
    %f2 = arith.addf %f0, %f1 : tensor<150xf32>
    %f = nn.sigmoid %f2 : tensor<150xf32>
    %u0 = nn.linear %xt, %W_u, %b_u : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %u1 = nn.linear %h0, %U_u : tensor<150xf32>, tensor<150x150xf32>
    %u2 = arith.addf %u0, %u1 : tensor<150xf32>
    %u = math.tanh %u2 : tensor<150xf32>
    // c = i * u + f * c', h = o * tanh(c)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc = arith.mulf %f, %c0 : tensor<150xf32>
    %ct = arith.addf %iu, %fc : tensor<150xf32>
    %tc = math.tanh %ct : tensor<150xf32>
    %ht = arith.mulf %o, %tc : tensor<150xf32>
    tree.yield %ht, %ct : tensor<150xf32>, tensor<150xf32>
  }
  %last = tree.root %chain, %h : tensor<?x150xf32>
  return %last : tensor<150xf32>
}

// The state after the first token, read from the end.
func.func private @backward(%x: tensor<?x128xf32>) -> tensor<150xf32> {
  %W_i = nn.use @W_ir : tensor<128x150xf32>
  %U_i = nn.use @U_ir : tensor<150x150xf32>
  %b_i = nn.use @b_ir : tensor<150xf32>
  %W_o = nn.use @W_or : tensor<128x150xf32>
  %U_o = nn.use @U_or : tensor<150x150xf32>
  %b_o = nn.use @b_or : tensor<150xf32>
  %W_f = nn.use @W_fr : tensor<128x150xf32>
  %U_f = nn.use @U_fr : tensor<150x150xf32>
  %b_f = nn.use @b_fr : tensor<150xf32>
  %W_u = nn.use @W_ur : tensor<128x150xf32>
  %U_u = nn.use @U_ur : tensor<150x150xf32>
  %b_u = nn.use @b_ur : tensor<150xf32>
  %chain = tree.chain %x reversed : tensor<?x128xf32>
  %h, %c = tree.fold %chain nodes(%xt = %x : tensor<128xf32>)
                     children(%hp : tensor<1x150xf32>, %cp : tensor<1x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    %h0 = nn.reshape %hp : tensor<1x150xf32> -> tensor<150xf32>
    %c0 = nn.reshape %cp : tensor<1x150xf32> -> tensor<150xf32>
    // i, o, f = sigmoid(W x + U h + b), u = tanh(W x + U h + b)
    %i0 = nn.linear %xt, %W_i, %b_i : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %i1 = nn.linear %h0, %U_i : tensor<150xf32>, tensor<150x150xf32>
    %i2 = arith.addf %i0, %i1 : tensor<150xf32>
    %i = nn.sigmoid %i2 : tensor<150xf32>
    %o0 = nn.linear %xt, %W_o, %b_o : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %o1 = nn.linear %h0, %U_o : tensor<150xf32>, tensor<150x150xf32>
    %o2 = arith.addf %o0, %o1 : tensor<150xf32>
    %o = nn.sigmoid %o2 : tensor<150xf32>
    %f0 = nn.linear %xt, %W_f, %b_f : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %f1 = nn.linear %h0, %U_f : tensor<150xf32>, tensor<150x150xf32>
    %f2 = arith.addf %f0, %f1 : tensor<150xf32>
    %f = nn.sigmoid %f2 : tensor<150xf32>
    %u0 = nn.linear %xt, %W_u, %b_u : tensor<128xf32>, tensor<128x150xf32>, tensor<150xf32>
    %u1 = nn.linear %h0, %U_u : tensor<150xf32>, tensor<150x150xf32>
    %u2 = arith.addf %u0, %u1 : tensor<150xf32>
    %u = math.tanh %u2 : tensor<150xf32>
    // c = i * u + f * c', h = o * tanh(c)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc = arith.mulf %f, %c0 : tensor<150xf32>
    %ct = arith.addf %iu, %fc : tensor<150xf32>
    %tc = math.tanh %ct : tensor<150xf32>
    %ht = arith.mulf %o, %tc : tensor<150xf32>
    tree.yield %ht, %ct : tensor<150xf32>, tensor<150xf32>
  }
  %last = tree.root %chain, %h : tensor<?x150xf32>
  return %last : tensor<150xf32>
}

// Scores of the five classes of the sentence.
func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<5xf32> {
  %E = nn.use @words : tensor<20000x128xf32>
  %V = nn.use @V : tensor<300x5xf32>
  %c = nn.use @c : tensor<5xf32>
  %x0 = nn.embed %tokens, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<20000x128xf32>
  %x = nn.dropout %x0 rate 0.3 : tensor<?x128xf32>
  %f = call @forward(%x) : (tensor<?x128xf32>) -> tensor<150xf32>
  %b = call @backward(%x) : (tensor<?x128xf32>) -> tensor<150xf32>
  %s0 = nn.concat %f, %b over 0 : tensor<150xf32>, tensor<150xf32>
  %s = nn.dropout %s0 rate 0.5 : tensor<300xf32>
  %y = nn.linear %s, %V, %c : tensor<300xf32>, tensor<300x5xf32>, tensor<5xf32>
  return %y : tensor<5xf32>
}

func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = call @predict(%tokens) : (tensor<?xi32>) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  groups {embeddings = #train.optimizer<adagrad>} {clip_norm = 10.0 : f64}
