//===-- test/Tree/IR/invalid.mlir - One case per error ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s  --split-input-file --verify-diagnostics

func.func @chain(%x: tensor<3xf32>) {
  // [TREE-ROWS-C1]
  // expected-error @below {{'tree.chain' op expected the operand to hold rows (a first dimension '?'), but got 'tensor<3xf32>'}}
  %0 = tree.chain %x : tensor<3xf32>
  return
}

// -----

func.func @parents(%x: tensor<3xi32>) {
  // expected-error @below {{'tree.from_parents' op expected the operand to hold rows (a first dimension '?'), but got 'tensor<3xi32>'}}
  %0 = tree.from_parents %x : tensor<3xi32>
  return
}

// -----

func.func @parents_rank(%x: tensor<?x3xi32>) {
  // [TREE-FROM_PARENTS-C1]
  // expected-error @below {{'tree.from_parents' op expected one parent per row, but got 'tensor<?x3xi32>'}}
  %0 = tree.from_parents %x : tensor<?x3xi32>
  return
}

// -----

func.func @root(%t: !tree.tree, %x: tensor<3xf32>) {
  // [TREE-NODES-C1]
  // expected-error @below {{'tree.root' op expected rows of nodes (a first dimension '?'), but got 'tensor<3xf32>'}}
  %0 = tree.root %t, %x : tensor<3xf32>
  return
}

// -----

func.func @child_rows(%t: !tree.tree, %x: tensor<3xf32>) {
  // expected-error @below {{'tree.child_rows' op expected rows of nodes (a first dimension '?'), but got 'tensor<3xf32>'}}
  %0 = tree.child_rows %t, %x : tensor<3xf32>
  return
}

// -----

func.func @no_rows() {
  // expected-error @below {{'tree.no_rows' op expected the result to hold rows (a first dimension '?'), but got 'tensor<3xf32>'}}
  %0 = tree.no_rows : tensor<3xf32>
  return
}

// -----

/// The states that a cell yields are not those that it reads.
func.func @disagree(%t: !tree.tree) {
  // [TREE-FOLD-C3]
  // expected-error @below {{'tree.fold' op expected the children's state 0 to be stacked rows of 'tensor<4xf32>', but got 'tensor<?x3xf32>'}}
  %0 = tree.fold %t children(%hk : tensor<?x3xf32>) -> (tensor<4xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return
}

// -----

func.func @yield_type(%t: !tree.tree) {
  // [TREE-YIELD-C2]
  // expected-error @below {{'tree.fold' op expected state 0 of the body region to be 'tensor<3xf32>', but got 'tensor<f32>'}}
  %0 = tree.fold %t children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.sum %hk over 1 : tensor<?x3xf32>
    %z = nn.sum %s over 0 : tensor<?xf32>
    // expected-note @below {{it is yielded here}}
    tree.yield %z : tensor<f32>
  }
  return
}

// -----

func.func @yield_count(%t: !tree.tree) {
  // [TREE-YIELD-C1]
  // expected-error @below {{'tree.fold' op expected the body region to yield 1 states, but got 0}}
  %0 = tree.fold %t children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    // expected-note @below {{they are yielded here}}
    tree.yield
  }
  return
}

// -----

func.func @children_count(%t: !tree.tree, %x: tensor<?x3xf32>) {
  // [TREE-FOLD-C2]
  // expected-error @below {{'tree.fold' op expected one 'children' argument per state (1), but got 0}}
  %0 = tree.fold %t nodes(%xj = %x : tensor<3xf32>) -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  }
  return
}

// -----

func.func @arities(%t: !tree.tree, %e: tensor<?x3xf32>) {
  // [TREE-FOLD-C4]
  // expected-error @below {{'tree.fold' op expected all stacked arguments to have the same number of rows, but got 'tensor<2x3xf32>' and 'tensor<?x3xf32>'}}
  %0 = tree.fold %t edges(%w = %e : tensor<2x3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    tree.yield %s : tensor<3xf32>
  }
  return
}

// -----

func.func @no_children(%t: !tree.tree, %x: tensor<?x3xf32>) {
  // [TREE-FOLD-C4]
  // expected-error @below {{'tree.fold' op expected stacked arguments of at least one row, but got 'tensor<0x3xf32>'}}
  %0 = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<0x3xf32>) -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  }
  return
}

// -----

func.func @leaf_yield(%t: !tree.tree, %x: tensor<?x3xf32>) {
  // expected-error @below {{'tree.fold' op expected the leaf region to yield 1 states, but got 2}}
  %0 = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  } leaf {
    // expected-note @below {{they are yielded here}}
    tree.yield %xj, %xj : tensor<3xf32>, tensor<3xf32>
  }
  return
}

// -----

func.func @parent_type(%t: !tree.tree) {
  // [TREE-UNFOLD-C3]
  // expected-error @below {{'tree.unfold' op expected the parent's state 0 to be 'tensor<3xf32>', but got 'tensor<4xf32>'}}
  %0 = tree.unfold %t parent(%p : tensor<4xf32>) -> (tensor<3xf32>) {
    %s = nn.slice %p over 0 from 0 size 3 : tensor<4xf32>
    tree.yield %s : tensor<3xf32>
  }
  return
}

// -----

func.func @parent_count(%t: !tree.tree, %x: tensor<?x3xf32>) {
  // [TREE-UNFOLD-C2]
  // expected-error @below {{'tree.unfold' op expected one 'parent' argument per state (1), but got 0}}
  %0 = tree.unfold %t nodes(%xj = %x : tensor<3xf32>) -> (tensor<3xf32>) {
    tree.yield %xj : tensor<3xf32>
  }
  return
}

// -----

func.func @outside() {
  // [TREE-YIELD-C3]
  // expected-error @below {{'tree.yield' op expects parent op to be one of 'tree.fold, tree.unfold'}}
  tree.yield
}

// -----

/// An operand that is not rows cannot feed the nodes.
func.func @node_operand(%t: !tree.tree, %x: tensor<3xf32>) {
  // expected-error @below {{'tree.fold' op expected a 'nodes' operand to hold rows (a first dimension '?'), but got 'tensor<3xf32>'}}
  %0 = "tree.fold"(%t, %x) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  ^bb0(%xj: tensor<f32>, %hk: tensor<?xf32>):
    tree.yield %xj : tensor<f32>
  }, {}) : (!tree.tree, tensor<3xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @results(%t: !tree.tree) {
  // [TREE-FOLD-C1]
  // expected-error @below {{'tree.fold' op expected results to hold a row per node, but got 'tensor<3xf32>'}}
  %0 = "tree.fold"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%hk: tensor<?xf32>):
    %s = nn.sum %hk over 0 : tensor<?xf32>
    tree.yield %s : tensor<f32>
  }, {}) : (!tree.tree) -> tensor<3xf32>
  return
}

// -----

func.func @leaf_arguments(%t: !tree.tree) {
  // [TREE-FOLD-C5]
  // expected-error @below {{'tree.fold' op expected the leaf region to have the 'nodes' arguments alone}}
  %0 = "tree.fold"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%hk: tensor<?xf32>):
    %s = nn.sum %hk over 0 : tensor<?xf32>
    tree.yield %s : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>):
    tree.yield %x : tensor<f32>
  }) : (!tree.tree) -> tensor<?xf32>
  return
}

// -----

func.func @state_type(%t: !tree.tree) {
  // [TREE-SYNTAX-C1]
  // expected-error @below {{expected the states to be ranked tensors, but got 'f32'}}
  %0 = tree.fold %t children(%hk : tensor<?xf32>) -> (f32) {
    tree.yield
  }
  return
}

// -----

func.func @argument_type(%t: !tree.tree, %x: tensor<?xf32>) {
  // [TREE-SYNTAX-C2]
  // expected-error @below {{expected a ranked tensor, but got 'f32'}}
  %0 = tree.fold %t nodes(%xj = %x : f32) children(%hk : tensor<?xf32>) -> (tensor<f32>) {
    tree.yield
  }
  return
}

// -----

func.func @node_argument(%t: !tree.tree, %x: tensor<?x3xf32>) {
  // [TREE-CELL-C1]
  // expected-error @below {{'tree.fold' op expected region argument 0 to be a row of 'tensor<?x3xf32>', but got 'tensor<4xf32>'}}
  %0 = "tree.fold"(%t, %x) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  ^bb0(%xj: tensor<4xf32>, %hk: tensor<?xf32>):
    %s = nn.sum %hk over 0 : tensor<?xf32>
    tree.yield %s : tensor<f32>
  }, {}) : (!tree.tree, tensor<?x3xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @unfold_results(%t: !tree.tree) {
  // [TREE-UNFOLD-C1]
  // expected-error @below {{'tree.unfold' op expected results to hold a row per node, but got 'tensor<3xf32>'}}
  %0 = "tree.unfold"(%t) ({
  ^bb0(%p: tensor<f32>):
    tree.yield %p : tensor<f32>
  }) : (!tree.tree) -> tensor<3xf32>
  return
}

// -----

func.func @leaf_end(%t: !tree.tree) {
  // [TREE-YIELD-C4]
  // expected-error @below {{'tree.fold' op expects regions to end with 'tree.yield', found 'llvm.unreachable'}}
  // expected-note @below {{in custom textual format, the absence of terminator implies 'tree.yield'}}
  %0 = "tree.fold"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%hk: tensor<?xf32>):
    %s = nn.sum %hk over 0 : tensor<?xf32>
    tree.yield %s : tensor<f32>
  }, {
    llvm.unreachable
  }) : (!tree.tree) -> tensor<?xf32>
  return
}

// -----

func.func @max_spanning_numbers(%s: tensor<?x4xf32>) {
  // [TREE-MAX_SPANNING-C1]
  // expected-error @below {{'tree.max_spanning' op expected a score for each pair of rows (tensor<?x?x...>), but got 'tensor<?x4xf32>'}}
  %p = tree.max_spanning %s : tensor<?x4xf32>
  return
}

// -----

func.func @chart_rows(%x: tensor<3xi32>) {
  // [TREE-ROWS-C1]
  // expected-error @below {{'tree.chart' op expected the operand to hold rows (a first dimension '?'), but got 'tensor<3xi32>'}}
  %t, %i, %j = tree.chart %x : tensor<3xi32>
  return
}

// -----

func.func @pairs_of_others(%x: tensor<?x4xf32>) {
  %t, %i, %j = tree.chart %x : tensor<?x4xf32>
  // [TREE-FOLD-C3]
  // expected-error @below {{'tree.fold' op expected the children's state 0 to be stacked rows of 'tensor<4xf32>', but got 'tensor<?x3x4xf32>'}}
  %h = tree.fold %t children(%hk : tensor<?x3x4xf32>) -> (tensor<4xf32>) {
    %both = nn.sum %hk over 1 : tensor<?x3x4xf32>
    %sum = nn.sum %both over 0 : tensor<?x4xf32>
    tree.yield %sum : tensor<4xf32>
  }
  return
}

// -----

func.func @pairs_and_edges(%x: tensor<?x4xf32>, %e: tensor<?xf32>) {
  %t, %i, %j = tree.chart %x : tensor<?x4xf32>
  // [TREE-FOLD-C7]
  // expected-error @below {{'tree.fold' op expected no 'edges' where children come in pairs}}
  %h = tree.fold %t edges(%ek = %e : tensor<?xf32>) children(%hk : tensor<?x2x4xf32>) -> (tensor<4xf32>) {
    %both = nn.sum %hk over 1 : tensor<?x2x4xf32>
    %sum = nn.sum %both over 0 : tensor<?x4xf32>
    tree.yield %sum : tensor<4xf32>
  }
  return
}
