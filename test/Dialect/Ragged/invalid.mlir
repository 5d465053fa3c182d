//===-- test/Dialect/Ragged/invalid.mlir - One case per error ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @expand_rows(%f: !ragged.forest, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expected rows (a first dimension '?'), but got 'tensor<4xf32>'}}
  %0 = ragged.permute %v, %f nodes_to_levels : tensor<4xf32>
  return
}

// -----

func.func @broadcast_type(%f: !ragged.forest, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
  %n = ragged.num_nodes %f all
  // expected-error @below {{expected the result to hold rows of 'tensor<4xf32>'}}
  %0 = ragged.broadcast %v, %n : tensor<4xf32> -> tensor<?x5xf32>
  return
}

// -----

func.func @slots_arity(%f: !ragged.forest, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
  %e = ragged.edges %f inner
  // expected-error @below {{expected a positive arity, but got 0}}
  %0 = ragged.to_slots %x, %e arity 0 : tensor<?x4xf32>
  return
}

// -----

func.func @levels_part(%f: !ragged.forest, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expected the part 'all' or 'inner', but got 'leaves'}}
  %0 = ragged.levels up leaves %f {num_recurrent = 1 : i64, num_node_yields = 0 : i64} -> (tensor<?x4xf32>) {
  ^bb0(%e: !ragged.rows, %hk: tensor<?x4xf32>):
    %s = ragged.reduce sum %hk, %e : tensor<?x4xf32>
    ragged.yield %s : tensor<?x4xf32>
  }
  return
}

// -----

func.func @levels_base(%f: !ragged.forest, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expected 1 'base' operands, but got 0}}
  %0 = ragged.levels up inner %f {num_recurrent = 1 : i64, num_node_yields = 0 : i64} -> (tensor<?x4xf32>) {
  ^bb0(%e: !ragged.rows, %hk: tensor<?x4xf32>):
    %s = ragged.reduce sum %hk, %e : tensor<?x4xf32>
    ragged.yield %s : tensor<?x4xf32>
  }
  return
}

// -----

func.func @levels_results(%f: !ragged.forest, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expected at least 2 results, but got 1}}
  %0 = ragged.levels up all %f {num_recurrent = 2 : i64, num_node_yields = 0 : i64} -> (tensor<?x4xf32>) {
  ^bb0(%e: !ragged.rows, %hk: tensor<?x4xf32>):
    %s = ragged.reduce sum %hk, %e : tensor<?x4xf32>
    ragged.yield %s : tensor<?x4xf32>
  }
  return
}

// -----

func.func @levels_arguments(%f: !ragged.forest, %x: tensor<?x4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expected region arguments of types}}
  %0 = ragged.levels up all %f nodes(%x : tensor<?x4xf32>) {num_recurrent = 1 : i64, num_node_yields = 0 : i64} -> (tensor<?x4xf32>) {
  ^bb0(%e: !ragged.rows, %hk: tensor<?x4xf32>):
    %s = ragged.reduce sum %hk, %e : tensor<?x4xf32>
    ragged.yield %s : tensor<?x4xf32>
  }
  return
}

// -----
