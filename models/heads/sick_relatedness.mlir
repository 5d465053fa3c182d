// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are, from 1 to 5: the head of the models of SICK-R.
//
// Simoulin 2022, equations 5.13 and 5.14, section 5.3.1; Tai, Socher and Manning 2015,
// section 4.2. models/sick has it on sentences.
//
// sizes: hidden = 150, similarity = 50

nn.param @W_mul : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @W_abs : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @b_h : tensor<50xf32>
nn.param @W_p : tensor<50x5xf32> init #nn.init<xavier_uniform>
nn.param @b_p : tensor<5xf32>

/// log p^ of the scores 1 to 5.
func.func @scores(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"})
    -> tensor<5xf32> {
  %W_mul = nn.use @W_mul : tensor<150x50xf32>
  %W_abs = nn.use @W_abs : tensor<150x50xf32>
  %b_h = nn.use @b_h : tensor<50xf32>
  %W_p = nn.use @W_p : tensor<50x5xf32>
  %b_p = nn.use @b_p : tensor<5xf32>
  // h_x = h_L * h_R, h_+ = |h_L - h_R|
  %mul = arith.mulf %left, %right : tensor<150xf32>
  %sub = arith.subf %left, %right : tensor<150xf32>
  %abs = math.absf %sub : tensor<150xf32>
  // h_s = sigmoid(W_x h_x + W_+ h_+ + b_h)
  %s0 = nn.linear %mul, %W_mul, %b_h : tensor<150xf32>, tensor<150x50xf32>, tensor<50xf32>
  %s1 = nn.linear %abs, %W_abs : tensor<150xf32>, tensor<150x50xf32>
  %s2 = arith.addf %s0, %s1 : tensor<50xf32>
  %s = nn.sigmoid %s2 : tensor<50xf32>
  // p^ = softmax(W_p h_s + b_p)
  %y = nn.linear %s, %W_p, %b_p : tensor<50xf32>, tensor<50x5xf32>, tensor<5xf32>
  %l = nn.log_softmax %y over 0 : tensor<5xf32>
  return %l : tensor<5xf32>
}

/// y^ = r . p^ with r = [1, 2, 3, 4, 5].
func.func @predict(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"})
    -> tensor<f32> {
  %l = call @scores(%left, %right) : (tensor<150xf32>, tensor<150xf32>) -> tensor<5xf32>
  %p = math.exp %l : tensor<5xf32>
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %rp = arith.mulf %r, %p : tensor<5xf32>
  %y = nn.sum %rp over 0 : tensor<5xf32>
  return %y : tensor<f32>
}

/// KL(p || p^), where the score y is spread over its neighbours: p_i = y - floor(y) for
/// i = floor(y) + 1, floor(y) - y + 1 for i = floor(y), else 0, which is
/// max(0, 1 - |y - i|).
func.func @loss(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"},
                %score: tensor<f32> {cambium.name = "score"}) -> tensor<f32> {
  %l = call @scores(%left, %right) : (tensor<150xf32>, tensor<150xf32>) -> tensor<5xf32>
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

// lambda ||theta||^2 with lambda = 1e-4: its gradient is 2 lambda theta.
train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 2.0e-4>
  {clip_norm = 5.0 : f64}
