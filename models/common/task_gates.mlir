// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of which each task takes some units, which later tasks leave as they are.
//
// J. Serra, D. Suris, M. Miron, A. Karatzoglou: Overcoming catastrophic forgetting with hard attention
// to the task. ICML 2018 (HAT), equations 1 to 6. Tasks come one after the other, counted from 0. A
// task's row of "tasks" learns while it is trained, and no other row does, so that the rows themselves
// say what earlier tasks use: nothing else is kept.
nn.sizes {tasks = 6, in = 384, out = 500}

!id = tensor<i32>
!f = tensor<f32>
!E = tensor<6x500xf32>
!x = tensor<384xf32>
!y = tensor<500xf32>
!W = tensor<384x500xf32>
!ids = tensor<6xi32>
!ts = tensor<6xf32>
!flags = tensor<6xi1>

/// The rows e of all tasks.
func.func private @task_rows() -> !E {
  %E = nn.param "tasks" : !E init <normal(0.0, 1.0)> group "tasks" no_decay
  return %E : !E
}

/// a = sigmoid(s e) of a task (equation 1). Its derivative by e is s_max sigmoid'(e), where s e would
/// leave none: that is the gradient times s_max (cosh(s e) + 1) / (s (cosh(e) + 1)) (equation 6).
func.func private @task_gate(%this: !ts, %s: !f) -> !y {
  %greatest = nn.constant "s_max" = 140.0 : !f
  %E = nn.call @task_rows() : () -> !E
  %e = nn.matmul %this, %E : !ts, !E
  %ss = nn.broadcast %s dims [] : !f -> !y
  %es = arith.mulf %e, %ss : !y
  %hard = nn.sigmoid %es : !y
  %a = train.stop_gradient %hard : !y
  %soft = nn.sigmoid %e : !y
  %there = train.stop_gradient %soft : !y
  %step = arith.subf %soft, %there : !y
  %factors = nn.broadcast %greatest dims [] : !f -> !y
  %move = arith.mulf %step, %factors : !y
  %gate = arith.addf %a, %move : !y
  return %gate : !y
}

/// 1 for a task, and 1 for those before it, else 0.
func.func private @task_flags(%task: !id) -> (!ts, !ts) {
  %one = arith.constant dense<1.0> : !f
  %flag = nn.one_hot %task, %one size 6 : !id, !f
  %zero = arith.constant dense<0.0> : !ts
  // Of equal numbers the first comes first.
  %values, %numbers = nn.top %zero count 6 over 0 : !ts
  %these = nn.broadcast %task dims [] : !id -> !ids
  %before = arith.cmpi slt, %numbers, %these : !ids
  %earlier = arith.uitofp %before : !flags to !ts
  return %flag, %earlier : !ts, !ts
}

/// What earlier tasks use of each unit: the greatest of their gates (equation 2), a constant.
func.func private @used_before(%earlier: !ts) -> !y {
  %greatest = nn.constant "s_max" = 140.0 : !f
  %E = nn.call @task_rows() : () -> !E
  %still = train.stop_gradient %E : !E
  %factors = nn.broadcast %greatest dims [] : !f -> !E
  %es = arith.mulf %still, %factors : !E
  %gates = nn.sigmoid %es : !E
  %counted = nn.broadcast %earlier dims [0] : !ts -> !E
  %some = arith.mulf %gates, %counted : !E
  %used = nn.max %some over 0 : !E
  return %used : !y
}

/// W, whose gradient is multiplied with `factor`, a constant.
func.func private @with_gradient_times(%W: !W, %factor: !W) -> !W {
  %still = train.stop_gradient %W : !W
  %nothing = arith.subf %W, %still : !W
  %part = arith.mulf %nothing, %factor : !W
  %same = arith.addf %still, %part : !W
  return %same : !W
}

func.func private @vector_with_gradient_times(%b: !y, %factor: !y) -> !y {
  %still = train.stop_gradient %b : !y
  %nothing = arith.subf %b, %still : !y
  %part = arith.mulf %nothing, %factor : !y
  %same = arith.addf %still, %part : !y
  return %same : !y
}

func.func private @free(%used: !y) -> !y {
  %one = arith.constant dense<1.0> : !y
  %free = arith.subf %one, %used : !y
  return %free : !y
}

func.func private @layer_weights() -> (!W, !y) {
  %W = nn.param "W" : !W init <xavier_uniform> group "adapters"
  %b = nn.param "b" : !y group "adapters" no_decay
  return %W, %b : !W, !y
}

/// W and b, which do not change where they lead from a unit that is used to another one: their
/// gradient is multiplied with 1 - min(used_out, used_in), and with 1 - used_out (equation 3).
func.func private @guarded(%W: !W, %b: !y, %in: !x, %out: !y) -> (!W, !y) {
  %ins = nn.broadcast %in dims [0] : !x -> !W
  %outs = nn.broadcast %out dims [1] : !y -> !W
  %both = arith.minimumf %ins, %outs : !W
  %one = arith.constant dense<1.0> : !W
  %keep = arith.subf %one, %both : !W
  %Wg = nn.call @with_gradient_times(%W, %keep) : (!W, !W) -> !W
  %keep_b = nn.call @free(%out) : (!y) -> !y
  %bg = nn.call @vector_with_gradient_times(%b, %keep_b) : (!y, !y) -> !y
  return %Wg, %bg : !W, !y
}

/// Which part of the units that are free a task takes (equation 5).
func.func private @taken(%gate: !y, %used: !y) -> !f {
  %free = nn.call @free(%used) : (!y) -> !y
  %new = arith.mulf %gate, %free : !y
  %sum = nn.sum %new over 0 : !y
  %all = nn.sum %free over 0 : !y
  %least = arith.constant dense<1.0e-6> : !f
  %some = arith.maximumf %all, %least : !f
  %part = arith.divf %sum, %some : !f
  return %part : !f
}
