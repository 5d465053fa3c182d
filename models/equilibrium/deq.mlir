// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text, by a layer that is applied until nothing changes.
//
// S. Bai, J. Z. Kolter, V. Koltun: Deep Equilibrium Models. NeurIPS 2019 (DEQ): z = f(z, x), found by
// iteration (equation 5; here z' = f(z, x) itself, for each word until it moves by less than a part of
// its length). The gradient is that of the implicit function theorem (theorem 1), with u = g + J^T u
// found in the same way: nothing of the iterations is kept. f is a Transformer's layer with the words
// in the place of the state in its first sum.
//
// S. Bai, V. Koltun, J. Z. Kolter: Stabilizing Equilibrium Models by Jacobian Regularization. ICML
// 2021: gamma |J|^2 / d of each row beside the loss, so that the iterations go on to end while f is
// trained.
nn.import "../common/transformer.mlir"
nn.sizes {words = 10000, width = 64, classes = 6}

#most = #nn.given<"most" = 30>
#layer = {heads = #nn.given<"heads" = 4>, inner = #nn.given<"inner" = 128>, eps = 1.0e-5,
          init = #nn.init<xavier_uniform>}
#places = #nn.given<"places" = 64>

!ids = tensor<?xi32>
!f = tensor<f32>
!fs = tensor<?xf32>
!go = tensor<?xi1>
!x = tensor<?x64xf32>
!one = tensor<64xf32>
!table = tensor<10000x64xf32>
!y = tensor<6xf32>

func.func private @embedded(%tokens: !ids) -> !x {
  %E = nn.param "words" : !table init <normal(0.0, 1.0)>
  %x = nn.call @embed_words(%tokens, %E) with {places = #places, init = #nn.init<normal(0.0, 0.1)>}
      : (!ids, !table) -> !x
  return %x : !x
}

/// f(z, x) = norm(y + feed(y)) with y = norm(x + attend(z)).
func.func private @transformed(%z: !x, %x: !x) -> !x {
  %a = nn.call @attend(%z) : (!x) -> !x
  %y = nn.call @add_norm(%x, %a) in "attention_norm" : (!x, !x) -> !x
  %f = nn.call @feed(%y) : (!x) -> !x
  %n = nn.call @add_norm(%y, %f) in "feed_norm" : (!x, !x) -> !x
  return %n : !x
}

/// Whether a row has moved by more than a part of its length.
func.func private @has_moved(%from: !x, %to: !x) -> !go {
  %part = nn.constant "part" = 1.0e-3 : !f
  %d = arith.subf %to, %from : !x
  %dd = arith.mulf %d, %d : !x
  %moved = nn.sum %dd over 1 : !x
  %tt = arith.mulf %to, %to : !x
  %length = nn.sum %tt over 1 : !x
  %square = arith.mulf %part, %part : !f
  %parts = nn.broadcast %square dims [] like %length : !f, !fs -> !fs
  %allowed = arith.mulf %length, %parts : !fs
  %go = arith.cmpf ogt, %moved, %allowed : !fs
  return %go : !go
}

/// z = f(z, x), from zeros, and after how many iterations each word stands still. A constant.
func.func private @equilibrium(%x: !x) -> (!x, !ids) {
  %zero = arith.constant dense<0.0> : !f
  %still = train.stop_gradient %x : !x
  %begin = nn.broadcast %zero dims [] like %still : !f, !x -> !x
  %z, %n = depth.iterate max #most carried(%s = %begin : !x) {
    %next = nn.call @transformed(%s, %still) in "layer" with #layer : (!x, !x) -> !x
    %go = nn.call @has_moved(%s, %next) : (!x, !x) -> !go
    depth.yield %go, %next : !go, !x
  }
  %constant = train.stop_gradient %z : !x
  return %constant, %n : !x, !ids
}

/// u = g + J^T u for the J of f by z at the equilibrium: y is f(z, x). A constant.
func.func private @implicit(%z: !x, %x: !x, %g: !x) -> !x {
  %still = train.stop_gradient %x : !x
  %begin = train.stop_gradient %g : !x
  %u, %n = depth.iterate max #most carried(%s = %begin : !x) {
    %y = nn.call @transformed(%z, %still) in "layer" with #layer : (!x, !x) -> !x
    %ys = arith.mulf %y, %s : !x
    %rows = nn.sum %ys over 1 : !x
    %sum = nn.sum %rows over 0 : !fs
    %v = train.gradient %sum wrt %z : !f, !x
    %next = arith.addf %begin, %v : !x
    %go = nn.call @has_moved(%s, %next) : (!x, !x) -> !go
    depth.yield %go, %next : !go, !x
  }
  %constant = train.stop_gradient %u : !x
  return %constant : !x
}

func.func private @scores(%z: !x) -> !y {
  %m = nn.mean %z over 0 : !x
  %y = nn.call @dense_one(%m) in "classes" : (!one) -> !y
  return %y : !y
}

func.func @predict(%tokens: !ids {cambium.name = "tokens"}) -> !y {
  %x = nn.call @embedded(%tokens) : (!ids) -> !x
  %z, %n = nn.call @equilibrium(%x) : (!x) -> (!x, !ids)
  %y = nn.call @scores(%z) : (!x) -> !y
  return %y : !y
}

/// How often each word was computed.
func.func @steps(%tokens: !ids {cambium.name = "tokens"}) -> !ids {
  %x = nn.call @embedded(%tokens) : (!ids) -> !x
  %z, %n = nn.call @equilibrium(%x) : (!x) -> (!x, !ids)
  return %n : !ids
}

/// An estimate of |J|^2 / d for the Jacobian J of f by z, where y is f(z, x): the mean square of J e for
/// a row of normal noise e (Hutchinson), and J e as the difference (f(z + h e, x) - y) / h, which needs
/// no second derivative of f. Zero unless the model is trained.
func.func private @jacobian(%z: !x, %x: !x, %y: !x) -> !f {
  %h = arith.constant dense<0.01> : !f
  %one = arith.constant dense<1.0> : !f
  %e = nn.random normal(0.0, 1.0) training like %z : !x -> !x
  %hs = nn.broadcast %h dims [] like %z : !f, !x -> !x
  %step = arith.mulf %hs, %e : !x
  %zh = arith.addf %z, %step : !x
  %yh = nn.call @transformed(%zh, %x) in "layer" with #layer : (!x, !x) -> !x
  %d = arith.subf %yh, %y : !x
  %inverse = arith.divf %one, %h : !f
  %inverses = nn.broadcast %inverse dims [] like %d : !f, !x -> !x
  %je = arith.mulf %d, %inverses : !x
  %square = arith.mulf %je, %je : !x
  %rows = nn.mean %square over 1 : !x
  %j = nn.mean %rows over 0 : !fs
  return %j : !f
}

/// gamma |J|^2 / d, and the cross entropy of the scores of y = f(z, x), whose gradient by y reaches f
/// as u.
func.func @loss(%tokens: !ids {cambium.name = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> !f {
  %x = nn.call @embedded(%tokens) : (!ids) -> !x
  %z, %n = nn.call @equilibrium(%x) : (!x) -> (!x, !ids)
  %y = nn.call @transformed(%z, %x) in "layer" with #layer : (!x, !x) -> !x
  %end = train.stop_gradient %y : !x
  %s = nn.call @scores(%end) : (!x) -> !y
  %l = nn.cross_entropy %s, %label : !y, tensor<i32>
  %g = train.gradient %l wrt %end : !f, !x
  %u = nn.call @implicit(%z, %x, %g) : (!x, !x, !x) -> !x
  // Zero, whose gradient by y is u.
  %d = arith.subf %y, %end : !x
  %du = arith.mulf %d, %u : !x
  %rows = nn.sum %du over 1 : !x
  %zero = nn.sum %rows over 0 : !fs
  %implicit = arith.addf %l, %zero : !f
  %gamma = nn.constant "gamma" = 1.0 : !f
  %j = nn.call @jacobian(%z, %x, %y) : (!x, !x, !x) -> !f
  %price = arith.mulf %gamma, %j : !f
  %sum = arith.addf %implicit, %price : !f
  return %sum : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
