// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence entails another one: the head of InferSent.
//
// Conneau et al. 2017; Simoulin 2022, equation 3.36: two linear layers without a nonlinearity
// between them, as they are written there.
nn.import "../common/pairs.mlir"
nn.sizes {hidden = 150, layer = 512, classes = 3}

#layer = {layer = #nn.given<"layer" = 512>}
!h = tensor<150xf32>
!y = tensor<3xf32>

/// The scores of the classes.
func.func @scores(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"}) -> !y {
  %y = nn.call @score_infersent(%left, %right) with #layer : (!h, !h) -> !y
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
