// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heads over the vectors of two sentences.
//
// Numbers of equations: A. Simoulin's thesis, Université Paris Cité 2022.
nn.sizes {in = 300, hidden = 150, similarity = 50, four = 4 * hidden, five = 5 * hidden, layer = 512,
          markers = 15, classes = 3}

!h = tensor<150xf32>
!s = tensor<50xf32>
!layer = tensor<512xf32>
!W = tensor<150x50xf32>
!five = tensor<5xf32>
#xavier = #nn.init<xavier_uniform>

/// h_x = h_L * h_R and h_+ = |h_L - h_R|.
func.func private @compare(%left: !h, %right: !h) -> (!h, !h) {
  %mul = arith.mulf %left, %right : !h
  %sub = arith.subf %left, %right : !h
  %abs = math.absf %sub : !h
  return %mul, %abs : !h, !h
}

/// W x + b, where b decays too.
func.func private @affine(%x: tensor<300xf32>) -> !h {
  %W = nn.param "W" : tensor<300x150xf32> init #xavier
  %b = nn.param "b" : !h
  %y = nn.linear %x, %W, %b : tensor<300xf32>, tensor<300x150xf32>, !h
  return %y : !h
}

/// h_s = sigmoid(W_x h_x + W_+ h_+ + b_h) (5.13, 7.1).
func.func private @similarity(%left: !h, %right: !h) -> !s {
  %W_mul = nn.param "W_mul" : !W init #xavier
  %W_abs = nn.param "W_abs" : !W init #xavier
  %b = nn.param "b" : !s
  %mul, %abs = nn.call @compare(%left, %right) : (!h, !h) -> (!h, !h)
  %m = nn.linear %mul, %W_mul, %b : !h, !W, !s
  %a = nn.linear %abs, %W_abs : !h, !W
  %ma = arith.addf %m, %a : !s
  %s = nn.sigmoid %ma : !s
  return %s : !s
}

/// log p^ of the scores 1 to 5, p^ = softmax(W_p h_s + b_p).
func.func private @score_relatedness(%left: !h, %right: !h) -> !five {
  %s = nn.call @similarity(%left, %right) : (!h, !h) -> !s
  %y = nn.call @affine(%s) in "p" : (!s) -> !five
  %l = nn.log_softmax %y over 0 : !five
  return %l : !five
}

/// W_p h_s + b_p of contradiction, neutral, entailment.
func.func private @score_entailment(%left: !h, %right: !h) -> tensor<3xf32> {
  %s = nn.call @similarity(%left, %right) : (!h, !h) -> !s
  %y = nn.call @affine(%s) in "p" : (!s) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

/// The scores of contradiction, neutral, entailment in InferSent (3.36): of [h_x, h_+, h_L, h_R] two
/// linear layers, as the thesis has it, and a third one.
func.func private @score_infersent(%left: !h, %right: !h) -> tensor<3xf32> {
  %mul, %abs = nn.call @compare(%left, %right) : (!h, !h) -> (!h, !h)
  %f = nn.concat %mul, %abs, %left, %right over 0 : !h, !h, !h, !h
  %s1 = nn.call @affine(%f) in "first" : (tensor<600xf32>) -> !layer
  %s2 = nn.call @affine(%s1) in "second" : (!layer) -> !layer
  %y = nn.call @affine(%s2) in "p" : (!layer) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

/// The scores of the markers in DisSent (3.37): of [h_L, h_R, avg, sub, mul] a linear layer, which the
/// thesis leaves out, and one with a ReLU.
func.func private @score_dissent(%left: !h, %right: !h) -> tensor<15xf32> {
  %sum = arith.addf %left, %right : !h
  %half = arith.constant dense<0.5> : !h
  %avg = arith.mulf %half, %sum : !h
  %sub = arith.subf %left, %right : !h
  %mul = arith.mulf %left, %right : !h
  %f = nn.concat %left, %right, %avg, %sub, %mul over 0 : !h, !h, !h, !h, !h
  %s1 = nn.call @affine(%f) in "first" : (tensor<750xf32>) -> !layer
  %s2 = nn.call @affine(%s1) in "second" : (!layer) -> !layer
  %s3 = nn.relu %s2 : !layer
  %y = nn.call @affine(%s3) in "p" : (!layer) -> tensor<15xf32>
  return %y : tensor<15xf32>
}

/// y^ = r . p^ with r = [1, 2, 3, 4, 5].
func.func private @expected_score(%l: !five) -> tensor<f32> {
  %p = math.exp %l : !five
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : !five
  %rp = arith.mulf %r, %p : !five
  %y = nn.sum %rp over 0 : !five
  return %y : tensor<f32>
}

/// KL(p || p^) (5.14), where the score y is spread over its neighbours: p_i = y - floor(y) for
/// i = floor(y) + 1, floor(y) - y + 1 for i = floor(y), else 0 (5.13), which is
/// max(0, 1 - |y - i|).
func.func private @score_loss(%l: !five, %score: tensor<f32>) -> tensor<f32> {
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : !five
  %one = arith.constant dense<1.0> : !five
  %y = nn.broadcast %score dims [] : tensor<f32> -> !five
  %d = arith.subf %y, %r : !five
  %abs = math.absf %d : !five
  %near = arith.subf %one, %abs : !five
  %p = nn.relu %near : !five
  %kl = nn.kl_divergence %p, %l : !five, !five
  return %kl : tensor<f32>
}
