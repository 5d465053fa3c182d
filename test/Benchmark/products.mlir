// products.mlir - the model of the benchmark of products: a row times a weight
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
nn.sizes {columns = 480, depth = 1120}

func.func @product(%x: tensor<1120xf32> {cambium.name = "x"}) -> tensor<480xf32> {
  %W = nn.param "W" : tensor<1120x480xf32> init <uniform(-1.0, 1.0)>
  %y = nn.linear %x, %W : tensor<1120xf32>, tensor<1120x480xf32>
  return %y : tensor<480xf32>
}
