// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of words, and the filters that look at them.
//
// Y. Kim: Convolutional Neural Networks for Sentence Classification. EMNLP 2014, equations 1 to 3.
// A window begins at each word, and at each of the four places before the first one: what stands
// outside of the sentence is zero, on both sides.
nn.import "filters.mlir"
nn.sizes {input = 300, filters = 100, three = 3 * input, four = 4 * input, five = 5 * input}

!i = tensor<?xi32>
!fi = tensor<4xi32>
!x = tensor<?x300xf32>
!f = tensor<4x300xf32>
!p = tensor<8x300xf32>
!five = tensor<5x300xf32>
!one = tensor<1x5x300xf32>
!w = tensor<?x5x300xf32>
!e = tensor<4x5x300xf32>
!u = tensor<100xf32>

/// The windows of five words that begin before the first word.
func.func private @edge(%x: !x) -> !e {
  %places = arith.constant dense<[0, 1, 2, 3]> : !fi
  %i = nn.positions %x limit 2147483647 : !x
  // Past the end, the last row is taken: its number is not the one that was asked for.
  %taken = nn.take %i, %places : !i, !fi
  %there = arith.cmpi eq, %taken, %places : !fi
  %one = arith.uitofp %there : tensor<4xi1> to tensor<4xf32>
  %ones = nn.broadcast %one dims [0] : tensor<4xf32> -> !f
  %y = nn.take %x, %places : !x, !fi
  %z = arith.mulf %y, %ones : !f
  %p = nn.pad %z over 0 low 4 high 0 : !f
  %p0 = nn.slice %p over 0 from 0 size 5 : !p
  %p1 = nn.slice %p over 0 from 1 size 5 : !p
  %p2 = nn.slice %p over 0 from 2 size 5 : !p
  %p3 = nn.slice %p over 0 from 3 size 5 : !p
  %w0 = nn.reshape %p0 : !five -> !one
  %w1 = nn.reshape %p1 : !five -> !one
  %w2 = nn.reshape %p2 : !five -> !one
  %w3 = nn.reshape %p3 : !five -> !one
  %e = nn.concat %w0, %w1, %w2, %w3 over 0 : !one, !one, !one, !one
  return %e : !e
}

/// The strongest answer of each filter to a window of 3, of 4 and of 5 words.
func.func private @windows(%x: !x) -> (!u, !u, !u) {
  %w = nn.window %x before 0 after 4 : !x
  %e = nn.call @edge(%x) : (!x) -> !e
  %w3 = nn.slice %w over 1 from 0 size 3 : !w
  %w4 = nn.slice %w over 1 from 0 size 4 : !w
  %e3 = nn.slice %e over 1 from 0 size 3 : !e
  %e4 = nn.slice %e over 1 from 0 size 4 : !e
  %f3 = nn.reshape %w3 : tensor<?x3x300xf32> -> tensor<?x900xf32>
  %f4 = nn.reshape %w4 : tensor<?x4x300xf32> -> tensor<?x1200xf32>
  %f5 = nn.reshape %w : !w -> tensor<?x1500xf32>
  %g3 = nn.reshape %e3 : tensor<4x3x300xf32> -> tensor<4x900xf32>
  %g4 = nn.reshape %e4 : tensor<4x4x300xf32> -> tensor<4x1200xf32>
  %g5 = nn.reshape %e : !e -> tensor<4x1500xf32>
  %u3 = nn.call @strongest(%f3, %g3) in "three" : (tensor<?x900xf32>, tensor<4x900xf32>) -> !u
  %u4 = nn.call @strongest(%f4, %g4) in "four" : (tensor<?x1200xf32>, tensor<4x1200xf32>) -> !u
  %u5 = nn.call @strongest(%f5, %g5) in "five" : (tensor<?x1500xf32>, tensor<4x1500xf32>) -> !u
  return %u3, %u4, %u5 : !u, !u, !u
}
