// RUN: cambium-opt %s --kernels-place-barriers | FileCheck %s

/// Stages that do not need each other follow without a barrier: one reads what the
/// first two write.
// CHECK-LABEL: func.func @read_after_write
// CHECK-COUNT-2: rt.parallel
// CHECK: rt.barrier
// CHECK-NEXT: rt.parallel
// CHECK-NOT: rt.barrier
// CHECK: return
func.func @read_after_write(%n: index, %v: f32, %z: memref<?xf32>) {
  %x = rt.alloc(%n) : memref<?xf32>
  %y = rt.alloc(%n) : memref<?xf32>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %x[%begin] : memref<?xf32>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %y[%begin] : memref<?xf32>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    %a = memref.load %x[%begin] : memref<?xf32>
    %b = memref.load %y[%begin] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    memref.store %c, %z[%begin] : memref<?xf32>
  }
  return
}

/// What was read must not be overwritten too early, through whatever view.
// CHECK-LABEL: func.func @write_after_read
// CHECK: rt.parallel
// CHECK: rt.barrier
// CHECK-NEXT: rt.parallel
func.func @write_after_read(%n: index, %v: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %part = memref.subview %x[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    %a = memref.load %x[%begin] : memref<?xf32>
    memref.store %a, %y[%begin] : memref<?xf32>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %part[%begin] : memref<?xf32, strided<[1]>>
  }
  return
}

/// An iteration follows another one, and what all threads read is written before.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NEXT: rt.barrier
// CHECK-NEXT: memref.load
// CHECK: rt.barrier
// CHECK-NEXT: rt.parallel
// CHECK-NOT: rt.barrier
// CHECK: return
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = rt.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %count = memref.load %x[%i] : memref<?xindex>
    rt.parallel %count grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      memref.store %count, %x[%begin] : memref<?xindex>
    }
  }
  return
}

/// Both sides of a branch may have been.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK-NOT: rt.barrier
// CHECK: memref.store
// CHECK: rt.barrier
// CHECK-NEXT: memref.load
func.func @branch(%n: index, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %x = rt.alloc(%n) : memref<?xindex>
  scf.if %c {
    rt.parallel %n grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      memref.store %n, %x[%begin] : memref<?xindex>
    }
  }
  %v = memref.load %x[%c0] : memref<?xindex>
  return %v : index
}

nn.param @W : tensor<8xf32>

/// Two ops that name a parameter mean the same memory; its value and its gradient are
/// two.
// CHECK-LABEL: func.func @params
// CHECK-COUNT-2: rt.parallel
// CHECK: rt.barrier
// CHECK-NEXT: rt.parallel
func.func @params(%n: index, %v: f32) {
  %w = rt.param @W : memref<8xf32>
  %same = rt.param @W : memref<8xf32>
  %g = rt.gradient @W : memref<8xf32>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %w[%begin] : memref<8xf32>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %g[%begin] : memref<8xf32>
  }
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    %a = memref.load %same[%begin] : memref<8xf32>
    memref.store %a, %g[%begin] : memref<8xf32>
  }
  return
}

/// A matrix that is read turned around is the same memory, and no other.
// CHECK-LABEL: func.func @turned
// CHECK: rt.parallel
// CHECK-NOT: rt.barrier
// CHECK: rt.parallel
// CHECK: rt.barrier
// CHECK-NEXT: rt.parallel
// CHECK: return
func.func @turned(%n: index, %v: f32, %w: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %x = rt.alloc(%n) : memref<?xf32>
  %y = rt.alloc() : memref<8x4xf32>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %x[%begin] : memref<?xf32>
  }
  %turned = memref.transpose %w (i, j) -> (j, i)
      : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    %a = memref.load %turned[%begin, %c0] : memref<8x4xf32, strided<[1, 8]>>
    memref.store %a, %y[%begin, %c0] : memref<8x4xf32>
  }
  %back = memref.transpose %y (i, j) -> (j, i)
      : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %back[%c0, %begin] : memref<4x8xf32, strided<[1, 4]>>
  }
  return
}
