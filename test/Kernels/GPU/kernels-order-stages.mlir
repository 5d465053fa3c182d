// RUN: cambium-opt %s --kernels-order-stages | FileCheck %s
// RUN: cambium-opt %s --kernels-order-stages --kernels-place-barriers | FileCheck %s --check-prefix=BARRIERS

/// The third stage needs no barrier, and does not wait behind one.
// CHECK-LABEL: func.func @independent
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>, %[[Y:[^:]*]]: memref<?xf32>
// CHECK: memref.store %{{.*}}, %[[X]]
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK: memref.load %[[X]]
// BARRIERS-LABEL: func.func @independent
// BARRIERS-COUNT-1: rt.barrier
// BARRIERS-NOT: rt.barrier
// BARRIERS: return
func.func @independent(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %v: f32) {
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %x[%begin] : memref<?xf32>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    %u = memref.load %x[%begin] : memref<?xf32>
    memref.store %u, %x[%end] : memref<?xf32>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %y[%begin] : memref<?xf32>
  }
  return
}

/// What all threads read stands behind what writes it, and before what uses it; so too
/// in a loop.
// CHECK-LABEL: func.func @numbers
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[X:[a-z0-9]+]][
// CHECK: memref.store %{{.*}}, %[[Y:[a-z0-9]+]][
// CHECK: %[[N:.*]] = memref.load %[[X]]
// CHECK: rt.parallel %[[N]]
func.func @numbers(%x: memref<?xindex>, %y: memref<?xf32>, %z: memref<?xf32>, %n: index, %v: f32) {
  scf.for %i = %n to %n step %n {
    rt.parallel %n grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      memref.store %n, %x[%begin] : memref<?xindex>
    }
    %count = memref.load %x[%n] : memref<?xindex>
    rt.parallel %count grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      memref.store %v, %z[%begin] : memref<?xf32>
    }
    rt.parallel %n grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      memref.store %v, %y[%begin] : memref<?xf32>
    }
  }
  return
}

/// Nothing moves across a loop with stages in it, nor across a failure.
// CHECK-LABEL: func.func @negative_fences
// CHECK: scf.for
// CHECK: rt.fail_if
// CHECK: rt.parallel
func.func @negative_fences(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %v: f32, %bad: i1) {
  scf.for %i = %n to %n step %n {
    rt.parallel %n grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      memref.store %v, %x[%begin] : memref<?xf32>
    }
  }
  rt.fail_if %bad, 9, "bad"
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %y[%begin] : memref<?xf32>
  }
  return
}

/// Columns apart are different memory: what is put side by side needs no barrier, what
/// reads all of it does.
// BARRIERS-LABEL: func.func @columns
// BARRIERS-COUNT-2: rt.parallel
// BARRIERS: rt.barrier
// BARRIERS-NEXT: rt.parallel
// BARRIERS-NOT: rt.barrier
// BARRIERS: return
func.func @columns(%n: index, %v: f32, %z: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %left = memref.subview %x[0, 0] [%n, 3] [1, 1] : memref<?x8xf32> to memref<?x3xf32, strided<[8, 1]>>
  %right = memref.subview %x[0, 3] [%n, 5] [1, 1] : memref<?x8xf32> to memref<?x5xf32, strided<[8, 1], offset: 3>>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %left[%begin, %c0] : memref<?x3xf32, strided<[8, 1]>>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %right[%begin, %c0] : memref<?x5xf32, strided<[8, 1], offset: 3>>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    %u = memref.load %x[%begin, %c0] : memref<?x8xf32>
    memref.store %u, %z[%begin] : memref<?xf32>
  }
  return
}

/// A column that two views share is the same memory; a number that is not known may be
/// any column.
// BARRIERS-LABEL: func.func @negative_columns
// BARRIERS: rt.parallel
// BARRIERS: rt.barrier
// BARRIERS-NEXT: rt.parallel
// BARRIERS: rt.barrier
// BARRIERS-NEXT: rt.parallel
func.func @negative_columns(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %left = memref.subview %x[0, 0] [%n, 4] [1, 1] : memref<?x8xf32> to memref<?x4xf32, strided<[8, 1]>>
  %right = memref.subview %x[0, 3] [%n, 5] [1, 1] : memref<?x8xf32> to memref<?x5xf32, strided<[8, 1], offset: 3>>
  %any = memref.subview %x[0, %n] [%n, 1] [1, 1] : memref<?x8xf32> to memref<?x1xf32, strided<[8, 1], offset: ?>>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %left[%begin, %c0] : memref<?x4xf32, strided<[8, 1]>>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %right[%begin, %c0] : memref<?x5xf32, strided<[8, 1], offset: 3>>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %any[%begin, %c0] : memref<?x1xf32, strided<[8, 1], offset: ?>>
  }
  return
}

/// A branch goes as a whole: what needs nothing of it stands before the barrier that it needs.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>, %[[Y:[^:]*]]: memref<?xf32>
// CHECK: memref.store %{{.*}}, %[[X]]
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK: scf.if
// BARRIERS-LABEL: func.func @branch
// BARRIERS: memref.store
// BARRIERS: memref.store
// BARRIERS: scf.if
// BARRIERS-COUNT-1: rt.barrier
// BARRIERS-NOT: rt.barrier
// BARRIERS: return
func.func @branch(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %v: f32, %goes: i1) {
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %x[%begin] : memref<?xf32>
  }
  scf.if %goes {
    rt.parallel %n grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      %u = memref.load %x[%begin] : memref<?xf32>
      memref.store %u, %x[%end] : memref<?xf32>
    }
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %y[%begin] : memref<?xf32>
  }
  return
}
