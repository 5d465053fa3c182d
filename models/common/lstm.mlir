// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long short-term memory.
//
// S. Hochreiter, J. Schmidhuber: Long Short-Term Memory. Neural Computation 1997, with the forget
// gate of Gers et al. 2000; here as in A. Simoulin's thesis, Université Paris Cité 2022, equations
// 3.5-3.10.
nn.import "gates.mlir"
nn.sizes {input = 200, hidden = 150, both = 2 * hidden}

!x = tensor<200xf32>
!xs = tensor<?x200xf32>
!h = tensor<150xf32>
!hs = tensor<?x150xf32>
!hp = tensor<1x150xf32>
!W = tensor<200x150xf32>
!U = tensor<150x150xf32>
#xavier = #nn.init<xavier_uniform>

/// c_t = sigmoid(i) * tanh(u) + sigmoid(f) * c (3.9), h_t = sigmoid(o) * tanh(c_t) (3.10).
func.func private @lstm_step(%i: !h, %f: !h, %o: !h, %u: !h, %c: !h) -> (!h, !h) {
  %si = nn.sigmoid %i : !h
  %sf = nn.sigmoid %f : !h
  %so = nn.sigmoid %o : !h
  %tu = math.tanh %u : !h
  %iu = arith.mulf %si, %tu : !h
  %fc = arith.mulf %sf, %c : !h
  %ct = arith.addf %iu, %fc : !h
  %t = math.tanh %ct : !h
  %ht = arith.mulf %so, %t : !h
  return %ht, %ct : !h, !h
}

/// i = W_i x + U_i h + b_i (3.5); f, o, u likewise (3.6-3.8).
func.func private @lstm_cell(%x: !x, %h: !h, %c: !h) -> (!h, !h) {
  %i = nn.call @gate(%x, %h) in "i" : (!x, !h) -> !h
  %f = nn.call @gate(%x, %h) in "f" : (!x, !h) -> !h
  %o = nn.call @gate(%x, %h) in "o" : (!x, !h) -> !h
  %u = nn.call @gate(%x, %h) in "u" : (!x, !h) -> !h
  %ht, %ct = nn.call @lstm_step(%i, %f, %o, %u, %c) : (!h, !h, !h, !h, !h) -> (!h, !h)
  return %ht, %ct : !h, !h
}

func.func private @matrices() -> (!W, !U) {
  %W = nn.param "W" : !W init #xavier
  %U = nn.param "U" : !U init <orthogonal>
  return %W, %U : !W, !U
}

/// A gate whose U begins orthogonal.
func.func private @orthogonal_gate(%x: !x, %h: !h, %b: !h) -> !h {
  %W, %U = nn.call @matrices() : () -> (!W, !U)
  %Wx = nn.linear %x, %W, %b : !x, !W, !h
  %Uh = nn.linear %h, %U : !h, !U
  %a = arith.addf %Wx, %Uh : !h
  return %a : !h
}

/// Those of the gates i, f, o, u, with open forget gates to begin with
/// (Jozefowicz et al.: An Empirical Exploration of Recurrent Network Architectures. ICML 2015).
func.func private @biases() -> (!h, !h, !h, !h) {
  %b_i = nn.param "i.b" : !h no_decay
  %b_f = nn.param "f.b" : !h init <constant(1.0)> no_decay
  %b_o = nn.param "o.b" : !h no_decay
  %b_u = nn.param "u.b" : !h no_decay
  return %b_i, %b_f, %b_o, %b_u : !h, !h, !h, !h
}

/// The states and cells behind all words of a chain.
func.func private @lstm_cells(%chain: !tree.tree, %x: !xs) -> (!hs, !hs) {
  %b_i, %b_f, %b_o, %b_u = nn.call @biases() : () -> (!h, !h, !h, !h)
  %h, %c = tree.fold %chain nodes(%xt = %x : !x) children(%h1 : !hp, %c1 : !hp) -> (!h, !h) {
    %hp = nn.reshape %h1 : !hp -> !h
    %cp = nn.reshape %c1 : !hp -> !h
    %i = nn.call @orthogonal_gate(%xt, %hp, %b_i) in "i" : (!x, !h, !h) -> !h
    %f = nn.call @orthogonal_gate(%xt, %hp, %b_f) in "f" : (!x, !h, !h) -> !h
    %o = nn.call @orthogonal_gate(%xt, %hp, %b_o) in "o" : (!x, !h, !h) -> !h
    %u = nn.call @orthogonal_gate(%xt, %hp, %b_u) in "u" : (!x, !h, !h) -> !h
    %ht, %ct = nn.call @lstm_step(%i, %f, %o, %u, %cp) : (!h, !h, !h, !h, !h) -> (!h, !h)
    tree.yield %ht, %ct : !h, !h
  }
  return %h, %c : !hs, !hs
}

func.func private @lstm_states(%chain: !tree.tree, %x: !xs) -> !hs {
  %h, %c = nn.call @lstm_cells(%chain, %x) : (!tree.tree, !xs) -> (!hs, !hs)
  return %h : !hs
}

/// The state behind the last word.
func.func private @lstm(%chain: !tree.tree, %x: !xs) -> !h {
  %h = nn.call @lstm_states(%chain, %x) : (!tree.tree, !xs) -> !hs
  %last = tree.root %chain, %h : !hs
  return %last : !h
}

/// The states of both directions side by side.
func.func private @lstm_both(%x: !xs) -> tensor<?x300xf32> {
  %there = tree.chain %x : !xs
  %f = nn.call @lstm_states(%there, %x) in "forward" : (!tree.tree, !xs) -> !hs
  %back = tree.chain %x reversed : !xs
  %b = nn.call @lstm_states(%back, %x) in "backward" : (!tree.tree, !xs) -> !hs
  %h = nn.concat %f, %b over 1 : !hs, !hs
  return %h : tensor<?x300xf32>
}

/// The states and cells behind all words of a chain that begins with given ones: what another chain
/// has left.
func.func private @lstm_from(%chain: !tree.tree, %x: !xs, %h0: !h, %c0: !h) -> (!hs, !hs) {
  %h, %c = tree.fold %chain nodes(%xt = %x : !x) children(%h1 : !hp, %c1 : !hp) -> (!h, !h) {
    %hp = nn.reshape %h1 : !hp -> !h
    %cp = nn.reshape %c1 : !hp -> !h
    %ht, %ct = nn.call @lstm_cell(%xt, %hp, %cp) : (!x, !h, !h) -> (!h, !h)
    tree.yield %ht, %ct : !h, !h
  } leaf {
    %ht, %ct = nn.call @lstm_cell(%xt, %h0, %c0) : (!x, !h, !h) -> (!h, !h)
    tree.yield %ht, %ct : !h, !h
  }
  return %h, %c : !hs, !hs
}

/// The same gate of rows of their own.
func.func private @orthogonal_gate_rows(%x: !xs, %h: !hs, %b: !h) -> !hs {
  %W, %U = nn.call @matrices() : () -> (!W, !U)
  %Wx = nn.linear %x, %W, %b : !xs, !W, !h
  %Uh = nn.linear %h, %U : !hs, !U
  %a = arith.addf %Wx, %Uh : !hs
  return %a : !hs
}

/// The cell of @lstm_cells for rows of their own, behind their inputs, states and cells.
func.func private @lstm_rows(%x: !xs, %h: !hs, %c: !hs) -> (!hs, !hs) {
  %b_i, %b_f, %b_o, %b_u = nn.call @biases() : () -> (!h, !h, !h, !h)
  %i = nn.call @orthogonal_gate_rows(%x, %h, %b_i) in "i" : (!xs, !hs, !h) -> !hs
  %f = nn.call @orthogonal_gate_rows(%x, %h, %b_f) in "f" : (!xs, !hs, !h) -> !hs
  %o = nn.call @orthogonal_gate_rows(%x, %h, %b_o) in "o" : (!xs, !hs, !h) -> !hs
  %u = nn.call @orthogonal_gate_rows(%x, %h, %b_u) in "u" : (!xs, !hs, !h) -> !hs
  %si = nn.sigmoid %i : !hs
  %sf = nn.sigmoid %f : !hs
  %so = nn.sigmoid %o : !hs
  %tu = math.tanh %u : !hs
  %iu = arith.mulf %si, %tu : !hs
  %fc = arith.mulf %sf, %c : !hs
  %ct = arith.addf %iu, %fc : !hs
  %t = math.tanh %ct : !hs
  %ht = arith.mulf %so, %t : !hs
  return %ht, %ct : !hs, !hs
}
