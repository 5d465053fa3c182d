// adaptive_forms.mlir - Two forms of an adaptive encoder, forward alone
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As adaptive_encoder.mlir, for more words than a step has memory for.
nn.import "../adaptive_layers.mlir"
nn.sizes {width = 256}

!ids = tensor<?xi32>
!y = tensor<256xf32>

func.func @compact(%words: !ids {cambium.name = "words"}) -> !y {
  %m = nn.call @compact_form(%words) : (!ids) -> !y
  return %m : !y
}
func.func @masked(%words: !ids {cambium.name = "words"}) -> !y {
  %m = nn.call @masked_form(%words) : (!ids) -> !y
  return %m : !y
}
