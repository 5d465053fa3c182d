// RUN: cambium-opt %s --llvm-convert-rt --split-input-file --verify-diagnostics | FileCheck %s

nn.param @V : tensor<2xf32>
nn.param @W : tensor<4x3xf32>

/// An entry takes the call alone and returns a status. Offsets are those of abi.h:
/// services 0, num_examples 16, inputs 40, params 56 (each of 64 bytes).
// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[CALL:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.getelementptr %[[CALL]][40]
// CHECK: llvm.getelementptr %[[CALL]][16]
// CHECK: %[[PARAMS:.*]] = llvm.load
// CHECK: llvm.getelementptr %{{.*}}[64]
/// Without memory the entry returns.
// CHECK: %[[MEMORY:.*]] = llvm.call %{{.*}}(%[[CALL]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: %[[FAILED:.*]] = llvm.icmp "eq" %[[MEMORY]], %[[NULL]]
// CHECK: cf.cond_br %[[FAILED]], ^[[ERROR:.*]], ^
// CHECK: call @helper(%[[CALL]],
func.func @f(%x: memref<?x4xf32> {rt.as = #rt.input<name = "x">}) {
  %n = rt.num_examples
  %W = rt.param @W : memref<4x3xf32>
  %y = rt.alloc(%n) : memref<?x3xf32>
  call @helper(%n, %W) : (index, memref<4x3xf32>) -> ()
  rt.launch @task(%y, %n) over %n grain 8 : memref<?x3xf32>, index
  return
}

/// Memory is given back with its size, by the service at 56.
// CHECK-LABEL: func.func @release
// CHECK: %[[MEMORY:.*]] = llvm.call %{{.*}}(%[[CALL:.*]], %[[BYTES:.*]]) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
// CHECK: llvm.getelementptr %{{.*}}[56]
// CHECK: llvm.call %{{.*}}(%[[CALL]], %[[MEMORY]], %[[BYTES]]) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> ()
func.func @release() {
  %n = rt.num_examples
  %y = rt.alloc(%n) : memref<?x3xf32>
  memref.dealloc %y : memref<?x3xf32>
  return
}

/// The copy in panels of two columns, or the rows of the value: one is [2, 1] rows of 2
/// elements and panels of 8, the other rows of 3 and panels of 2.
// CHECK-LABEL: func.func @panels
// CHECK: %[[PARAM:.*]] = llvm.getelementptr %{{.*}}[64]
// CHECK: %[[COPY_AT:.*]] = llvm.getelementptr %{{.*}}[120]
// CHECK: %[[COPY:.*]] = llvm.load %[[COPY_AT]]
// CHECK: %[[VALUE:.*]] = llvm.load %[[PARAM]]
// CHECK: %[[IS:.*]] = llvm.icmp "ne" %[[COPY]]
// CHECK: llvm.select %[[IS]], %[[COPY]], %[[VALUE]]
// CHECK-DAG: llvm.mlir.constant(8 : i64)
// CHECK-DAG: llvm.mlir.constant(2 : i64)
// CHECK: call @use
func.func @panels() {
  %p = rt.panels @W : memref<2x4x2xf32, strided<[?, ?, 1]>>
  call @use(%p) : (memref<2x4x2xf32, strided<[?, ?, 1]>>) -> ()
  return
}

/// What is kept is behind the two parameters, and rows are behind all marks: 36 bytes,
/// up to the end of a line of the caches.
// CHECK-LABEL: func.func @kept
// CHECK: %[[KEPT_AT:.*]] = llvm.getelementptr %{{.*}}[128]
// CHECK: %[[KEPT:.*]] = llvm.load %[[KEPT_AT]]
// CHECK: llvm.getelementptr %[[KEPT]][192]
// CHECK: %[[MARKS_AT:.*]] = llvm.getelementptr %{{.*}}[128]
// CHECK: %[[MARKS:.*]] = llvm.load %[[MARKS_AT]]
// CHECK: llvm.getelementptr %[[MARKS]][64]
// CHECK: call @use_rows
func.func @kept() {
  %r = rt.kept rows from 64 : memref<9x2xf32>
  %m = rt.kept marks from 64 : memref<9xi32>
  call @use_rows(%r) : (memref<9x2xf32>) -> ()
  return
}
func.func private @use_rows(%r: memref<9x2xf32>) {
  return
}

/// Of another format there is always a copy.
// CHECK-LABEL: func.func @words
// CHECK-NOT: llvm.icmp
// CHECK: return
func.func @words() {
  %p = rt.panels @W as int8 : memref<2x3x2xi32>
  call @use_words(%p) : (memref<2x3x2xi32>) -> ()
  return
}
func.func private @use_words(%p: memref<2x3x2xi32>) {
  return
}
func.func private @use(%p: memref<2x4x2xf32, strided<[?, ?, 1]>>) {
  return
}

// CHECK: func.func private @helper(%{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: memref<4x3xf32>)
func.func private @helper(%n: index, %W: memref<4x3xf32>) {
  return
}

/// A task unpacks what was captured.
// CHECK: func.func private @task(%{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// CHECK: llvm.load
func.func private @task(%y: memref<?x3xf32>, %n: index, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %y[%begin, %c0] : memref<?x3xf32>
  return
}

// -----

func.func private @helper(%n: index) {
  // expected-error @below {{expected to be in an entry, outside of parallel regions: only an entry can return an error}}
  %y = rt.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func private @helper(%n: index) {
  // expected-error @below {{expected to be gone before conversion to LLVM}}
  rt.parallel %n grain 1 {
  ^bb0(%begin: index, %end: index):
  }
  return
}

// -----

func.func private @helper(%c: i1) {
  // expected-error @below {{expected to be converted to cf before}}
  scf.if %c {
  }
  return
}

// -----

func.func @f() {
  // expected-error @below {{expected rt.alloc instead: nothing frees this memory}}
  %x = memref.alloc() : memref<3xf32>
  return
}

// -----

func.func @f(%x: memref<3xf32> {rt.as = #rt.input<name = "x">}) {
  // expected-error @below {{expected the memory of an rt.alloc}}
  memref.dealloc %x : memref<3xf32>
  return
}

// -----

/// Trees that the model makes: the runtime checks them, also how many children a
/// node may have (-1: any number).
// CHECK-LABEL: func.func @trees
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: llvm.call %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}}, %[[TWO]]) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> !llvm.ptr
// CHECK: %[[ANY:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK: llvm.call %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}}, %[[ANY]])
func.func @trees(%rows: !ragged.rows {rt.as = #rt.rows<name = "rows">},
                 %p: memref<?xi32> {rt.as = #rt.input<name = "p", space = 0>}) {
  %two = rt.from_parents %rows, %p arity 2 : memref<?xi32>
  %any = rt.from_parents %rows, %p : memref<?xi32>
  return
}
