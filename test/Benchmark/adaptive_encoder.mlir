// adaptive_encoder.mlir - Two forms of an adaptive encoder, in one module
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What test/Benchmark/depth measures: compact beside masked, with the same weights.
nn.import "adaptive_layers.mlir"
nn.sizes {width = 256}

!ids = tensor<?xi32>
!y = tensor<256xf32>

func.func @compact(%words: !ids {cambium.name = "words"}) -> !y {
  %m = nn.call @compact_form(%words) : (!ids) -> !y
  return %m : !y
}
func.func private @compact_loss(%words: !ids {cambium.name = "words"}) -> tensor<f32> {
  %m = nn.call @compact(%words) : (!ids) -> !y
  %l = nn.call @squares(%m) : (!y) -> tensor<f32>
  return %l : tensor<f32>
}
train.step @train_compact loss @compact_loss optimizer #train.optimizer<sgd>

func.func @masked(%words: !ids {cambium.name = "words"}) -> !y {
  %m = nn.call @masked_form(%words) : (!ids) -> !y
  return %m : !y
}
func.func private @masked_loss(%words: !ids {cambium.name = "words"}) -> tensor<f32> {
  %m = nn.call @masked(%words) : (!ids) -> !y
  %l = nn.call @squares(%m) : (!y) -> tensor<f32>
  return %l : tensor<f32>
}
train.step @train_masked loss @masked_loss optimizer #train.optimizer<sgd>
