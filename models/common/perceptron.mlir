// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two layers with a relu between them.
nn.import "layers.mlir"
nn.sizes {in = 384, inner = 150, out = 200}

#dropout = #nn.given<"dropout" = 0.5>
!x = tensor<384xf32>
!z = tensor<150xf32>
!y = tensor<200xf32>

/// W_2 relu(W_1 x + b_1) + b_2 of one vector.
func.func private @perceptron(%x: !x) -> !y {
  %a = nn.call @dense_one(%x) in "inner" : (!x) -> !z
  %r = nn.relu %a : !z
  %d = nn.dropout %r rate #dropout : !z
  %y = nn.call @dense_one(%d) in "outer" : (!z) -> !y
  return %y : !y
}
