// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a text, read from both sides.
nn.import "lstm.mlir"
nn.sizes {input = 300, hidden = 128, both = 2 * hidden, ends = 2 * both}

!x = tensor<?x300xf32>
!hs = tensor<?x256xf32>
!h = tensor<256xf32>
!z = tensor<512xf32>

/// The states of an LSTM at the first and at the last word, of both directions.
func.func private @ends(%x: !x) -> !z {
  %h = nn.call @lstm_both(%x) in "lstm" : (!x) -> !hs
  %zero = arith.constant dense<0> : tensor<i32>
  %end = arith.constant dense<2147483647> : tensor<i32>
  %first = nn.take %h, %zero : !hs, tensor<i32>
  %last = nn.take %h, %end : !hs, tensor<i32>
  %z = nn.concat %first, %last over 0 : !h, !h
  return %z : !z
}
