// adaptive_layers.mlir - Encoders whose words say how often they are encoded
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The post-norm layer of ALBERT (Lan et al., ICLR 2020), with the same weights in every iteration.
// The word with number n iterates n times (the first one once), at most `layers` times. The forms
// differ by a word.
nn.import "../../models/common/transformer.mlir"
nn.sizes {words = 64, width = 256}

#layers = #nn.given<"layers" = 12>
#layer = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 1024>, eps = 1.0e-5,
          init = #nn.init<xavier_uniform>}

!ids = tensor<?xi32>
!go = tensor<?xi1>
!x = tensor<?x256xf32>
!y = tensor<256xf32>
!words = tensor<64x256xf32>

func.func private @vectors(%words: !ids) -> !x {
  %E = nn.param "embedding" : !words init <normal(0.0, 0.5)>
  %x = nn.embed %words, %E : !ids, !words
  return %x : !x
}

func.func private @zeros(%words: !ids) -> !ids {
  %zero = arith.constant dense<0> : tensor<i32>
  %zeros = nn.broadcast %zero dims [] like %words : tensor<i32>, !ids -> !ids
  return %zeros : !ids
}

/// How often each word has been encoded, with this time, and whether it goes on.
func.func private @count(%c: !ids, %words: !ids) -> (!ids, !go) {
  %one = arith.constant dense<1> : tensor<i32>
  %ones = nn.broadcast %one dims [] like %c : tensor<i32>, !ids -> !ids
  %d = arith.addi %c, %ones : !ids
  %go = arith.cmpi slt, %d, %words : !ids
  return %d, %go : !ids, !go
}

func.func private @compact_form(%words: !ids) -> !y {
  %x0 = nn.call @vectors(%words) : (!ids) -> !x
  %c0 = nn.call @zeros(%words) : (!ids) -> !ids
  %h, %t, %n = depth.iterate max #layers compact tied "layer" carried(%x = %x0 : !x, %c = %c0 : !ids) {
    %y = nn.call @layer(%x) with #layer : (!x) -> !x
    %d, %go = nn.call @count(%c, %words) : (!ids, !ids) -> (!ids, !go)
    depth.yield %go, %y, %d : !go, !x, !ids
  }
  %m = nn.mean %h over 0 : !x
  return %m : !y
}

func.func private @rematerialized_form(%words: !ids) -> !y {
  %x0 = nn.call @vectors(%words) : (!ids) -> !x
  %c0 = nn.call @zeros(%words) : (!ids) -> !ids
  %h, %t, %n = depth.iterate max #layers compact rematerialize tied "layer" carried(%x = %x0 : !x, %c = %c0 : !ids) {
    %y = nn.call @layer(%x) with #layer : (!x) -> !x
    %d, %go = nn.call @count(%c, %words) : (!ids, !ids) -> (!ids, !go)
    depth.yield %go, %y, %d : !go, !x, !ids
  }
  %m = nn.mean %h over 0 : !x
  return %m : !y
}

func.func private @masked_form(%words: !ids) -> !y {
  %x0 = nn.call @vectors(%words) : (!ids) -> !x
  %c0 = nn.call @zeros(%words) : (!ids) -> !ids
  %h, %t, %n = depth.iterate max #layers masked tied "layer" carried(%x = %x0 : !x, %c = %c0 : !ids) {
    %y = nn.call @layer(%x) with #layer : (!x) -> !x
    %d, %go = nn.call @count(%c, %words) : (!ids, !ids) -> (!ids, !go)
    depth.yield %go, %y, %d : !go, !x, !ids
  }
  %m = nn.mean %h over 0 : !x
  return %m : !y
}

/// The sum of squares of an encoding.
func.func private @squares(%m: !y) -> tensor<f32> {
  %mm = arith.mulf %m, %m : !y
  %l = nn.sum %mm over 0 : !y
  return %l : tensor<f32>
}
