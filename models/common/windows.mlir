// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of words, and the filters that look at them.
//
// Y. Kim: Convolutional Neural Networks for Sentence Classification. EMNLP 2014, equations 1 to 3.
// A window begins at each word. Behind the last word the vectors are zero.
nn.import "layers.mlir"
nn.sizes {input = 300, filters = 100, three = 3 * input, four = 4 * input, five = 5 * input}

!i = tensor<i32>
!is = tensor<?xi32>
!xs = tensor<?x300xf32>
!u = tensor<100xf32>
!us = tensor<?x100xf32>

/// The row that is so many places ahead of each, or zero past the end.
func.func private @ahead(%x: !xs, %places: !i) -> !xs {
  %i = nn.positions %x limit 2147483647 : !xs
  %p = nn.broadcast %places dims [] like %i : !i, !is -> !is
  %j = arith.addi %i, %p : !is
  // Past the end, the last row is taken: its number is not the one that was asked for.
  %y = nn.take %x, %j : !xs, !is
  %taken = nn.take %i, %j : !is, !is
  %there = arith.cmpi eq, %taken, %j : !is
  %one = arith.uitofp %there : tensor<?xi1> to tensor<?xf32>
  %ones = nn.broadcast %one dims [0] : tensor<?xf32> -> !xs
  %z = arith.mulf %y, %ones : !xs
  return %z : !xs
}

/// relu(max over the windows of K [x_i; ...] + b): the rectifier may stand behind the maximum.
func.func private @strongest(%c: !us) -> !u {
  %m = nn.max %c over 0 : !us
  %u = nn.relu %m : !u
  return %u : !u
}

/// The strongest answer of each filter to a window of 3, of 4 and of 5 words.
func.func private @windows(%x: !xs) -> (!u, !u, !u) {
  %p1 = arith.constant dense<1> : !i
  %p2 = arith.constant dense<2> : !i
  %p3 = arith.constant dense<3> : !i
  %p4 = arith.constant dense<4> : !i
  %x1 = nn.call @ahead(%x, %p1) : (!xs, !i) -> !xs
  %x2 = nn.call @ahead(%x, %p2) : (!xs, !i) -> !xs
  %x3 = nn.call @ahead(%x, %p3) : (!xs, !i) -> !xs
  %x4 = nn.call @ahead(%x, %p4) : (!xs, !i) -> !xs
  %w3 = nn.concat %x, %x1, %x2 over 1 : !xs, !xs, !xs
  %w4 = nn.concat %x, %x1, %x2, %x3 over 1 : !xs, !xs, !xs, !xs
  %w5 = nn.concat %x, %x1, %x2, %x3, %x4 over 1 : !xs, !xs, !xs, !xs, !xs
  %c3 = nn.call @dense(%w3) in "three" : (tensor<?x900xf32>) -> !us
  %c4 = nn.call @dense(%w4) in "four" : (tensor<?x1200xf32>) -> !us
  %c5 = nn.call @dense(%w5) in "five" : (tensor<?x1500xf32>) -> !us
  %u3 = nn.call @strongest(%c3) : (!us) -> !u
  %u4 = nn.call @strongest(%c4) : (!us) -> !u
  %u5 = nn.call @strongest(%c5) : (!us) -> !u
  return %u3, %u4, %u5 : !u, !u, !u
}
