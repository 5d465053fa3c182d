// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence entails another one: the head of InferSent.
//
// Conneau et al. 2017; Simoulin 2022, equation 3.36: two linear layers without a nonlinearity
// between them, as they are written there.
nn.import "../common/pairs.mlir"
nn.sizes {hidden = 150, features = 4 * hidden, layer = 512, classes = 3}

!h = tensor<150xf32>
!f = tensor<600xf32>
!s = tensor<512xf32>
!y = tensor<3xf32>

/// The scores of the classes.
func.func @scores(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"}) -> !y {
  // [h_x, h_+, h_L, h_R]
  %mul, %abs = nn.call @compare(%left, %right) : (!h, !h) -> (!h, !h)
  %f = nn.concat %mul, %abs, %left, %right over 0 : !h, !h, !h, !h
  // h_s = W_1 f + b_1, then h_s = W_2 h_s + b_2
  %s1 = nn.call @affine(%f) in "first" : (!f) -> !s
  %s2 = nn.call @affine(%s1) in "second" : (!s) -> !s
  %y = nn.call @affine(%s2) in "p" : (!s) -> !y
  return %y : !y
}

/// Cross entropy.
func.func @loss(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @scores(%left, %right) : (!h, !h) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<sgd> clip_norm 5.0
