// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text, by a published encoder that stays as it is, with small layers between its own.
//
// J. Pfeiffer et al.: AdapterFusion: Non-Destructive Task Composition for Transfer Learning. EACL 2021,
// section 2.1.2 and figure 3: behind the product of a layer, x + W_2 relu(W_1 x + b_1) + b_2. All other
// parameters are constants of the step.
nn.import "../common/transformer.mlir"
nn.sizes {words = 30522, width = 384, bottleneck = 24, classes = 2}

#layers = #nn.given<"layers" = 6>
#encoder = {heads = #nn.given<"heads" = 12>, inner = #nn.given<"inner" = 1536>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!table = tensor<30522x384xf32>
!x = tensor<?x384xf32>
!one = tensor<384xf32>
!z = tensor<?x24xf32>
!down = tensor<384x24xf32>
!up = tensor<24x384xf32>
!y = tensor<2xf32>

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

/// A layer of BERT with an adapter: y = norm(x + attend(x)), norm(y + adapter(feed(y))).
func.func private @adapted_layer(%x: !x) -> !x {
  %a = nn.call @attend(%x) : (!x) -> !x
  %y = nn.call @add_norm(%x, %a) in "attention_norm" : (!x, !x) -> !x
  %f = nn.call @feed(%y) : (!x) -> !x
  %d = nn.call @adapter(%f) in "adapter" : (!x) -> !x
  %z = nn.call @add_norm(%y, %d) in "feed_norm" : (!x, !x) -> !x
  return %z : !x
}

/// The mean of the last states.
func.func private @vector(%tokens: !ids, %segments: !ids) -> !one {
  %words = nn.call @word_table() in "embeddings" : () -> !table
  %e = nn.call @embed(%tokens, %segments, %words) in "embeddings" : (!ids, !ids, !table) -> !x
  %h = depth.iterate #layers stacked "layer" carried(%x = %e : !x) {
    %y = nn.call @adapted_layer(%x) : (!x) -> !x
    depth.yield %y : !x
  }
  %m = nn.mean %h over 0 : !x
  return %m : !one
}

func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !y {
  %W = nn.param "classes.W" : tensor<384x2xf32> init <xavier_uniform> group "adapter"
  %b = nn.param "classes.b" : !y group "adapter" no_decay
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

train.step @train loss @loss updates ["adapter"] optimizer #train.optimizer<adam>
