// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a linear classifier finds in the vector of a text.
//
// A. Conneau, D. Kiela: SentEval: An Evaluation Toolkit for Universal Sentence Representations. LREC
// 2018: logistic regression on vectors that stay as they are.
nn.import "../common/layers.mlir"
nn.import "../common/certainty.mlir"
nn.sizes {width = 384, classes = 6}

!x = tensor<384xf32>
!y = tensor<6xf32>

func.func @predict(%x: !x {cambium.name = "x"}) -> !y {
  %y = nn.call @dense_one(%x) : (!x) -> !y
  return %y : !y
}

/// How sure it is: what belongs to no class should have a small number.
func.func @certainty(%x: !x {cambium.name = "x"}) -> tensor<f32> {
  %y = nn.call @predict(%x) : (!x) -> !y
  %p = nn.call @greatest_probability(%y) : (!y) -> tensor<f32>
  return %p : tensor<f32>
}

func.func @loss(%x: !x {cambium.name = "x"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%x) : (!x) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
