// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of 15 discourse markers connects two sentences: the head of DisSent.
//
// Nie et al. 2019; Simoulin 2022, equation 3.37. The thesis leaves out the layer from
// the features to h_s; here it is linear.
//
// sizes: hidden = 150, features = 5 * hidden, layer = 512, markers = 15

nn.param @W_1 : tensor<750x512xf32> init #nn.init<xavier_uniform>
nn.param @b_1 : tensor<512xf32>
nn.param @W_2 : tensor<512x512xf32> init #nn.init<xavier_uniform>
nn.param @b_2 : tensor<512xf32>
nn.param @W_p : tensor<512x15xf32> init #nn.init<xavier_uniform>
nn.param @b_p : tensor<15xf32>

/// The scores of the markers.
func.func @scores(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"})
    -> tensor<15xf32> {
  %W_1 = nn.use @W_1 : tensor<750x512xf32>
  %b_1 = nn.use @b_1 : tensor<512xf32>
  %W_2 = nn.use @W_2 : tensor<512x512xf32>
  %b_2 = nn.use @b_2 : tensor<512xf32>
  %W_p = nn.use @W_p : tensor<512x15xf32>
  %b_p = nn.use @b_p : tensor<15xf32>
  // S = [s_1, s_2, avg, sub, mul]
  %sum = arith.addf %left, %right : tensor<150xf32>
  %half = arith.constant dense<0.5> : tensor<150xf32>
  %avg = arith.mulf %half, %sum : tensor<150xf32>
  %sub = arith.subf %left, %right : tensor<150xf32>
  %mul = arith.mulf %left, %right : tensor<150xf32>
  %f = nn.concat %left, %right, %avg, %sub, %mul over 0 : tensor<150xf32>, tensor<150xf32>, tensor<150xf32>, tensor<150xf32>, tensor<150xf32>
  // h_s = W_1 S + b_1, then h_s = ReLU(W_2 h_s + b_2)
  %s1 = nn.linear %f, %W_1, %b_1 : tensor<750xf32>, tensor<750x512xf32>, tensor<512xf32>
  %s2 = nn.linear %s1, %W_2, %b_2 : tensor<512xf32>, tensor<512x512xf32>, tensor<512xf32>
  %s3 = nn.relu %s2 : tensor<512xf32>
  %y = nn.linear %s3, %W_p, %b_p : tensor<512xf32>, tensor<512x15xf32>, tensor<15xf32>
  return %y : tensor<15xf32>
}

/// Cross entropy.
func.func @loss(%left: tensor<150xf32> {cambium.name = "left"}, %right: tensor<150xf32> {cambium.name = "right"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = call @scores(%left, %right) : (tensor<150xf32>, tensor<150xf32>) -> tensor<15xf32>
  %l = nn.cross_entropy %y, %label : tensor<15xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<sgd> {clip_norm = 5.0 : f64}
