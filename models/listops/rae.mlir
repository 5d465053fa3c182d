// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read without its brackets: of all pairs of neighbours the one is
// merged that can be rebuilt best.
//
// R. Socher, J. Pennington, E. H. Huang, A. Y. Ng, C. D. Manning: Semi-Supervised Recursive
// Autoencoders for Predicting Sentiment Distributions. EMNLP 2011: greedy trees, parents of length 1,
// parts that count by their words. Here the class is that of the whole alone.
nn.import "../common/layers.mlir"
nn.sizes {words = 20, hidden = 128, both = 2 * hidden}

!words = tensor<?xi32>
!h = tensor<?x128xf32>
!hh = tensor<?x256xf32>
!one = tensor<128xf32>
!i = tensor<?xi32>
!f = tensor<?xf32>
!b = tensor<?xi1>
!n = tensor<f32>
!y = tensor<10xf32>

/// The same number for each row.
func.func private @each(%n: !n, %like: !f) -> !f {
  %r = nn.broadcast %n dims [] like %like : !n, !f -> !f
  return %r : !f
}

/// The places of the rows behind.
func.func private @places_behind(%i: !i) -> !i {
  %one = arith.constant dense<1> : tensor<i32>
  %ones = nn.broadcast %one dims [] like %i : tensor<i32>, !i -> !i
  %j = arith.addi %i, %ones : !i
  return %j : !i
}

/// p = tanh(W [c_1; c_2] + b) / |...|, and [c_1; c_2]' = W' p + b'.
func.func private @encoded(%c1: !h, %c2: !h) -> (!h, !h, !h) {
  %c = nn.concat %c1, %c2 over 1 : !h, !h
  %a = nn.call @dense(%c) in "encode" : (!hh) -> !h
  %t = math.tanh %a : !h
  %p = nn.l2_normalize %t over 1 : !h
  %r1 = nn.call @dense(%p) in "rebuild.first" : (!h) -> !h
  %r2 = nn.call @dense(%p) in "rebuild.second" : (!h) -> !h
  return %p, %r1, %r2 : !h, !h, !h
}

/// |c - c'|^2 n / (n_1 + n_2).
func.func private @error(%c: !h, %r: !h, %n: !f, %sum: !f) -> !f {
  %d = arith.subf %c, %r : !h
  %dd = arith.mulf %d, %d : !h
  %e = nn.sum %dd over 1 : !h
  %en = arith.mulf %e, %n : !f
  %y = arith.divf %en, %sum : !f
  return %y : !f
}

/// Where the error of the first `last` pairs is least: its place, and 1 there.
func.func private @least(%error: !f, %places: !f, %last: !f) -> (!f, !f) {
  %low = arith.constant dense<-1.0e30> : !n
  %lows = nn.call @each(%low, %error) : (!n, !f) -> !f
  %score = arith.negf %error : !f
  %pair = arith.cmpf olt, %places, %last : !f
  %scores = arith.select %pair, %score, %lows : !b, !f
  %best, %where = nn.top %scores count 1 over 0 : !f
  %number = arith.sitofp %where : tensor<1xi32> to tensor<1xf32>
  %place = nn.reshape %number : tensor<1xf32> -> !n
  %all = nn.call @each(%place, %error) : (!n, !f) -> !f
  %is = arith.cmpf oeq, %places, %all : !f
  %here = arith.uitofp %is : !b to !f
  return %all, %here : !f, !f
}

/// Rows before the place stay, the merged one stands there, and those behind it move on by one.
func.func private @moved(%x: !h, %m: !h, %r: !h, %places: !f, %place: !f) -> !h {
  %before = arith.cmpf olt, %places, %place : !f
  %here = arith.cmpf oeq, %places, %place : !f
  %bs = nn.broadcast %before dims [0] : !b -> tensor<?x128xi1>
  %hs = nn.broadcast %here dims [0] : !b -> tensor<?x128xi1>
  %or = arith.select %hs, %m, %r : tensor<?x128xi1>, !h
  %y = arith.select %bs, %x, %or : tensor<?x128xi1>, !h
  return %y : !h
}

/// The same of a number for each row.
func.func private @moved_numbers(%x: !f, %m: !f, %r: !f, %places: !f, %place: !f) -> !f {
  %before = arith.cmpf olt, %places, %place : !f
  %here = arith.cmpf oeq, %places, %place : !f
  %or = arith.select %here, %m, %r : !b, !f
  %y = arith.select %before, %x, %or : !b, !f
  return %y : !f
}

/// The row that is left when all have been merged, and the sum of the errors of the merges.
func.func private @autoencoder(%x0: !h) -> (!one, !n) {
  %i = nn.positions %x0 limit 2147483647 : !h
  %j = nn.call @places_behind(%i) : (!i) -> !i
  %places = arith.sitofp %i : !i to !f
  %number = arith.constant dense<1.0> : !n
  %ones = nn.call @each(%number, %places) : (!n, !f) -> !f
  %count = nn.sum %ones over 0 : !f
  %counts = nn.call @each(%count, %places) : (!n, !f) -> !f
  %last0 = arith.subf %counts, %ones : !f
  %none = arith.subf %ones, %ones : !f
  %go0 = arith.cmpf oge, %last0, %ones : !f
  %x, %n, %last, %errors, %merges = depth.iterate max 400 rematerialize active(%go0 : !b) tied ""
      carried(%c = %x0 : !h, %nc = %ones : !f, %l = %last0 : !f, %sum = %none : !f) {
    %c2 = nn.take %c, %j : !h, !i
    %n2 = nn.take %nc, %j : !f, !i
    %p, %r1, %r2 = nn.call @encoded(%c, %c2) : (!h, !h) -> (!h, !h, !h)
    %np = arith.addf %nc, %n2 : !f
    %e1 = nn.call @error(%c, %r1, %nc, %np) : (!h, !h, !f, !f) -> !f
    %e2 = nn.call @error(%c2, %r2, %n2, %np) : (!h, !h, !f, !f) -> !f
    %e = arith.addf %e1, %e2 : !f
    %place, %here = nn.call @least(%e, %places, %l) : (!f, !f, !f) -> (!f, !f)
    %eh = arith.mulf %e, %here : !f
    %sum1 = arith.addf %sum, %eh : !f
    %y = nn.call @moved(%c, %p, %c2, %places, %place) : (!h, !h, !h, !f, !f) -> !h
    %ny = nn.call @moved_numbers(%nc, %np, %n2, %places, %place) : (!f, !f, !f, !f, !f) -> !f
    %l1 = arith.subf %l, %ones : !f
    %go = arith.cmpf oge, %l1, %ones : !f
    depth.yield %go, %y, %ny, %l1, %sum1 : !b, !h, !f, !f, !f
  }
  %zero = arith.constant dense<0> : tensor<i32>
  %root = nn.take %x, %zero : !h, tensor<i32>
  %error = nn.sum %errors over 0 : !f
  return %root, %error : !one, !n
}

func.func private @classes(%tokens: !words) -> (!y, !n) {
  %E = nn.param "words" : tensor<20x128xf32> init <normal(0.0, 1.0)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<20x128xf32>
  %root, %error = nn.call @autoencoder(%x) : (!h) -> (!one, !n)
  %y = nn.call @dense_one(%root) in "values" : (!one) -> !y
  return %y, %error : !y, !n
}

/// Scores of the values 0 to 9.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %y, %error = nn.call @classes(%tokens) : (!words) -> (!y, !n)
  return %y : !y
}

/// alpha E_rec + (1 - alpha) E_class.
func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> !n {
  %alpha = nn.constant "rebuilding" = 0.2 : !n
  %number = arith.constant dense<1.0> : !n
  %y, %error = nn.call @classes(%tokens) : (!words) -> (!y, !n)
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  %rest = arith.subf %number, %alpha : !n
  %ae = arith.mulf %alpha, %error : !n
  %al = arith.mulf %rest, %l : !n
  %sum = arith.addf %ae, %al : !n
  return %sum : !n
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
