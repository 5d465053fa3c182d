// one_stack.mlir - One Transformer for a text in front and the text behind it
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L. Dong et al.: Unified Language Model Pre-training for Natural Language Understanding and
// Generation. NeurIPS 2019: the same layers read and write, and what a word sees is all that differs.
// Words in front see one another, or those before them; words behind see all in front and those
// before them, which is `causal` with keys in front. A search keeps the keys of its words; the keys in
// front are there once. There are two layers, parts and layers are those of translation.mlir.
nn.import "translation.mlir"
nn.sizes {words = 8000, heads = 4, columns = 32, width = heads * columns}

#heads = #nn.given<"heads" = 4>
#inner = {inner = #nn.given<"inner" = 512>}
#eps = {eps = 1.0e-6}

!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!scores = tensor<?x4xf32>
!part = tensor<4x32xf32>
!parts = tensor<?x4x32xf32>

//===--- Parts of a layer ---===//

/// Queries, keys and values of the norm of x.
func.func private @parts_of(%x: !xs) -> (!xs, !xs, !xs) {
  %n = nn.call @norm(%x) in "self.norm" with #eps : (!xs) -> !xs
  %q, %k, %v = nn.call @project(%n, %n) in "self" : (!xs, !xs) -> (!xs, !xs, !xs)
  return %q, %k, %v : !xs, !xs, !xs
}

/// What follows on attention in a layer.
func.func private @rest(%x: !xs, %a: !xs) -> !xs {
  %o = nn.call @dense(%a) in "self.output" : (!xs) -> !xs
  %y = nn.call @add(%x, %o) : (!xs, !xs) -> !xs
  %z = nn.call @feed(%y) with #inner : (!xs) -> !xs
  return %z : !xs
}

/// Attention of one query to keys in front and to keys of its own, in one softmax of each head.
func.func private @look_at_both(%q: !x, %front: !xs, %front_values: !xs, %own: !xs, %own_values: !xs)
    -> !x {
  %k = nn.append %front, %own : !xs, !xs
  %v = nn.append %front_values, %own_values : !xs, !xs
  %ks = nn.reshape %k : !xs -> !parts
  %vs = nn.reshape %v : !xs -> !parts
  %qh = nn.reshape %q : !x -> !part
  %qs = nn.broadcast %qh dims [1, 2] like %ks : !part, !parts -> !parts
  %ones = arith.constant dense<1.0> : tensor<32xf32>
  %columns = nn.sum %ones over 0 : tensor<32xf32>
  %root = math.sqrt %columns : tensor<f32>
  %p = arith.mulf %qs, %ks : !parts
  %d = nn.sum %p over 2 : !parts
  %roots = nn.broadcast %root dims [] like %d : tensor<f32>, !scores -> !scores
  %s = arith.divf %d, %roots : !scores
  %a = nn.softmax %s over 0 : !scores
  %as = nn.broadcast %a dims [0, 1] : !scores -> !parts
  %av = arith.mulf %as, %vs : !parts
  %y = nn.sum %av over 0 : !parts
  %o = nn.reshape %y : !part -> !x
  return %o : !x
}

//===--- Layers ---===//

/// Words in front, which see one another; also their keys and values.
func.func private @front_layer(%x: !xs) -> (!xs, !xs, !xs) {
  %q, %k, %v = nn.call @parts_of(%x) : (!xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads : !xs, !xs, !xs
  %y = nn.call @rest(%x, %a) : (!xs, !xs) -> !xs
  return %y, %k, %v : !xs, !xs, !xs
}

/// The same of words that see those before them alone.
func.func private @past_layer(%x: !xs) -> (!xs, !xs, !xs) {
  %q, %k, %v = nn.call @parts_of(%x) : (!xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads causal : !xs, !xs, !xs
  %y = nn.call @rest(%x, %a) : (!xs, !xs) -> !xs
  return %y, %k, %v : !xs, !xs, !xs
}

/// All words behind, beside the keys and values in front.
func.func private @behind_layer(%x: !xs, %front: !xs, %front_values: !xs) -> !xs {
  %q, %k, %v = nn.call @parts_of(%x) : (!xs) -> (!xs, !xs, !xs)
  %ks = nn.append %front, %k : !xs, !xs
  %vs = nn.append %front_values, %v : !xs, !xs
  %a = nn.attention %q, %ks, %vs heads #heads causal : !xs, !xs, !xs
  %y = nn.call @rest(%x, %a) : (!xs, !xs) -> !xs
  return %y : !xs
}

/// The last word of each hypothesis, which keeps the keys and values of its words.
func.func private @behind_layer_step(%x: !xs, %front: !xs, %front_values: !xs, %keys: !own,
                                     %values: !own) -> (!xs, !own, !own) {
  %q, %k, %v = nn.call @parts_of(%x) : (!xs) -> (!xs, !xs, !xs)
  %ks = depth.append %keys, %k : !own, !xs
  %vs = depth.append %values, %v : !own, !xs
  %a = nn.each rows(%qi = %q : !x, %ki = %ks : !xs, %vi = %vs : !xs) -> (!x) {
    %ai = nn.call @look_at_both(%qi, %front, %front_values, %ki, %vi)
      with {heads = #heads} : (!x, !xs, !xs, !xs, !xs) -> !x
    nn.yield %ai : !x
  }
  %y = nn.call @rest(%x, %a) : (!xs, !xs) -> !xs
  return %y, %ks, %vs : !xs, !own, !own
}

//===--- Both layers ---===//

/// Keys and values of both layers for a text in front, whose words see one another.
func.func private @front(%x: !xs) -> (!xs, !xs, !xs, !xs) {
  %a, %k0, %v0 = nn.call @front_layer(%x) in "layer.0" : (!xs) -> (!xs, !xs, !xs)
  %b, %k1, %v1 = nn.call @front_layer(%a) in "layer.1" : (!xs) -> (!xs, !xs, !xs)
  return %k0, %v0, %k1, %v1 : !xs, !xs, !xs, !xs
}

/// The same of one whose words see those before them, and what is known behind each word.
func.func private @past(%x: !xs) -> (!xs, !xs, !xs, !xs, !xs) {
  %a, %k0, %v0 = nn.call @past_layer(%x) in "layer.0" : (!xs) -> (!xs, !xs, !xs)
  %b, %k1, %v1 = nn.call @past_layer(%a) in "layer.1" : (!xs) -> (!xs, !xs, !xs)
  %y = nn.call @norm(%b) in "norm" with #eps : (!xs) -> !xs
  return %y, %k0, %v0, %k1, %v1 : !xs, !xs, !xs, !xs, !xs
}

/// What is known behind each word of a text behind.
func.func private @behind(%x: !xs, %fk0: !xs, %fv0: !xs, %fk1: !xs, %fv1: !xs) -> !xs {
  %a = nn.call @behind_layer(%x, %fk0, %fv0) in "layer.0" : (!xs, !xs, !xs) -> !xs
  %b = nn.call @behind_layer(%a, %fk1, %fv1) in "layer.1" : (!xs, !xs, !xs) -> !xs
  %y = nn.call @norm(%b) in "norm" with #eps : (!xs) -> !xs
  return %y : !xs
}

/// The same for the last word of each hypothesis.
func.func private @behind_step(%x: !xs, %fk0: !xs, %fv0: !xs, %fk1: !xs, %fv1: !xs, %k0: !own,
                               %v0: !own, %k1: !own, %v1: !own) -> (!xs, !own, !own, !own, !own) {
  %a, %ka, %va = nn.call @behind_layer_step(%x, %fk0, %fv0, %k0, %v0) in "layer.0"
    : (!xs, !xs, !xs, !own, !own) -> (!xs, !own, !own)
  %b, %kb, %vb = nn.call @behind_layer_step(%a, %fk1, %fv1, %k1, %v1) in "layer.1"
    : (!xs, !xs, !xs, !own, !own) -> (!xs, !own, !own)
  %y = nn.call @norm(%b) in "norm" with #eps : (!xs) -> !xs
  return %y, %ka, %va, %kb, %vb : !xs, !own, !own, !own, !own
}
