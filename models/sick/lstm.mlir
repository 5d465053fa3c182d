// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are, and whether one entails the other (SICK): an LSTM
// over the words.
//
// Simoulin 2022, section 5.3.1 (set-up), equations 3.5-3.10 (cell), 5.13 and 7.1
// (heads). Both sentences share all parameters.
//
// sizes: words = 2500, input = 300, hidden = 150, similarity = 50

nn.param @words : tensor<2500x300xf32> {frozen}
nn.param @W_i : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<150xf32> init #nn.init<constant(1.0)>
nn.param @W_o : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<150xf32> init #nn.init<constant(1.0)>
nn.param @W_u : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_u : tensor<150xf32> init #nn.init<constant(1.0)>
nn.param @W_f : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_f : tensor<150xf32> init #nn.init<constant(1.0)>

// The heads. Relatedness: five scores; entailment: three classes.
nn.param @R_mul : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @R_abs : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @r_h : tensor<50xf32>
nn.param @R_p : tensor<50x5xf32> init #nn.init<xavier_uniform>
nn.param @r_p : tensor<5xf32>
nn.param @E_mul : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @E_abs : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @e_h : tensor<50xf32>
nn.param @E_p : tensor<50x3xf32> init #nn.init<xavier_uniform>
nn.param @e_p : tensor<3xf32>

// The state after the last word.
func.func private @run(%x: tensor<?x300xf32>) -> tensor<150xf32> {
  %W_i = nn.use @W_i : tensor<300x150xf32>
  %U_i = nn.use @U_i : tensor<150x150xf32>
  %b_i = nn.use @b_i : tensor<150xf32>
  %W_o = nn.use @W_o : tensor<300x150xf32>
  %U_o = nn.use @U_o : tensor<150x150xf32>
  %b_o = nn.use @b_o : tensor<150xf32>
  %W_u = nn.use @W_u : tensor<300x150xf32>
  %U_u = nn.use @U_u : tensor<150x150xf32>
  %b_u = nn.use @b_u : tensor<150xf32>
  %W_f = nn.use @W_f : tensor<300x150xf32>
  %U_f = nn.use @U_f : tensor<150x150xf32>
  %b_f = nn.use @b_f : tensor<150xf32>
  %chain = tree.chain %x : tensor<?x300xf32>
  %h, %c = tree.fold %chain nodes(%xj = %x : tensor<300xf32>)
                     children(%hp : tensor<1x150xf32>, %cp : tensor<1x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    %h0 = nn.reshape %hp : tensor<1x150xf32> -> tensor<150xf32>
    %c0 = nn.reshape %cp : tensor<1x150xf32> -> tensor<150xf32>
    // i, o, f = sigmoid(W x + U h + b), u = tanh(W x + U h + b)
    %i0 = nn.linear %xj, %W_i, %b_i : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %i1 = nn.linear %h0, %U_i : tensor<150xf32>, tensor<150x150xf32>
    %i2 = arith.addf %i0, %i1 : tensor<150xf32>
    %i = nn.sigmoid %i2 : tensor<150xf32>
    %o0 = nn.linear %xj, %W_o, %b_o : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %o1 = nn.linear %h0, %U_o : tensor<150xf32>, tensor<150x150xf32>
    %o2 = arith.addf %o0, %o1 : tensor<150xf32>
    %o = nn.sigmoid %o2 : tensor<150xf32>
    %u0 = nn.linear %xj, %W_u, %b_u : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %u1 = nn.linear %h0, %U_u : tensor<150xf32>, tensor<150x150xf32>
    %u2 = arith.addf %u0, %u1 : tensor<150xf32>
    %u = math.tanh %u2 : tensor<150xf32>
    %f0 = nn.linear %xj, %W_f, %b_f : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %f1 = nn.linear %h0, %U_f : tensor<150xf32>, tensor<150x150xf32>
    %f2 = arith.addf %f0, %f1 : tensor<150xf32>
    %f = nn.sigmoid %f2 : tensor<150xf32>
    // c = i * u + f * c', h = o * tanh(c)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc = arith.mulf %f, %c0 : tensor<150xf32>
    %cj = arith.addf %iu, %fc : tensor<150xf32>
    %tc = math.tanh %cj : tensor<150xf32>
    %hj = arith.mulf %o, %tc : tensor<150xf32>
    tree.yield %hj, %cj : tensor<150xf32>, tensor<150xf32>
  }
  %last = tree.root %chain, %h : tensor<?x150xf32>
  return %last : tensor<150xf32>
}

func.func private @encode(%words: tensor<?xi32>) -> tensor<150xf32> {
  %E = nn.use @words : tensor<2500x300xf32>
  %x = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<2500x300xf32>
  %h = call @run(%x) : (tensor<?x300xf32>) -> tensor<150xf32>
  return %h : tensor<150xf32>
}

// log p^ of the scores 1 to 5.
func.func private @log_scores(%a: tensor<150xf32>, %b: tensor<150xf32>) -> tensor<5xf32> {
  %W_mul = nn.use @R_mul : tensor<150x50xf32>
  %W_abs = nn.use @R_abs : tensor<150x50xf32>
  %b_h = nn.use @r_h : tensor<50xf32>
  %W_p = nn.use @R_p : tensor<50x5xf32>
  %b_p = nn.use @r_p : tensor<5xf32>
  // h_x = h_a * h_b, h_+ = |h_a - h_b|
  %mul = arith.mulf %a, %b : tensor<150xf32>
  %sub = arith.subf %a, %b : tensor<150xf32>
  %abs = math.absf %sub : tensor<150xf32>
  // h_s = sigmoid(W_x h_x + W_+ h_+ + b_h)
  %s0 = nn.linear %mul, %W_mul, %b_h : tensor<150xf32>, tensor<150x50xf32>, tensor<50xf32>
  %s1 = nn.linear %abs, %W_abs : tensor<150xf32>, tensor<150x50xf32>
  %s2 = arith.addf %s0, %s1 : tensor<50xf32>
  %s = nn.sigmoid %s2 : tensor<50xf32>
  %y = nn.linear %s, %W_p, %b_p : tensor<50xf32>, tensor<50x5xf32>, tensor<5xf32>
  %l = nn.log_softmax %y over 0 : tensor<5xf32>
  return %l : tensor<5xf32>
}

// The logits of contradiction, neutral, entailment.
func.func private @logits(%a: tensor<150xf32>, %b: tensor<150xf32>) -> tensor<3xf32> {
  %W_mul = nn.use @E_mul : tensor<150x50xf32>
  %W_abs = nn.use @E_abs : tensor<150x50xf32>
  %b_h = nn.use @e_h : tensor<50xf32>
  %W_p = nn.use @E_p : tensor<50x3xf32>
  %b_p = nn.use @e_p : tensor<3xf32>
  // h_x = h_a * h_b, h_+ = |h_a - h_b|
  %mul = arith.mulf %a, %b : tensor<150xf32>
  %sub = arith.subf %a, %b : tensor<150xf32>
  %abs = math.absf %sub : tensor<150xf32>
  // h_s = sigmoid(W_x h_x + W_+ h_+ + b_h)
  %s0 = nn.linear %mul, %W_mul, %b_h : tensor<150xf32>, tensor<150x50xf32>, tensor<50xf32>
  %s1 = nn.linear %abs, %W_abs : tensor<150xf32>, tensor<150x50xf32>
  %s2 = arith.addf %s0, %s1 : tensor<50xf32>
  %s = nn.sigmoid %s2 : tensor<50xf32>
  %y = nn.linear %s, %W_p, %b_p : tensor<50xf32>, tensor<50x3xf32>, tensor<3xf32>
  return %y : tensor<3xf32>
}

// The relatedness: y^ = r . p^ with r = [1, 2, 3, 4, 5].
func.func @predict(%words_a: tensor<?xi32> {cambium.name = "words_a"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"}) -> tensor<f32> {
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<150xf32>
  %l = call @log_scores(%a, %b) : (tensor<150xf32>, tensor<150xf32>) -> tensor<5xf32>
  %p = math.exp %l : tensor<5xf32>
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %rp = arith.mulf %r, %p : tensor<5xf32>
  %y = nn.sum %rp over 0 : tensor<5xf32>
  return %y : tensor<f32>
}

// KL(p || p^) (5.14), where the score y is spread over its neighbours (5.13):
// p_i = max(0, 1 - |y - i|).
func.func @loss(%words_a: tensor<?xi32> {cambium.name = "words_a"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"},
                %score: tensor<f32> {cambium.name = "score"}) -> tensor<f32> {
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<150xf32>
  %l = call @log_scores(%a, %b) : (tensor<150xf32>, tensor<150xf32>) -> tensor<5xf32>
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %one = arith.constant dense<1.0> : tensor<5xf32>
  %y = nn.broadcast %score dims [] : tensor<f32> -> tensor<5xf32>
  %d0 = arith.subf %y, %r : tensor<5xf32>
  %d1 = math.absf %d0 : tensor<5xf32>
  %d2 = arith.subf %one, %d1 : tensor<5xf32>
  %p = nn.relu %d2 : tensor<5xf32>
  %kl = nn.kl_divergence %p, %l : tensor<5xf32>, tensor<5xf32>
  return %kl : tensor<f32>
}

// The scores of contradiction, neutral, entailment.
func.func @entail(%words_a: tensor<?xi32> {cambium.name = "words_a"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"}) -> tensor<3xf32> {
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<150xf32>
  %y = call @logits(%a, %b) : (tensor<150xf32>, tensor<150xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// KL(p || p^) (7.1) of a target that is one class.
func.func @entail_loss(%words_a: tensor<?xi32> {cambium.name = "words_a"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<150xf32>
  %y = call @logits(%a, %b) : (tensor<150xf32>, tensor<150xf32>) -> tensor<3xf32>
  %l = nn.cross_entropy %y, %label : tensor<3xf32>, tensor<i32>
  return %l : tensor<f32>
}

// Weight decay is the gradient of lambda ||theta||^2 with lambda = 5e-5 in the loss of
// relatedness, and of lambda / 2 ||theta||^2 with lambda = 1e-4 in that of entailment.
train.step @relatedness loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  {clip_norm = 5.0 : f64}
train.step @entailment loss @entail_loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  {clip_norm = 5.0 : f64}
