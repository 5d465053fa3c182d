// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What perturbs the words of a text.
//
// T. Miyato, A. M. Dai, I. Goodfellow: Adversarial Training Methods for Semi-Supervised Text
// Classification. ICLR 2017, sections 3 and 4.
nn.sizes {input = 256, classes = 2}

!f = tensor<f32>
!fs = tensor<?xf32>
!xs = tensor<?x256xf32>
!y = tensor<2xf32>

/// Vectors of one length: what is added to them cannot be made small by making them long.
func.func private @of_length(%x: !xs, %length: !f) -> !xs {
  %unit = nn.l2_normalize %x over 1 : !xs
  %l = nn.broadcast %length dims [] like %x : !f, !xs -> !xs
  %y = arith.mulf %unit, %l : !xs
  return %y : !xs
}

/// epsilon g / |g|, where |g| is that of the whole text.
func.func private @scaled(%g: !xs, %epsilon: !f) -> !xs {
  %gg = arith.mulf %g, %g : !xs
  %rows = nn.sum %gg over 1 : !xs
  %sum = nn.sum %rows over 0 : !fs
  %least = arith.constant dense<1.0e-24> : !f
  %some = arith.maximumf %sum, %least : !f
  %one = math.rsqrt %some : !f
  %factor = arith.mulf %one, %epsilon : !f
  %factors = nn.broadcast %factor dims [] like %g : !f, !xs -> !xs
  %r = arith.mulf %g, %factors : !xs
  return %r : !xs
}

/// x + epsilon g / |g| for the gradient g of a loss by x, which is no part of what is learned.
func.func private @against(%x: !xs, %g: !xs, %epsilon: !f) -> !xs {
  %constant = train.stop_gradient %g : !xs
  %r = nn.call @scaled(%constant, %epsilon) : (!xs, !f) -> !xs
  %moved = arith.addf %x, %r : !xs
  return %moved : !xs
}

/// A random direction, of normal noise. It is drawn outside of training, too: from x itself a
/// divergence grows in no direction, and what rounding leaves of its gradient would be one.
func.func private @direction(%x: !xs, %length: !f) -> !xs {
  %noise = nn.random normal(0.0, 1.0) like %x : !xs -> !xs
  %d = nn.call @scaled(%noise, %length) : (!xs, !f) -> !xs
  return %d : !xs
}

/// KL(p || q) of two lists of scores, of which p is no part of what is learned.
func.func private @divergence(%p: !y, %q: !y) -> !f {
  %there = nn.softmax %p over 0 : !y
  %constant = train.stop_gradient %there : !y
  %log = nn.log_softmax %q over 0 : !y
  %kl = nn.kl_divergence %constant, %log : !y, !y
  return %kl : !f
}
