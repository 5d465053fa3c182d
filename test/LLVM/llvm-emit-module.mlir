// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 --llvm-describe-module --llvm-convert-rt --llvm-lower --reconcile-unrealized-casts --llvm-emit-module | FileCheck %s
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 --llvm-describe-module --llvm-convert-rt --llvm-lower --reconcile-unrealized-casts --llvm-emit-module=prefix=my_model | FileCheck %s --check-prefix=PREFIX
// RUN: not cambium-opt %s --llvm-emit-module 2>&1 | FileCheck %s --check-prefix=MISSING

// MISSING: error: expected 'rt.manifest' and 'rt.target' in the module

/// No function keeps its name: one of libm's would be taken for it.
// CHECK-NOT: llvm.func @tanhf
/// An entry is marked: its code need not be good.
// CHECK: llvm.func internal @cambium.entry.tanhf(%{{.*}}: !llvm.ptr) -> i32 attributes {passthrough = ["cambium-entry"]}
func.func @tanhf(%x: memref<?xf32> {rt.as = #rt.input<name = "x">}, %y: memref<?xf32> {rt.as = #rt.output<name = "y">}) {
  call @helper(%x) : (memref<?xf32>) -> ()
  return
}
// CHECK: llvm.func internal @cambium.helper
// CHECK-NOT: cambium-entry
// CHECK: return
func.func private @helper(%x: memref<?xf32>) {
  return
}

// CHECK: llvm.mlir.global internal constant @cambium.entries
// CHECK: llvm.mlir.addressof @cambium.entry.tanhf
// CHECK: llvm.mlir.global internal constant @cambium.module
// CHECK: llvm.mlir.constant(1296190787 : i32)
// CHECK: llvm.func @cambium_module_query() -> !llvm.ptr
// PREFIX: llvm.func @my_model_cambium_module_query() -> !llvm.ptr
