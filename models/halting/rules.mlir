// rules.mlir - Halting rules as functions: fixed point, entropy, patience, PonderNet
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For bodies of depth.iterate (docs/HaltingRules.md). A model that uses them is this file, with
// its sizes, and its own one behind it:
//
//   models/cells/resize models/halting/rules.mlir classes=6 width=128 > rules.mlir
//   cat rules.mlir own.mlir > model.mlir
//
// sizes: width = 8, classes = 5

/// Whether a row goes on: its greatest change is above the tolerance.
func.func private @unsettled(%next: tensor<?x8xf32>, %before: tensor<?x8xf32>, %tolerance: tensor<f32>) -> tensor<?xi1> {
  %d = arith.subf %next, %before : tensor<?x8xf32>
  %a = math.absf %d : tensor<?x8xf32>
  %m = nn.max %a over 1 : tensor<?x8xf32>
  %t = nn.broadcast %tolerance dims [] like %m : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %go = arith.cmpf ogt, %m, %t : tensor<?xf32>
  return %go : tensor<?xi1>
}

/// Whether a row goes on: the entropy of its scores is above the threshold, in nats (Teerapittayanon
/// et al.: BranchyNet. ICPR 2016; Xin et al.: DeeBERT. ACL 2020).
func.func private @unsure(%scores: tensor<?x5xf32>, %threshold: tensor<f32>) -> tensor<?xi1> {
  %p = nn.softmax %scores over 1 : tensor<?x5xf32>
  %l = nn.log_softmax %scores over 1 : tensor<?x5xf32>
  %pl = arith.mulf %p, %l : tensor<?x5xf32>
  %s = nn.sum %pl over 1 : tensor<?x5xf32>
  %entropy = arith.negf %s : tensor<?xf32>
  %t = nn.broadcast %threshold dims [] like %s : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %go = arith.cmpf ogt, %entropy, %t : tensor<?xf32>
  return %go : tensor<?xi1>
}

/// Whether a row goes on, and how often in a row its answer has been the same: not yet `patience`
/// times (Zhou et al.: BERT Loses Patience. NeurIPS 2020).
func.func private @patient(%scores: tensor<?x5xf32>, %before: tensor<?x5xf32>, %same: tensor<?xi32>,
                                %patience: tensor<i32>) -> (tensor<?xi1>, tensor<?xi32>) {
  %one = arith.constant dense<1> : tensor<i32>
  // The same answer: the greatest score is where it was.
  %m = nn.max %scores over 1 : tensor<?x5xf32>
  %b = nn.max %before over 1 : tensor<?x5xf32>
  %ms = nn.broadcast %m dims [0] : tensor<?xf32> -> tensor<?x5xf32>
  %bs = nn.broadcast %b dims [0] : tensor<?xf32> -> tensor<?x5xf32>
  %isM = arith.cmpf oeq, %scores, %ms : tensor<?x5xf32>
  %isB = arith.cmpf oeq, %before, %bs : tensor<?x5xf32>
  %both = arith.andi %isM, %isB : tensor<?x5xi1>
  %number = arith.uitofp %both : tensor<?x5xi1> to tensor<?x5xf32>
  %any = nn.max %number over 1 : tensor<?x5xf32>
  %anyI = arith.fptosi %any : tensor<?xf32> to tensor<?xi32>
  %ones = nn.broadcast %one dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %plus = arith.addi %same, %ones : tensor<?xi32>
  %count = arith.muli %plus, %anyI : tensor<?xi32>
  %enough = nn.broadcast %patience dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %go = arith.cmpi slt, %count, %enough : tensor<?xi32>
  return %go, %count : tensor<?xi1>, tensor<?xi32>
}

/// PonderNet (Banino et al. 2021, equation 3): the probability of stopping now, `lambda` times that
/// of having come here, and that of going on. In the last iteration all that is left: `isLast`.
func.func private @stop_now(%lambda: tensor<?xf32>, %rest: tensor<?xf32>, %isLast: tensor<?xi1>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %some = arith.mulf %lambda, %rest : tensor<?xf32>
  %p = arith.select %isLast, %rest, %some : tensor<?xi1>, tensor<?xf32>
  %left = arith.subf %rest, %p : tensor<?xf32>
  return %p, %left : tensor<?xf32>, tensor<?xf32>
}

/// The part of this iteration, number n from 0, of the Kullback-Leibler divergence from the geometric
/// distribution with parameter `prior` (equation 6): p (log p - log prior - n log(1 - prior)).
func.func private @geometric_part(%p: tensor<?xf32>, %n: tensor<?xf32>, %prior: tensor<f32>) -> tensor<?xf32> {
  %one = arith.constant dense<1.0> : tensor<f32>
  %tiny = arith.constant dense<1.0e-12> : tensor<f32>
  %stay = arith.subf %one, %prior : tensor<f32>
  %logStay = math.log %stay : tensor<f32>
  %logPrior = math.log %prior : tensor<f32>
  %stays = nn.broadcast %logStay dims [] like %p : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %priors = nn.broadcast %logPrior dims [] like %p : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %tinies = nn.broadcast %tiny dims [] like %p : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  // 0 log 0 is 0.
  %positive = arith.maximumf %p, %tinies : tensor<?xf32>
  %logP = math.log %positive : tensor<?xf32>
  %far = arith.mulf %n, %stays : tensor<?xf32>
  %logG = arith.addf %priors, %far : tensor<?xf32>
  %difference = arith.subf %logP, %logG : tensor<?xf32>
  %part = arith.mulf %p, %difference : tensor<?xf32>
  return %part : tensor<?xf32>
}
