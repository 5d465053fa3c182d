// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Transformer that learns to give a text the vector that laser.mlir gives to its translation.
//
// K. Heffernan, O. Celebi, H. Schwenk: Bitext Mining Using Distilled Sentence Representations for
// Low-Resource Languages. EMNLP 2022 (LASER3): encoders for further languages are students of LASER2,
// by the cosine of the student's vector of one side of a pair and the teacher's of the other. The
// teacher's parameters stand in the scope `teacher` (teacher.names) and are constants; nothing of
// what it reads is dropped. The student's vector is the greatest of the states in each dimension, by a
// product.
nn.import "../common/lstm.mlir"
nn.import "../common/translation.mlir"
nn.sizes {words = 200, input = 64, places = 100, width = 96, hidden = 128, both = 2 * hidden}

#inner = {inner = #nn.given<"inner" = 256>}

!f = tensor<f32>
!words = tensor<?xi32>
!x = tensor<?x64xf32>
!xs = tensor<?x96xf32>
!v = tensor<96xf32>
!z = tensor<256xf32>
!zs = tensor<?x256xf32>
!E = tensor<200x96xf32>
!P = tensor<100x96xf32>

/// The vector of the teacher, as in laser.mlir outside of training.
func.func private @teacher(%words: !words) -> !z {
  %E = nn.param "words" : tensor<200x64xf32> init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E padding_id 0 : !words, tensor<200x64xf32>
  %s = nn.call @lstm_both(%x) in "encoder" : (!x) -> !zs
  %z = nn.max %s over 0 : !zs
  return %z : !z
}

/// The student's vector of a text.
func.func @predict(%words: !words {cambium.name = "a"}) -> !z {
  %E = nn.param "words" : !E init <normal(0.0, 0.09)>
  %P = nn.param "places" : !P init <sinusoidal(1.0)>
  %i = nn.positions %words limit 100 : !words
  %x = nn.call @vectors(%words, %i, %E, %P) : (!words, !words, !E, !P) -> !xs
  %h = nn.call @encoder(%x) in "encoder" with #inner : (!xs) -> !xs
  %m = nn.max %h over 0 : !xs
  %z = nn.call @dense_one(%m) in "vector" : (!v) -> !z
  return %z : !z
}

/// How far the student's vector of a text is from the teacher's of its translation: 1 - cosine.
func.func @loss(%a: !words {cambium.name = "a"}, %b: !words {cambium.name = "b"}) -> !f {
  %t = nn.call @teacher(%b) in "teacher" : (!words) -> !z
  %c = train.stop_gradient %t : !z
  %s = nn.call @predict(%a) : (!words) -> !z
  %y = nn.cosine_similarity %s, %c over 0 : !z, !z
  %one = arith.constant dense<1.0> : !f
  %l = arith.subf %one, %y : !f
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
