// product.mlir - A large product: rows of a table times a matrix, and their mean
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mean lets one row go back to the host instead of all.
nn.sizes {words = 64, depth = 4096, columns = 4032}

!ids = tensor<?xi32>
!table = tensor<64x4096xf32>
!W = tensor<4096x4032xf32>
!x = tensor<?x4096xf32>
!y = tensor<?x4032xf32>
!mean = tensor<4032xf32>

func.func @product(%words: !ids {cambium.name = "words"}) -> !mean {
  %E = nn.param "words" : !table init <uniform(-1.0, 1.0)>
  %W = nn.param "W" : !W init <uniform(-1.0, 1.0)>
  %x = nn.embed %words, %E : !ids, !table
  %y = nn.linear %x, %W : !x, !W
  %m = nn.mean %y over 0 : !y
  return %m : !mean
}
