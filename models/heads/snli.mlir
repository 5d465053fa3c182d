// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence entails another one: the head of the models of SNLI.
//
// Simoulin 2022, equations 5.15 and 5.16, section 5.3.2: two layers of 1024 with ReLU
// and dropout.
//
// sizes: hidden = 150, features = 4 * hidden, layer = 1024, classes = 3

nn.param @W_1 : tensor<600x1024xf32> init #nn.init<xavier_uniform>
nn.param @b_1 : tensor<1024xf32>
nn.param @W_2 : tensor<1024x1024xf32> init #nn.init<xavier_uniform>
nn.param @b_2 : tensor<1024xf32>
nn.param @W_p : tensor<1024x3xf32> init #nn.init<xavier_uniform>
nn.param @b_p : tensor<3xf32>

/// The scores of the classes.
func.func @scores(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"})
    -> tensor<3xf32> {
  %W_1 = nn.use @W_1 : tensor<600x1024xf32>
  %b_1 = nn.use @b_1 : tensor<1024xf32>
  %W_2 = nn.use @W_2 : tensor<1024x1024xf32>
  %b_2 = nn.use @b_2 : tensor<1024xf32>
  %W_p = nn.use @W_p : tensor<1024x3xf32>
  %b_p = nn.use @b_p : tensor<3xf32>
  // [h_x, h_+, h_L, h_R]
  %mul = arith.mulf %left, %right : tensor<150xf32>
  %sub = arith.subf %left, %right : tensor<150xf32>
  %abs = math.absf %sub : tensor<150xf32>
  %f = nn.concat %mul, %abs, %left, %right over 0 : tensor<150xf32>, tensor<150xf32>, tensor<150xf32>, tensor<150xf32>
  // h_s = ReLU(W_1 f + b_1), then h_s = ReLU(W_2 h_s + b_2)
  %a1 = nn.linear %f, %W_1, %b_1 : tensor<600xf32>, tensor<600x1024xf32>, tensor<1024xf32>
  %r1 = nn.relu %a1 : tensor<1024xf32>
  %s1 = nn.dropout %r1 rate 0.2 : tensor<1024xf32>
  %a2 = nn.linear %s1, %W_2, %b_2 : tensor<1024xf32>, tensor<1024x1024xf32>, tensor<1024xf32>
  %r2 = nn.relu %a2 : tensor<1024xf32>
  %s2 = nn.dropout %r2 rate 0.2 : tensor<1024xf32>
  %y = nn.linear %s2, %W_p, %b_p : tensor<1024xf32>, tensor<1024x3xf32>, tensor<3xf32>
  return %y : tensor<3xf32>
}

/// Cross entropy (5.16).
func.func @loss(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = call @scores(%left, %right) : (tensor<150xf32>, tensor<150xf32>) -> tensor<3xf32>
  %l = nn.cross_entropy %y, %label : tensor<3xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> {clip_norm = 5.0 : f64}
