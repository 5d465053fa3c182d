// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a text as a vector tells them, whichever stands where (F. Hill et al., NAACL 2016).
nn.sizes {words = 10000, input = 200}

!f = tensor<f32>
!words = tensor<?xi32>
!s = tensor<200xf32>
!p = tensor<10000xf32>

/// log P(w | s) of all words w: softmax(V s).
func.func private @told(%s: !s) -> !p {
  %V = nn.param "scores" : tensor<200x10000xf32> init <uniform(-0.1, 0.1)>
  %y = nn.linear %s, %V : !s, tensor<200x10000xf32>
  %p = nn.log_softmax %y over 0 : !p
  return %p : !p
}

/// How often each word stands in a text; the mark of its end, 3, is no word.
func.func private @count(%tokens: !words) -> !p {
  %three = arith.constant dense<3> : tensor<i32>
  %ends = nn.broadcast %three dims [] like %tokens : tensor<i32>, !words -> !words
  %is = arith.cmpi ne, %tokens, %ends : !words
  %ones = arith.uitofp %is : tensor<?xi1> to tensor<?xf32>
  %n = nn.sum_by %ones, %tokens over 0 size 10000 : tensor<?xf32>, !words
  return %n : !p
}

/// -sum of log P(w | s) over words that are counted.
func.func private @surprise(%p: !p, %count: !p) -> !f {
  %np = arith.mulf %count, %p : !p
  %sum = nn.sum %np over 0 : !p
  %l = arith.negf %sum : !f
  return %l : !f
}
