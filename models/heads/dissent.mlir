// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of 15 discourse markers connects two sentences: the head of DisSent.
//
// Nie et al. 2019; Simoulin 2022, equation 3.37. The thesis leaves out the layer from the features
// to h_s; here it is linear.
nn.import "../common/pairs.mlir"
nn.sizes {hidden = 150, layer = 512, markers = 15}

#layer = {layer = #nn.given<"layer" = 512>}
!h = tensor<150xf32>
!y = tensor<15xf32>

/// The scores of the markers.
func.func @scores(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"}) -> !y {
  %y = nn.call @score_dissent(%left, %right) with #layer : (!h, !h) -> !y
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
