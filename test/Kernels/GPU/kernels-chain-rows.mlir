// RUN: cambium-opt %s --kernels-chain-rows | FileCheck %s

!row = memref<8xf32, strided<[1], offset: ?>>

/// Sums into rows that ids choose: each iteration knows the next one of its row, and the
/// first one executes all of them. Few look for it; many are sorted, by runs that double. A second
/// loop over the same ids has the same links.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[KEYS:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: %[[NEXT:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: %[[FIRST:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: %[[ORDER:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[KEYS]]
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[N]], %c512
// CHECK: scf.if %[[FEW]]
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[FIRST]]
// CHECK: memref.store %{{.*}}, %[[NEXT]]
// CHECK: } else {
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[ORDER]]
// CHECK: scf.while (%[[SIZE:.*]] = %c32
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[NEXT]]
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[ORDER]]
// CHECK: scf.yield %{{.*}} : index
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[FIRST]]
// CHECK: memref.store %{{.*}}, %[[NEXT]]
// CHECK: rt.for_each %[[I:.*]] of %[[N]]
// CHECK: %[[IS_FIRST:.*]] = memref.load %[[FIRST]][%[[I]]]
// CHECK: scf.if
// CHECK: scf.while (%{{.*}} = %[[I]])
// CHECK: linalg.add
// CHECK: memref.load %[[NEXT]]
// CHECK: rt.for_each %{{.*}} of %[[N]]
// CHECK-NEXT: memref.load %[[FIRST]]
// CHECK: linalg.sub
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @sums(%n: index, %x: memref<?x8xf32>, %ids: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x8xf32>
  %z = rt.alloc(%n) : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %a = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    %b = memref.subview %y[%row, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    linalg.add ins(%a, %b : !row, !row) outs(%b : !row)
  }
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %a = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    %b = memref.subview %z[%row, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    linalg.sub ins(%a, %b : !row, !row) outs(%b : !row)
  }
  return
}

/// Rows to touch are listed in the order of their iterations: each says whether its row is new, parts
/// count those, and put them behind those of the parts before. Rows of the list are different.
nn.param @E : tensor<4x8xf32> row_sparse
// CHECK-LABEL: func.func @touched
// CHECK-NOT: rt.touch @E
// CHECK: %[[LIST:.*]] = rt.touched @E
// CHECK: %[[FLAGS:.*]] = rt.touched_flags @E
// CHECK: rt.for_each
// CHECK: memref.load %[[FLAGS]]
// CHECK: memref.store %{{.*}}, %[[MARKS:.*]][
// CHECK: %[[BEFORE:.*]] = rt.num_touched @E
// CHECK: rt.for_each %{{.*}} of %c256
// CHECK: memref.load %[[MARKS]]
// CHECK: rt.for_each %{{.*}} of %c256
// CHECK: memref.store %{{.*}}, %[[LIST]]
// CHECK: memref.store %{{.*}}, %[[FLAGS]]
// CHECK: rt.set_num_touched @E
// CHECK: rt.for_each
// CHECK: linalg.add
// CHECK: rt.num_touched
// CHECK-NOT: scf.for
// CHECK: rt.for_each
// CHECK-NOT: scf.if
// CHECK: linalg.exp
// CHECK: return
func.func @touched(%n: index, %x: memref<?x8xf32>, %ids: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = rt.gradient @E : memref<4x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    rt.touch @E, %row
    %a = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    %b = memref.subview %g[%row, 0] [1, 8] [1, 1] : memref<4x8xf32> to !row
    linalg.add ins(%a, %b : !row, !row) outs(%b : !row)
  }
  %touched = rt.touched @E : memref<?xi32>
  %count = rt.num_touched @E
  scf.for %i = %c0 to %count step %c1 {
    %id = memref.load %touched[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %b = memref.subview %g[%row, 0] [1, 8] [1, 1] : memref<4x8xf32> to !row
    linalg.exp ins(%b : !row) outs(%b : !row)
  }
  return
}

/// Rows that a condition on the row leaves out are not touched by any iteration.
// CHECK-LABEL: func.func @padding
// CHECK-NOT: rt.touch @E
// CHECK: rt.touched_flags @E
// CHECK: scf.if
// CHECK: memref.load
// CHECK: rt.set_num_touched @E
func.func @padding(%n: index, %x: memref<?x8xf32>, %ids: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = rt.gradient @E : memref<4x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %goes = arith.cmpi ne, %row, %c0 : index
    scf.if %goes {
      rt.touch @E, %row
      %a = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
      %b = memref.subview %g[%row, 0] [1, 8] [1, 1] : memref<4x8xf32> to !row
      linalg.add ins(%a, %b : !row, !row) outs(%b : !row)
    }
  }
  return
}

/// One that looks at the iteration may leave out the first one of a row.
// CHECK-LABEL: func.func @negative_padding
// CHECK: rt.touch @E
func.func @negative_padding(%n: index, %x: memref<?x8xf32>, %ids: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = rt.gradient @E : memref<4x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %goes = arith.cmpi ne, %i, %c0 : index
    scf.if %goes {
      rt.touch @E, %row
      %a = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
      %b = memref.subview %g[%row, 0] [1, 8] [1, 1] : memref<4x8xf32> to !row
      linalg.add ins(%a, %b : !row, !row) outs(%b : !row)
    }
  }
  return
}

/// A flag for each row of the list, and then the list is empty.
// CHECK-LABEL: func.func @cleared
// CHECK: rt.for_each
// CHECK: memref.store
// CHECK: rt.set_num_touched @E, %c0
func.func @cleared() {
  rt.clear_touched @E
  return
}

/// The norm of rows: each has a sum, and these are added in their order.
// CHECK-LABEL: func.func @norm
// CHECK: %[[SUMS:.*]] = rt.alloc(%c4{{.*}}) : memref<?xf64>
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[SUMS]]
// CHECK: linalg.generic
// CHECK: memref.subview %[[SUMS]]
// CHECK: linalg.generic
// CHECK-NOT: scf.for
// CHECK: return
func.func @norm() -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %g = rt.gradient @E : memref<4x8xf32>
  %touched = rt.touched @E : memref<?xi32>
  %count = rt.num_touched @E
  %total = rt.alloc() : memref<f64>
  memref.store %zero, %total[] : memref<f64>
  scf.for %i = %c0 to %count step %c1 {
    %id = memref.load %touched[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %a = memref.subview %g[%row, 0] [1, 8] [1, 1] : memref<4x8xf32> to !row
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
                    iterator_types = ["reduction"]} ins(%a : !row) outs(%total : memref<f64>) {
    ^bb0(%v: f32, %s: f64):
      %w = arith.extf %v : f32 to f64
      %q = arith.mulf %w, %w : f64
      %t = arith.addf %s, %q : f64
      linalg.yield %t : f64
    }
  }
  %sum = memref.load %total[] : memref<f64>
  return %sum : f64
}

/// A large sum has parts: rows, the last one fewer.
// CHECK-LABEL: func.func @large
// CHECK: %[[PARTS:.*]] = rt.alloc(%{{.*}}) : memref<?xf32>
// CHECK: rt.for_each
// CHECK: memref.subview %{{.*}} [%{{.*}}, 64] [1, 1]
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
func.func @large(%x: memref<3000x64xf32>, %total: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<3000x64xf32>) outs(%total : memref<f32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}

/// What reads another row than the one that it writes has an order.
// CHECK-LABEL: func.func @negative_reads
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @negative_reads(%n: index, %ids: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %a = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    %b = memref.subview %y[%row, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    linalg.add ins(%a, %b : !row, !row) outs(%b : !row)
  }
  return
}

/// Ids that the loop itself writes are not known before.
// CHECK-LABEL: func.func @negative_ids
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @negative_ids(%n: index, %x: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ids = rt.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    memref.store %id, %ids[%row] : memref<?xi32>
  }
  return
}

/// What is short with all around it, one warp executes.
// CHECK-LABEL: func.func @negative_short
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @negative_short(%n: index, %x: memref<?x8xf32>, %ids: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x8xf32>
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %id = memref.load %ids[%i] : memref<?xi32>
      %row = arith.index_cast %id : i32 to index
      %a = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
      %b = memref.subview %y[%row, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
      linalg.add ins(%a, %b : !row, !row) outs(%b : !row)
    }
  }
  return
}

/// How often a loop went is known when it has ended; what it has written says the most there can be.
// CHECK-LABEL: func.func @executed
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: scf.while
// CHECK: rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: rt.for_each
// CHECK: linalg.add
func.func @executed(%n: index, %x: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x8xf32>
  %ids = rt.alloc(%n) : memref<?xi32>
  %one = arith.constant 1 : i32
  %count = scf.while (%i = %c0) : (index) -> (index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %one, %ids[%i] : memref<?xi32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  %some = memref.subview %ids[0] [%count] [1] : memref<?xi32> to memref<?xi32, strided<[1]>>
  scf.for %i = %c0 to %count step %c1 {
    %id = memref.load %some[%i] : memref<?xi32, strided<[1]>>
    %row = arith.index_cast %id : i32 to index
    %a = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    %b = memref.subview %y[%row, 0] [1, 8] [1, 1] : memref<?x8xf32> to !row
    linalg.add ins(%a, %b : !row, !row) outs(%b : !row)
  }
  return
}

/// The words that are flagged move to the beginning: from a copy, each behind those of the parts
/// before.
// CHECK-LABEL: func.func @kept
// CHECK-SAME: %[[N:[^:]*]]: index, %[[IDS:[^:]*]]: memref<?xi32>
// CHECK: %[[COPY:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK: rt.for_each %{{.*}} of %c256
// CHECK: rt.for_each %{{.*}} of %c256
// CHECK: memref.load %[[COPY]]
// CHECK: memref.store %{{.*}}, %[[IDS]]
// CHECK: %[[COUNT:.*]] = arith.index_cast
// CHECK: return %[[COUNT]]
func.func @kept(%n: index, %ids: memref<?xi32>, %goes: memref<?xi1>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
    %id = memref.load %ids[%i] : memref<?xi32>
    memref.store %id, %ids[%at] : memref<?xi32>
    %flag = memref.load %goes[%i] : memref<?xi1>
    %more = arith.index_castui %flag : i1 to index
    %next = arith.addi %at, %more : index
    scf.yield %next : index
  }
  return %count : index
}

/// Words of another array go elsewhere.
// CHECK-LABEL: func.func @negative_kept
// CHECK-NOT: rt.for_each
// CHECK: return
func.func @negative_kept(%n: index, %ids: memref<?xi32>, %to: memref<?xi32>, %goes: memref<?xi1>)
    -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
    %id = memref.load %ids[%i] : memref<?xi32>
    memref.store %id, %to[%at] : memref<?xi32>
    %flag = memref.load %goes[%i] : memref<?xi1>
    %more = arith.index_castui %flag : i1 to index
    %next = arith.addi %at, %more : index
    scf.yield %next : index
  }
  return %count : index
}
