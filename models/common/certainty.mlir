// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How sure a model is of the class that it gives.
//
// D. Hendrycks, K. Gimpel: A Baseline for Detecting Misclassified and Out-of-Distribution Examples in
// Neural Networks. ICLR 2017.
nn.sizes {classes = 150}

!y = tensor<150xf32>

/// max over the classes of softmax(y).
func.func private @greatest_probability(%y: !y) -> tensor<f32> {
  %p = nn.softmax %y over 0 : !y
  %m = nn.max %p over 0 : !y
  return %m : tensor<f32>
}
