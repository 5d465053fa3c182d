// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opinions on things, task by task, by a layer behind a published encoder.
//
// Z. Ke, H. Xu, B. Liu: Adapting BERT for Continual Learning of a Sequence of Aspect Sentiment
// Classification Tasks. NAACL 2021 (B-CL). Here x is the vector that an encoder gives a text, and
// stays. Steps: @train of B-CL; @plain of the same layer without gates and capsules (Adapter-BERT),
// whatever the order.
nn.import "../common/task_adapter.mlir"
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
func.func private @scores(%x: !x, %this: !ts) -> !y {
  %W = nn.param "classes.W" : !out init <xavier_uniform>
  %b = nn.param "classes.b" : !z no_decay
  %s = nn.linear %x, %W, %b : !x, !out, !z
  %all = nn.reshape %s : !z -> !all
  %y = nn.matmul %this, %all : !ts, !all
  return %y : !y
}

/// After a training: the gates are as hard as they become.
func.func @predict(%x: !x {cambium.name = "x"}, %task: !id {cambium.name = "task"}) -> !y {
  %s = nn.constant "s_max" = 140.0 : !f
  %this, %earlier = nn.call @task_flags(%task) : (!id) -> (!ts, !ts)
  %W0, %b0, %W1, %b1, %W2, %b2 = nn.call @adapter_weights()
      : () -> (!known, !x, !up, !h, !down, !x)
  %a = nn.call @adapter(%x, %this, %earlier, %s, %W0, %b0, %W1, %b1, %W2, %b2)
      : (!x, !ts, !ts, !f, !known, !x, !up, !h, !down, !x) -> !x
  %y = nn.call @scores(%a, %this) : (!x, !ts) -> !y
  return %y : !y
}

func.func @loss(%x: !x {cambium.name = "x"}, %task: !id {cambium.name = "task"},
                %label: !id {cambium.name = "label"}) -> !f {
  %y = nn.call @predict(%x, %task) : (!x, !id) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
  return %l : !f
}

/// While task number `task` is trained, with a hardness s that grows in each epoch (equation 11:
/// `--value s='1/140+(140-1/140)*epoch'`): what earlier tasks use stays as it is.
func.func @task_loss(%x: !x {cambium.name = "x"},
                     %task: !id {cambium.name = "task", cambium.per = "call"},
                     %s: !f {cambium.name = "s", cambium.per = "call"},
                     %label: !id {cambium.name = "label"}) -> !f {
  %this, %earlier = nn.call @task_flags(%task) : (!id) -> (!ts, !ts)
  %W0, %b0, %W1, %b1, %W2, %b2, %price = nn.call @guarded_adapter(%this, %earlier, %s)
      : (!ts, !ts, !f) -> (!known, !x, !up, !h, !down, !x, !f)
  %a = nn.call @adapter(%x, %this, %earlier, %s, %W0, %b0, %W1, %b1, %W2, %b2)
      : (!x, !ts, !ts, !f, !known, !x, !up, !h, !down, !x) -> !x
  %y = nn.call @scores(%a, %this) : (!x, !ts) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
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
  %this, %earlier = nn.call @task_flags(%task) : (!id) -> (!ts, !ts)
  %y = nn.call @scores(%z, %this) : (!x, !ts) -> !y
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
