//===-- test/Dialect/Tree/invalid.mlir - One case per error ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @yield_type(%t: !tree.tree) {
  // expected-error @below {{expected state 0 of the body region to be 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %h = tree.fold %t children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %y = arith.constant dense<0.0> : tensor<5xf32>
    // expected-note @below {{it is yielded here}}
    tree.yield %y : tensor<5xf32>
  }
  return
}

// -----

func.func @yield_count(%t: !tree.tree) {
  // expected-error @below {{expected the body region to yield 1 states, but got 2}}
  %h = tree.fold %t children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %y = arith.constant dense<0.0> : tensor<4xf32>
    // expected-note @below {{they are yielded here}}
    tree.yield %y, %y : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @children_state(%t: !tree.tree) {
  // expected-error @below {{expected the children's state 0 to be stacked rows of 'tensor<4xf32>', but got 'tensor<?x5xf32>'}}
  %h = tree.fold %t children(%hk : tensor<?x5xf32>) -> (tensor<4xf32>) {
    %y = arith.constant dense<0.0> : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  return
}

// -----

func.func @children_count(%t: !tree.tree) {
  // expected-error @below {{expected one 'children' argument per state (1), but got 2}}
  %h = tree.fold %t children(%hk : tensor<?x4xf32>, %ck : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %y = arith.constant dense<0.0> : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  return
}

// -----

func.func @arity(%t: !tree.tree) {
  // expected-error @below {{expected all stacked arguments to have the same number of rows}}
  %h:2 = tree.fold %t children(%hk : tensor<2x4xf32>, %ck : tensor<3x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %y = arith.constant dense<0.0> : tensor<4xf32>
    tree.yield %y, %y : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @parent_state(%t: !tree.tree) {
  // expected-error @below {{expected the parent's state 0 to be 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %h = tree.unfold %t parent(%p : tensor<5xf32>) -> (tensor<4xf32>) {
    %y = arith.constant dense<0.0> : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  return
}

// -----

func.func @parent_count(%t: !tree.tree) {
  // expected-error @below {{expected one 'parent' argument per state (1), but got 0}}
  %h = tree.unfold %t -> (tensor<4xf32>) {
    %y = arith.constant dense<0.0> : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  return
}

// -----

func.func @chain_rows(%x: tensor<4xf32>) {
  // expected-error @below {{expected the operand to hold rows (a first dimension '?'), but got 'tensor<4xf32>'}}
  %t = tree.chain %x : tensor<4xf32>
  return
}

// -----

func.func @parents_rank(%x: tensor<?x2xi32>) {
  // expected-error @below {{expected one parent per row, but got 'tensor<?x2xi32>'}}
  %t = tree.from_parents %x : tensor<?x2xi32>
  return
}

// -----

func.func @root_rows(%t: !tree.tree, %x: tensor<4xf32>) {
  // expected-error @below {{expected rows of nodes (a first dimension '?'), but got 'tensor<4xf32>'}}
  %r = tree.root %t, %x : tensor<4xf32>
  return
}

// -----

func.func @no_rows() {
  // expected-error @below {{expected the result to hold rows}}
  %r = tree.no_rows : tensor<4xf32>
  return
}
