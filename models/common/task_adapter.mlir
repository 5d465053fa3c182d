// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small network behind a layer, of which each task has units of its own.
//
// Z. Ke, H. Xu, B. Liu: Adapting BERT for Continual Learning of a Sequence of Aspect Sentiment
// Classification Tasks. NAACL 2021 (B-CL), section 4: z = x + capsules(x), and x + W_2 W_1 z with gates
// of the task behind each product.
nn.import "task_capsules.mlir"
nn.import "task_gates.mlir"
nn.sizes {tasks = 6, width = 384, hidden = 500, said = 12}

!f = tensor<f32>
!ts = tensor<6xf32>
!x = tensor<384xf32>
!h = tensor<500xf32>
!row = tensor<12xf32>
!known = tensor<12x384xf32>
!up = tensor<384x500xf32>
!down = tensor<500x384xf32>

/// Three layers: of what tasks know together, and two behind it.
func.func private @adapter_weights() -> (!known, !x, !up, !h, !down, !x) {
  %W0, %b0 = nn.call @layer_weights() in "known" : () -> (!known, !x)
  %W1, %b1 = nn.call @layer_weights() in "first" : () -> (!up, !h)
  %W2, %b2 = nn.call @layer_weights() in "second" : () -> (!down, !x)
  return %W0, %b0, %W1, %b1, %W2, %b2 : !known, !x, !up, !h, !down, !x
}

/// The same, which leave alone what earlier tasks use; and lambda times what the task takes of the
/// rest, of each layer.
func.func private @guarded_adapter(%this: !ts, %earlier: !ts, %s: !f)
    -> (!known, !x, !up, !h, !down, !x, !f) {
  %W0, %b0, %W1, %b1, %W2, %b2 = nn.call @adapter_weights()
      : () -> (!known, !x, !up, !h, !down, !x)
  %used0 = nn.call @used_before(%earlier) in "known" : (!ts) -> !x
  %used1 = nn.call @used_before(%earlier) in "first" : (!ts) -> !h
  %used2 = nn.call @used_before(%earlier) in "second" : (!ts) -> !x
  // All inputs of the first two layers are used by all tasks.
  %said = arith.constant dense<1.0> : !row
  %all = arith.constant dense<1.0> : !x
  %V0, %c0 = nn.call @guarded(%W0, %b0, %said, %used0) : (!known, !x, !row, !x) -> (!known, !x)
  %V1, %c1 = nn.call @guarded(%W1, %b1, %all, %used1) : (!up, !h, !x, !h) -> (!up, !h)
  %V2, %c2 = nn.call @guarded(%W2, %b2, %used1, %used2) : (!down, !x, !h, !x) -> (!down, !x)
  %price = nn.call @price_of_units(%this, %s, %used0, %used1, %used2) : (!ts, !f, !x, !h, !x) -> !f
  return %V0, %c0, %V1, %c1, %V2, %c2, %price : !known, !x, !up, !h, !down, !x, !f
}

/// lambda times what a task takes of the units of the three layers.
func.func private @price_of_units(%this: !ts, %s: !f, %used0: !x, %used1: !h, %used2: !x) -> !f {
  %lambda = nn.constant "lambda" = 0.75 : !f
  %g0 = nn.call @task_gate(%this, %s) in "known" : (!ts, !f) -> !x
  %g1 = nn.call @task_gate(%this, %s) in "first" : (!ts, !f) -> !h
  %g2 = nn.call @task_gate(%this, %s) in "second" : (!ts, !f) -> !x
  %t0 = nn.call @taken(%g0, %used0) : (!x, !x) -> !f
  %t1 = nn.call @taken(%g1, %used1) : (!h, !h) -> !f
  %t2 = nn.call @taken(%g2, %used2) : (!x, !x) -> !f
  %t01 = arith.addf %t0, %t1 : !f
  %sum = arith.addf %t01, %t2 : !f
  %price = arith.mulf %sum, %lambda : !f
  return %price : !f
}

/// relu(x W + b), of which the task takes its units.
func.func private @gated(%x: !x, %W: !up, %b: !h, %gate: !h) -> !h {
  %a = nn.linear %x, %W, %b : !x, !up, !h
  %r = nn.relu %a : !h
  %y = arith.mulf %r, %gate : !h
  return %y : !h
}

/// x and what is added to it, by given weights.
func.func private @adapter(%x: !x, %this: !ts, %earlier: !ts, %s: !f, %W0: !known, %b0: !x,
                           %W1: !up, %b1: !h, %W2: !down, %b2: !x) -> !x {
  %g0 = nn.call @task_gate(%this, %s) in "known" : (!ts, !f) -> !x
  %g1 = nn.call @task_gate(%this, %s) in "first" : (!ts, !f) -> !h
  %g2 = nn.call @task_gate(%this, %s) in "second" : (!ts, !f) -> !x
  %said = nn.call @said_by_tasks(%x, %this, %earlier) in "capsules"
      : (!x, !ts, !ts) -> !row
  %known = nn.linear %said, %W0, %b0 : !row, !known, !x
  %some = arith.mulf %known, %g0 : !x
  %z = arith.addf %x, %some : !x
  %h = nn.call @gated(%z, %W1, %b1, %g1) : (!x, !up, !h, !h) -> !h
  %u = nn.call @gated(%h, %W2, %b2, %g2) : (!h, !down, !x, !x) -> !x
  %y = arith.addf %x, %u : !x
  return %y : !x
}
