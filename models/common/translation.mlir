// translation.mlir - A Transformer that reads a text and writes another
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each part is x + f(norm(x)). The decoder has two layers: a search keeps keys and values of each.
nn.import "layers.mlir"
nn.sizes {words = 8000, places = 256, width = 128, inner = 512}

#heads = #nn.given<"heads" = 4>
#layers = #nn.given<"layers" = 2>
#dropout = #nn.given<"dropout" = 0.1>

!f = tensor<f32>
!ids = tensor<?xi32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!inner = tensor<?x512xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>

//===--- Words and places ---===//

/// sqrt(width) word + place
func.func private @vectors(%tokens: !ids, %numbers: !ids, %E: !E, %P: !P) -> !xs {
  %same = arith.constant dense<1.0> : tensor<128xf32>
  %width = nn.sum %same over 0 : tensor<128xf32>
  %root = math.sqrt %width : !f
  %w = nn.embed %tokens, %E : !ids, !E
  %roots = nn.broadcast %root dims [] like %w : !f, !xs -> !xs
  %wr = arith.mulf %w, %roots : !xs
  %p = nn.embed %numbers, %P : !ids, !P
  %x = arith.addf %wr, %p : !xs
  %d = nn.dropout %x rate #dropout : !xs
  return %d : !xs
}

/// With the table of the inputs.
func.func private @scores(%y: !xs, %E: !E) -> tensor<?x8000xf32> {
  %Et = nn.transpose %E perm [1, 0] : !E
  %s = nn.linear %y, %Et : !xs, tensor<128x8000xf32>
  return %s : tensor<?x8000xf32>
}

//===--- Parts of a layer ---===//

/// x + what was computed of its norm
func.func private @add(%x: !xs, %y: !xs) -> !xs {
  %d = nn.dropout %y rate #dropout : !xs
  %z = arith.addf %x, %d : !xs
  return %z : !xs
}

func.func private @project(%x: !xs, %of: !xs) -> (!xs, !xs, !xs) {
  %q = nn.call @dense(%x) in "query" : (!xs) -> !xs
  %k = nn.call @dense(%of) in "key" : (!xs) -> !xs
  %v = nn.call @dense(%of) in "value" : (!xs) -> !xs
  return %q, %k, %v : !xs, !xs, !xs
}

/// Attention of x to the rows of a memory.
func.func private @look(%x: !xs, %memory: !xs) -> !xs {
  %q, %k, %v = nn.call @project(%x, %memory) : (!xs, !xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads : !xs, !xs, !xs
  %o = nn.call @dense(%a) in "output" : (!xs) -> !xs
  return %o : !xs
}

/// Attention of each word to those before it, and itself.
func.func private @look_back(%x: !xs) -> !xs {
  %q, %k, %v = nn.call @project(%x, %x) : (!xs, !xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads causal : !xs, !xs, !xs
  %o = nn.call @dense(%a) in "output" : (!xs) -> !xs
  return %o : !xs
}

/// The same for the last word of each hypothesis; keys and values with its own behind them.
func.func private @look_back_step(%x: !xs, %keys: !own, %values: !own) -> (!xs, !own, !own) {
  %q, %k, %v = nn.call @project(%x, %x) : (!xs, !xs) -> (!xs, !xs, !xs)
  %ks = depth.append %keys, %k : !own, !xs
  %vs = depth.append %values, %v : !own, !xs
  %a = nn.attention %q, %ks, %vs heads #heads : !xs, !own, !own
  %o = nn.call @dense(%a) in "output" : (!xs) -> !xs
  return %o, %ks, %vs : !xs, !own, !own
}

/// W_2 relu(W_1 norm(x) + b_1) + b_2 + x
func.func private @feed(%x: !xs) -> !xs {
  %n = nn.call @norm(%x) in "feed.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %a = nn.call @dense(%n) in "feed.inner" : (!xs) -> !inner
  %h = nn.relu %a : !inner
  %y = nn.call @dense(%h) in "feed.outer" : (!inner) -> !xs
  %z = nn.call @add(%x, %y) : (!xs, !xs) -> !xs
  return %z : !xs
}

//===--- Layers ---===//

func.func private @encoder(%x: !xs) -> !xs {
  %h = depth.iterate #layers stacked "layer" carried(%y = %x : !xs) {
    %n = nn.call @norm(%y) in "self.norm" with {eps = 1.0e-6} : (!xs) -> !xs
    %a = nn.call @look(%n, %n) in "self" : (!xs, !xs) -> !xs
    %b = nn.call @add(%y, %a) : (!xs, !xs) -> !xs
    %z = nn.call @feed(%b) : (!xs) -> !xs
    depth.yield %z : !xs
  }
  %m = nn.call @norm(%h) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %m : !xs
}

/// What follows in a layer of the decoder on the attention to words before.
func.func private @look_aside(%x: !xs, %back: !xs, %memory: !xs) -> !xs {
  %y = nn.call @add(%x, %back) : (!xs, !xs) -> !xs
  %n = nn.call @norm(%y) in "aside.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %a = nn.call @look(%n, %memory) in "aside" : (!xs, !xs) -> !xs
  %b = nn.call @add(%y, %a) : (!xs, !xs) -> !xs
  %z = nn.call @feed(%b) : (!xs) -> !xs
  return %z : !xs
}

func.func private @decoder_layer(%x: !xs, %memory: !xs) -> !xs {
  %n = nn.call @norm(%x) in "back.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %b = nn.call @look_back(%n) in "back" : (!xs) -> !xs
  %y = nn.call @look_aside(%x, %b, %memory) : (!xs, !xs, !xs) -> !xs
  return %y : !xs
}

func.func private @decoder_layer_step(%x: !xs, %memory: !xs, %k: !own, %v: !own)
    -> (!xs, !own, !own) {
  %n = nn.call @norm(%x) in "back.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %b, %ks, %vs = nn.call @look_back_step(%n, %k, %v) in "back" : (!xs, !own, !own) -> (!xs, !own, !own)
  %y = nn.call @look_aside(%x, %b, %memory) : (!xs, !xs, !xs) -> !xs
  return %y, %ks, %vs : !xs, !own, !own
}

/// For all words of a target that is known.
func.func private @decoder(%x: !xs, %memory: !xs) -> !xs {
  %a = nn.call @decoder_layer(%x, %memory) in "0" : (!xs, !xs) -> !xs
  %b = nn.call @decoder_layer(%a, %memory) in "1" : (!xs, !xs) -> !xs
  %y = nn.call @norm(%b) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %y : !xs
}

/// For the last word of each hypothesis, with keys and values of those before it.
func.func private @decoder_step(%x: !xs, %memory: !xs, %k0: !own, %v0: !own, %k1: !own, %v1: !own)
    -> (!xs, !own, !own, !own, !own) {
  %a, %ka, %va = nn.call @decoder_layer_step(%x, %memory, %k0, %v0) in "0"
    : (!xs, !xs, !own, !own) -> (!xs, !own, !own)
  %b, %kb, %vb = nn.call @decoder_layer_step(%a, %memory, %k1, %v1) in "1"
    : (!xs, !xs, !own, !own) -> (!xs, !own, !own)
  %y = nn.call @norm(%b) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %y, %ka, %va, %kb, %vb : !xs, !own, !own, !own, !own
}

/// Log-probabilities of the words behind each of these, the next places, keys and values.
func.func private @write(%w: !ids, %i: !ids, %m: !xs, %E: !E, %P: !P, %k0: !own, %v0: !own, %k1: !own,
                         %v1: !own) -> (tensor<?x8000xf32>, !ids, !own, !own, !own, !own) {
  %x = nn.call @vectors(%w, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %p, %next, %ka, %va, %kb, %vb = nn.call @write_behind(%x, %i, %m, %E, %k0, %v0, %k1, %v1)
    : (!xs, !ids, !xs, !E, !own, !own, !own, !own)
    -> (tensor<?x8000xf32>, !ids, !own, !own, !own, !own)
  return %p, %next, %ka, %va, %kb, %vb : tensor<?x8000xf32>, !ids, !own, !own, !own, !own
}

/// The same of words whose vectors are given.
func.func private @write_behind(%x: !xs, %i: !ids, %m: !xs, %E: !E, %k0: !own, %v0: !own, %k1: !own,
                                %v1: !own) -> (tensor<?x8000xf32>, !ids, !own, !own, !own, !own) {
  %one = arith.constant dense<1> : tensor<i32>
  %ones = nn.broadcast %one dims [] like %i : tensor<i32>, !ids -> !ids
  %next = arith.addi %i, %ones : !ids
  %y, %ka, %va, %kb, %vb = nn.call @decoder_step(%x, %m, %k0, %v0, %k1, %v1) in "decoder"
    : (!xs, !xs, !own, !own, !own, !own) -> (!xs, !own, !own, !own, !own)
  %s = nn.call @scores(%y, %E) : (!xs, !E) -> tensor<?x8000xf32>
  %p = nn.log_softmax %s over 1 : tensor<?x8000xf32>
  return %p, %next, %ka, %va, %kb, %vb : tensor<?x8000xf32>, !ids, !own, !own, !own, !own
}
