// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a linear classifier finds in a random projection of the vector of a text.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, section 4.2.5: a matrix that is drawn (Glorot) and stays as it is
// makes a vector as long as those of other encoders.
nn.import "../common/layers.mlir"
nn.sizes {width = 384, projected = 4096, classes = 6}

!x = tensor<384xf32>
!p = tensor<4096xf32>
!y = tensor<6xf32>

func.func @predict(%x: !x {cambium.name = "x"}) -> !y {
  %W = nn.param "projection" : tensor<384x4096xf32> init <xavier_uniform> frozen
  %p = nn.linear %x, %W : !x, tensor<384x4096xf32>
  %y = nn.call @dense_one(%p) : (!p) -> !y
  return %y : !y
}

func.func @loss(%x: !x {cambium.name = "x"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%x) : (!x) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
