// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gates as the thesis trains them on SICK.
//
// Those of gates.mlir, but biases decay too, and those of an LSTM begin at 1 (Simoulin 2022,
// section 5.3.1).
nn.import "lstm.mlir"
nn.sizes {input = 300, hidden = 150}

!x = tensor<300xf32>
!h = tensor<150xf32>
!hp = tensor<1x150xf32>
!hs = tensor<?x150xf32>
!W = tensor<300x150xf32>
!U = tensor<150x150xf32>
#xavier = #nn.init<xavier_uniform>

/// W x + U h + b.
func.func private @sum_gate(%x: !x, %h: !h, %b: !h) -> !h {
  %W = nn.param "W" : !W init #xavier
  %U = nn.param "U" : !U init #xavier
  %Wx = nn.linear %x, %W, %b : !x, !W, !h
  %Uh = nn.linear %h, %U : !h, !U
  %a = arith.addf %Wx, %Uh : !h
  return %a : !h
}

func.func private @decayed_gate(%x: !x, %h: !h) -> !h {
  %b = nn.param "b" : !h
  %a = nn.call @sum_gate(%x, %h, %b) : (!x, !h, !h) -> !h
  return %a : !h
}

func.func private @biased_gate(%x: !x, %h: !h) -> !h {
  %b = nn.param "b" : !h init <constant(1.0)>
  %a = nn.call @sum_gate(%x, %h, %b) : (!x, !h, !h) -> !h
  return %a : !h
}

/// W x + U h_k + b for each child k.
func.func private @decayed_gate_each(%x: !x, %hk: !hs) -> !hs {
  %W = nn.param "W" : !W init #xavier
  %U = nn.param "U" : !U init #xavier
  %b = nn.param "b" : !h
  %Wx = nn.linear %x, %W, %b : !x, !W, !h
  %Uh = nn.linear %hk, %U : !hs, !U
  %Wxk = nn.broadcast %Wx dims [1] like %Uh : !h, !hs -> !hs
  %a = arith.addf %Wxk, %Uh : !hs
  return %a : !hs
}

/// The state behind the last word of a chain (3.5-3.10).
func.func private @biased_lstm(%chain: !tree.tree, %x: tensor<?x300xf32>) -> !h {
  %h, %c = tree.fold %chain nodes(%xt = %x : !x) children(%h1 : !hp, %c1 : !hp) -> (!h, !h) {
    %hp = nn.reshape %h1 : !hp -> !h
    %cp = nn.reshape %c1 : !hp -> !h
    %i = nn.call @biased_gate(%xt, %hp) in "i" : (!x, !h) -> !h
    %f = nn.call @biased_gate(%xt, %hp) in "f" : (!x, !h) -> !h
    %o = nn.call @biased_gate(%xt, %hp) in "o" : (!x, !h) -> !h
    %u = nn.call @biased_gate(%xt, %hp) in "u" : (!x, !h) -> !h
    %ht, %ct = nn.call @lstm_step(%i, %f, %o, %u, %cp) : (!h, !h, !h, !h, !h) -> (!h, !h)
    tree.yield %ht, %ct : !h, !h
  }
  %last = tree.root %chain, %h : !hs
  return %last : !h
}
