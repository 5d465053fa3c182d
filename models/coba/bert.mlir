// bert.mlir - six encoder layers
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an arithmetic expression in prefix notation, read as a sequence between [CLS] and
// [SEP]: six encoder layers, as in BERT.
//
// Simoulin 2022, section 7.3 (data and set-up). The thesis puts a random number of [PAD] before the
// expression; nothing here needs padding, and nobody sees it: places are moved by a random number
// instead.
nn.import "../common/expressions.mlir"
nn.import "../common/transformer.mlir"
nn.sizes {width = 128, classes = 100}

#layers = #nn.given<"layers" = 6>
#layer = {heads = #nn.given<"heads" = 8>, inner = #nn.given<"inner" = 512>, eps = 1.0e-5,
          init = #nn.init<truncated_normal(0.0, 0.07)>}

!ids = tensor<?xi32>
!x = tensor<?x128xf32>
!y = tensor<100xf32>

func.func private @encode(%numbers: !ids, %operators: !ids) -> !x {
  %x0 = nn.call @embed_marked(%numbers, %operators) : (!ids, !ids) -> !x
  %h = depth.iterate #layers stacked "layer" carried(%x = %x0 : !x) {
    %y = nn.call @joined_layer(%x) with #layer : (!x) -> !x
    depth.yield %y : !x
  }
  return %h : !x
}

/// Scores of the values 1 to 100.
func.func @predict(%numbers: !ids {cambium.name = "marked_numbers"},
                   %operators: !ids {cambium.name = "marked_operators"}) -> !y {
  %h = nn.call @encode(%numbers, %operators) : (!ids, !ids) -> !x
  %s = nn.call @first(%h) : (!x) -> tensor<128xf32>
  %y = nn.call @classify(%s) : (tensor<128xf32>) -> !y
  return %y : !y
}

func.func @loss(%numbers: !ids {cambium.name = "marked_numbers"},
                %operators: !ids {cambium.name = "marked_operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = nn.call @predict(%numbers, %operators) : (!ids, !ids) -> !y
  %l = nn.cross_entropy %y, %value : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  clip_norm 1.0
