// tree_lstm.mlir - a binary Tree-LSTM
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an arithmetic expression, read from its tree: a binary Tree-LSTM.
//
// Simoulin 2022, section 7.3 (data and set-up), equations 3.22-3.27 (cell). Every node of the
// expression tree has a token: an integer at a leaf, with a frozen DICE vector, or an operator, with a
// trained one. The state of the root goes through a perceptron to the scores of the values 1 to 100.
nn.import "../common/expressions.mlir"
nn.sizes {hidden = 256, both = 2 * hidden, classes = 100}

!ids = tensor<?xi32>
!x = tensor<?x256xf32>
!h = tensor<256xf32>
!one = tensor<1x256xf32>
!two = tensor<2x256xf32>
!hh = tensor<512xf32>
!W = tensor<256x256xf32>
!U = tensor<512x256xf32>
!y = tensor<100xf32>
#xavier = #nn.init<xavier_uniform>

/// W x + U [h_1; h_2] + b
func.func private @gate(%x: !h, %hh: !hh) -> !h {
  %W = nn.param "W" : !W init #xavier
  %U = nn.param "U" : !U init #xavier
  %b = nn.param "b" : !h no_decay
  %wx = nn.linear %x, %W, %b : !h, !W, !h
  %uh = nn.linear %hh, %U : !hh, !U
  %y = arith.addf %wx, %uh : !h
  return %y : !h
}

/// sigmoid(W_f x + U_fk [h_1; h_2] + b_f), for each of two children.
func.func private @forget(%x: !h, %hh: !hh) -> (!h, !h) {
  %W = nn.param "W" : !W init #xavier
  %U_1 = nn.param "U_1" : !U init #xavier
  %U_2 = nn.param "U_2" : !U init #xavier
  %b = nn.param "b" : !h init <constant(1.0)> no_decay
  %wx = nn.linear %x, %W, %b : !h, !W, !h
  %u1 = nn.linear %hh, %U_1 : !hh, !U
  %a1 = arith.addf %wx, %u1 : !h
  %f1 = nn.sigmoid %a1 : !h
  %u2 = nn.linear %hh, %U_2 : !hh, !U
  %a2 = arith.addf %wx, %u2 : !h
  %f2 = nn.sigmoid %a2 : !h
  return %f1, %f2 : !h, !h
}

/// The state of the root.
func.func private @encode(%tree: !tree.tree, %x: !x) -> !h {
  %h, %c = tree.fold %tree nodes(%xj = %x : !h) children(%hk : !two, %ck : !two) -> (!h, !h) {
    %hh = nn.reshape %hk : !two -> !hh
    %ia = nn.call @gate(%xj, %hh) in "i" : (!h, !hh) -> !h
    %oa = nn.call @gate(%xj, %hh) in "o" : (!h, !hh) -> !h
    %ua = nn.call @gate(%xj, %hh) in "u" : (!h, !hh) -> !h
    %i = nn.sigmoid %ia : !h
    %o = nn.sigmoid %oa : !h
    %u = math.tanh %ua : !h
    %f1, %f2 = nn.call @forget(%xj, %hh) in "f" : (!h, !hh) -> (!h, !h)
    // c = i * u + f_1 * c_1 + f_2 * c_2
    %c1s = nn.slice %ck over 0 from 0 size 1 : !two
    %c1 = nn.reshape %c1s : !one -> !h
    %c2s = nn.slice %ck over 0 from 1 size 1 : !two
    %c2 = nn.reshape %c2s : !one -> !h
    %iu = arith.mulf %i, %u : !h
    %fc1 = arith.mulf %f1, %c1 : !h
    %fc2 = arith.mulf %f2, %c2 : !h
    %s = arith.addf %iu, %fc1 : !h
    %cj = arith.addf %s, %fc2 : !h
    // h = o * tanh(c)
    %tc = math.tanh %cj : !h
    %hj = arith.mulf %o, %tc : !h
    tree.yield %hj, %cj : !h, !h
  }
  %root = tree.root %tree, %h : !x
  return %root : !h
}

/// Scores of the values 1 to 100.
func.func @predict(%tree: !tree.tree {cambium.name = "tree"}, %numbers: !ids {cambium.name = "numbers"},
                   %operators: !ids {cambium.name = "operators"}) -> !y {
  %x = nn.call @embed_tokens(%numbers, %operators) : (!ids, !ids) -> !x
  %s = nn.call @encode(%tree, %x) : (!tree.tree, !x) -> !h
  %y = nn.call @classify(%s) : (!h) -> !y
  return %y : !y
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"}, %numbers: !ids {cambium.name = "numbers"},
                %operators: !ids {cambium.name = "operators"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %numbers, %operators) : (!tree.tree, !ids, !ids) -> !y
  %l = nn.cross_entropy %y, %value : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  clip_norm 5.0
