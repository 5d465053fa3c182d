// lstm.mlir - an LSTM
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an arithmetic expression in prefix notation, read as a sequence: an LSTM.
//
// Simoulin 2022, section 7.3 (data and set-up), equations 3.5-3.10 (cell).
nn.import "../common/expressions.mlir"
nn.sizes {hidden = 256, classes = 100}

!ids = tensor<?xi32>
!x = tensor<?x256xf32>
!v = tensor<256xf32>
!y = tensor<100xf32>

/// Scores of the values 1 to 100.
func.func @predict(%numbers: !ids {cambium.name = "numbers"},
                   %operators: !ids {cambium.name = "operators"}) -> !y {
  %x = nn.call @embed_tokens(%numbers, %operators) : (!ids, !ids) -> !x
  %chain = tree.chain %x : !x
  %s = nn.call @read(%chain, %x) : (!tree.tree, !x) -> !v
  %y = nn.call @classify(%s) : (!v) -> !y
  return %y : !y
}

func.func @loss(%numbers: !ids {cambium.name = "numbers"},
                %operators: !ids {cambium.name = "operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = nn.call @predict(%numbers, %operators) : (!ids, !ids) -> !y
  %l = nn.cross_entropy %y, %value : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  clip_norm 5.0
