// RUN: cambium-opt --buffers-reuse-memory --buffers-hoist-allocations --buffers-use-arena --split-input-file %s | FileCheck %s

/// An allocation of the rows of a level moves out with the bound that its size has;
/// the loop uses a view of it.
// CHECK-LABEL: func @bounded
// CHECK-SAME: %[[MAX:[a-z0-9]+]]: index, %[[OUT:[a-z0-9]+]]: memref<?x3xf32>
// CHECK: %[[X:.*]] = rt.alloc(%[[MAX]]) : memref<?x3xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[N:.*]] = arith.minsi %[[I]], %[[MAX]]
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[N]], 3], strides: [3, 1]
// CHECK: linalg.copy ins(%[[VIEW]]
// CHECK-NOT: memref.copy
func.func @bounded(%max: index, %out: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %max step %c1 {
    %n = arith.minsi %i, %max : index
    %x = memref.alloc(%n) : memref<?x3xf32>
    memref.copy %x, %out : memref<?x3xf32> to memref<?x3xf32>
  }
  return
}

// -----

/// Sums and products of sizes are bounded by those of the bounds.
// CHECK-LABEL: func @products
// CHECK-SAME: %[[MAX:[a-z0-9]+]]: index
// CHECK: %[[BOUND:.*]] = affine.apply #{{.*}}()[%[[MAX]]]
// CHECK: rt.alloc(%[[BOUND]])
// CHECK: scf.for
func.func @products(%max: index, %out: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %max step %c1 {
    %n = arith.minsi %i, %max : index
    %m = affine.apply affine_map<()[s0] -> (s0 * 25)>()[%n]
    %x = memref.alloc(%m) : memref<?x3xf32>
    memref.copy %x, %out : memref<?x3xf32> to memref<?x3xf32>
  }
  return
}

// -----

/// Values that do not live together share memory; those that do, do not.
// CHECK-LABEL: func @reuse
// CHECK-COUNT-2: rt.alloc
// CHECK-NOT: rt.alloc
func.func @reuse(%n: index, %in: memref<?xf32>, %out: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %c : memref<?xf32> to memref<?xf32>
  memref.copy %c, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

/// An allocation without a bound stays, for the contract to be reported at it.
// CHECK-LABEL: func @unbounded
// CHECK: scf.for
// CHECK: rt.alloc
func.func @unbounded(%max: index, %sizes: memref<?xindex>, %out: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %max step %c1 {
    %n = memref.load %sizes[%i] : memref<?xindex>
    %x = memref.alloc(%n) : memref<?x3xf32>
    memref.copy %x, %out : memref<?x3xf32> to memref<?x3xf32>
  }
  return
}
