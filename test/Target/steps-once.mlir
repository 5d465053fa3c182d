// RUN: cambium-compile %s --compile-from=llvm --emit=optimized-ir -o - | FileCheck %s

rt.target #rt.processor<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", features = "", flags = []>

/// Lists of steps are told once what is the same: in the table is one function for two that are
/// equal. Memory needs none: a word with a place allocates it (16384) and has its size behind, one
/// releases it (32768). The size stands in the place behind the address then.
// CHECK: @cambium.functions = internal constant [4 x [2 x i32]]
// CHECK-SAME: @use to
// CHECK-SAME: @cambium.service.56.step to
// CHECK-SAME: @cambium.service.0 to

/// Memory that is released is taken again by what is as large: an allocation, two steps with the
/// same address and size, a release.
// CHECK: @steps = private unnamed_addr constant
// CHECK-SAME: [i16 16387, i16 2, i16 1, i16 3, i16 2, i16 1, i16 3, i16 2, i16 -32765, i16 0], align 2
/// What is allocated in between could take it: all three are asked for.
// CHECK: @steps.1 = private unnamed_addr constant
// CHECK-SAME: [i16 16388, i16 2, i16 1, i16 4, i16 2, i16 -32764,
// CHECK-SAME: i16 16388, i16 3, i16 1, i16 4, i16 3,
// CHECK-SAME: i16 16390, i16 2, i16 1, i16 6, i16 2, i16 -32762, i16 -32764, i16 0], align 2
/// What is released as another size than it was allocated with goes through the service's function,
/// and so does an allocation that may fail without an end of the list.
// CHECK: @steps.2 = private unnamed_addr constant
// CHECK-SAME: [i16 16388, i16 2, i16 2, i16 0], align 2
// CHECK: @steps.3 = private unnamed_addr constant
// CHECK-SAME: [i16 3, i16 0], align 2
llvm.func internal @use(%memory: !llvm.ptr, %size: i64) attributes {no_inline} {
  %seven = llvm.mlir.constant(7 : i8) : i8
  %place = llvm.getelementptr %memory[%size] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %seven, %place : i8, !llvm.ptr
  llvm.return
}
llvm.func internal @use_too(%memory: !llvm.ptr, %size: i64) attributes {no_inline} {
  %seven = llvm.mlir.constant(7 : i8) : i8
  %place = llvm.getelementptr %memory[%size] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %seven, %place : i8, !llvm.ptr
  llvm.return
}

llvm.func @taken(%call: !llvm.ptr) -> i32 attributes {passthrough = ["cambium-entry"]} {
  %first = llvm.getelementptr %call[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %second = llvm.getelementptr %call[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %size = llvm.load %first : !llvm.ptr -> i64
  %other = llvm.load %second : !llvm.ptr -> i64
  %null = llvm.mlir.zero : !llvm.ptr
  %services = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %allocate = llvm.load %services : !llvm.ptr -> !llvm.ptr
  %place = llvm.getelementptr %services[56] : (!llvm.ptr) -> !llvm.ptr, i8
  %release = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %a = llvm.call %allocate(%call, %size) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %no_a = llvm.icmp "eq" %a, %null : !llvm.ptr
  llvm.cond_br %no_a, ^failed, ^with1
^with1:
  llvm.call @use(%a, %size) : (!llvm.ptr, i64) -> ()
  llvm.call %release(%call, %a, %size) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> ()
  %b = llvm.call %allocate(%call, %size) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %no_b = llvm.icmp "eq" %b, %null : !llvm.ptr
  llvm.cond_br %no_b, ^failed, ^with2
^with2:
  llvm.call @use_too(%b, %size) : (!llvm.ptr, i64) -> ()
  llvm.call %release(%call, %b, %size) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> ()
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.return %zero : i32
^failed:
  %status = llvm.mlir.constant(5 : i32) : i32
  llvm.return %status : i32
}

llvm.func @negative_between(%call: !llvm.ptr) -> i32 attributes {passthrough = ["cambium-entry"]} {
  %first = llvm.getelementptr %call[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %second = llvm.getelementptr %call[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %size = llvm.load %first : !llvm.ptr -> i64
  %other = llvm.load %second : !llvm.ptr -> i64
  %null = llvm.mlir.zero : !llvm.ptr
  %services = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %allocate = llvm.load %services : !llvm.ptr -> !llvm.ptr
  %place = llvm.getelementptr %services[56] : (!llvm.ptr) -> !llvm.ptr, i8
  %release = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %a = llvm.call %allocate(%call, %size) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %no_a = llvm.icmp "eq" %a, %null : !llvm.ptr
  llvm.cond_br %no_a, ^failed, ^with1
^with1:
  llvm.call @use(%a, %size) : (!llvm.ptr, i64) -> ()
  llvm.call %release(%call, %a, %size) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> ()
  %c = llvm.call %allocate(%call, %other) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %no_c = llvm.icmp "eq" %c, %null : !llvm.ptr
  llvm.cond_br %no_c, ^failed, ^with2
^with2:
  llvm.call @use(%c, %other) : (!llvm.ptr, i64) -> ()
  %b = llvm.call %allocate(%call, %size) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %no_b = llvm.icmp "eq" %b, %null : !llvm.ptr
  llvm.cond_br %no_b, ^failed, ^with3
^with3:
  llvm.call @use(%b, %size) : (!llvm.ptr, i64) -> ()
  llvm.call %release(%call, %b, %size) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.call %release(%call, %c, %other) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> ()
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.return %zero : i32
^failed:
  %status = llvm.mlir.constant(5 : i32) : i32
  llvm.return %status : i32
}

llvm.func @negative_size(%call: !llvm.ptr) -> i32 attributes {passthrough = ["cambium-entry"]} {
  %first = llvm.getelementptr %call[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %second = llvm.getelementptr %call[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %size = llvm.load %first : !llvm.ptr -> i64
  %other = llvm.load %second : !llvm.ptr -> i64
  %null = llvm.mlir.zero : !llvm.ptr
  %services = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %allocate = llvm.load %services : !llvm.ptr -> !llvm.ptr
  %place = llvm.getelementptr %services[56] : (!llvm.ptr) -> !llvm.ptr, i8
  %release = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %a = llvm.call %allocate(%call, %size) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %no_a = llvm.icmp "eq" %a, %null : !llvm.ptr
  llvm.cond_br %no_a, ^failed, ^with1
^with1:
  llvm.call %release(%call, %a, %other) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> ()
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.return %zero : i32
^failed:
  %status = llvm.mlir.constant(5 : i32) : i32
  llvm.return %status : i32
}

llvm.func @negative_unchecked(%call: !llvm.ptr) -> i32 attributes {passthrough = ["cambium-entry"]} {
  %first = llvm.getelementptr %call[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %size = llvm.load %first : !llvm.ptr -> i64
  %services = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %allocate = llvm.load %services : !llvm.ptr -> !llvm.ptr
  %a = llvm.call %allocate(%call, %size) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.return %zero : i32
}
