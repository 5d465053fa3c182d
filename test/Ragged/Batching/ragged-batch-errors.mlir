//===-- test/Ragged/Batching/ragged-batch-errors.mlir - One case per error ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-batch --split-input-file --verify-diagnostics

/// Arguments whose names differ.
// expected-note @below {{the rows 'words' of argument 0 come from here}}
// expected-note @below {{the rows 'labels' of argument 1 come from here}}
func.func @a(%x: tensor<?x3xf32> {cambium.rows = "words"}, %y: tensor<?x3xf32> {cambium.rows = "labels"}) -> tensor<?x3xf32> {
  // [TREE-SPACES-C1]
  // expected-error @below {{'arith.addf' op expected rows of one space, but got the rows 'words' of argument 0 and the rows 'labels' of argument 1}}
  %z = arith.addf %x, %y : tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// -----

/// Nodes of two trees.
// expected-note @below {{the nodes of 'right' come from here}}
// expected-note @below {{the nodes of 'left' come from here}}
func.func @b(%s: !tree.tree {cambium.name = "left"}, %t: !tree.tree {cambium.name = "right"}, %x: tensor<?x3xf32>) -> tensor<3xf32> {
  %a = tree.root %s, %x : tensor<?x3xf32>
  // expected-error @below {{'tree.root' op expected rows of one space, but got the nodes of 'right' and the nodes of 'left'}}
  %b = tree.root %t, %x : tensor<?x3xf32>
  %z = arith.addf %a, %b : tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

/// Rows of the example among children.
// expected-note @below {{the rows of argument 2 come from here}}
func.func @c(%t: !tree.tree, %x: tensor<?x3xf32>, %o: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-note @below {{the children of the node at hand come from here}}
  %h = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    // expected-error @below {{'arith.addf' op expected rows of one space, but got the children of the node at hand and the rows of argument 2}}
    // expected-note @below {{a cell sees only its own node: what it needs of others comes to it as a node input, a child state or an edge input}}
    %z = arith.addf %hk, %o : tensor<?x3xf32>
    %s = nn.sum %z over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Rows that have rows in the cell of one node.
// expected-note @below {{the rows come from here}}
func.func @d(%t: !tree.tree, %x: tensor<?x3xf32>, %o: tensor<?x?x3xf32>) -> tensor<?x3xf32> {
  // [TREE-CELL-C2]
  // expected-error @below {{'tree.fold' op expected the cell of one node to use no rows that have rows, but got 'tensor<?x?x3xf32>'}}
  %h = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %m = nn.each rows(%r = %o : tensor<?x3xf32>) -> (tensor<3xf32>) {
      %a = nn.sum %r over 0 : tensor<?x3xf32>
      nn.yield %a : tensor<3xf32>
    }
    %s = nn.sum %m over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// Nodes and edges.
// expected-note @below {{the nodes of argument 0 come from here}}
// expected-note @below {{the edges of argument 0 come from here}}
func.func @e(%t: !tree.tree, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %e = tree.child_rows %t, %x : tensor<?x3xf32>
  // expected-error @below {{'arith.addf' op expected rows of one space, but got the nodes of argument 0 and the edges of argument 0}}
  %z = arith.addf %x, %e : tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// -----

/// A sum over the edges of a whole example.
// expected-note @below {{the edges of argument 0 come from here}}
func.func @f(%t: !tree.tree, %x: tensor<?x3xf32>) -> tensor<3xf32> {
  %e = tree.child_rows %t, %x : tensor<?x3xf32>
  // expected-error @below {{'nn.sum' op expected rows that belong to one example or one node, but got the edges of argument 0}}
  %s = nn.sum %e over 0 : tensor<?x3xf32>
  return %s : tensor<3xf32>
}

// -----

/// Edges have no row space that the host could size.
// expected-note @below {{the edges of argument 0 come from here}}
func.func @g(%t: !tree.tree, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %e = tree.child_rows %t, %x : tensor<?x3xf32>
  // expected-error @below {{'func.return' op expected rows that belong to one example or one node, but got the edges of argument 0}}
  return %e : tensor<?x3xf32>
}

// -----

/// Recursion inside of a cell.
func.func @h(%t: !tree.tree, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-note @below {{the cell is here}}
  %h = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    // [TREE-CELL-C3]
    // expected-error @below {{'tree.fold' op expected to stand outside of any cell: recursion inside of a cell is not supported}}
    %h2 = tree.fold %t nodes(%xk = %x : tensor<3xf32>) children(%hl : tensor<?x3xf32>) -> (tensor<3xf32>) {
      tree.yield %xk : tensor<3xf32>
    }
    %s = nn.sum %h2 over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// An op without batched form.
func.func @i(%x: tensor<?x3xf32>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'tensor.dim' op cannot be batched: it has no form over all rows of a batch}}
  %d = tensor.dim %x, %c0 : tensor<?x3xf32>
  return %d : index
}

// -----

/// Scalars are no tensors.
// expected-error @below {{'func.func' op expected arguments to be tensors or trees, but got 'f32'}}
func.func @j(%x: f32) -> f32 {
  return %x : f32
}

// -----

/// A tree is no result.
func.func @k(%t: !tree.tree) -> !tree.tree {
  // expected-error @below {{'func.return' op expected results to be tensors, but got '!tree.tree'}}
  return %t : !tree.tree
}

// -----

/// A second dimension of rows.
// expected-error @below {{'func.func' op expected only the first dimension of a tensor to be '?', but got 'tensor<?x4x?xf32>'}}
func.func @l(%x: tensor<?x4x?xf32>) -> tensor<?x4x?xf32> {
  return %x : tensor<?x4x?xf32>
}

// -----

/// Rows that become columns.
func.func @m(%x: tensor<?x3xf32>) -> tensor<3x?xf32> {
  // [TREE-SPACES-C2]
  // expected-error @below {{'nn.transpose' op expected only the first dimension of a tensor to be '?', but got 'tensor<3x?xf32>'}}
  %y = nn.transpose %x perm [1, 0] : tensor<?x3xf32>
  return %y : tensor<3x?xf32>
}

// -----

/// Edge rows of a tree that the model makes.
// expected-error @below {{'func.func' op expected rows per edge (argument 1) to belong to a tree argument, but got the edges of 'tree.chain'}}
func.func @n(%x: tensor<?xi32>, %e: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-note @below {{the tree is made here}}
  %t = tree.chain %x : tensor<?xi32>
  %h = tree.fold %t edges(%ek = %e : tensor<?x3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %p = arith.mulf %ek, %hk : tensor<?x3xf32>
    %s = nn.sum %p over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return %h : tensor<?x3xf32>
}

// -----

/// A gradient of rows.
func.func @o(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'train.gradient' op expected a scalar loss, but got 'tensor<?xf32>'}}
  %g = train.gradient %x wrt %x : tensor<?xf32>, tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

/// Control flow.
// expected-error @below {{'func.func' op cannot be batched: expected a single block}}
func.func @p(%c: i1) -> tensor<3xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = arith.constant dense<0.0> : tensor<3xf32>
  return %x : tensor<3xf32>
^bb2:
  %y = arith.constant dense<0.0> : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

/// A call that was not inlined.
func.func @q(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{'func.call' op cannot be batched: it has no form over all rows of a batch}}
  %y = func.call @q(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

/// Loops.
func.func @r(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op cannot be batched: it has no form over all rows of a batch}}
  %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%z = %x) -> tensor<3xf32> {
    %w = arith.addf %z, %z : tensor<3xf32>
    scf.yield %w : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}

// -----

/// A table per example.
nn.param @E : tensor<10x4xf32>
func.func @t(%i: tensor<i32>) -> tensor<10x4xf32> {
  %E = nn.use @E : tensor<10x4xf32>
  // expected-error @below {{'nn.embed' op expected a table that is the same for all examples}}
  %x = nn.embed %i, %E : tensor<i32>, tensor<10x4xf32>
  %l = nn.sum %x over 0 : tensor<4xf32>
  %g = train.gradient %l wrt %E : tensor<f32>, tensor<10x4xf32>
  return %g : tensor<10x4xf32>
}

// -----

/// Attention is between rows of the example.
func.func @attention_static(%q: tensor<?x4xf32>, %k: tensor<3x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{'nn.attention' op expected rows (a first dimension '?') of the example, but got 'tensor<3x4xf32>'}}
  %y = nn.attention %q, %k, %k heads 1 : tensor<?x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

/// Groups are of the rows that attend: they must be their own keys.
// expected-note @below {{the rows 'words' of argument 0 come from here}}
// expected-note @below {{the rows 'memory' of argument 1 come from here}}
func.func @attention_within(%q: tensor<?x4xf32> {cambium.rows = "words"}, %k: tensor<?x4xf32> {cambium.rows = "memory"}, %g: tensor<?xi32> {cambium.rows = "words"}) -> tensor<?x4xf32> {
  // expected-error @below {{'nn.attention' op expected rows of one space, but got the rows 'words' of argument 0 and the rows 'memory' of argument 1}}
  %y = nn.attention %q, %k, %k heads 1 within(%g : tensor<?xi32>) : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

/// The scale of a normalization is a parameter, not a value of the example.
func.func @layer_norm_scale(%x: tensor<?x4xf32>, %g: tensor<4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{'nn.layer_norm' op expected a scale and a shift that are the same for all examples}}
  %y = nn.layer_norm %x, %g, %g : tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y : tensor<?x4xf32>
}

// -----

/// Rows appended from other kinds of rows meet.
func.func @appended(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>, %z: tensor<?x3xf32>) -> tensor<3xf32> {
  // expected-note @below {{they meet rows that come from here}}
  %a = nn.append %x, %y : tensor<?x3xf32>, tensor<?x3xf32>
  // [NN-APPEND-C3]
  // expected-error @below {{'nn.append' op expected rows that meet appended rows to be appended from the same kinds of rows}}
  %b = nn.append %x, %z : tensor<?x3xf32>, tensor<?x3xf32>
  %c = arith.addf %a, %b : tensor<?x3xf32>
  %s = nn.sum %c over 0 : tensor<?x3xf32>
  return %s : tensor<3xf32>
}

// -----

/// Rows that no argument has are no result.
func.func @returned(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-note @below {{rows of another kind are made here}}
  %a = nn.append %x, %y : tensor<?x3xf32>, tensor<?x3xf32>
  // [NN-APPEND-C4]
  // expected-error @below {{expected the rows of a result to be those of an argument}}
  return %a : tensor<?x3xf32>
}

// -----

/// Rows of the node cannot be taken out of a tensor of static shape.
func.func @taken(%x: tensor<4x3xf32>, %i: tensor<?xi32>) -> tensor<?x3xf32> {
  // [NN-TAKE-C1]
  // expected-error @below {{'nn.take' op expected rows (a first dimension '?') of the example, but got 'tensor<4x3xf32>'}}
  %a = nn.take %x, %i : tensor<4x3xf32>, tensor<?xi32>
  return %a : tensor<?x3xf32>
}

// -----

/// A table of distances is one for all.
// expected-note @below {{this one is computed per example}}
func.func @table(%x: tensor<?x4xf32>, %t: tensor<2x3xf32>) -> tensor<?x4xf32> {
  // [NN-ATTENTION-C10]
  // expected-error @below {{'nn.attention' op expected tables of distances to be the same for all examples}}
  %a = nn.attention %x, %x, %x heads 2 distance_bias(%t : tensor<2x3xf32>) : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %a : tensor<?x4xf32>
}
