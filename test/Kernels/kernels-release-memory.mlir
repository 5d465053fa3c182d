// RUN: cambium-opt %s --pass-pipeline='builtin.module(func.func(kernels-release-memory))' --split-input-file | FileCheck %s

func.func private @g(memref<?xf32>, memref<?xf32>)

/// Memory is there from its first access to its last one, in a loop too, and views
/// follow it.
// CHECK-LABEL: func @sequence
// CHECK-SAME: (%[[N:.*]]: index, %{{.*}}: index, %[[X:.*]]: memref<?xf32>)
// CHECK: %[[A:.*]] = rt.alloc(%[[N]])
// CHECK-NEXT: call @g(%[[X]], %[[A]])
// CHECK-NEXT: %[[B:.*]] = rt.alloc(
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[B]]
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[VIEW]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: func.call @g(%[[A]], %[[X]])
// CHECK-NEXT: memref.load %[[CAST]]
// CHECK: }
// CHECK-NEXT: memref.dealloc %{{.*}}
// CHECK-NEXT: memref.dealloc %{{.*}}
// CHECK-NEXT: %[[C:.*]] = rt.alloc(
// CHECK-NEXT: call @g(%[[C]], %[[X]])
// CHECK-NEXT: memref.dealloc %[[C]]
// CHECK-NEXT: return
func.func @sequence(%n: index, %m: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = rt.alloc(%m) : memref<?xf32>
  %b = rt.alloc(%m) : memref<?xf32>
  %view = memref.subview %b[%c1] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %cast = memref.cast %view : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  %a = rt.alloc(%n) : memref<?xf32>
  call @g(%x, %a) : (memref<?xf32>, memref<?xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    func.call @g(%a, %x) : (memref<?xf32>, memref<?xf32>) -> ()
    %v = memref.load %cast[%i] : memref<?xf32, strided<[?], offset: ?>>
    memref.store %v, %cast[%i] : memref<?xf32, strided<[?], offset: ?>>
  }
  call @g(%c, %x) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func private @g(memref<?xi32>)
func.func private @h(index)

/// A partition keeps its offsets.
// CHECK-LABEL: func @negative_captured
// CHECK: rt.alloc
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @negative_captured(%n: index) {
  %c1 = arith.constant 1 : index
  %count = arith.addi %n, %c1 : index
  %offsets = rt.alloc(%count) : memref<?xi32>
  call @g(%offsets) : (memref<?xi32>) -> ()
  %rows = rt.make_rows %n, %n, %offsets : memref<?xi32>
  %size = rt.rows_size %rows num_rows
  call @h(%size) : (index) -> ()
  return
}
