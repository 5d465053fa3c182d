// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scores of classes behind the strongest answers of filters.
//
// Y. Kim: Convolutional Neural Networks for Sentence Classification. EMNLP 2014, equation 4 and
// section 2.1. The weights of a class have the norm 3 at most there, and half of it in the test:
// the answers that dropout leaves are not doubled in training. Here they are, so that the weights
// have half of the norm in both. They are shortened as they are used, and not behind each update.
nn.sizes {filters = 100, classes = 2}

#dropout = #nn.given<"dropout" = 0.5>
!u = tensor<100xf32>
!row = tensor<1x100xf32>
!us = tensor<3x100xf32>
!W = tensor<3x100x2xf32>
!part = tensor<3x2xf32>
!y = tensor<2xf32>

/// W (u * r) + b of the strongest answers u, where dropout r leaves out half of them.
func.func private @vote(%u3: !u, %u4: !u, %u5: !u) -> !y {
  %W = nn.param "W" : !W
  %b = nn.param "b" : !y no_decay
  %r3 = nn.reshape %u3 : !u -> !row
  %r4 = nn.reshape %u4 : !u -> !row
  %r5 = nn.reshape %u5 : !u -> !row
  %u = nn.concat %r3, %r4, %r5 over 0 : !row, !row, !row
  %d = nn.dropout %u rate #dropout : !us
  %parts = nn.matmul %d, %W batch_dims 1 : !us, !W
  %sum = nn.sum %parts over 0 : !part
  %shorter = nn.call @shortening(%W) : (!W) -> !y
  %short = arith.mulf %sum, %shorter : !y
  %y = arith.addf %short, %b : !y
  return %y : !y
}

/// min(1, longest / |w|) for the weights w of each class.
func.func private @shortening(%W: !W) -> !y {
  %longest = nn.constant "longest" = 1.5 : tensor<f32>
  %least = arith.constant dense<1.0e-12> : !y
  %most = arith.constant dense<1.0> : !y
  %squares = arith.mulf %W, %W : !W
  %parts = nn.sum %squares over 1 : !W
  %sums = nn.sum %parts over 0 : !part
  %some = arith.maximumf %sums, %least : !y
  %one = math.rsqrt %some : !y
  %longests = nn.broadcast %longest dims [] : tensor<f32> -> !y
  %factor = arith.mulf %one, %longests : !y
  %f = arith.minimumf %factor, %most : !y
  return %f : !y
}
