// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How clean a pair of sentences is: a linear support vector machine over features of the pair.
//
// C. Cortes, V. Vapnik: Support-Vector Networks. Machine Learning 1995; as a filter of pairs: S.
// Kiyono's thesis, section 5.5.1, whose wrong pairs are right ones with noise.
nn.sizes {features = 4}

!x = tensor<4xf32>
!f = tensor<f32>

/// w . x + b, and w.
func.func private @plane(%x: !x) -> (!f, !x) {
  %w = nn.param "w" : !x
  %b = nn.param "b" : tensor<1xf32>
  %wx = arith.mulf %x, %w : !x
  %s = nn.sum %wx over 0 : !x
  %c = nn.reshape %b : tensor<1xf32> -> !f
  %y = arith.addf %s, %c : !f
  return %y, %w : !f, !x
}

/// The distance to the plane between clean and noisy, times the length of w.
func.func @predict(%x: !x {cambium.name = "x"}) -> !f {
  %y, %w = nn.call @plane(%x) : (!x) -> (!f, !x)
  return %y : !f
}

/// max(0, 1 - y s) + |w|^2 / (2 C n) (primal form), where y is 1 of a clean pair, whose target is 1,
/// and -1 of a noisy one, whose target is 0.
func.func @loss(%x: !x {cambium.name = "x"}, %target: !f {cambium.name = "target"}) -> !f {
  %s, %w = nn.call @plane(%x) : (!x) -> (!f, !x)
  %one = arith.constant dense<1.0> : !f
  %two = arith.constant dense<2.0> : !f
  %t2 = arith.mulf %two, %target : !f
  %y = arith.subf %t2, %one : !f
  %ys = arith.mulf %y, %s : !f
  %m = arith.subf %one, %ys : !f
  %hinge = nn.relu %m : !f
  %half = nn.constant "regularization" = 0.0005 : !f
  %ww = arith.mulf %w, %w : !x
  %norm = nn.sum %ww over 0 : !x
  %r = arith.mulf %half, %norm : !f
  %l = arith.addf %hinge, %r : !f
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam>
