// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strongest answers of filters to windows.
//
// Y. Kim: Convolutional Neural Networks for Sentence Classification. EMNLP 2014, equations 2 and 3.
// Windows of any size are of a file of their own: that of `windows.mlir` follows from its input.
nn.sizes {seen = 900, filters = 100}

!u = tensor<100xf32>

/// relu(max over the windows of K w + b) of each filter: the rectifier may stand behind the maximum.
func.func private @strongest(%w: tensor<?x900xf32>, %e: tensor<4x900xf32>) -> !u {
  %K = nn.param "W" : tensor<900x100xf32> init <uniform(-0.01, 0.01)>
  %b = nn.param "b" : !u no_decay
  %wc = nn.linear %w, %K, %b : tensor<?x900xf32>, tensor<900x100xf32>, !u
  %ec = nn.linear %e, %K, %b : tensor<4x900xf32>, tensor<900x100xf32>, !u
  %wm = nn.max %wc over 0 : tensor<?x100xf32>
  %em = nn.max %ec over 0 : tensor<4x100xf32>
  %m = arith.maximumf %wm, %em : !u
  %u = nn.relu %m : !u
  return %u : !u
}
