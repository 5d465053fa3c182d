// RUN: cambium-opt %s --pass-pipeline="builtin.module(func.func(kernels-parallelize-loops))" | FileCheck %s
// RUN: cambium-opt %s --pass-pipeline="builtin.module(func.func(buffers-hoist-allocations,kernels-parallelize-loops))" | FileCheck %s --check-prefix=HOISTED

/// A marked loop, with a loop inside that is marked too.
// CHECK-LABEL: func.func @marked
// CHECK: rt.parallel %{{.*}} grain 8
// CHECK-NEXT: ^bb0(%[[BEGIN:.*]]: index, %[[END:.*]]: index):
// CHECK-NEXT: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step
// CHECK: scf.for
// CHECK: cambium.independent
// CHECK-NOT: rt.parallel
// CHECK-LABEL: func.func @others
func.func @marked(%x: memref<?x?xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %f, %x[%i, %j] : memref<?x?xf32>
    } {cambium.independent = 1 : i64}
  } {cambium.independent = 4096 : i64}
  return
}

/// Not marked; not from zero; not by one; with a value.
// CHECK-NOT: rt.parallel
// CHECK-LABEL: func.func @allocates
func.func @others(%x: memref<?xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %x[%i] : memref<?xf32>
  }
  scf.for %i = %c1 to %n step %c1 {
    memref.store %f, %x[%i] : memref<?xf32>
  } {cambium.independent = 1 : i64}
  scf.for %i = %c0 to %n step %c2 {
    memref.store %f, %x[%i] : memref<?xf32>
  } {cambium.independent = 1 : i64}
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> f32 {
    %next = arith.addf %s, %f : f32
    scf.yield %next : f32
  } {cambium.independent = 1 : i64}
  return %sum : f32
}

/// Iterations that share memory cannot run at once.
// CHECK: rt.parallel
// HOISTED-LABEL: func.func @allocates
// HOISTED: memref.alloc
// HOISTED-NOT: rt.parallel
// HOISTED: scf.for
// HOISTED-NOT: cambium.independent
func.func @allocates(%x: memref<?xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    %v = memref.load %a[%c0] : memref<4xf32>
    memref.store %v, %x[%i] : memref<?xf32>
  } {cambium.independent = 1 : i64}
  return
}
