// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tasks know together: capsules of tasks, of which a later task takes what it agrees with.
//
// Z. Ke, H. Xu, B. Liu: Adapting BERT for Continual Learning of a Sequence of Aspect Sentiment
// Classification Tasks. NAACL 2021 (B-CL), section 4.2. Routing by agreement: S. Sabour, N. Frosst,
// G. E. Hinton: Dynamic Routing between Capsules. NeurIPS 2017, procedure 1.
nn.sizes {tasks = 6, in = 384, capsule = 3, shared = 4, columns = shared * capsule,
          all = tasks * capsule}

!x = tensor<384xf32>
!ts = tensor<6xf32>
!p = tensor<6x3xf32>
!u = tensor<6x4x3xf32>
!b = tensor<6x4xf32>
!v = tensor<4x3xf32>
!row = tensor<12xf32>

/// |v|^2 / (1 + |v|^2) v / |v| of each capsule.
func.func private @squash(%v: !v) -> !v {
  %vv = arith.mulf %v, %v : !v
  %s = nn.sum %vv over 1 : !v
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %more = arith.addf %s, %one : tensor<4xf32>
  %part = arith.divf %s, %more : tensor<4xf32>
  %parts = nn.broadcast %part dims [0] : tensor<4xf32> -> !v
  %unit = nn.l2_normalize %v over 1 : !v
  %y = arith.mulf %unit, %parts : !v
  return %y : !v
}

/// -10000 for the tasks behind this one, else 0: what is not learned yet is not asked.
func.func private @not_yet(%this: !ts, %earlier: !ts) -> !b {
  %one = arith.constant dense<1.0> : !ts
  %known = arith.addf %this, %earlier : !ts
  %behind = arith.subf %one, %known : !ts
  %far = arith.constant dense<-10000.0> : !ts
  %out = arith.mulf %behind, %far : !ts
  %mask = nn.broadcast %out dims [0] : !ts -> !b
  return %mask : !b
}

/// The votes of the tasks for each shared capsule, by three iterations of routing.
func.func private @routed(%u: !u, %mask: !b) -> !v {
  %zero = arith.constant dense<0.0> : !b
  %none = arith.constant dense<0.0> : !v
  %b, %v = depth.iterate 3 carried(%logits = %zero : !b, %before = %none : !v) {
    %known = arith.addf %logits, %mask : !b
    %c = nn.softmax %known over 0 : !b
    %cs = nn.broadcast %c dims [0, 1] : !b -> !u
    %said = arith.mulf %cs, %u : !u
    %vote = nn.sum %said over 0 : !u
    %out = nn.call @squash(%vote) : (!v) -> !v
    %outs = nn.broadcast %out dims [1, 2] : !v -> !u
    %product = arith.mulf %outs, %u : !u
    %agree = nn.sum %product over 2 : !u
    %next = arith.addf %logits, %agree : !b
    depth.yield %next, %vote : !b, !v
  }
  return %v : !v
}

/// What the tasks up to this one say of x: all shared capsules, one behind the other.
func.func private @said_by_tasks(%x: !x, %this: !ts, %earlier: !ts) -> !row {
  %S = nn.param "own.W" : tensor<384x18xf32> init <xavier_uniform> group "adapters"
  %s = nn.param "own.b" : tensor<18xf32> group "adapters" no_decay
  %R = nn.param "route" : tensor<6x3x12xf32> init <normal(0.0, 0.3)> group "adapters"
  %h = nn.linear %x, %S, %s : !x, tensor<384x18xf32>, tensor<18xf32>
  %own = nn.reshape %h : tensor<18xf32> -> !p
  %p = nn.call @squash(%own) : (!p) -> !p
  %said = nn.matmul %p, %R batch_dims 1 : !p, tensor<6x3x12xf32>
  %u = nn.reshape %said : tensor<6x12xf32> -> !u
  %mask = nn.call @not_yet(%this, %earlier) : (!ts, !ts) -> !b
  %votes = nn.call @routed(%u, %mask) : (!u, !b) -> !v
  %row = nn.reshape %votes : !v -> !row
  return %row : !row
}
