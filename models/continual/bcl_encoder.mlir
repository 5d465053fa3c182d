// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opinions on things, task by task, by layers within a published encoder.
//
// Z. Ke, H. Xu, B. Liu: Adapting BERT for Continual Learning of a Sequence of Aspect Sentiment
// Classification Tasks. NAACL 2021 (B-CL): in each layer of the encoder, which stays as it is, an
// adapter of each word behind the attention and one behind what the layer feeds. The encoder is
// all-MiniLM-L6-v2; its norms stay, too (the paper trains them).
nn.import "../common/task_adapter.mlir"
nn.import "../common/transformer.mlir"
nn.sizes {words = 30522, width = 384, hidden = 500, tasks = 6, classes = 3, scores = tasks * classes,
          said = 12}

#layers = #nn.given<"layers" = 6>
#places = {places = #nn.given<"places" = 512>}
#heads = {heads = #nn.given<"heads" = 12>}
#inner = {inner = #nn.given<"inner" = 1536>}

!f = tensor<f32>
!id = tensor<i32>
!ids = tensor<?xi32>
!table = tensor<30522x384xf32>
!xs = tensor<?x384xf32>
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

/// An adapter for each word.
func.func private @adapted(%xs: !xs, %this: !ts, %earlier: !ts, %s: !f) -> !xs {
  %W0, %b0, %W1, %b1, %W2, %b2 = nn.call @adapter_weights()
      : () -> (!known, !x, !up, !h, !down, !x)
  %ys = nn.each rows(%x = %xs : !x) -> (!x) {
    %y = nn.call @adapter(%x, %this, %earlier, %s, %W0, %b0, %W1, %b1, %W2, %b2)
        : (!x, !ts, !ts, !f, !known, !x, !up, !h, !down, !x) -> !x
    nn.yield %y : !x
  }
  return %ys : !xs
}

/// The same while a task is trained, and what its units cost.
func.func private @guarded_adapted(%xs: !xs, %this: !ts, %earlier: !ts, %s: !f) -> (!xs, !f) {
  %W0, %b0, %W1, %b1, %W2, %b2, %price = nn.call @guarded_adapter(%this, %earlier, %s)
      : (!ts, !ts, !f) -> (!known, !x, !up, !h, !down, !x, !f)
  %ys = nn.each rows(%x = %xs : !x) -> (!x) {
    %y = nn.call @adapter(%x, %this, %earlier, %s, %W0, %b0, %W1, %b1, %W2, %b2)
        : (!x, !ts, !ts, !f, !known, !x, !up, !h, !down, !x) -> !x
    nn.yield %y : !x
  }
  return %ys, %price : !xs, !f
}

/// The states in front of the first layer.
func.func private @begin(%tokens: !ids, %segments: !ids) -> !xs {
  %words = nn.call @word_table() : () -> !table
  %e = nn.call @embed(%tokens, %segments, %words) : (!ids, !ids, !table) -> !xs
  return %e : !xs
}

/// The scores of the classes of a task, by an output of its own, of the mean of the states.
func.func private @scores(%xs: !xs, %this: !ts) -> !y {
  %W = nn.param "classes.W" : !out init <xavier_uniform> group "adapters"
  %b = nn.param "classes.b" : !z group "adapters" no_decay
  %m = nn.mean %xs over 0 : !xs
  %s = nn.linear %m, %W, %b : !x, !out, !z
  %all = nn.reshape %s : !z -> !all
  %y = nn.matmul %this, %all : !ts, !all
  return %y : !y
}

/// After a training: the gates are as hard as they become.
func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"},
                   %task: !id {cambium.name = "task"}) -> !y {
  %s = nn.constant "s_max" = 140.0 : !f
  %this, %earlier = nn.call @task_flags(%task) : (!id) -> (!ts, !ts)
  %e = nn.call @begin(%tokens, %segments) in "embeddings" with #places : (!ids, !ids) -> !xs
  %h = depth.iterate #layers stacked "layer" carried(%x = %e : !xs) {
    %a = nn.call @attend(%x) with #heads : (!xs) -> !xs
    %b = nn.call @adapted(%a, %this, %earlier, %s) in "attention_adapter"
        : (!xs, !ts, !ts, !f) -> !xs
    %y = nn.call @add_norm(%x, %b) in "attention_norm" : (!xs, !xs) -> !xs
    %f = nn.call @feed(%y) with #inner : (!xs) -> !xs
    %g = nn.call @adapted(%f, %this, %earlier, %s) in "feed_adapter" : (!xs, !ts, !ts, !f) -> !xs
    %z = nn.call @add_norm(%y, %g) in "feed_norm" : (!xs, !xs) -> !xs
    depth.yield %z : !xs
  }
  %y = nn.call @scores(%h, %this) : (!xs, !ts) -> !y
  return %y : !y
}

func.func @loss(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"},
                %task: !id {cambium.name = "task"}, %label: !id {cambium.name = "label"}) -> !f {
  %y = nn.call @predict(%tokens, %segments, %task) : (!ids, !ids, !id) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
  return %l : !f
}

/// While task number `task` is trained, with a hardness s that grows in each epoch.
func.func @task_loss(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                     %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"},
                     %task: !id {cambium.name = "task", cambium.per = "call"},
                     %s: !f {cambium.name = "s", cambium.per = "call"},
                     %label: !id {cambium.name = "label"}) -> !f {
  %this, %earlier = nn.call @task_flags(%task) : (!id) -> (!ts, !ts)
  %e = nn.call @begin(%tokens, %segments) in "embeddings" with #places : (!ids, !ids) -> !xs
  %nothing = arith.constant dense<0.0> : !f
  %h, %price = depth.iterate #layers stacked "layer" carried(%x = %e : !xs, %p = %nothing : !f) {
    %a = nn.call @attend(%x) with #heads : (!xs) -> !xs
    %b, %p1 = nn.call @guarded_adapted(%a, %this, %earlier, %s) in "attention_adapter"
        : (!xs, !ts, !ts, !f) -> (!xs, !f)
    %y = nn.call @add_norm(%x, %b) in "attention_norm" : (!xs, !xs) -> !xs
    %f = nn.call @feed(%y) with #inner : (!xs) -> !xs
    %g, %p2 = nn.call @guarded_adapted(%f, %this, %earlier, %s) in "feed_adapter"
        : (!xs, !ts, !ts, !f) -> (!xs, !f)
    %z = nn.call @add_norm(%y, %g) in "feed_norm" : (!xs, !xs) -> !xs
    %both = arith.addf %p1, %p2 : !f
    %sum = arith.addf %p, %both : !f
    depth.yield %z, %sum : !xs, !f
  }
  %y = nn.call @scores(%h, %this) : (!xs, !ts) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
  %sum = arith.addf %l, %price : !f
  return %sum : !f
}

train.step @train loss @task_loss updates ["adapters", "tasks"] optimizer #train.optimizer<adam>
