// RUN: cambium-opt %s --pass-pipeline="builtin.module(func.func(kernels-parallelize-loops))" | FileCheck %s

/// A loop inside of another one is a thread's. How many iterations are worth a
/// thread follows from what one moves.
// CHECK-LABEL: func.func @nested
// CHECK: rt.parallel %{{.*}} grain 8
// CHECK-NEXT: ^bb0(%[[BEGIN:.*]]: index, %[[END:.*]]: index):
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step
// CHECK: scf.for
// CHECK-NOT: rt.parallel
// CHECK-NOT: rt.for_each
func.func @nested(%x: memref<?x?xf32>, %f: f32, %n: index) {
  rt.for_each %i of %n work 4096 {
    rt.for_each %j of %n work 1 {
      memref.store %f, %x[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

/// An iteration that does not say what it moves is worth a thread.
// CHECK-LABEL: func.func @worth_a_thread
// CHECK: rt.parallel %{{.*}} grain 1
func.func @worth_a_thread(%x: memref<?xf32>, %f: f32, %n: index) {
  rt.for_each %i of %n {
    memref.store %f, %x[%i] : memref<?xf32>
  }
  return
}

/// A thread has one memory for its iterations, also for those of inner loops.
// CHECK-LABEL: func.func @own_memory
// CHECK: rt.parallel
// CHECK-NEXT: ^bb0
// CHECK-DAG: %[[A:.*]] = memref.alloca() : memref<4xf32>
// CHECK-DAG: %[[B:.*]] = memref.alloca() : memref<2xf32>
// CHECK: scf.for
// CHECK: linalg.fill {{.*}} outs(%[[A]]
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: linalg.fill {{.*}} outs(%[[B]]
func.func @own_memory(%f: f32, %n: index) {
  rt.for_each %i of %n work 4 {
    %a = memref.alloca() : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
    rt.for_each %j of %n work 4 {
      %b = memref.alloca() : memref<2xf32>
      linalg.fill ins(%f : f32) outs(%b : memref<2xf32>)
    }
  }
  return
}

/// Another loop stays as it is.
// CHECK-LABEL: func.func @ordered
// CHECK-NOT: rt.parallel
// CHECK: scf.for
func.func @ordered(%x: memref<?xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %x[%i] : memref<?xf32>
  }
  return
}
