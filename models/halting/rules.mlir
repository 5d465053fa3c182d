// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halting rules as functions: fixed point, entropy, patience, PonderNet.
//
// For bodies of depth.iterate (docs/HaltingRules.md). A model imports this file and calls them at
// its own sizes.
nn.sizes {width = 128, classes = 5}

!x = tensor<?x128xf32>
!scores = tensor<?x5xf32>
!one = tensor<?xf32>
!flag = tensor<?xi1>
!count = tensor<?xi32>

/// Whether a row goes on: its greatest change is above the tolerance.
func.func private @unsettled(%next: !x, %before: !x, %tolerance: tensor<f32>) -> !flag {
  %d = arith.subf %next, %before : !x
  %a = math.absf %d : !x
  %m = nn.max %a over 1 : !x
  %t = nn.broadcast %tolerance dims [] like %m : tensor<f32>, !one -> !one
  %go = arith.cmpf ogt, %m, %t : !one
  return %go : !flag
}

/// Whether a row goes on: the entropy of its scores is above the threshold, in nats
/// (Teerapittayanon et al.: BranchyNet. ICPR 2016; Xin et al.: DeeBERT. ACL 2020).
func.func private @unsure(%scores: !scores, %threshold: tensor<f32>) -> !flag {
  %p = nn.softmax %scores over 1 : !scores
  %l = nn.log_softmax %scores over 1 : !scores
  %pl = arith.mulf %p, %l : !scores
  %s = nn.sum %pl over 1 : !scores
  %entropy = arith.negf %s : !one
  %t = nn.broadcast %threshold dims [] like %s : tensor<f32>, !one -> !one
  %go = arith.cmpf ogt, %entropy, %t : !one
  return %go : !flag
}

/// Whether a row goes on, and how often in a row its answer has been the same: not yet `patience`
/// times (Zhou et al.: BERT Loses Patience. NeurIPS 2020).
func.func private @patient(%scores: !scores, %before: !scores, %same: !count,
                           %patience: tensor<i32>) -> (!flag, !count) {
  %one = arith.constant dense<1> : tensor<i32>
  // The same answer: the greatest score is where it was.
  %m = nn.max %scores over 1 : !scores
  %b = nn.max %before over 1 : !scores
  %ms = nn.broadcast %m dims [0] : !one -> !scores
  %bs = nn.broadcast %b dims [0] : !one -> !scores
  %isM = arith.cmpf oeq, %scores, %ms : !scores
  %isB = arith.cmpf oeq, %before, %bs : !scores
  %both = arith.andi %isM, %isB : tensor<?x5xi1>
  %number = arith.uitofp %both : tensor<?x5xi1> to !scores
  %any = nn.max %number over 1 : !scores
  %anyI = arith.fptosi %any : !one to !count
  %ones = nn.broadcast %one dims [] like %same : tensor<i32>, !count -> !count
  %plus = arith.addi %same, %ones : !count
  %count = arith.muli %plus, %anyI : !count
  %enough = nn.broadcast %patience dims [] like %same : tensor<i32>, !count -> !count
  %go = arith.cmpi slt, %count, %enough : !count
  return %go, %count : !flag, !count
}

/// PonderNet (Banino et al. 2021, equation 3): the probability of stopping now, `lambda` times that
/// of having come here, and that of going on. In the last iteration all that is left: `isLast`.
func.func private @stop_now(%lambda: !one, %rest: !one, %isLast: !flag)
    -> (!one, !one) {
  %some = arith.mulf %lambda, %rest : !one
  %p = arith.select %isLast, %rest, %some : !flag, !one
  %left = arith.subf %rest, %p : !one
  return %p, %left : !one, !one
}

/// The part of this iteration, number n from 0, of the Kullback-Leibler divergence from the
/// geometric distribution with parameter `prior` (equation 6):
/// p (log p - log prior - n log(1 - prior)).
func.func private @geometric_part(%p: !one, %n: !one, %prior: tensor<f32>) -> !one {
  %one = arith.constant dense<1.0> : tensor<f32>
  %tiny = arith.constant dense<1.0e-12> : tensor<f32>
  %stay = arith.subf %one, %prior : tensor<f32>
  %logStay = math.log %stay : tensor<f32>
  %logPrior = math.log %prior : tensor<f32>
  %stays = nn.broadcast %logStay dims [] like %p : tensor<f32>, !one -> !one
  %priors = nn.broadcast %logPrior dims [] like %p : tensor<f32>, !one -> !one
  %tinies = nn.broadcast %tiny dims [] like %p : tensor<f32>, !one -> !one
  // 0 log 0 is 0.
  %positive = arith.maximumf %p, %tinies : !one
  %logP = math.log %positive : !one
  %far = arith.mulf %n, %stays : !one
  %logG = arith.addf %priors, %far : !one
  %difference = arith.subf %logP, %logG : !one
  %part = arith.mulf %p, %difference : !one
  return %part : !one
}
