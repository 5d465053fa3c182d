// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opinions on things, task by task, by a layer behind a published encoder.
//
// Z. Ke, H. Xu, B. Liu: Adapting BERT for Continual Learning of a Sequence of Aspect Sentiment
// Classification Tasks. NAACL 2021 (B-CL): z = x + capsules(x), and x + W_2 W_1 z with gates of the
// task behind each product. Here x is the vector that an encoder gives a text, and stays. Steps: @train
// of B-CL; @plain of the same layer without gates and capsules (Adapter-BERT), whatever the order.
nn.import "../common/task_capsules.mlir"
nn.import "../common/task_gates.mlir"
nn.sizes {width = 384, hidden = 500, tasks = 6, classes = 3, scores = tasks * classes, said = 12}

!f = tensor<f32>
!id = tensor<i32>
!x = tensor<384xf32>
!h = tensor<500xf32>
!y = tensor<3xf32>
!row = tensor<12xf32>
!known = tensor<12x384xf32>
!up = tensor<384x500xf32>
!down = tensor<500x384xf32>
!all = tensor<6x3xf32>
!ts = tensor<6xf32>
!out = tensor<384x18xf32>
!z = tensor<18xf32>

/// The scores of the classes of a task, by an output of its own.
func.func private @scores(%x: !x, %task: !id) -> !y {
  %W = nn.param "classes.W" : !out init <xavier_uniform>
  %b = nn.param "classes.b" : !z no_decay
  %s = nn.linear %x, %W, %b : !x, !out, !z
  %all = nn.reshape %s : !z -> !all
  %one = arith.constant dense<1.0> : !f
  %this = nn.one_hot %task, %one size 6 : !id, !f
  %y = nn.matmul %this, %all : !ts, !all
  return %y : !y
}

/// relu(x W + b), of which the task takes its units.
func.func private @gated(%x: !x, %W: !up, %b: !h, %gate: !h) -> !h {
  %a = nn.linear %x, %W, %b : !x, !up, !h
  %r = nn.relu %a : !h
  %y = arith.mulf %r, %gate : !h
  return %y : !h
}

/// The three layers: of what tasks know together, and two behind it.
func.func private @weights() -> (!known, !x, !up, !h, !down, !x) {
  %W0, %b0 = nn.call @layer_weights() in "known" : () -> (!known, !x)
  %W1, %b1 = nn.call @layer_weights() in "first" : () -> (!up, !h)
  %W2, %b2 = nn.call @layer_weights() in "second" : () -> (!down, !x)
  return %W0, %b0, %W1, %b1, %W2, %b2 : !known, !x, !up, !h, !down, !x
}

/// The scores behind the adapter, by given weights.
func.func private @adapted(%x: !x, %task: !id, %s: !f, %W0: !known, %b0: !x, %W1: !up, %b1: !h,
                           %W2: !down, %b2: !x) -> !y {
  %g0 = nn.call @task_gate(%task, %s) in "known" : (!id, !f) -> !x
  %g1 = nn.call @task_gate(%task, %s) in "first" : (!id, !f) -> !h
  %g2 = nn.call @task_gate(%task, %s) in "second" : (!id, !f) -> !x
  %said = nn.call @said_by_tasks(%x, %task) in "capsules" : (!x, !id) -> !row
  %known = nn.linear %said, %W0, %b0 : !row, !known, !x
  %some = arith.mulf %known, %g0 : !x
  %z = arith.addf %x, %some : !x
  %h = nn.call @gated(%z, %W1, %b1, %g1) : (!x, !up, !h, !h) -> !h
  %u = nn.call @gated(%h, %W2, %b2, %g2) : (!h, !down, !x, !x) -> !x
  %a = arith.addf %x, %u : !x
  %y = nn.call @scores(%a, %task) : (!x, !id) -> !y
  return %y : !y
}

/// After a training: the gates are as hard as they become.
func.func @predict(%x: !x {cambium.name = "x"}, %task: !id {cambium.name = "task"}) -> !y {
  %s = nn.constant "s_max" = 140.0 : !f
  %W0, %b0, %W1, %b1, %W2, %b2 = nn.call @weights() : () -> (!known, !x, !up, !h, !down, !x)
  %y = nn.call @adapted(%x, %task, %s, %W0, %b0, %W1, %b1, %W2, %b2)
      : (!x, !id, !f, !known, !x, !up, !h, !down, !x) -> !y
  return %y : !y
}

func.func @loss(%x: !x {cambium.name = "x"}, %task: !id {cambium.name = "task"},
                %label: !id {cambium.name = "label"}) -> !f {
  %y = nn.call @predict(%x, %task) : (!x, !id) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
  return %l : !f
}

/// lambda times what a task takes of the units of the three layers.
func.func private @price(%task: !id, %s: !f, %used0: !x, %used1: !h, %used2: !x) -> !f {
  %lambda = nn.constant "lambda" = 0.75 : !f
  %g0 = nn.call @task_gate(%task, %s) in "known" : (!id, !f) -> !x
  %g1 = nn.call @task_gate(%task, %s) in "first" : (!id, !f) -> !h
  %g2 = nn.call @task_gate(%task, %s) in "second" : (!id, !f) -> !x
  %t0 = nn.call @taken(%g0, %used0) : (!x, !x) -> !f
  %t1 = nn.call @taken(%g1, %used1) : (!h, !h) -> !f
  %t2 = nn.call @taken(%g2, %used2) : (!x, !x) -> !f
  %t01 = arith.addf %t0, %t1 : !f
  %sum = arith.addf %t01, %t2 : !f
  %price = arith.mulf %sum, %lambda : !f
  return %price : !f
}

/// While task number `task` is trained, with a hardness s that grows in each epoch (equation 11:
/// `--value s='1/140+(140-1/140)*epoch'`): what earlier tasks use stays as it is.
func.func @task_loss(%x: !x {cambium.name = "x"},
                     %task: !id {cambium.name = "task", cambium.per = "call"},
                     %s: !f {cambium.name = "s", cambium.per = "call"},
                     %label: !id {cambium.name = "label"}) -> !f {
  %W0, %b0, %W1, %b1, %W2, %b2 = nn.call @weights() : () -> (!known, !x, !up, !h, !down, !x)
  %used0 = nn.call @used_before(%task) in "known" : (!id) -> !x
  %used1 = nn.call @used_before(%task) in "first" : (!id) -> !h
  %used2 = nn.call @used_before(%task) in "second" : (!id) -> !x
  // All inputs of the first two layers are used by all tasks.
  %said = arith.constant dense<1.0> : !row
  %all = arith.constant dense<1.0> : !x
  %V0, %c0 = nn.call @guarded(%W0, %b0, %said, %used0) : (!known, !x, !row, !x) -> (!known, !x)
  %V1, %c1 = nn.call @guarded(%W1, %b1, %all, %used1) : (!up, !h, !x, !h) -> (!up, !h)
  %V2, %c2 = nn.call @guarded(%W2, %b2, %used1, %used2) : (!down, !x, !h, !x) -> (!down, !x)
  %y = nn.call @adapted(%x, %task, %s, %V0, %c0, %V1, %c1, %V2, %c2)
      : (!x, !id, !f, !known, !x, !up, !h, !down, !x) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
  %price = nn.call @price(%task, %s, %used0, %used1, %used2) : (!id, !f, !x, !h, !x) -> !f
  %sum = arith.addf %l, %price : !f
  return %sum : !f
}

/// The layer without gates and without capsules.
func.func @predict_plain(%x: !x {cambium.name = "x"}, %task: !id {cambium.name = "task"}) -> !y {
  %W1, %b1 = nn.call @layer_weights() in "first" : () -> (!up, !h)
  %W2, %b2 = nn.call @layer_weights() in "second" : () -> (!down, !x)
  %a = nn.linear %x, %W1, %b1 : !x, !up, !h
  %r = nn.relu %a : !h
  %u = nn.linear %r, %W2, %b2 : !h, !down, !x
  %q = nn.relu %u : !x
  %z = arith.addf %x, %q : !x
  %y = nn.call @scores(%z, %task) : (!x, !id) -> !y
  return %y : !y
}

func.func @plain_loss(%x: !x {cambium.name = "x"}, %task: !id {cambium.name = "task"},
                      %label: !id {cambium.name = "label"}) -> !f {
  %y = nn.call @predict_plain(%x, %task) : (!x, !id) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
  return %l : !f
}

train.step @train loss @task_loss optimizer #train.optimizer<adam>
train.step @plain loss @plain_loss optimizer #train.optimizer<adam>
