// layers.mlir - Products, norms and embeddings
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is called at the types at hand: `words`, `in`, `out` and `width` follow from them. A call may
// give another initializer and another epsilon: `with {init = #nn.init<orthogonal>}`.
nn.sizes {words = 2000, in = 300, out = 150, width = 128}

!x = tensor<300xf32>
!xs = tensor<?x300xf32>
!y = tensor<150xf32>
!ys = tensor<?x150xf32>
!W = tensor<300x150xf32>
!h = tensor<128xf32>
!hs = tensor<?x128xf32>
#init = #nn.given<"init" = #nn.init<xavier_uniform>>
#eps = #nn.given<"eps" = 1.0e-12>

/// x W + b for each row (Glorot and Bengio 2010 for the first W).
func.func private @dense(%x: !xs) -> !ys {
  %W = nn.param "W" : !W init #init
  %b = nn.param "b" : !y no_decay
  %y = nn.linear %x, %W, %b : !xs, !W, !y
  return %y : !ys
}

/// The same for one vector.
func.func private @dense_one(%x: !x) -> !y {
  %W = nn.param "W" : !W init #init
  %b = nn.param "b" : !y no_decay
  %y = nn.linear %x, %W, %b : !x, !W, !y
  return %y : !y
}

/// Layer norm of each row, with a scale and a shift (Ba et al. 2016).
func.func private @norm(%x: !hs) -> !hs {
  %g = nn.param "scale" : !h init <constant(1.0)> no_decay
  %s = nn.param "shift" : !h no_decay
  %y = nn.layer_norm %x, %g, %s eps #eps : !hs, !h, !h
  return %y : !hs
}
