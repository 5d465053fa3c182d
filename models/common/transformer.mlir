// transformer.mlir - Layers of encoders, with the norm behind the sum
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// J. Devlin et al.: BERT. NAACL 2019. Z. Lan et al.: ALBERT. ICLR 2020.
//
// `width` and `words` follow from types; a call gives what does not, and what differs from this:
// `with {heads = 12, inner = 3072, places = 512, init = ..., eps = ...}`.
nn.import "layers.mlir"
nn.sizes {words = 4000, places = 256, width = 128, joined = 3 * width, inner = 512}

#init = #nn.given<"init" = #nn.init<truncated_normal(0.0, 0.02)>>
#heads = #nn.given<"heads" = 4>
#layers = #nn.given<"layers" = 6>

!ids = tensor<?xi32>
!table = tensor<4000x128xf32>
!x = tensor<?x128xf32>
!one = tensor<128xf32>
!qkv = tensor<?x384xf32>
!inner = tensor<?x512xf32>

//===--- Embeddings ---===//

/// The vectors of words; masked words are scored with the same ones.
func.func private @word_table() -> !table {
  %words = nn.param "words" : !table init #init
  return %words : !table
}

/// word + place
func.func private @embed_words(%tokens: !ids, %words: !table) -> !x {
  %places = nn.param "places" : tensor<256x128xf32> init #init
  %i = nn.positions %tokens limit 256 : !ids
  %w = nn.embed %tokens, %words : !ids, !table
  %p = nn.embed %i, %places : !ids, tensor<256x128xf32>
  %x = arith.addf %w, %p : !x
  return %x : !x
}

/// norm(word + place + segment)
func.func private @embed(%tokens: !ids, %segments: !ids, %words: !table) -> !x {
  %two = nn.param "segments" : tensor<2x128xf32> init #init
  %wp = nn.call @embed_words(%tokens, %words) : (!ids, !table) -> !x
  %s = nn.embed %segments, %two : !ids, tensor<2x128xf32>
  %x = nn.call @add_norm(%wp, %s) in "norm" : (!x, !x) -> !x
  return %x : !x
}

//===--- Layers ---===//

/// norm(x + y)
func.func private @add_norm(%x: !x, %y: !x) -> !x {
  %s = arith.addf %x, %y : !x
  %n = nn.call @norm(%s) : (!x) -> !x
  return %n : !x
}

/// softmax(Q K^T / sqrt(d)) V for each head, and a product of the heads side by side.
func.func private @attend(%x: !x) -> !x {
  %q = nn.call @dense(%x) in "query" : (!x) -> !x
  %k = nn.call @dense(%x) in "key" : (!x) -> !x
  %v = nn.call @dense(%x) in "value" : (!x) -> !x
  %a = nn.attention %q, %k, %v heads #heads : !x, !x, !x
  %o = nn.call @dense(%a) in "output" : (!x) -> !x
  return %o : !x
}

/// The same, with queries, keys and values of one product.
func.func private @attend_joined(%x: !x) -> !x {
  %qkv = nn.call @dense(%x) in "qkv" : (!x) -> !qkv
  %q, %k, %v = nn.split %qkv over 1 sizes [128, 128, 128] : !qkv
  %a = nn.attention %q, %k, %v heads #heads : !x, !x, !x
  %o = nn.call @dense(%a) in "output" : (!x) -> !x
  return %o : !x
}

/// W_2 gelu(W_1 x + b_1) + b_2
func.func private @feed(%x: !x) -> !x {
  %a = nn.call @dense(%x) in "inner" : (!x) -> !inner
  %h = nn.gelu %a : !inner
  %y = nn.call @dense(%h) in "outer" : (!inner) -> !x
  return %y : !x
}

/// The same, with the approximation of gelu.
func.func private @feed_tanh(%x: !x) -> !x {
  %a = nn.call @dense(%x) in "inner" : (!x) -> !inner
  %h = nn.gelu %a tanh : !inner
  %y = nn.call @dense(%h) in "outer" : (!inner) -> !x
  return %y : !x
}

/// A layer of BERT: y = norm(x + attend(x)), norm(y + feed(y)).
func.func private @layer(%x: !x) -> !x {
  %a = nn.call @attend(%x) : (!x) -> !x
  %y = nn.call @add_norm(%x, %a) in "attention_norm" : (!x, !x) -> !x
  %f = nn.call @feed(%y) : (!x) -> !x
  %z = nn.call @add_norm(%y, %f) in "feed_norm" : (!x, !x) -> !x
  return %z : !x
}

/// The same, with @attend_joined.
func.func private @joined_layer(%x: !x) -> !x {
  %a = nn.call @attend_joined(%x) : (!x) -> !x
  %y = nn.call @add_norm(%x, %a) in "attention_norm" : (!x, !x) -> !x
  %f = nn.call @feed(%y) : (!x) -> !x
  %z = nn.call @add_norm(%y, %f) in "feed_norm" : (!x, !x) -> !x
  return %z : !x
}

/// A layer of ALBERT: with @feed_tanh.
func.func private @albert_layer(%x: !x) -> !x {
  %a = nn.call @attend(%x) : (!x) -> !x
  %y = nn.call @add_norm(%x, %a) in "attention_norm" : (!x, !x) -> !x
  %f = nn.call @feed_tanh(%y) : (!x) -> !x
  %z = nn.call @add_norm(%y, %f) in "feed_norm" : (!x, !x) -> !x
  return %z : !x
}

//===--- Adaptive depth ---===//

/// With which probability a word stops: sigmoid(W h + b).
func.func private @halt(%h: !x, %W: tensor<128x1xf32>, %b: tensor<1xf32>) -> tensor<?xf32> {
  %l = nn.linear %h, %W, %b : !x, tensor<128x1xf32>, tensor<1xf32>
  %p = nn.sigmoid %l : tensor<?x1xf32>
  %y = nn.reshape %p : tensor<?x1xf32> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

/// tau (N + R), summed over the words (A. Simoulin 2022, equations 6.13 and 6.14).
func.func private @price(%steps: !ids, %remainder: tensor<?xf32>) -> tensor<f32> {
  %tau = nn.constant "tau" = 0.001 : tensor<f32>
  %n = arith.sitofp %steps : !ids to tensor<?xf32>
  %nr = arith.addf %n, %remainder : tensor<?xf32>
  %sum = nn.sum %nr over 0 : tensor<?xf32>
  %price = arith.mulf %tau, %sum : tensor<f32>
  return %price : tensor<f32>
}

/// The state of the first word, [CLS].
func.func private @first(%h: !x) -> !one {
  %zero = arith.constant dense<0> : tensor<i32>
  %y = nn.take %h, %zero : !x, tensor<i32>
  return %y : !one
}

//===--- BERT ---===//

/// The states of the last layer.
func.func private @bert(%tokens: !ids, %segments: !ids) -> !x {
  %words = nn.call @word_table() in "embeddings" : () -> !table
  %e = nn.call @embed(%tokens, %segments, %words) in "embeddings" : (!ids, !ids, !table) -> !x
  %h = depth.iterate #layers stacked "layer" carried(%x = %e : !x) {
    %y = nn.call @layer(%x) : (!x) -> !x
    depth.yield %y : !x
  }
  return %h : !x
}
