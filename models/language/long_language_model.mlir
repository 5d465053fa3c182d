// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What word comes next in a text that goes on from line to line: language_model.mlir, which begins
// each line with the state behind the one before (`--carry before.h=state.h --carry before.c=state.c`).
//
// A. M. Dai, Q. V. Le: Semi-supervised Sequence Learning. NeurIPS 2015. The parameters have the names
// of language_model.mlir, and the same meaning.
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/perturbation.mlir"
nn.sizes {words = 20000, input = 256, hidden = 128}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!x = tensor<256xf32>
!xs = tensor<?x256xf32>
!h = tensor<128xf32>
!hs = tensor<?x128xf32>
!hp = tensor<1x128xf32>
!y = tensor<?x20000xf32>

/// The state in front of the first word, zeros in front of the others.
func.func private @in_front(%state: !h, %x: !xs) -> !hs {
  %i = nn.positions %x limit 2 : !xs
  %later = arith.sitofp %i : !ids to !fs
  %one = arith.constant dense<1.0> : !f
  %ones = nn.broadcast %one dims [] like %later : !f, !fs -> !fs
  %first = arith.subf %ones, %later : !fs
  %rows = nn.broadcast %first dims [0] : !fs -> !hs
  %states = nn.broadcast %state dims [1] like %rows : !h, !hs -> !hs
  %y = arith.mulf %rows, %states : !hs
  return %y : !hs
}

/// @lstm_states of ../common/lstm.mlir with a state in front of the first word; also the state behind
/// the last one.
func.func private @lstm_states_from(%chain: !tree.tree, %x: !xs, %h0: !h, %c0: !h) -> (!hs, !h, !h) {
  %b_i = nn.param "i.b" : !h no_decay
  %b_f = nn.param "f.b" : !h init <constant(1.0)> no_decay
  %b_o = nn.param "o.b" : !h no_decay
  %b_u = nn.param "u.b" : !h no_decay
  %hs0 = nn.call @in_front(%h0, %x) : (!h, !xs) -> !hs
  %cs0 = nn.call @in_front(%c0, %x) : (!h, !xs) -> !hs
  %h, %c = tree.fold %chain nodes(%xt = %x : !x, %hf = %hs0 : !h, %cf = %cs0 : !h)
      children(%h1 : !hp, %c1 : !hp) -> (!h, !h) {
    %hb = nn.reshape %h1 : !hp -> !h
    %cb = nn.reshape %c1 : !hp -> !h
    %hp = arith.addf %hb, %hf : !h
    %cp = arith.addf %cb, %cf : !h
    %i = nn.call @orthogonal_gate(%xt, %hp, %b_i) in "i" : (!x, !h, !h) -> !h
    %f = nn.call @orthogonal_gate(%xt, %hp, %b_f) in "f" : (!x, !h, !h) -> !h
    %o = nn.call @orthogonal_gate(%xt, %hp, %b_o) in "o" : (!x, !h, !h) -> !h
    %u = nn.call @orthogonal_gate(%xt, %hp, %b_u) in "u" : (!x, !h, !h) -> !h
    %ht, %ct = nn.call @lstm_step(%i, %f, %o, %u, %cp) : (!h, !h, !h, !h, !h) -> (!h, !h)
    tree.yield %ht, %ct : !h, !h
  }
  %hl = tree.root %chain, %h : !hs
  %cl = tree.root %chain, %c : !hs
  return %h, %hl, %cl : !hs, !h, !h
}

/// The mean over the words w_t of -log P(w_t | w_1 ... w_t-1), and the state behind the last word.
func.func @loss(%in: !words {cambium.name = "text.in", cambium.rows = "text"},
                %out: !words {cambium.name = "text.out", cambium.rows = "text"},
                %h0: !h {cambium.name = "before.h"}, %c0: !h {cambium.name = "before.c"})
    -> (!f, !h {cambium.name = "state.h"}, !h {cambium.name = "state.c"}) {
  %E = nn.param "words" : tensor<20000x256xf32> init <normal(0.0, 0.1)>
  %length = nn.constant "length" = 4.0 : !f
  %x = nn.embed %in, %E padding_id 0 : !words, tensor<20000x256xf32>
  %v = nn.call @of_length(%x, %length) : (!xs, !f) -> !xs
  %d = nn.dropout %v rate #dropout : !xs
  %chain = tree.chain %d : !xs
  %h, %hl, %cl = nn.call @lstm_states_from(%chain, %d, %h0, %c0) in "lstm"
    : (!tree.tree, !xs, !h, !h) -> (!hs, !h, !h)
  %y = nn.call @dense(%h) in "next" : (!hs) -> !y
  %l = nn.cross_entropy %y, %out : !y, !words
  %m = nn.mean %l over 0 : tensor<?xf32>
  return %m, %hl, %cl : !f, !h, !h
}

/// The same: how surprising a line is behind the ones before.
func.func @predict(%in: !words {cambium.name = "text.in", cambium.rows = "text"},
                   %out: !words {cambium.name = "text.out", cambium.rows = "text"},
                   %h0: !h {cambium.name = "before.h"}, %c0: !h {cambium.name = "before.c"})
    -> (!f, !h {cambium.name = "state.h"}, !h {cambium.name = "state.c"}) {
  %l, %h, %c = nn.call @loss(%in, %out, %h0, %c0) : (!words, !words, !h, !h) -> (!f, !h, !h)
  return %l, %h, %c : !f, !h, !h
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
