// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are, and whether one entails the other (SICK): a Child-Sum
// Tree-LSTM over dependency trees.
//
// Simoulin 2022, section 5.3.1 (set-up), equations 3.11-3.17 (cell), 5.13 and 7.1
// (heads); Tai, Socher and Manning 2015, section 4.2. Both sentences share all
// parameters.
//
// sizes: words = 2500, input = 300, hidden = 150, similarity = 50

nn.param @words : tensor<2500x300xf32> {frozen}
nn.param @W_i : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_i : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_i : tensor<150xf32>
nn.param @W_o : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_o : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_o : tensor<150xf32>
nn.param @W_u : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_u : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_u : tensor<150xf32>
nn.param @W_f : tensor<300x150xf32> init #nn.init<xavier_uniform>
nn.param @U_f : tensor<150x150xf32> init #nn.init<xavier_uniform>
nn.param @b_f : tensor<150xf32>

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

// The state of the root.
func.func private @encode(%tree: !tree.tree, %words: tensor<?xi32>) -> tensor<150xf32> {
  %E = nn.use @words : tensor<2500x300xf32>
  %x = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<2500x300xf32>
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
  %h, %c = tree.fold %tree nodes(%xj = %x : tensor<300xf32>)
                     children(%hk : tensor<?x150xf32>, %ck : tensor<?x150xf32>)
                     -> (tensor<150xf32>, tensor<150xf32>) {
    // h~_j = sum_k h_k (3.11)
    %hs = nn.sum %hk over 0 : tensor<?x150xf32>
    // i_j = sigmoid(W_i x_j + U_i h~_j + b_i), o_j likewise, u_j with tanh (3.12-3.14)
    %i0 = nn.linear %xj, %W_i, %b_i : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %i1 = nn.linear %hs, %U_i : tensor<150xf32>, tensor<150x150xf32>
    %i2 = arith.addf %i0, %i1 : tensor<150xf32>
    %i = nn.sigmoid %i2 : tensor<150xf32>
    %o0 = nn.linear %xj, %W_o, %b_o : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %o1 = nn.linear %hs, %U_o : tensor<150xf32>, tensor<150x150xf32>
    %o2 = arith.addf %o0, %o1 : tensor<150xf32>
    %o = nn.sigmoid %o2 : tensor<150xf32>
    %u0 = nn.linear %xj, %W_u, %b_u : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %u1 = nn.linear %hs, %U_u : tensor<150xf32>, tensor<150x150xf32>
    %u2 = arith.addf %u0, %u1 : tensor<150xf32>
    %u = math.tanh %u2 : tensor<150xf32>
    // f_jk = sigmoid(W_f x_j + U_f h_k + b_f), one gate per child (3.15)
    %fx = nn.linear %xj, %W_f, %b_f : tensor<300xf32>, tensor<300x150xf32>, tensor<150xf32>
    %fxk = nn.broadcast %fx dims [1] like %hk : tensor<150xf32>, tensor<?x150xf32> -> tensor<?x150xf32>
    %fh = nn.linear %hk, %U_f : tensor<?x150xf32>, tensor<150x150xf32>
    %fa = arith.addf %fxk, %fh : tensor<?x150xf32>
    %f = nn.sigmoid %fa : tensor<?x150xf32>
    // c_j = i_j * u_j + sum_k f_jk * c_k (3.16)
    %iu = arith.mulf %i, %u : tensor<150xf32>
    %fc = arith.mulf %f, %ck : tensor<?x150xf32>
    %fcs = nn.sum %fc over 0 : tensor<?x150xf32>
    %cj = arith.addf %iu, %fcs : tensor<150xf32>
    // h_j = o_j * tanh(c_j) (3.17)
    %tc = math.tanh %cj : tensor<150xf32>
    %hj = arith.mulf %o, %tc : tensor<150xf32>
    tree.yield %hj, %cj : tensor<150xf32>, tensor<150xf32>
  }
  %root = tree.root %tree, %h : tensor<?x150xf32>
  return %root : tensor<150xf32>
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
func.func @predict(%tree_a: !tree.tree {cambium.name = "tree_a"},
                %words_a: tensor<?xi32> {cambium.name = "words_a"},
                %tree_b: !tree.tree {cambium.name = "tree_b"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"}) -> tensor<f32> {
  %a = call @encode(%tree_a, %words_a) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%tree_b, %words_b) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %l = call @log_scores(%a, %b) : (tensor<150xf32>, tensor<150xf32>) -> tensor<5xf32>
  %p = math.exp %l : tensor<5xf32>
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %rp = arith.mulf %r, %p : tensor<5xf32>
  %y = nn.sum %rp over 0 : tensor<5xf32>
  return %y : tensor<f32>
}

// KL(p || p^) (5.14), where the score y is spread over its neighbours (5.13):
// p_i = max(0, 1 - |y - i|).
func.func @loss(%tree_a: !tree.tree {cambium.name = "tree_a"},
                %words_a: tensor<?xi32> {cambium.name = "words_a"},
                %tree_b: !tree.tree {cambium.name = "tree_b"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"},
                %score: tensor<f32> {cambium.name = "score"}) -> tensor<f32> {
  %a = call @encode(%tree_a, %words_a) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%tree_b, %words_b) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
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
func.func @entail(%tree_a: !tree.tree {cambium.name = "tree_a"},
                %words_a: tensor<?xi32> {cambium.name = "words_a"},
                %tree_b: !tree.tree {cambium.name = "tree_b"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"}) -> tensor<3xf32> {
  %a = call @encode(%tree_a, %words_a) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%tree_b, %words_b) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %y = call @logits(%a, %b) : (tensor<150xf32>, tensor<150xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// KL(p || p^) (7.1) of a target that is one class.
func.func @entail_loss(%tree_a: !tree.tree {cambium.name = "tree_a"},
                %words_a: tensor<?xi32> {cambium.name = "words_a"},
                %tree_b: !tree.tree {cambium.name = "tree_b"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %a = call @encode(%tree_a, %words_a) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %b = call @encode(%tree_b, %words_b) : (!tree.tree, tensor<?xi32>) -> tensor<150xf32>
  %y = call @logits(%a, %b) : (tensor<150xf32>, tensor<150xf32>) -> tensor<3xf32>
  %l = nn.cross_entropy %y, %label : tensor<3xf32>, tensor<i32>
  return %l : tensor<f32>
}

// Weight decay is the gradient of lambda ||theta||^2 with lambda = 1e-4 in the loss of
// relatedness, and of lambda / 2 ||theta||^2 with lambda = 1e-4 in that of entailment.
train.step @relatedness loss @loss optimizer #train.optimizer<adagrad, weight_decay = 2.0e-4>
  {clip_norm = 5.0 : f64}
train.step @entailment loss @entail_loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  {clip_norm = 5.0 : f64}
