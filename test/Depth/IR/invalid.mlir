//===-- test/Depth/IR/invalid.mlir - One case per error --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @zero(%xs: tensor<?xf32>, %go: tensor<?xi1>) {
  // [DEPTH-ITERATE-C1]
  // expected-error @below {{'depth.iterate' op expected a positive maximum of iterations, but got 0}}
  %y, %n = depth.iterate max 0 carried(%x = %xs : tensor<?xf32>) {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @negative(%xs: tensor<?xf32>, %go: tensor<?xi1>) {
  // expected-error @below {{expected a positive maximum of iterations, but got -2}}
  %y, %n = depth.iterate max -2 carried(%x = %xs : tensor<?xf32>) {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @nothing(%go: tensor<i1>) {
  // [DEPTH-ITERATE-C2]
  // expected-error @below {{expected at least one carried value}}
  %n = depth.iterate max 2 carried() {
    depth.yield %go : tensor<i1>
  }
  return
}

// -----

func.func @mixed(%xs: tensor<?xf32>, %a: tensor<f32>, %go: tensor<?xi1>) {
  // [DEPTH-ITERATE-C3]
  // expected-error @below {{'depth.iterate' op expected all carried values to be rows, or none, but got 'tensor<?xf32>' and 'tensor<f32>'}}
  %y, %z, %n = depth.iterate max 2 carried(%x = %xs : tensor<?xf32>, %b = %a : tensor<f32>) {
    depth.yield %go, %x, %b : tensor<?xi1>, tensor<?xf32>, tensor<f32>
  }
  return
}

// -----

func.func @arguments(%xs: tensor<?xf32>, %go: tensor<?xi1>) {
  // [DEPTH-ITERATE-C4]
  // expected-error @below {{'depth.iterate' op expected region arguments of types ('tensor<?xf32>'), but got ('tensor<?xf64>')}}
  %y, %n = "depth.iterate"(%xs) <{max = 2, operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^bb0(%x: tensor<?xf64>):
    depth.yield %go, %xs : tensor<?xi1>, tensor<?xf32>
  }) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  return
}

// -----

func.func @results(%xs: tensor<?xf32>, %go: tensor<?xi1>) {
  // expected-error @below {{'depth.iterate' op expected results of types ('tensor<?xf32>', 'tensor<?xi32>'), but got ('tensor<?xf32>', 'tensor<i32>')}}
  %y, %n = "depth.iterate"(%xs) <{max = 2, operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^bb0(%x: tensor<?xf32>):
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>)
  return
}

// -----

// A carried value whose type changes.
func.func @yield(%xs: tensor<?x4xf32>, %go: tensor<?xi1>, %other: tensor<?x5xf32>) {
  // [DEPTH-ITERATE-C5]
  // expected-error @below {{'depth.iterate' op expected to yield flags and the next values ('tensor<?xi1>', 'tensor<?x4xf32>'), but got ('tensor<?xi1>', 'tensor<?x5xf32>')}}
  %y, %n = depth.iterate max 2 carried(%x = %xs : tensor<?x4xf32>) {
    // expected-note @below {{it is yielded here}}
    depth.yield %go, %other : tensor<?xi1>, tensor<?x5xf32>
  }
  return
}

// -----

func.func @one_flag(%xs: tensor<?xf32>, %go: tensor<i1>) {
  // expected-error @below {{expected to yield flags and the next values ('tensor<?xi1>', 'tensor<?xf32>'), but got ('tensor<i1>', 'tensor<?xf32>')}}
  %y, %n = depth.iterate max 2 carried(%x = %xs : tensor<?xf32>) {
    // expected-note @below {{it is yielded here}}
    depth.yield %go, %x : tensor<i1>, tensor<?xf32>
  }
  return
}

// -----

func.func @effect(%xs: tensor<?xf32>, %go: tensor<?xi1>, %memory: memref<f32>, %v: f32) {
  // [DEPTH-ITERATE-C6]
  // expected-error @below {{'depth.iterate' op expected a body without side effects: it is computed for the rows that go on, and an unknown number of times}}
  %y, %n = depth.iterate max 2 carried(%x = %xs : tensor<?xf32>) {
    // expected-note @below {{this op has one}}
    memref.store %v, %memory[] : memref<f32>
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @no_yield(%xs: tensor<?xf32>) {
  // [DEPTH-ITERATE-C8]
  // expected-error @below {{expected to yield flags and the next values ('tensor<?xi1>', 'tensor<?xf32>'), but got ()}}
  // expected-note @below {{it is yielded here}}
  %y, %n = depth.iterate max 2 carried(%x = %xs : tensor<?xf32>) {
  }
  return
}

// -----

func.func @alone(%go: tensor<i1>) {
  // [DEPTH-YIELD-C1]
  // expected-error @below {{'depth.yield' op expects parent op to be one of 'depth.iterate, depth.ponder, depth.search'}}
  depth.yield %go : tensor<i1>
}

// -----

func.func @starting(%xs: tensor<?xf32>, %go: tensor<?xi1>, %on: tensor<i1>) {
  // [DEPTH-ITERATE-C11]
  // expected-error @below {{expected flags of type 'tensor<?xi1>' that say what starts active, but got 'tensor<i1>'}}
  %y, %n = depth.iterate max 2 active(%on : tensor<i1>) carried(%x = %xs : tensor<?xf32>) {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @starting_numbers(%xs: tensor<?xf32>, %go: tensor<?xi1>, %on: tensor<?xi32>) {
  // [DEPTH-ITERATE-C11]
  // expected-error @below {{must be ranked tensor of 1-bit signless integer values, but got 'tensor<?xi32>'}}
  %y, %n = depth.iterate max 2 active(%on : tensor<?xi32>) carried(%x = %xs : tensor<?xf32>) {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_max(%xs: tensor<?xf32>, %p: tensor<?xf32>) {
  // [DEPTH-PONDER-C1]
  // expected-error @below {{'depth.ponder' op expected a positive maximum of iterations, but got 0}}
  %y, %n, %r = depth.ponder max 0 combine convex remainder none carried(%x = %xs : tensor<?xf32>) {
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_epsilon(%xs: tensor<?xf32>, %p: tensor<?xf32>) {
  // [DEPTH-PONDER-C2]
  // expected-error @below {{'depth.ponder' op expected an epsilon in [0, 1), but got 1.0}}
  %y, %n, %r = depth.ponder max 2 combine convex remainder none epsilon 1.0 carried(%x = %xs : tensor<?xf32>) {
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_negative_epsilon(%xs: tensor<?xf32>, %p: tensor<?xf32>) {
  // expected-error @below {{expected an epsilon in [0, 1), but got -1.0}}
  %y, %n, %r = depth.ponder max 2 combine convex remainder none epsilon -1.0e-2 carried(%x = %xs : tensor<?xf32>) {
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_mixed(%xs: tensor<?xf32>, %a: tensor<f32>, %p: tensor<?xf32>) {
  // [DEPTH-PONDER-C3]
  // expected-error @below {{'depth.ponder' op expected all carried values to be rows, or none, but got 'tensor<?xf32>' and 'tensor<f32>'}}
  %y, %z, %n, %r = depth.ponder max 2 combine convex remainder none carried(%x = %xs : tensor<?xf32>, %b = %a : tensor<f32>) {
    depth.yield %p, %x, %b : tensor<?xf32>, tensor<?xf32>, tensor<f32>
  }
  return
}

// -----

func.func @ponder_arguments(%xs: tensor<?xf32>, %p: tensor<?xf32>) {
  // [DEPTH-PONDER-C4]
  // expected-error @below {{'depth.ponder' op expected region arguments of types ('tensor<?xf32>'), but got ('tensor<?xf64>')}}
  %y, %n, %r = "depth.ponder"(%xs) <{max = 2, combine = #depth<combine convex>, at_maximum = #depth<remainder none>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%x: tensor<?xf64>):
    depth.yield %p, %xs : tensor<?xf32>, tensor<?xf32>
  }) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>)
  return
}

// -----

func.func @ponder_flags(%xs: tensor<?xf32>, %go: tensor<?xi1>) {
  // [DEPTH-PONDER-C5]
  // expected-error @below {{'depth.ponder' op expected to yield probabilities and the next values ('tensor<?xf32>', 'tensor<?xf32>'), but got ('tensor<?xi1>', 'tensor<?xf32>')}}
  %y, %n, %r = depth.ponder max 2 combine convex remainder none carried(%x = %xs : tensor<?xf32>) {
    // expected-note @below {{it is yielded here}}
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_effect(%xs: tensor<?xf32>, %p: tensor<?xf32>, %memory: memref<f32>, %v: f32) {
  // [DEPTH-PONDER-C6]
  // expected-error @below {{'depth.ponder' op expected a body without side effects}}
  %y, %n, %r = depth.ponder max 2 combine convex remainder none carried(%x = %xs : tensor<?xf32>) {
    // expected-note @below {{this op has one}}
    memref.store %v, %memory[] : memref<f32>
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_no_yield(%xs: tensor<?xf32>) {
  // [DEPTH-PONDER-C7]
  // expected-error @below {{expected to yield probabilities and the next values ('tensor<?xf32>', 'tensor<?xf32>'), but got ()}}
  // expected-note @below {{it is yielded here}}
  %y, %n, %r = depth.ponder max 2 combine convex remainder none carried(%x = %xs : tensor<?xf32>) {
  }
  return
}

// -----

func.func @ponder_combine(%xs: tensor<?xf32>) {
  // [DEPTH-PONDER-C9]
  // expected-error @below {{expected 'convex' or 'weighted_sum' after 'combine'}}
  %y, %n, %r = depth.ponder max 2 combine mean remainder none carried(%x = %xs : tensor<?xf32>) {
  }
  return
}

// -----

func.func @slices(%xs: tensor<?xf32>, %go: tensor<?xi1>, %W: tensor<3x4xf32>) {
  // [DEPTH-ITERATE-C14]
  // expected-error @below {{'depth.iterate' op expected arrays of static shape with 2 slices, one for each iteration, but got 'tensor<3x4xf32>'}}
  %y, %n = depth.iterate max 2 carried(%x = %xs : tensor<?xf32>) slices(%w = %W : tensor<3x4xf32>) {
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @slices_of_rows(%xs: tensor<?xf32>, %W: tensor<?x4xf32>) {
  // expected-error @below {{expected arrays of static shape with 2 slices, one for each iteration, but got 'tensor<?x4xf32>'}}
  %y = depth.iterate 2 carried(%x = %xs : tensor<?xf32>) slices(%w = %W : tensor<?x4xf32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @slices_of_a_number(%xs: tensor<?xf32>, %a: tensor<f32>) {
  // expected-error @below {{expected arrays with a leading dimension, but got 'tensor<f32>'}}
  %y = depth.iterate 2 carried(%x = %xs : tensor<?xf32>) slices(%w = %a : tensor<f32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @slice_arguments(%xs: tensor<?xf32>, %W: tensor<2x4xf32>) {
  // expected-error @below {{'depth.iterate' op expected region arguments of types ('tensor<?xf32>', 'tensor<4xf32>'), but got ('tensor<?xf32>')}}
  %y = "depth.iterate"(%xs, %W) <{max = 2, fixed, operandSegmentSizes = array<i32: 0, 1, 1>}> ({
  ^bb0(%x: tensor<?xf32>):
    depth.yield %x : tensor<?xf32>
  }) : (tensor<?xf32>, tensor<2x4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @fixed_active(%xs: tensor<?xf32>, %go: tensor<?xi1>) {
  // [DEPTH-ITERATE-C16]
  // expected-error @below {{'depth.iterate' op expected no 'active' in a loop that nothing stops (with 'max', rows stop)}}
  %y = depth.iterate 2 active(%go : tensor<?xi1>) carried(%x = %xs : tensor<?xf32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @fixed_compact(%xs: tensor<?xf32>) {
  // expected-error @below {{expected no 'compact' in a loop that nothing stops}}
  %y = depth.iterate 2 compact carried(%x = %xs : tensor<?xf32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @fixed_flags(%xs: tensor<?xf32>, %go: tensor<?xi1>) {
  // [DEPTH-ITERATE-C5]
  // expected-error @below {{expected to yield the next values ('tensor<?xf32>'), but got ('tensor<?xi1>', 'tensor<?xf32>')}}
  %y = depth.iterate 2 carried(%x = %xs : tensor<?xf32>) {
    // expected-note @below {{it is yielded here}}
    depth.yield %go, %x : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @fixed_none(%xs: tensor<?xf32>) {
  // expected-error @below {{expected a positive maximum of iterations, but got 0}}
  %y = depth.iterate 0 carried(%x = %xs : tensor<?xf32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @scope(%xs: tensor<?xf32>) {
  // [DEPTH-ITERATE-C17]
  // expected-error @below {{expected a scope of names with a dot between them, but got "layer."}}
  %y = depth.iterate 2 stacked "layer." carried(%x = %xs : tensor<?xf32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_slices(%xs: tensor<?xf32>, %p: tensor<?xf32>, %W: tensor<3x4xf32>) {
  // [DEPTH-PONDER-C10]
  // expected-error @below {{'depth.ponder' op expected arrays of static shape with 2 slices, one for each iteration, but got 'tensor<3x4xf32>'}}
  %y, %n, %r = depth.ponder max 2 combine convex remainder none carried(%x = %xs : tensor<?xf32>) slices(%w = %W : tensor<3x4xf32>) {
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

// -----

func.func @ponder_scope(%xs: tensor<?xf32>, %p: tensor<?xf32>) {
  // [DEPTH-PONDER-C11]
  // expected-error @below {{expected a scope of names with a dot between them, but got "a..b"}}
  %y, %n, %r = depth.ponder max 2 combine convex remainder none tied "a..b" carried(%x = %xs : tensor<?xf32>) {
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return
}

// -----

func.func @given_maximum(%xs: tensor<?xf32>) {
  // [DEPTH-ITERATE-C1]
  // expected-error @below {{expected a positive maximum of iterations, but got 0}}
  %y = depth.iterate (#nn.given<"layers" = 0>) carried(%x = %xs : tensor<?xf32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @given_kind(%xs: tensor<?xf32>) {
  // expected-error @below {{a number, or an #nn.given of one: 64-bit signless integer attribute}}
  %y = depth.iterate (#nn.given<"layers" = 2.5>) carried(%x = %xs : tensor<?xf32>) {
    depth.yield %x : tensor<?xf32>
  }
  return
}
