// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of an arithmetic expression, read from its tree: a binary Tree-LSTM.
//
// Simoulin 2022, section 7.3 (data and set-up), equations 3.22-3.27 (cell).
// Every node of the expression tree has a token: an integer at a leaf, with a
// frozen DICE vector, or an operator, with a trained one. The state of the root
// goes through a perceptron to the scores of the values 1 to 100.
//
// sizes: hidden = 256, both = 2 * hidden

nn.param @dice : tensor<103x256xf32> init #nn.init<file("embeddings.safetensors", "dice")> {frozen}
nn.param @operators : tensor<3x256xf32> init #nn.init<file("embeddings.safetensors", "operators")>

// Gates: input, output, update, and one forget gate per child.
nn.param @W_i : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @W_o : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @W_u : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @W_f : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_f1 : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @U_f2 : tensor<512x256xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<256xf32> {no_decay}
nn.param @b_o : tensor<256xf32> {no_decay}
nn.param @b_u : tensor<256xf32> {no_decay}
nn.param @b_f : tensor<256xf32> init #nn.init<constant(1.0)> {no_decay}

nn.param @V_1 : tensor<256x256xf32> init #nn.init<xavier_uniform>
nn.param @c_1 : tensor<256xf32> {no_decay}
nn.param @V_2 : tensor<256x100xf32> init #nn.init<xavier_uniform>
nn.param @c_2 : tensor<100xf32> {no_decay}

func.func private @encode(%tree: !tree.tree, %numbers: tensor<?xi32>, %operators: tensor<?xi32>)
    -> tensor<256xf32> {
  %dice = nn.use @dice : tensor<103x256xf32>
  %ops = nn.use @operators : tensor<3x256xf32>
  %W_i = nn.use @W_i : tensor<256x256xf32>
  %W_o = nn.use @W_o : tensor<256x256xf32>
  %W_u = nn.use @W_u : tensor<256x256xf32>
  %W_f = nn.use @W_f : tensor<256x256xf32>
  %U_i = nn.use @U_i : tensor<512x256xf32>
  %U_o = nn.use @U_o : tensor<512x256xf32>
  %U_u = nn.use @U_u : tensor<512x256xf32>
  %U_f1 = nn.use @U_f1 : tensor<512x256xf32>
  %U_f2 = nn.use @U_f2 : tensor<512x256xf32>
  %b_i = nn.use @b_i : tensor<256xf32>
  %b_o = nn.use @b_o : tensor<256xf32>
  %b_u = nn.use @b_u : tensor<256xf32>
  %b_f = nn.use @b_f : tensor<256xf32>

  %xn = nn.embed %numbers, %dice {padding_id = 0 : i64} : tensor<?xi32>, tensor<103x256xf32>
  %xo = nn.embed %operators, %ops {padding_id = 0 : i64} : tensor<?xi32>, tensor<3x256xf32>
  %x = arith.addf %xn, %xo : tensor<?x256xf32>

  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<256xf32>)
                     children(%hk : tensor<2x256xf32>, %ck : tensor<2x256xf32>)
                     -> (tensor<256xf32>, tensor<256xf32>) {
    // [h_1; h_2]
    %hh = nn.reshape %hk : tensor<2x256xf32> -> tensor<512xf32>
    // i = sigmoid(W_i x + U_i [h_1; h_2] + b_i), o likewise, u with tanh
    %i0 = nn.linear %xj, %W_i, %b_i : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
    %i1 = nn.linear %hh, %U_i : tensor<512xf32>, tensor<512x256xf32>
    %i2 = arith.addf %i0, %i1 : tensor<256xf32>
    %i = nn.sigmoid %i2 : tensor<256xf32>
    %o0 = nn.linear %xj, %W_o, %b_o : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
    %o1 = nn.linear %hh, %U_o : tensor<512xf32>, tensor<512x256xf32>
    %o2 = arith.addf %o0, %o1 : tensor<256xf32>
    %o = nn.sigmoid %o2 : tensor<256xf32>
    %u0 = nn.linear %xj, %W_u, %b_u : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
    %u1 = nn.linear %hh, %U_u : tensor<512xf32>, tensor<512x256xf32>
    %u2 = arith.addf %u0, %u1 : tensor<256xf32>
    %u = math.tanh %u2 : tensor<256xf32>
    // f_k = sigmoid(W_f x + U_fk [h_1; h_2] + b_f)
    %f0 = nn.linear %xj, %W_f, %b_f : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
    %f11 = nn.linear %hh, %U_f1 : tensor<512xf32>, tensor<512x256xf32>
    %f12 = arith.addf %f0, %f11 : tensor<256xf32>
    %f1 = nn.sigmoid %f12 : tensor<256xf32>
    %f21 = nn.linear %hh, %U_f2 : tensor<512xf32>, tensor<512x256xf32>
    %f22 = arith.addf %f0, %f21 : tensor<256xf32>
    %f2 = nn.sigmoid %f22 : tensor<256xf32>
    // c = i * u + f_1 * c_1 + f_2 * c_2
    %c1s = nn.slice %ck over 0 from 0 size 1 : tensor<2x256xf32>
    %c1 = nn.reshape %c1s : tensor<1x256xf32> -> tensor<256xf32>
    %c2s = nn.slice %ck over 0 from 1 size 1 : tensor<2x256xf32>
    %c2 = nn.reshape %c2s : tensor<1x256xf32> -> tensor<256xf32>
    %iu = arith.mulf %i, %u : tensor<256xf32>
    %fc1 = arith.mulf %f1, %c1 : tensor<256xf32>
    %fc2 = arith.mulf %f2, %c2 : tensor<256xf32>
    %s = arith.addf %iu, %fc1 : tensor<256xf32>
    %cj = arith.addf %s, %fc2 : tensor<256xf32>
    // h = o * tanh(c)
    %tc = math.tanh %cj : tensor<256xf32>
    %hj = arith.mulf %o, %tc : tensor<256xf32>
    tree.yield %hj, %cj : tensor<256xf32>, tensor<256xf32>
  }
  %root = tree.root %tree, %h : tensor<?x256xf32>
  return %root : tensor<256xf32>
}

func.func private @classify(%s: tensor<256xf32>) -> tensor<100xf32> {
  %V_1 = nn.use @V_1 : tensor<256x256xf32>
  %c_1 = nn.use @c_1 : tensor<256xf32>
  %V_2 = nn.use @V_2 : tensor<256x100xf32>
  %c_2 = nn.use @c_2 : tensor<100xf32>
  %a = nn.linear %s, %V_1, %c_1 : tensor<256xf32>, tensor<256x256xf32>, tensor<256xf32>
  %r = nn.relu %a : tensor<256xf32>
  %y = nn.linear %r, %V_2, %c_2 : tensor<256xf32>, tensor<256x100xf32>, tensor<100xf32>
  return %y : tensor<100xf32>
}

// Scores of the values 1 to 100.
func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %numbers: tensor<?xi32> {cambium.name = "numbers"},
                   %operators: tensor<?xi32> {cambium.name = "operators"}) -> tensor<100xf32> {
  %s = call @encode(%tree, %numbers, %operators)
      : (!tree.tree, tensor<?xi32>, tensor<?xi32>) -> tensor<256xf32>
  %y = call @classify(%s) : (tensor<256xf32>) -> tensor<100xf32>
  return %y : tensor<100xf32>
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %numbers: tensor<?xi32> {cambium.name = "numbers"},
                %operators: tensor<?xi32> {cambium.name = "operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = call @predict(%tree, %numbers, %operators)
      : (!tree.tree, tensor<?xi32>, tensor<?xi32>) -> tensor<100xf32>
  %l = nn.cross_entropy %y, %value : tensor<100xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  {clip_norm = 5.0 : f64}
