// RUN: cambium-opt %s --kernels-outline-parallel | FileCheck %s

// CHECK: func.func private @scale.task(%{{.*}}: f32, %{{.*}}: memref<?x3xf32, strided<[3, 1], offset: ?>>, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK: arith.constant 1 : index
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: memref.store

/// Captured values become arguments, constants are copied; one function serves
/// regions that do the same, at any place of a buffer.
// CHECK-LABEL: func.func @scale
// CHECK: %[[A:.*]] = memref.cast %{{.*}} : memref<?x3xf32> to memref<?x3xf32, strided<[3, 1], offset: ?>>
// CHECK: rt.launch @scale.task(%{{.*}}, %[[A]]) over %{{.*}} grain 8 : f32, memref<?x3xf32, strided<[3, 1], offset: ?>>
// CHECK: rt.launch @scale.task(%{{.*}}) over %{{.*}} grain 4
func.func @scale(%x: memref<?x3xf32>, %y: memref<5x3xf32, strided<[3, 1], offset: 6>>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  rt.parallel %n grain 8 {
  ^bb0(%begin: index, %end: index):
    scf.for %i = %begin to %end step %c1 {
      memref.store %f, %x[%i, %c0] : memref<?x3xf32>
    }
  }
  rt.parallel %c5 grain 4 {
  ^bb0(%begin: index, %end: index):
    scf.for %i = %begin to %end step %c1 {
      memref.store %f, %y[%i, %c0] : memref<5x3xf32, strided<[3, 1], offset: 6>>
    }
  }
  return
}

/// A view at a known place that is more than read and written keeps its type: a view
/// of it knows where it stands.
// CHECK-LABEL: func.func private @views.task
// CHECK-SAME: memref<?x8xf32, strided<[20, 1], offset: 8>>
// CHECK: memref.subview %{{.*}} : memref<?x8xf32, strided<[20, 1], offset: 8>> to memref<8xf32, strided<[1], offset: ?>>
func.func @views(%y: memref<?x8xf32, strided<[20, 1], offset: 8>>, %f: f32, %n: index) {
  %c1 = arith.constant 1 : index
  rt.parallel %n grain 1 {
  ^bb0(%begin: index, %end: index):
    scf.for %i = %begin to %end step %c1 {
      %row = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<?x8xf32, strided<[20, 1], offset: 8>> to memref<8xf32, strided<[1], offset: ?>>
      linalg.fill ins(%f : f32) outs(%row : memref<8xf32, strided<[1], offset: ?>>)
    }
  }
  return
}

/// Bytes of which a part is taken keep their type.
// CHECK-LABEL: func.func private @parts.task(
// CHECK-SAME: memref<?xi8>,
// CHECK: memref.view
// CHECK: func.func @parts
func.func @parts(%n: index, %v: f32, %bytes: memref<?xi8>) {
  rt.parallel %n grain 1 {
  ^bb0(%begin: index, %end: index):
    %c0 = arith.constant 0 : index
    %x = memref.view %bytes[%begin][%n] : memref<?xi8> to memref<?xf32>
    memref.store %v, %x[%c0] : memref<?xf32>
  }
  return
}
