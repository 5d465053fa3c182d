// two_memories.mlir - A decoder that attends to two texts, one after the other
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer attends to the words that are written, then to one memory, then to another. Parts are those
// of translation.mlir.
nn.import "translation.mlir"
nn.sizes {width = 128}

#inner = {inner = #nn.given<"inner" = 512>}

!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>

/// x + attention of its norm to a memory.
func.func private @beside(%x: !xs, %memory: !xs) -> !xs {
  %n = nn.call @norm(%x) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %a = nn.call @look(%n, %memory) : (!xs, !xs) -> !xs
  %y = nn.call @add(%x, %a) : (!xs, !xs) -> !xs
  return %y : !xs
}

/// What follows in a layer that writes on the attention to words before.
func.func private @to_both(%x: !xs, %back: !xs, %first: !xs, %second: !xs) -> !xs {
  %y = nn.call @add(%x, %back) : (!xs, !xs) -> !xs
  %d = nn.call @beside(%y, %first) in "first" : (!xs, !xs) -> !xs
  %s = nn.call @beside(%d, %second) in "second" : (!xs, !xs) -> !xs
  %z = nn.call @feed(%s) with #inner : (!xs) -> !xs
  return %z : !xs
}

/// A layer for all words of a target that is known.
func.func private @layer(%x: !xs, %first: !xs, %second: !xs) -> !xs {
  %n = nn.call @norm(%x) in "back.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %b = nn.call @look_back(%n) in "back" : (!xs) -> !xs
  %y = nn.call @to_both(%x, %b, %first, %second) : (!xs, !xs, !xs, !xs) -> !xs
  return %y : !xs
}

/// The same for the last word of each hypothesis.
func.func private @layer_step(%x: !xs, %first: !xs, %second: !xs, %k: !own, %v: !own)
    -> (!xs, !own, !own) {
  %n = nn.call @norm(%x) in "back.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %b, %ks, %vs = nn.call @look_back_step(%n, %k, %v) in "back" : (!xs, !own, !own) -> (!xs, !own, !own)
  %y = nn.call @to_both(%x, %b, %first, %second) : (!xs, !xs, !xs, !xs) -> !xs
  return %y, %ks, %vs : !xs, !own, !own
}
