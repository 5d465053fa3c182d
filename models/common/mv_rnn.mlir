// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors and matrices of two children.
//
// R. Socher, B. Huval, C. D. Manning, A. Y. Ng: Semantic Compositionality through Recursive
// Matrix-Vector Spaces. EMNLP 2012.
nn.sizes {hidden = 25, both = 2 * hidden}

!v = tensor<25xf32>
!v2 = tensor<2x25xf32>
!M = tensor<25x25xf32>
!M2 = tensor<2x25x25xf32>

/// Vectors a, b and matrices A, B of the first and the second child.
func.func private @mv_children(%vk: !v2, %Mk: !M2) -> (!v, !v, !M, !M) {
  %a1 = nn.slice %vk over 0 from 0 size 1 : !v2
  %b1 = nn.slice %vk over 0 from 1 size 1 : !v2
  %a = nn.reshape %a1 : tensor<1x25xf32> -> !v
  %b = nn.reshape %b1 : tensor<1x25xf32> -> !v
  %A1 = nn.slice %Mk over 0 from 0 size 1 : !M2
  %B1 = nn.slice %Mk over 0 from 1 size 1 : !M2
  %A = nn.reshape %A1 : tensor<1x25x25xf32> -> !M
  %B = nn.reshape %B1 : tensor<1x25x25xf32> -> !M
  return %a, %b, %A, %B : !v, !v, !M, !M
}

/// P = W_M [A; B].
func.func private @mv_matrix(%A: !M, %B: !M) -> !M {
  %W_M = nn.param "W_M" : tensor<25x50xf32> init <xavier_uniform>
  %AB = nn.concat %A, %B over 0 : !M, !M
  %P = nn.matmul %W_M, %AB : tensor<25x50xf32>, tensor<50x25xf32>
  return %P : !M
}
