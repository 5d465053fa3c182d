// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rows stand beside one another, told by their vectors.
//
// L. Logeswaran, H. Lee: An efficient framework for learning sentence representations. ICLR 2018,
// section 3.
nn.sizes {hidden = 300}

!hs = tensor<?x300xf32>
!l = tensor<?x2xf32>

/// The mean over rows s of -log p(t | s), summed over the one before and the one behind; p is a
/// softmax of f(s) g(t) over the rows t but s. It is attention whose values say by distance what lies
/// on the neighbours, so that nothing as large as the square of a set is kept.
func.func private @neighbours_loss(%f: !hs, %g: !hs) -> tensor<f32> {
  // By distance -1, 0, 1: itself is left out, and what lies on a neighbour is asked for.
  %itself = arith.constant dense<[[0.0, 0.0, -1.0e9, 0.0, 0.0]]> : tensor<1x5xf32>
  %ask = arith.constant dense<[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]>
      : tensor<5x2xf32>
  %none = arith.constant dense<0.0> : tensor<2xf32>
  %v = nn.broadcast %none dims [1] like %g : tensor<2xf32>, !hs -> !l
  %p = nn.attention %f, %g, %v heads 1 scale 1.0 distance_bias(%itself : tensor<1x5xf32>)
      relative_values(%ask : tensor<5x2xf32>) : !hs, !hs, !l
  %tiny = arith.constant dense<1.0e-9> : tensor<f32>
  %tinies = nn.broadcast %tiny dims [] like %p : tensor<f32>, !l -> !l
  %some = arith.addf %p, %tinies : !l
  %log = math.log %some : !l
  %there = nn.call @neighbours(%f) : (!hs) -> !l
  %asked = arith.mulf %log, %there : !l
  %sums = nn.sum %asked over 1 : !l
  %mean = nn.mean %sums over 0 : tensor<?xf32>
  %loss = arith.negf %mean : tensor<f32>
  return %loss : tensor<f32>
}

/// 1 where there is a sentence before, and one behind.
func.func private @neighbours(%f: !hs) -> !l {
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %ones = nn.broadcast %one dims [1] like %f : tensor<1xf32>, !hs -> tensor<?x1xf32>
  %around = nn.window %ones before 1 after 1 : tensor<?x1xf32>
  %flags = nn.reshape %around : tensor<?x3x1xf32> -> tensor<?x3xf32>
  %W = arith.constant dense<[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %there = nn.linear %flags, %W : tensor<?x3xf32>, tensor<3x2xf32>
  return %there : !l
}
