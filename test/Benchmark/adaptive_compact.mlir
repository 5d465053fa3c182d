// adaptive_compact.mlir - An adaptive encoder alone: the compact form of adaptive_encoder.mlir
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
nn.import "adaptive_layers.mlir"
nn.sizes {width = 256}

!ids = tensor<?xi32>
!y = tensor<256xf32>

func.func @predict(%words: !ids {cambium.name = "words"}) -> !y {
  %m = nn.call @compact_form(%words) : (!ids) -> !y
  return %m : !y
}
func.func private @loss(%words: !ids {cambium.name = "words"}) -> tensor<f32> {
  %m = nn.call @predict(%words) : (!ids) -> !y
  %l = nn.call @squares(%m) : (!y) -> tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
