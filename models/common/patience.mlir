// patience.mlir - An answer as soon as enough classifiers agree
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W. Zhou et al.: BERT Loses Patience. NeurIPS 2020 (PABEE).
nn.import "transformer.mlir"
nn.sizes {words = 10000, width = 128, classes = 6}

!ids = tensor<?xi32>
!x = tensor<?x128xf32>
!E = tensor<10000x128xf32>
!s = tensor<?x6xf32>
!W = tensor<128x6xf32>
!b = tensor<6xf32>

/// norm(word + place), of which a part is dropped.
func.func private @embed_questions(%tokens: !ids) -> !x {
  %E = nn.param "words" : !E init <truncated_normal(0.0, 0.1)> group "embeddings"
  %e = nn.call @embed_words(%tokens, %E) with {init = #nn.init<truncated_normal(0.0, 0.05)>}
    : (!ids, !E) -> !x
  %n = nn.call @norm(%e) in "norm" with {eps = 1.0e-5} : (!x) -> !x
  %x = nn.dropout %n rate 0.3 : !x
  return %x : !x
}

/// For each token, what a classifier says of the sentence's first one.
func.func private @ask(%x: !x, %W: !W, %b: !b) -> !s {
  %s = nn.linear %x, %W, %b : !x, !W, !b
  %first = nn.positions %x limit 1 : !x
  %y = nn.take %s, %first : !s, !ids
  return %y : !s
}

/// 1 where two lists of scores have their greatest at the same place, else 0.
func.func private @agree(%a: !s, %b: !s) -> !ids {
  %ma = nn.max %a over 1 : !s
  %mb = nn.max %b over 1 : !s
  %as = nn.broadcast %ma dims [0] : tensor<?xf32> -> !s
  %bs = nn.broadcast %mb dims [0] : tensor<?xf32> -> !s
  %isA = arith.cmpf oeq, %a, %as : !s
  %isB = arith.cmpf oeq, %b, %bs : !s
  %both = arith.andi %isA, %isB : tensor<?x6xi1>
  %number = arith.uitofp %both : tensor<?x6xi1> to !s
  %any = nn.max %number over 1 : !s
  %y = arith.fptosi %any : tensor<?xf32> to !ids
  return %y : !ids
}

/// How often the scores have agreed now, behind layer `number` from 0, and whether a sentence goes on:
/// until they have as often as the patience says. Nothing agrees with the first ones.
func.func private @lose_patience(%now: !s, %before: !s, %same: !ids, %number: !ids,
    %patience: tensor<i32>) -> (tensor<?xi1>, !ids) {
  %one = arith.constant dense<1> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %agrees = nn.call @agree(%now, %before) : (!s, !s) -> !ids
  %ones = nn.broadcast %one dims [] like %same : tensor<i32>, !ids -> !ids
  %zeros = nn.broadcast %zero dims [] like %same : tensor<i32>, !ids -> !ids
  %isLater = arith.cmpi sgt, %number, %zeros : !ids
  %later = arith.select %isLater, %agrees, %zeros : tensor<?xi1>, !ids
  %more = arith.addi %same, %ones : !ids
  %count = arith.muli %more, %later : !ids
  %enough = nn.broadcast %patience dims [] like %same : tensor<i32>, !ids -> !ids
  %go = arith.cmpi slt, %count, %enough : !ids
  return %go, %count : tensor<?xi1>, !ids
}

/// What a classifier loses, times its weight.
func.func private @cost(%x: !x, %label: tensor<i32>, %weight: tensor<f32>, %W: !W, %b: !b) -> tensor<f32> {
  %c = nn.call @first(%x) : (!x) -> tensor<128xf32>
  %s = nn.linear %c, %W, %b : tensor<128xf32>, !W, !b
  %e = nn.cross_entropy %s, %label : !b, tensor<i32>
  %l = arith.mulf %e, %weight : tensor<f32>
  return %l : tensor<f32>
}
