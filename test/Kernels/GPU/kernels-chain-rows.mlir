// RUN: cambium-opt %s --kernels-chain-rows | FileCheck %s

!row = memref<8xf32, strided<[1], offset: ?>>

/// Sums into rows that ids choose: each iteration knows the next one of its row, and the
/// first one executes all of them. A second loop over the same ids has the same links.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[KEYS:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: %[[NEXT:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: %[[FIRST:.*]] = rt.alloc(%[[N]]) : memref<?xi32>
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[KEYS]]
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

/// Rows of the list of touched rows are different; rows to touch are listed in their order.
nn.param @E : tensor<4x8xf32> row_sparse
// CHECK-LABEL: func.func @touched
// CHECK: scf.for
// CHECK-NOT: linalg
// CHECK: rt.touch @E
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
