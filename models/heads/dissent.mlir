// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of 15 discourse markers connects two sentences: the head of DisSent.
//
// Nie et al. 2019; Simoulin 2022, equation 3.37. The thesis leaves out the layer from the features
// to h_s; here it is linear.
nn.import "../common/pairs.mlir"
nn.sizes {hidden = 150, features = 5 * hidden, layer = 512, markers = 15}

!h = tensor<150xf32>
!f = tensor<750xf32>
!s = tensor<512xf32>
!y = tensor<15xf32>

/// The scores of the markers.
func.func @scores(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"}) -> !y {
  // S = [s_1, s_2, avg, sub, mul]
  %sum = arith.addf %left, %right : !h
  %half = arith.constant dense<0.5> : !h
  %avg = arith.mulf %half, %sum : !h
  %sub = arith.subf %left, %right : !h
  %mul = arith.mulf %left, %right : !h
  %f = nn.concat %left, %right, %avg, %sub, %mul over 0 : !h, !h, !h, !h, !h
  // h_s = W_1 S + b_1, then h_s = ReLU(W_2 h_s + b_2)
  %s1 = nn.call @affine(%f) in "first" : (!f) -> !s
  %s2 = nn.call @affine(%s1) in "second" : (!s) -> !s
  %s3 = nn.relu %s2 : !s
  %y = nn.call @affine(%s3) in "p" : (!s) -> !y
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
