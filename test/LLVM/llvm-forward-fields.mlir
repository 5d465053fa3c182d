// RUN: cambium-opt %s --pass-pipeline='builtin.module(llvm.func(llvm-forward-fields))' | FileCheck %s

/// A field that was put into a struct is read where it was computed; the structs that
/// nobody needs then are gone.
// CHECK-LABEL: llvm.func @fields
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64)
// CHECK-NEXT: llvm.call @product(%[[P]], %[[N]])
// CHECK-NEXT: llvm.return
llvm.func @product(!llvm.ptr, i64)
llvm.func @fields(%p: !llvm.ptr, %n: i64) {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64, array<2 x i64>)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, i64, array<2 x i64>)>
  %2 = llvm.insertvalue %n, %1[2, 1] : !llvm.struct<(ptr, i64, array<2 x i64>)>
  %q = llvm.extractvalue %2[0] : !llvm.struct<(ptr, i64, array<2 x i64>)>
  %m = llvm.extractvalue %2[2, 1] : !llvm.struct<(ptr, i64, array<2 x i64>)>
  llvm.call @product(%q, %m) : (!llvm.ptr, i64) -> ()
  llvm.return
}

/// Also in later blocks, and of a struct of which only a part is known.
// CHECK-LABEL: llvm.func @blocks
// CHECK-SAME: (%[[S:.*]]: !llvm.struct<(ptr, i64)>, %[[P:.*]]: !llvm.ptr)
// CHECK: ^bb1:
// CHECK-NEXT: %[[N:.*]] = llvm.extractvalue %{{.*}}[1]
// CHECK-NEXT: llvm.call @product(%[[P]], %[[N]])
llvm.func @blocks(%s: !llvm.struct<(ptr, i64)>, %p: !llvm.ptr) {
  %0 = llvm.insertvalue %p, %s[0] : !llvm.struct<(ptr, i64)>
  llvm.br ^bb1
^bb1:
  %q = llvm.extractvalue %0[0] : !llvm.struct<(ptr, i64)>
  %n = llvm.extractvalue %0[1] : !llvm.struct<(ptr, i64)>
  llvm.call @product(%q, %n) : (!llvm.ptr, i64) -> ()
  llvm.return
}

/// A struct that is written to after it was put into another: not the field's value.
// CHECK-LABEL: llvm.func @negative_nested
// CHECK: %[[A:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[1, 0]
// CHECK: %[[R:.*]] = llvm.extractvalue %{{.*}}[1]
// CHECK: llvm.return %[[R]]
llvm.func @negative_nested(%s: !llvm.struct<(i64, array<1 x i64>)>, %n: i64) -> !llvm.array<1 x i64> {
  %0 = llvm.insertvalue %n, %s[1, 0] : !llvm.struct<(i64, array<1 x i64>)>
  %r = llvm.extractvalue %0[1] : !llvm.struct<(i64, array<1 x i64>)>
  llvm.return %r : !llvm.array<1 x i64>
}

/// A call stays, though nobody reads its result.
// CHECK-LABEL: llvm.func @negative_effects
// CHECK-NEXT: llvm.call @allocate
// CHECK-NEXT: llvm.return
llvm.func @allocate() -> !llvm.ptr
llvm.func @negative_effects() {
  %p = llvm.call @allocate() : () -> !llvm.ptr
  llvm.return
}
