// factored.mlir - Attention that keeps what a word is and where it stands apart
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N. Kitaev, D. Klein: Constituency Parsing with a Self-Attentive Encoder. ACL 2018, section 4:
// a row is [content; place], and every product is of one half. A head's score is the sum of that of
// the contents and that of the places: its query has both parts side by side.
nn.import "layers.mlir"
nn.sizes {heads = 4, part = 32, joined = 2 * part, half = heads * part, width = 2 * half, inner = 512}

#dropout = #nn.given<"dropout" = 0.2>
#heads = #nn.given<"heads" = 4>
#split = {heads = #heads, part = #nn.given<"part" = 32>}
!h = tensor<?x128xf32>
!x = tensor<?x256xf32>
!parts = tensor<?x4x32xf32>
!both = tensor<?x4x64xf32>
!inner = tensor<?x512xf32>

/// [content; place] of each head, side by side.
func.func private @by_head(%c: !h, %p: !h) -> !x {
  %cs = nn.reshape %c : !h -> !parts
  %ps = nn.reshape %p : !h -> !parts
  %b = nn.concat %cs, %ps over 2 : !parts, !parts
  %y = nn.reshape %b : !both -> !x
  return %y : !x
}

/// The two halves of what heads have side by side.
func.func private @by_half(%x: !x) -> (!h, !h) {
  %b = nn.reshape %x : !x -> !both
  %cs, %ps = nn.split %b over 2 sizes [32, 32] : !both
  %c = nn.reshape %cs : !parts -> !h
  %p = nn.reshape %ps : !parts -> !h
  return %c, %p : !h, !h
}

/// A product of each half.
func.func private @dense_halves(%c: !h, %p: !h) -> (!h, !h) {
  %yc = nn.call @dense(%c) in "content" : (!h) -> !h
  %yp = nn.call @dense(%p) in "place" : (!h) -> !h
  return %yc, %yp : !h, !h
}

/// W_2 relu(W_1 x + b_1) + b_2 of one half.
func.func private @feed_half(%x: !h) -> !h {
  %a = nn.call @dense(%x) in "inner" : (!h) -> !inner
  %r = nn.relu %a : !inner
  %d = nn.dropout %r rate #dropout : !inner
  %y = nn.call @dense(%d) in "outer" : (!inner) -> !h
  return %y : !h
}

/// norm(x + dropout(y)) of one half.
func.func private @add_half(%x: !h, %y: !h) -> !h {
  %d = nn.dropout %y rate #dropout : !h
  %s = arith.addf %x, %d : !h
  %n = nn.call @norm(%s) : (!h) -> !h
  return %n : !h
}

/// A layer: attention, then two products, each with a sum and a norm behind it.
func.func private @factored_layer(%c: !h, %p: !h) -> (!h, !h) {
  %qc, %qp = nn.call @dense_halves(%c, %p) in "query" : (!h, !h) -> (!h, !h)
  %kc, %kp = nn.call @dense_halves(%c, %p) in "key" : (!h, !h) -> (!h, !h)
  %vc, %vp = nn.call @dense_halves(%c, %p) in "value" : (!h, !h) -> (!h, !h)
  %q = nn.call @by_head(%qc, %qp) with #split : (!h, !h) -> !x
  %k = nn.call @by_head(%kc, %kp) with #split : (!h, !h) -> !x
  %v = nn.call @by_head(%vc, %vp) with #split : (!h, !h) -> !x
  %a = nn.attention %q, %k, %v heads #heads : !x, !x, !x
  %ac, %ap = nn.call @by_half(%a) with #split : (!x) -> (!h, !h)
  %oc, %op = nn.call @dense_halves(%ac, %ap) in "output" : (!h, !h) -> (!h, !h)
  %c1 = nn.call @add_half(%c, %oc) in "content.norm" : (!h, !h) -> !h
  %p1 = nn.call @add_half(%p, %op) in "place.norm" : (!h, !h) -> !h
  %fc = nn.call @feed_half(%c1) in "content.feed" : (!h) -> !h
  %fp = nn.call @feed_half(%p1) in "place.feed" : (!h) -> !h
  %c2 = nn.call @add_half(%c1, %fc) in "content.feed_norm" : (!h, !h) -> !h
  %p2 = nn.call @add_half(%p1, %fp) in "place.feed_norm" : (!h, !h) -> !h
  return %c2, %p2 : !h, !h
}
