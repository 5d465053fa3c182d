// expressions.mlir - Arithmetic expressions: their tokens, and the classes of their values
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Simoulin 2022, section 7.3. A token is an integer, with a frozen DICE vector, or an operator,
// with a trained one.
nn.import "layers.mlir"
nn.sizes {width = 128, state = 192, inner = 256, classes = 100, places = 40}

!ids = tensor<?xi32>
!i = tensor<i32>
!x = tensor<?x128xf32>
!v = tensor<128xf32>
!before = tensor<1x128xf32>
!W = tensor<128x128xf32>
!four = tensor<4xf32>
!dice = tensor<103x128xf32>
!operators = tensor<3x128xf32>
!marked = tensor<5x128xf32>
!places = tensor<40x128xf32>

func.func private @embed_numbers(%numbers: !ids) -> !x {
  %dice = nn.param "dice" : !dice init <file("embeddings.safetensors", "dice")> frozen
  %x = nn.embed %numbers, %dice padding_id 0 : !ids, !dice
  return %x : !x
}

/// The vectors of tokens.
func.func private @embed_tokens(%numbers: !ids, %operators: !ids) -> !x {
  %ops = nn.param "operators" : !operators init <file("embeddings.safetensors", "operators")>
  %xn = nn.call @embed_numbers(%numbers) : (!ids) -> !x
  %xo = nn.embed %operators, %ops padding_id 0 : !ids, !operators
  %x = arith.addf %xn, %xo : !x
  return %x : !x
}

/// How far everything behind [CLS] is moved: drawn from 0 to 15 for each example while training, by
/// four dropped or kept ones (0 or 2, so that d (d - 1) / 2 is a bit); else 0.
func.func private @offset() -> !i {
  %ones = arith.constant dense<1.0> : !four
  %weights = arith.constant dense<[0.5, 1.0, 2.0, 4.0]> : !four
  %d = nn.dropout %ones rate 0.5 : !four
  %d1 = arith.subf %d, %ones : !four
  %bits = arith.mulf %d, %d1 : !four
  %weighted = arith.mulf %bits, %weights : !four
  %sum = nn.sum %weighted over 0 : !four
  %offset = arith.fptosi %sum : tensor<f32> to !i
  return %offset : !i
}

/// The numbers of the places: 0 for [CLS], then 1 + offset, 2 + offset, ...
func.func private @places_of(%numbers: !ids) -> !ids {
  %o = nn.call @offset() : () -> !i
  %i = nn.positions %numbers limit 24 : !ids
  %behind = nn.positions %numbers limit 2 : !ids
  %os = nn.broadcast %o dims [] like %i : !i, !ids -> !ids
  %move = arith.muli %behind, %os : !ids
  %place = arith.addi %i, %move : !ids
  return %place : !ids
}

/// norm(token + place), of tokens between [CLS] and [SEP].
func.func private @embed_marked(%numbers: !ids, %operators: !ids) -> !x {
  %marked = nn.param "marked" : !marked init <file("embeddings.safetensors", "marked")>
  %places = nn.param "places" : !places init <truncated_normal(0.0, 0.05)>
  %xn = nn.call @embed_numbers(%numbers) : (!ids) -> !x
  %xo = nn.embed %operators, %marked padding_id 0 : !ids, !marked
  %i = nn.call @places_of(%numbers) : (!ids) -> !ids
  %p = nn.embed %i, %places : !ids, !places
  %w = arith.addf %xn, %xo : !x
  %e = arith.addf %w, %p : !x
  %x = nn.call @norm(%e) in "norm" with {eps = 1.0e-5} : (!x) -> !x
  return %x : !x
}

/// The scores of the values 1 to 100, from the vector of an expression.
func.func private @classify(%s: tensor<192xf32>) -> tensor<100xf32> {
  %a = nn.call @dense_one(%s) in "hidden" : (tensor<192xf32>) -> tensor<256xf32>
  %r = nn.relu %a : tensor<256xf32>
  %y = nn.call @dense_one(%r) in "values" : (tensor<256xf32>) -> tensor<100xf32>
  return %y : tensor<100xf32>
}

/// W x + U h + b
func.func private @sequence_gate(%x: !v, %h: !v) -> !v {
  %W = nn.param "W" : !W init <normal(0.0, 0.5)>
  %U = nn.param "U" : !W init <orthogonal>
  %b = nn.param "b" : !v init #nn.given<"bias" = #nn.init<zeros>> no_decay
  %wx = nn.linear %x, %W, %b : !v, !W, !v
  %uh = nn.linear %h, %U : !v, !W
  %y = arith.addf %wx, %uh : !v
  return %y : !v
}

/// The state of an LSTM after the last token of a chain (equations 3.5-3.10).
func.func private @read(%chain: !tree.tree, %x: !x) -> !v {
  %h, %c = tree.fold %chain nodes(%xt = %x : !v) children(%hp : !before, %cp : !before) -> (!v, !v) {
    %h0 = nn.reshape %hp : !before -> !v
    %c0 = nn.reshape %cp : !before -> !v
    // i, o, f = sigmoid(W x + U h + b), u = tanh(W x + U h + b)
    %ia = nn.call @sequence_gate(%xt, %h0) in "i" : (!v, !v) -> !v
    %oa = nn.call @sequence_gate(%xt, %h0) in "o" : (!v, !v) -> !v
    %fa = nn.call @sequence_gate(%xt, %h0) in "f" with {bias = #nn.init<constant(1.0)>} : (!v, !v) -> !v
    %ua = nn.call @sequence_gate(%xt, %h0) in "u" : (!v, !v) -> !v
    %i = nn.sigmoid %ia : !v
    %o = nn.sigmoid %oa : !v
    %f = nn.sigmoid %fa : !v
    %u = math.tanh %ua : !v
    // c = i * u + f * c', h = o * tanh(c)
    %iu = arith.mulf %i, %u : !v
    %fc = arith.mulf %f, %c0 : !v
    %ct = arith.addf %iu, %fc : !v
    %tc = math.tanh %ct : !v
    %ht = arith.mulf %o, %tc : !v
    tree.yield %ht, %ct : !v, !v
  }
  %last = tree.root %chain, %h : !x
  return %last : !v
}
