// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text by the adapters of three tasks, of which each word takes what it needs.
//
// J. Pfeiffer et al.: AdapterFusion: Non-Destructive Task Composition for Transfer Learning. EACL 2021,
// section 3.2: of a word with the product h of a layer, and z_n behind adapter n, the weights are
// softmax over n of (h Q) . (z_n K), and what follows is the sum of the weighted z_n V. The encoder and
// the adapters, which `join` takes from trainings of adapter.mlir, are constants of the step. V begins
// near the identity: it is stored as V - I.
nn.import "../common/transformer.mlir"
nn.sizes {words = 30522, width = 384, bottleneck = 24, classes = 2}

#layers = #nn.given<"layers" = 6>
#encoder = {heads = #nn.given<"heads" = 12>, inner = #nn.given<"inner" = 1536>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!s = tensor<?xf32>
!s1 = tensor<?x1xf32>
!s3 = tensor<?x3xf32>
!table = tensor<30522x384xf32>
!x = tensor<?x384xf32>
!one = tensor<384xf32>
!z = tensor<?x24xf32>
!W = tensor<384x384xf32>
!down = tensor<384x24xf32>
!up = tensor<24x384xf32>
!y = tensor<2xf32>

/// x + W_2 relu(W_1 x + b_1) + b_2, of one task.
func.func private @adapter(%x: !x) -> !x {
  %W1 = nn.param "down.W" : !down init <normal(0.0, 0.02)> group "adapter"
  %b1 = nn.param "down.b" : tensor<24xf32> group "adapter" no_decay
  %W2 = nn.param "up.W" : !up init <normal(0.0, 0.02)> group "adapter"
  %b2 = nn.param "up.b" : !one group "adapter" no_decay
  %z = nn.linear %x, %W1, %b1 : !x, !down, tensor<24xf32>
  %r = nn.relu %z : !z
  %u = nn.linear %r, %W2, %b2 : !z, !up, !one
  %y = arith.addf %x, %u : !x
  return %y : !x
}

/// (h Q) . (z K) of each row, with hQ at hand.
func.func private @score(%q: !x, %z: !x, %K: !W, %k: !one) -> !s1 {
  %zk = nn.linear %z, %K, %k : !x, !W, !one
  %m = arith.mulf %q, %zk : !x
  %s = nn.sum %m over 1 : !x
  %y = nn.reshape %s : !s -> !s1
  return %y : !s1
}

/// w (z + z V') of each row.
func.func private @weighted(%w: !s1, %z: !x, %V: !W) -> !x {
  %v = nn.linear %z, %V : !x, !W
  %a = arith.addf %z, %v : !x
  %s = nn.reshape %w : !s1 -> !s
  %ws = nn.broadcast %s dims [0] like %z : !s, !x -> !x
  %y = arith.mulf %a, %ws : !x
  return %y : !x
}

func.func private @fuse(%h: !x) -> !x {
  %Q = nn.param "query.W" : !W init <normal(0.0, 0.02)> group "fusion"
  %q = nn.param "query.b" : !one group "fusion" no_decay
  %K = nn.param "key.W" : !W init <normal(0.0, 0.02)> group "fusion"
  %k = nn.param "key.b" : !one group "fusion" no_decay
  %V = nn.param "value.W" : !W init <normal(0.0, 0.001)> group "fusion"
  %z1 = nn.call @adapter(%h) in "1" : (!x) -> !x
  %z2 = nn.call @adapter(%h) in "2" : (!x) -> !x
  %z3 = nn.call @adapter(%h) in "3" : (!x) -> !x
  %hq = nn.linear %h, %Q, %q : !x, !W, !one
  %s1 = nn.call @score(%hq, %z1, %K, %k) : (!x, !x, !W, !one) -> !s1
  %s2 = nn.call @score(%hq, %z2, %K, %k) : (!x, !x, !W, !one) -> !s1
  %s3 = nn.call @score(%hq, %z3, %K, %k) : (!x, !x, !W, !one) -> !s1
  %s = nn.concat %s1, %s2, %s3 over 1 : !s1, !s1, !s1
  %w = nn.softmax %s over 1 : !s3
  %w1, %w2, %w3 = nn.split %w over 1 sizes [1, 1, 1] : !s3
  %o1 = nn.call @weighted(%w1, %z1, %V) : (!s1, !x, !W) -> !x
  %o2 = nn.call @weighted(%w2, %z2, %V) : (!s1, !x, !W) -> !x
  %o3 = nn.call @weighted(%w3, %z3, %V) : (!s1, !x, !W) -> !x
  %o12 = arith.addf %o1, %o2 : !x
  %o = arith.addf %o12, %o3 : !x
  return %o : !x
}

/// y = norm(x + attend(x)), norm(y + fuse(feed(y))).
func.func private @fused_layer(%x: !x) -> !x {
  %a = nn.call @attend(%x) : (!x) -> !x
  %y = nn.call @add_norm(%x, %a) in "attention_norm" : (!x, !x) -> !x
  %f = nn.call @feed(%y) : (!x) -> !x
  %d = nn.call @fuse(%f) in "fusion" : (!x) -> !x
  %z = nn.call @add_norm(%y, %d) in "feed_norm" : (!x, !x) -> !x
  return %z : !x
}

/// The mean of the last states.
func.func private @vector(%tokens: !ids, %segments: !ids) -> !one {
  %words = nn.call @word_table() in "embeddings" : () -> !table
  %e = nn.call @embed(%tokens, %segments, %words) in "embeddings" : (!ids, !ids, !table) -> !x
  %h = depth.iterate #layers stacked "layer" carried(%x = %e : !x) {
    %y = nn.call @fused_layer(%x) : (!x) -> !x
    depth.yield %y : !x
  }
  %m = nn.mean %h over 0 : !x
  return %m : !one
}

func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !y {
  %W = nn.param "classes.W" : tensor<384x2xf32> init <xavier_uniform> group "fusion"
  %b = nn.param "classes.b" : !y group "fusion" no_decay
  %v = nn.call @vector(%tokens, %segments) with #encoder : (!ids, !ids) -> !one
  %y = nn.linear %v, %W, %b : !one, tensor<384x2xf32>, !y
  return %y : !y
}

func.func @loss(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens, %segments) : (!ids, !ids) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss updates ["fusion"] optimizer #train.optimizer<adam>
