// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read without its brackets: a tree that the model chooses.
//
// J. Choi, K. M. Yoo, S. Lee: Learning to Compose Task-Specific Tree Structures. AAAI 2018: of all
// pairs of neighbours one is merged, until one row is left. Which one is a hard choice forward, and a
// softmax backward; while the model is trained it is drawn. Cell: Simoulin 2022, equations 3.22-3.27.
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

/// The row behind each; the last one has itself.
func.func private @behind(%x: !h, %i: !i) -> !h {
  %one = arith.constant dense<1> : tensor<i32>
  %ones = nn.broadcast %one dims [] like %i : tensor<i32>, !i -> !i
  %j = arith.addi %i, %ones : !i
  %y = nn.take %x, %j : !h, !i
  return %y : !h
}

/// Each row merged with the one behind it: h = sigmoid(o) tanh(c), where
/// c = sigmoid(i) tanh(u) + sigmoid(f_1) c_1 + sigmoid(f_2) c_2.
func.func private @merged(%h1: !h, %c1: !h, %h2: !h, %c2: !h) -> (!h, !h) {
  %hh = nn.concat %h1, %h2 over 1 : !h, !h
  %i = nn.call @dense(%hh) in "i" : (!hh) -> !h
  %f1 = nn.call @dense(%hh) in "f1" : (!hh) -> !h
  %f2 = nn.call @dense(%hh) in "f2" : (!hh) -> !h
  %o = nn.call @dense(%hh) in "o" : (!hh) -> !h
  %u = nn.call @dense(%hh) in "u" : (!hh) -> !h
  %si = nn.sigmoid %i : !h
  %sf1 = nn.sigmoid %f1 : !h
  %sf2 = nn.sigmoid %f2 : !h
  %so = nn.sigmoid %o : !h
  %tu = math.tanh %u : !h
  %iu = arith.mulf %si, %tu : !h
  %fc1 = arith.mulf %sf1, %c1 : !h
  %fc2 = arith.mulf %sf2, %c2 : !h
  %s = arith.addf %iu, %fc1 : !h
  %c = arith.addf %s, %fc2 : !h
  %t = math.tanh %c : !h
  %h = arith.mulf %so, %t : !h
  return %h, %c : !h, !h
}

/// 1 at the pair that is merged, whose place is the second result, backward the softmax of the scores
/// q h; pairs are those of the first `last` rows and the rows behind them.
func.func private @choice(%h: !h, %places: !f, %last: !f) -> (!f, !f) {
  %tau = nn.constant "temperature" = 1.0 : !n
  %noise = nn.constant "noise" = 1.0 : !n
  %low = arith.constant dense<-1.0e9> : !n
  %q = nn.param "query" : !one init <normal(0.0, 0.1)>
  %s = nn.matmul %h, %q : !h, !one
  %g = nn.random gumbel(0.0, 1.0) training like %s : !f -> !f
  %noises = nn.broadcast %noise dims [] like %s : !n, !f -> !f
  %drawn = arith.mulf %g, %noises : !f
  %v = arith.addf %s, %drawn : !f
  %lows = nn.broadcast %low dims [] like %s : !n, !f -> !f
  %pair = arith.cmpf olt, %places, %last : !f
  %scores = arith.select %pair, %v, %lows : !b, !f
  %taus = nn.broadcast %tau dims [] like %s : !n, !f -> !f
  %divided = arith.divf %scores, %taus : !f
  %soft = nn.softmax %divided over 0 : !f
  %best, %where = nn.top %scores count 1 over 0 : !f
  %number = arith.sitofp %where : tensor<1xi32> to tensor<1xf32>
  %place = nn.reshape %number : tensor<1xf32> -> !n
  %all = nn.broadcast %place dims [] like %s : !n, !f -> !f
  %is = arith.cmpf oeq, %places, %all : !f
  %hard = arith.uitofp %is : !b to !f
  %constant = train.stop_gradient %soft : !f
  %less = arith.subf %hard, %constant : !f
  %y = arith.addf %less, %soft : !f
  return %y, %all : !f, !f
}

/// Rows before the place stay, the merged one stands there, and those behind it move on by one.
func.func private @moved(%x: !h, %m: !h, %r: !h, %y: !f, %places: !f, %place: !f) -> !h {
  %before = arith.cmpf olt, %places, %place : !f
  %behind = arith.cmpf ogt, %places, %place : !f
  %bf = arith.uitofp %before : !b to !f
  %rf = arith.uitofp %behind : !b to !f
  %bs = nn.broadcast %bf dims [0] : !f -> !h
  %ys = nn.broadcast %y dims [0] : !f -> !h
  %rs = nn.broadcast %rf dims [0] : !f -> !h
  %xb = arith.mulf %x, %bs : !h
  %my = arith.mulf %m, %ys : !h
  %rr = arith.mulf %r, %rs : !h
  %s = arith.addf %xb, %my : !h
  %z = arith.addf %s, %rr : !h
  return %z : !h
}

/// The row that is left when all have been merged.
func.func private @root(%h0: !h, %c0: !h) -> !one {
  %i = nn.positions %h0 limit 2147483647 : !h
  %places = arith.sitofp %i : !i to !f
  %one = arith.constant dense<1.0> : !n
  %ones = nn.broadcast %one dims [] like %places : !n, !f -> !f
  %count = nn.sum %ones over 0 : !f
  %counts = nn.broadcast %count dims [] like %places : !n, !f -> !f
  %last0 = arith.subf %counts, %ones : !f
  %go0 = arith.cmpf oge, %last0, %ones : !f
  %h, %c, %last, %merges = depth.iterate max 400 rematerialize active(%go0 : !b) tied "merge"
      carried(%x = %h0 : !h, %e = %c0 : !h, %l = %last0 : !f) {
    %xr = nn.call @behind(%x, %i) : (!h, !i) -> !h
    %er = nn.call @behind(%e, %i) : (!h, !i) -> !h
    %xm, %em = nn.call @merged(%x, %e, %xr, %er) : (!h, !h, !h, !h) -> (!h, !h)
    %y, %place = nn.call @choice(%xm, %places, %l) : (!h, !f, !f) -> (!f, !f)
    %x1 = nn.call @moved(%x, %xm, %xr, %y, %places, %place) : (!h, !h, !h, !f, !f, !f) -> !h
    %e1 = nn.call @moved(%e, %em, %er, %y, %places, %place) : (!h, !h, !h, !f, !f, !f) -> !h
    %l1 = arith.subf %l, %ones : !f
    %go = arith.cmpf oge, %l1, %ones : !f
    depth.yield %go, %x1, %e1, %l1 : !b, !h, !h, !f
  }
  %zero = arith.constant dense<0> : tensor<i32>
  %root = nn.take %h, %zero : !h, tensor<i32>
  return %root : !one
}

/// Scores of the values 0 to 9.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %E = nn.param "words" : tensor<20x128xf32> init <normal(0.0, 1.0)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<20x128xf32>
  %h0 = nn.call @dense(%x) in "leaf.h" : (!h) -> !h
  %c0 = nn.call @dense(%x) in "leaf.c" : (!h) -> !h
  %s = nn.call @root(%h0, %c0) : (!h, !h) -> !one
  %a = nn.call @dense_one(%s) in "inner" : (!one) -> !one
  %r = nn.relu %a : !one
  %y = nn.call @dense_one(%r) in "values" : (!one) -> !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
