// RUN: cambium-opt %s --split-input-file --autodiff-lower-gradients --verify-diagnostics

/// An op without a derivative on the way from the value to the loss.
func.func @no_derivative(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'math.round' op cannot be differentiated}}
  %y = math.round %x : tensor<?xf32>
  %g = train.gradient %y wrt %x : tensor<?xf32>, tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

/// A loop in the cell of a node.
func.func @loop_in_cell(%f: !ragged.forest, %x: tensor<?x3xf32>, %h0: tensor<?x3xf32>, %go: tensor<?xi1>) -> tensor<?x3xf32> {
  %h = ragged.levels up inner %f nodes(%x : tensor<?x3xf32>) base(%h0 : tensor<?x3xf32>)
         {num_recurrent = 1 : i64, num_node_yields = 0 : i64} -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
    %hs = ragged.reduce sum %hk, %edges : tensor<?x3xf32>
    %s = arith.addf %hs, %xl : tensor<?x3xf32>
    // expected-error @below {{'ragged.iterate' op cannot be differentiated}}
    // expected-note @below {{loops whose rows stop are differentiated outside of cells and of each other, and once}}
    %y, %n = ragged.iterate max 5 init(%s : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
    ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
      %next = arith.mulf %xa, %xa : tensor<?x3xf32>
      %goes = ragged.gather %go, %ids : tensor<?xi1>, tensor<?xi32>
      ragged.yield %goes, %next : tensor<?xi1>, tensor<?x3xf32>
    }
    ragged.yield %y : tensor<?x3xf32>
  }
  %roots = ragged.index %f roots : tensor<?xi32>
  %r = ragged.gather %h, %roots : tensor<?x3xf32>, tensor<?xi32>
  %l = nn.sum %r over 1 : tensor<?x3xf32>
  %g = train.gradient %l wrt %x : tensor<?xf32>, tensor<?x3xf32>
  return %g : tensor<?x3xf32>
}
