// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directions from a word to those that are near it.
//
// M. Sato, J. Suzuki, H. Shindo, Y. Matsumoto: Interpretable Adversarial Perturbation in Input
// Embedding Space for Text. IJCAI 2018, equations 12 to 15.
nn.sizes {words = 20000, input = 256, near = 10, nearest = 1 + near}

!words = tensor<?xi32>
!table = tensor<20000x256xf32>
!xs = tensor<?x256xf32>
!ds = tensor<?x10x256xf32>

/// Vectors of length 1 to the nearest words by cosine; constants. A word is nearest to itself: it is
/// left out. Scores of all words of the table for each word of the text are the memory of it.
func.func private @directions(%tokens: !words, %E: !table) -> !ds {
  %still = train.stop_gradient %E : !table
  %unit = nn.l2_normalize %still over 1 : !table
  %back = nn.transpose %unit perm [1, 0] : !table
  %x = nn.embed %tokens, %unit : !words, !table
  %cosines = nn.linear %x, %back : !xs, tensor<256x20000xf32>
  %greatest, %where = nn.top %cosines count 11 over 1 : tensor<?x20000xf32>
  %all = nn.embed %where, %unit : tensor<?x11xi32>, !table
  %there = nn.slice %all over 1 from 1 size 10 : tensor<?x11x256xf32>
  %here = nn.broadcast %x dims [0, 2] : !xs -> !ds
  %to = arith.subf %there, %here : !ds
  %d = nn.l2_normalize %to over 2 : !ds
  return %d : !ds
}

/// The sum of the directions, each times its weight.
func.func private @combined(%weights: tensor<?x10xf32>, %d: !ds) -> !xs {
  %r = nn.matmul %weights, %d batch_dims 1 : tensor<?x10xf32>, !ds
  return %r : !xs
}
