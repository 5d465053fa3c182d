// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence entails another one: the head of the models of SICK-E.
//
// Simoulin 2022, equation 7.1. models/sick has it on sentences.
//
// sizes: hidden = 150, similarity = 50

nn.param @W_mul : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @W_abs : tensor<150x50xf32> init #nn.init<xavier_uniform>
nn.param @b_h : tensor<50xf32>
nn.param @W_p : tensor<50x3xf32> init #nn.init<xavier_uniform>
nn.param @b_p : tensor<3xf32>

/// log p^ of contradiction, neutral, entailment.
func.func @scores(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"})
    -> tensor<3xf32> {
  %W_mul = nn.use @W_mul : tensor<150x50xf32>
  %W_abs = nn.use @W_abs : tensor<150x50xf32>
  %b_h = nn.use @b_h : tensor<50xf32>
  %W_p = nn.use @W_p : tensor<50x3xf32>
  %b_p = nn.use @b_p : tensor<3xf32>
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
  %y = nn.linear %s, %W_p, %b_p : tensor<50xf32>, tensor<50x3xf32>, tensor<3xf32>
  %l = nn.log_softmax %y over 0 : tensor<3xf32>
  return %l : tensor<3xf32>
}

/// KL(p || p^) of a target that is one class.
func.func @loss(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %l = call @scores(%left, %right) : (tensor<150xf32>, tensor<150xf32>) -> tensor<3xf32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %p = nn.one_hot %label, %one size 3 : tensor<i32>, tensor<f32>
  %kl = nn.kl_divergence %p, %l : tensor<3xf32>, tensor<3xf32>
  return %kl : tensor<f32>
}

// lambda / 2 ||theta||^2 with lambda = 1e-4: its gradient is lambda theta.
train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  {clip_norm = 5.0 : f64}
