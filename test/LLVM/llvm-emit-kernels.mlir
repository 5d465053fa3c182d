// RUN: cambium-opt %s --split-input-file --verify-diagnostics --llvm-emit-kernels | FileCheck %s

llvm.mlir.global private @cambium_pool() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x i8> {
  %none = llvm.mlir.undef : !llvm.array<512 x i8>
  llvm.return %none : !llvm.array<512 x i8>
}
rt.device_entry "f" kernel "cambium_f" threads 256 shared 512 chains [] messages [] [] workspace @f.workspace

/// Where the kernel is started is said how large the pool is. The host has the rest.
// CHECK: llvm.mlir.global external @cambium_pool() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
// CHECK-NOT: rt.device_entry
// CHECK-NOT: f.workspace
llvm.func @f.workspace() -> i64

/// No call may be moved where fewer threads get to it.
// CHECK: llvm.func internal @stage() attributes {convergent, no_inline}
llvm.func @stage() {
  llvm.return
}
// CHECK: llvm.func ptx_kernelcc @cambium_f(%{{.*}}: !llvm.ptr<1>) attributes {convergent
// CHECK-SAME{LITERAL}: passthrough = [["nvvm.maxntid", "256"], ["nvvm.minctasm", "1"], ["cambium-shared-at-start", "512"]]
// CHECK: llvm.call @stage() {convergent}
llvm.func @f(%call: !llvm.ptr<1>) {
  llvm.call @stage() : () -> ()
  llvm.return
}

// -----

/// There is no library on the device.
llvm.func @exp(f64) -> f64
llvm.func @stage(%x: f64) {
  // expected-error @below {{expected what GPU code has without a library, but got a call of 'exp'}}
  %y = llvm.call @exp(%x) : (f64) -> f64
  llvm.return
}

// -----

/// A function that LLVM would call a library for; a square root is an instruction.
llvm.func @stage(%x: f64) {
  %r = llvm.intr.sqrt(%x) : (f64) -> f64
  // expected-error @below {{expected what GPU code has without a library, but got the function 'exp' of 'f64'}}
  %y = llvm.intr.exp(%r) : (f64) -> f64
  llvm.return
}
