// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are, and whether one entails the other (SICK): bags of
// words.
//
// Simoulin 2022, section 5.3.1 (set-up), 3.2.1 (the mean of the vectors), 5.13 and 7.1
// (heads). Both sentences share all parameters.
//
// sizes: words = 2500, input = 300, similarity = 50

nn.param @words : tensor<2500x300xf32> {frozen}

// The heads. Relatedness: five scores; entailment: three classes.
nn.param @R_mul : tensor<300x50xf32> init #nn.init<xavier_uniform>
nn.param @R_abs : tensor<300x50xf32> init #nn.init<xavier_uniform>
nn.param @r_h : tensor<50xf32>
nn.param @R_p : tensor<50x5xf32> init #nn.init<xavier_uniform>
nn.param @r_p : tensor<5xf32>
nn.param @E_mul : tensor<300x50xf32> init #nn.init<xavier_uniform>
nn.param @E_abs : tensor<300x50xf32> init #nn.init<xavier_uniform>
nn.param @e_h : tensor<50xf32>
nn.param @E_p : tensor<50x3xf32> init #nn.init<xavier_uniform>
nn.param @e_p : tensor<3xf32>

// The mean of the vectors of the words.
func.func private @encode(%words: tensor<?xi32>) -> tensor<300xf32> {
  %E = nn.use @words : tensor<2500x300xf32>
  %x = nn.embed %words, %E {padding_id = 0 : i64} : tensor<?xi32>, tensor<2500x300xf32>
  %h = nn.mean %x over 0 : tensor<?x300xf32>
  return %h : tensor<300xf32>
}

// log p^ of the scores 1 to 5.
func.func private @log_scores(%a: tensor<300xf32>, %b: tensor<300xf32>) -> tensor<5xf32> {
  %W_mul = nn.use @R_mul : tensor<300x50xf32>
  %W_abs = nn.use @R_abs : tensor<300x50xf32>
  %b_h = nn.use @r_h : tensor<50xf32>
  %W_p = nn.use @R_p : tensor<50x5xf32>
  %b_p = nn.use @r_p : tensor<5xf32>
  // h_x = h_a * h_b, h_+ = |h_a - h_b|
  %mul = arith.mulf %a, %b : tensor<300xf32>
  %sub = arith.subf %a, %b : tensor<300xf32>
  %abs = math.absf %sub : tensor<300xf32>
  // h_s = sigmoid(W_x h_x + W_+ h_+ + b_h)
  %s0 = nn.linear %mul, %W_mul, %b_h : tensor<300xf32>, tensor<300x50xf32>, tensor<50xf32>
  %s1 = nn.linear %abs, %W_abs : tensor<300xf32>, tensor<300x50xf32>
  %s2 = arith.addf %s0, %s1 : tensor<50xf32>
  %s = nn.sigmoid %s2 : tensor<50xf32>
  %y = nn.linear %s, %W_p, %b_p : tensor<50xf32>, tensor<50x5xf32>, tensor<5xf32>
  %l = nn.log_softmax %y over 0 : tensor<5xf32>
  return %l : tensor<5xf32>
}

// The logits of contradiction, neutral, entailment.
func.func private @logits(%a: tensor<300xf32>, %b: tensor<300xf32>) -> tensor<3xf32> {
  %W_mul = nn.use @E_mul : tensor<300x50xf32>
  %W_abs = nn.use @E_abs : tensor<300x50xf32>
  %b_h = nn.use @e_h : tensor<50xf32>
  %W_p = nn.use @E_p : tensor<50x3xf32>
  %b_p = nn.use @e_p : tensor<3xf32>
  // h_x = h_a * h_b, h_+ = |h_a - h_b|
  %mul = arith.mulf %a, %b : tensor<300xf32>
  %sub = arith.subf %a, %b : tensor<300xf32>
  %abs = math.absf %sub : tensor<300xf32>
  // h_s = sigmoid(W_x h_x + W_+ h_+ + b_h)
  %s0 = nn.linear %mul, %W_mul, %b_h : tensor<300xf32>, tensor<300x50xf32>, tensor<50xf32>
  %s1 = nn.linear %abs, %W_abs : tensor<300xf32>, tensor<300x50xf32>
  %s2 = arith.addf %s0, %s1 : tensor<50xf32>
  %s = nn.sigmoid %s2 : tensor<50xf32>
  %y = nn.linear %s, %W_p, %b_p : tensor<50xf32>, tensor<50x3xf32>, tensor<3xf32>
  return %y : tensor<3xf32>
}

// The relatedness: y^ = r . p^ with r = [1, 2, 3, 4, 5].
func.func @predict(%words_a: tensor<?xi32> {cambium.name = "words_a"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"}) -> tensor<f32> {
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<300xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<300xf32>
  %l = call @log_scores(%a, %b) : (tensor<300xf32>, tensor<300xf32>) -> tensor<5xf32>
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
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<300xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<300xf32>
  %l = call @log_scores(%a, %b) : (tensor<300xf32>, tensor<300xf32>) -> tensor<5xf32>
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
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<300xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<300xf32>
  %y = call @logits(%a, %b) : (tensor<300xf32>, tensor<300xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// KL(p || p^) (7.1) of a target that is one class.
func.func @entail_loss(%words_a: tensor<?xi32> {cambium.name = "words_a"},
                %words_b: tensor<?xi32> {cambium.name = "words_b"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %a = call @encode(%words_a) : (tensor<?xi32>) -> tensor<300xf32>
  %b = call @encode(%words_b) : (tensor<?xi32>) -> tensor<300xf32>
  %y = call @logits(%a, %b) : (tensor<300xf32>, tensor<300xf32>) -> tensor<3xf32>
  %l = nn.cross_entropy %y, %label : tensor<3xf32>, tensor<i32>
  return %l : tensor<f32>
}

// Weight decay is the gradient of lambda ||theta||^2 with lambda = 5e-5 in the loss of
// relatedness, and of lambda / 2 ||theta||^2 with lambda = 1e-4 in that of entailment.
train.step @relatedness loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  {clip_norm = 5.0 : f64}
train.step @entailment loss @entail_loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  {clip_norm = 5.0 : f64}
