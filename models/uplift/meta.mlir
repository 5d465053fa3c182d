// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a treatment does to a person, by models of outcomes: two models, X-learner, R-learner.
//
// S. Kunzel, J. Sekhon, P. Bickel, B. Yu: Metalearners for estimating heterogeneous treatment effects.
// PNAS 2019 (X, equations 8 and 9); X. Nie, S. Wager: Quasi-oracle estimation of heterogeneous
// treatment effects. Biometrika 2021 (R). Half of the people are treated, by chance: e(x) = 1 / 2.
// `--step outcome,x,r`: @outcome learns mu_0, mu_1 and m, of which @x and @r are told constants. Each
// model is a perceptron.
nn.import "../common/layers.mlir"
nn.sizes {features = 12, hidden = 32}

!f = tensor<f32>
!id = tensor<i32>
!x = tensor<12xf32>
!h = tensor<32xf32>
!W = tensor<12x32xf32>
!v = tensor<32x1xf32>
!one = tensor<1xf32>

/// v tanh(W x + b) + c, whose parameters belong to what outcomes are.
func.func private @outcome_model(%x: !x) -> !f {
  %W = nn.param "W" : !W init <xavier_uniform> group "outcome"
  %b = nn.param "b" : !h group "outcome" no_decay
  %v = nn.param "v" : !v init <xavier_uniform> group "outcome"
  %c = nn.param "c" : !one group "outcome" no_decay
  %a = nn.linear %x, %W, %b : !x, !W, !h
  %h = math.tanh %a : !h
  %y = nn.linear %h, %v, %c : !h, !v, !one
  %s = nn.reshape %y : !one -> !f
  return %s : !f
}

/// The same of the group "x".
func.func private @x_model(%x: !x) -> !f {
  %W = nn.param "W" : !W init <xavier_uniform> group "x"
  %b = nn.param "b" : !h group "x" no_decay
  %v = nn.param "v" : !v init <xavier_uniform> group "x"
  %c = nn.param "c" : !one group "x" no_decay
  %a = nn.linear %x, %W, %b : !x, !W, !h
  %h = math.tanh %a : !h
  %y = nn.linear %h, %v, %c : !h, !v, !one
  %s = nn.reshape %y : !one -> !f
  return %s : !f
}

/// The same of the group "r".
func.func private @r_model(%x: !x) -> !f {
  %W = nn.param "W" : !W init <xavier_uniform> group "r"
  %b = nn.param "b" : !h group "r" no_decay
  %v = nn.param "v" : !v init <xavier_uniform> group "r"
  %c = nn.param "c" : !one group "r" no_decay
  %a = nn.linear %x, %W, %b : !x, !W, !h
  %h = math.tanh %a : !h
  %y = nn.linear %h, %v, %c : !h, !v, !one
  %s = nn.reshape %y : !one -> !f
  return %s : !f
}

/// The chances of an outcome: untreated, treated, and whoever it is.
func.func private @chances(%x: !x) -> (!f, !f, !f) {
  %a = nn.call @outcome_model(%x) in "untreated" : (!x) -> !f
  %b = nn.call @outcome_model(%x) in "treated" : (!x) -> !f
  %c = nn.call @outcome_model(%x) in "all" : (!x) -> !f
  %p = nn.sigmoid %a : !f
  %q = nn.sigmoid %b : !f
  %m = nn.sigmoid %c : !f
  return %p, %q, %m : !f, !f, !f
}

/// -y log p - (1 - y) log(1 - p).
func.func private @entropy(%y: !f, %p: !f) -> !f {
  %one = arith.constant dense<1.0> : !f
  %tiny = arith.constant dense<1.0e-6> : !f
  %p1 = arith.subf %one, %p : !f
  %y1 = arith.subf %one, %y : !f
  %pt = arith.addf %p, %tiny : !f
  %p1t = arith.addf %p1, %tiny : !f
  %a = math.log %pt : !f
  %b = math.log %p1t : !f
  %ya = arith.mulf %y, %a : !f
  %yb = arith.mulf %y1, %b : !f
  %s = arith.addf %ya, %yb : !f
  %l = arith.negf %s : !f
  return %l : !f
}

/// The loss of mu_0 or mu_1, which only learns of its own people, and of m.
func.func @outcome_loss(%x: !x {cambium.name = "x"}, %treated: !id {cambium.name = "treated"},
                        %outcome: !id {cambium.name = "outcome"}) -> !f {
  %p, %q, %m = nn.call @chances(%x) : (!x) -> (!f, !f, !f)
  %t = arith.sitofp %treated : !id to !f
  %y = arith.sitofp %outcome : !id to !f
  %zero = arith.constant dense<0.0> : !f
  %is = arith.cmpf ogt, %t, %zero : !f
  %own = arith.select %is, %q, %p : tensor<i1>, !f
  %l1 = nn.call @entropy(%y, %own) : (!f, !f) -> !f
  %l2 = nn.call @entropy(%y, %m) : (!f, !f) -> !f
  %l = arith.addf %l1, %l2 : !f
  return %l : !f
}

/// (D - tau)^2, where D is y - mu_0 of a treated person and mu_1 - y of another one.
func.func @x_loss(%x: !x {cambium.name = "x"}, %treated: !id {cambium.name = "treated"},
                  %outcome: !id {cambium.name = "outcome"}) -> !f {
  %p, %q, %m = nn.call @chances(%x) : (!x) -> (!f, !f, !f)
  %t = arith.sitofp %treated : !id to !f
  %y = arith.sitofp %outcome : !id to !f
  %zero = arith.constant dense<0.0> : !f
  %is = arith.cmpf ogt, %t, %zero : !f
  %d1 = arith.subf %y, %p : !f
  %d0 = arith.subf %q, %y : !f
  %t0 = nn.call @x_model(%x) in "x.untreated" : (!x) -> !f
  %t1 = nn.call @x_model(%x) in "x.treated" : (!x) -> !f
  %d = arith.select %is, %d1, %d0 : tensor<i1>, !f
  %tau = arith.select %is, %t1, %t0 : tensor<i1>, !f
  %l = nn.mse %tau, %d : !f, !f
  return %l : !f
}

/// ((y - m) - (w - e) tau)^2.
func.func @r_loss(%x: !x {cambium.name = "x"}, %treated: !id {cambium.name = "treated"},
                  %outcome: !id {cambium.name = "outcome"}) -> !f {
  %p, %q, %m = nn.call @chances(%x) : (!x) -> (!f, !f, !f)
  %t = arith.sitofp %treated : !id to !f
  %y = arith.sitofp %outcome : !id to !f
  %e = nn.constant "treated_share" = 0.5 : !f
  %w = arith.subf %t, %e : !f
  %r = arith.subf %y, %m : !f
  %tau = nn.call @r_model(%x) in "r" : (!x) -> !f
  %wt = arith.mulf %w, %tau : !f
  %l = nn.mse %r, %wt : !f, !f
  return %l : !f
}

/// All three losses, for evaluations.
func.func @loss(%x: !x {cambium.name = "x"}, %treated: !id {cambium.name = "treated"},
                %outcome: !id {cambium.name = "outcome"}) -> !f {
  %a = nn.call @outcome_loss(%x, %treated, %outcome) : (!x, !id, !id) -> !f
  %b = nn.call @x_loss(%x, %treated, %outcome) : (!x, !id, !id) -> !f
  %c = nn.call @r_loss(%x, %treated, %outcome) : (!x, !id, !id) -> !f
  %ab = arith.addf %a, %b : !f
  %abc = arith.addf %ab, %c : !f
  return %abc : !f
}

/// The effects that the three say: mu_1 - mu_0; e tau_0 + (1 - e) tau_1; tau.
func.func @effects(%x: !x {cambium.name = "x"})
    -> (!f {cambium.name = "two"}, !f {cambium.name = "x_learner"}, !f {cambium.name = "r_learner"}) {
  %e = nn.constant "treated_share" = 0.5 : !f
  %one = arith.constant dense<1.0> : !f
  %p, %q, %m = nn.call @chances(%x) : (!x) -> (!f, !f, !f)
  %two = arith.subf %q, %p : !f
  %t0 = nn.call @x_model(%x) in "x.untreated" : (!x) -> !f
  %t1 = nn.call @x_model(%x) in "x.treated" : (!x) -> !f
  %rest = arith.subf %one, %e : !f
  %a = arith.mulf %t0, %e : !f
  %b = arith.mulf %t1, %rest : !f
  %xl = arith.addf %a, %b : !f
  %rl = nn.call @r_model(%x) in "r" : (!x) -> !f
  return %two, %xl, %rl : !f, !f, !f
}

/// What two models say.
func.func @predict(%x: !x {cambium.name = "x"}) -> !f {
  %two, %xl, %rl = nn.call @effects(%x) : (!x) -> (!f, !f, !f)
  return %two : !f
}

train.step @outcome loss @outcome_loss updates ["outcome"] optimizer #train.optimizer<adam>
train.step @x loss @x_loss updates ["x"] optimizer #train.optimizer<adam>
train.step @r loss @r_loss updates ["r"] optimizer #train.optimizer<adam>
