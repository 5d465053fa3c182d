// RUN: cambium-opt %s --kernels-split-products | FileCheck %s

/// Three gates whose products are one. What the loop does not change is cut outside of it, and
/// each part starts from its part of the row. The order of parts is that of columns.
// CHECK-LABEL: func.func @gates
// CHECK-SAME: %[[X:[^:]*]]: memref<?x8xf32>, %[[W:[^:]*]]: memref<8x12xf32>, %[[B:[^:]*]]: memref<12xf32>, %[[N:[^:]*]]: index
// CHECK-DAG: %[[W0:.*]] = memref.subview %[[W]][0, 0] [8, 4] [1, 1]
// CHECK-DAG: %[[W1:.*]] = memref.subview %[[W]][0, 4] [8, 4] [1, 1]
// CHECK-DAG: %[[W2:.*]] = memref.subview %[[W]][0, 8] [8, 4] [1, 1]
// CHECK-DAG: %[[B1:.*]] = memref.subview %[[B]][4] [4] [1]
// CHECK: scf.for
// CHECK: %[[Y:.*]] = memref.subview %{{.*}}[0, 0] [%[[N]], 12]
// CHECK-DAG: %[[Y0:.*]] = memref.subview %[[Y]][0, 0] [%[[N]], 4] [1, 1]
// CHECK-DAG: %[[Y1:.*]] = memref.subview %[[Y]][0, 4] [%[[N]], 4] [1, 1]
// CHECK-DAG: %[[Y2:.*]] = memref.subview %[[Y]][0, 8] [%[[N]], 4] [1, 1]
// CHECK: linalg.matmul ins(%[[X]], %[[W0]] {{.*}} outs(%[[Y0]]
// CHECK: linalg.broadcast ins(%[[B1]] {{.*}} outs(%[[Y1]]
// CHECK: linalg.matmul ins(%[[X]], %[[W1]] {{.*}} outs(%[[Y1]]
// CHECK: linalg.matmul ins(%[[X]], %[[W2]] {{.*}} outs(%[[Y2]]
// CHECK-NOT: linalg.matmul
// CHECK: linalg.add
func.func @gates(%x: memref<?x8xf32>, %w: memref<8x12xf32>, %b: memref<12xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = rt.alloc(%n) : memref<?x12xf32>
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.subview %all[0, 0] [%n, 12] [1, 1] : memref<?x12xf32> to memref<?x12xf32, strided<[12, 1]>>
    linalg.broadcast ins(%b : memref<12xf32>) outs(%y : memref<?x12xf32, strided<[12, 1]>>) dimensions = [0]
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x12xf32>) outs(%y : memref<?x12xf32, strided<[12, 1]>>)
    %p = memref.subview %y[0, 0] [%n, 4] [1, 1] : memref<?x12xf32, strided<[12, 1]>> to memref<?x4xf32, strided<[12, 1]>>
    %q = memref.subview %y[0, 8] [%n, 4] [1, 1] : memref<?x12xf32, strided<[12, 1]>> to memref<?x4xf32, strided<[12, 1], offset: 8>>
    linalg.add ins(%p, %q : memref<?x4xf32, strided<[12, 1]>>, memref<?x4xf32, strided<[12, 1], offset: 8>>) outs(%p : memref<?x4xf32, strided<[12, 1]>>)
  }
  return
}

/// Sums that start from zeros, and from what is there.
// CHECK-LABEL: func.func @starts
// CHECK: scf.for
// CHECK: linalg.fill
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.matmul
// CHECK-NOT: linalg.matmul
// CHECK: scf.for
// CHECK-NOT: linalg.fill
// CHECK-COUNT-2: linalg.matmul
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @starts(%x: memref<?x8xf32>, %w: memref<8x6xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x6xf32>
  %z = rt.alloc(%n) : memref<?x6xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x6xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x6xf32>) outs(%y : memref<?x6xf32>)
    %p = memref.subview %y[0, 3] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1], offset: 3>>
    linalg.exp ins(%p : memref<?x3xf32, strided<[6, 1], offset: 3>>) outs(%p : memref<?x3xf32, strided<[6, 1], offset: 3>>)
  }
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x6xf32>) outs(%z : memref<?x6xf32>)
    %p = memref.subview %z[0, 3] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1], offset: 3>>
    linalg.exp ins(%p : memref<?x3xf32, strided<[6, 1], offset: 3>>) outs(%p : memref<?x3xf32, strided<[6, 1], offset: 3>>)
  }
  return
}

/// Parts of two widths, parts that begin between two others, a result that is used whole, and
/// a product that no loop repeats stay.
// CHECK-LABEL: func.func @whole
// CHECK-COUNT-4: linalg.matmul ins({{.*}}memref<8x6xf32>)
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @whole(%x: memref<?x8xf32>, %w: memref<8x6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x6xf32>
  %z = rt.alloc(%n) : memref<?x6xf32>
  %u = rt.alloc(%n) : memref<?x6xf32>
  %v = rt.alloc(%n) : memref<?x6xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x6xf32>) outs(%y : memref<?x6xf32>)
    %p = memref.subview %y[0, 0] [%n, 2] [1, 1] : memref<?x6xf32> to memref<?x2xf32, strided<[6, 1]>>
    %q = memref.subview %y[0, 3] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1], offset: 3>>
    linalg.exp ins(%p : memref<?x2xf32, strided<[6, 1]>>) outs(%p : memref<?x2xf32, strided<[6, 1]>>)
    linalg.exp ins(%q : memref<?x3xf32, strided<[6, 1], offset: 3>>) outs(%q : memref<?x3xf32, strided<[6, 1], offset: 3>>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x6xf32>) outs(%z : memref<?x6xf32>)
    %r = memref.subview %z[0, 1] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1], offset: 1>>
    linalg.exp ins(%r : memref<?x3xf32, strided<[6, 1], offset: 1>>) outs(%r : memref<?x3xf32, strided<[6, 1], offset: 1>>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x6xf32>) outs(%u : memref<?x6xf32>)
    %s = memref.subview %u[0, 0] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1]>>
    linalg.exp ins(%s : memref<?x3xf32, strided<[6, 1]>>) outs(%s : memref<?x3xf32, strided<[6, 1]>>)
    linalg.exp ins(%u : memref<?x6xf32>) outs(%u : memref<?x6xf32>)
  }
  linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x6xf32>) outs(%v : memref<?x6xf32>)
  %t = memref.subview %v[0, 3] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1], offset: 3>>
  linalg.exp ins(%t : memref<?x3xf32, strided<[6, 1], offset: 3>>) outs(%t : memref<?x3xf32, strided<[6, 1], offset: 3>>)
  return
}
