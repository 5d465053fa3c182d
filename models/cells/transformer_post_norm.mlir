// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transformer encoder layer, normalization after the sum.
//
// A. Vaswani et al.: Attention Is All You Need. NeurIPS 2017, section 3.
// One layer, applied twice with the same weights (Lan et al.: ALBERT. ICLR 2020). No positions: it
// is the layer that is shown; the vector of a sentence is the mean.
nn.import "../common/attention.mlir"
nn.sizes {words = 2000, width = 96, inner = 384, classes = 5}

!words = tensor<?xi32>
!v = tensor<96xf32>
!x = tensor<?x96xf32>
!inner = tensor<?x384xf32>
!E = tensor<2000x96xf32>

/// W_2 gelu(W_1 x + b_1) + b_2.
func.func private @feed(%x: !x) -> !x {
  %a = nn.call @dense(%x) in "1" : (!x) -> !inner
  %h = nn.gelu %a : !inner
  %y = nn.call @dense(%h) in "2" : (!inner) -> !x
  return %y : !x
}

/// norm(x + attend(x)), then norm(y + feed(y)).
func.func private @layer(%x: !x) -> !x {
  %g_a = nn.param "attention.scale" : !v init <constant(1.0)> no_decay
  %s_a = nn.param "attention.shift" : !v no_decay
  %g_f = nn.param "feed.scale" : !v init <constant(1.0)> no_decay
  %s_f = nn.param "feed.shift" : !v no_decay
  %a = nn.call @attend(%x, %x) in "attention" with {heads = 2} : (!x, !x) -> !x
  %xa = arith.addf %x, %a : !x
  %y = nn.layer_norm %xa, %g_a, %s_a : !x, !v, !v
  %f = nn.call @feed(%y) in "feed" : (!x) -> !x
  %yf = arith.addf %y, %f : !x
  %z = nn.layer_norm %yf, %g_f, %s_f : !x, !v, !v
  return %z : !x
}

/// The mean of the words' vectors.
func.func @encode(%words: !words {cambium.name = "words"}) -> !v {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.5)>
  %x = nn.embed %words, %E : !words, !E
  %y = nn.call @layer(%x) in "layer" : (!x) -> !x
  %z = nn.call @layer(%y) in "layer" : (!x) -> !x
  %m = nn.mean %z over 0 : !x
  return %m : !v
}

/// Cross entropy of a linear layer over the sentence's vector.
func.func @loss(%words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%words) : (!words) -> !v
  %y = nn.call @dense_one(%h) in "classes" : (!v) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  clip_norm 5.0
