// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence entails another one: the head of the models of SNLI.
//
// Simoulin 2022, equations 5.15 and 5.16, section 5.3.2: two layers of 1024 with ReLU and dropout.
nn.import "../common/pairs.mlir"
nn.sizes {hidden = 150, features = 4 * hidden, layer = 1024, classes = 3}

!h = tensor<150xf32>
!f = tensor<600xf32>
!s = tensor<1024xf32>
!y = tensor<3xf32>

/// The scores of the classes.
func.func @scores(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"}) -> !y {
  // [h_x, h_+, h_L, h_R]
  %mul, %abs = nn.call @compare(%left, %right) : (!h, !h) -> (!h, !h)
  %f = nn.concat %mul, %abs, %left, %right over 0 : !h, !h, !h, !h
  // h_s = ReLU(W_1 f + b_1), then h_s = ReLU(W_2 h_s + b_2)
  %a1 = nn.call @affine(%f) in "first" : (!f) -> !s
  %r1 = nn.relu %a1 : !s
  %s1 = nn.dropout %r1 rate 0.2 : !s
  %a2 = nn.call @affine(%s1) in "second" : (!s) -> !s
  %r2 = nn.relu %a2 : !s
  %s2 = nn.dropout %r2 rate 0.2 : !s
  %y = nn.call @affine(%s2) in "p" : (!s) -> !y
  return %y : !y
}

/// Cross entropy (5.16).
func.func @loss(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @scores(%left, %right) : (!h, !h) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
