// RUN: cambium-opt %s --split-input-file --verify-diagnostics --llvm-convert-rt | FileCheck %s

rt.target #rt.processor<triple = "nvptx64-nvidia-cuda", cpu = "sm_80", features = "+ptx80", flags = []>

rt.device_entry "f" kernel "cambium_f" threads 256 shared 0 chains [] messages [3, 9] ["other", "bad"] workspace @f.workspace
func.func private @f.workspace(%rows: !ragged.rows {rt.as = #rt.rows<name = "r">}) -> index {
  %none = arith.constant 0 : index
  return %none : index
}

/// A stage takes parts of memrefs, whose addresses say that they are global.
// CHECK-LABEL: func.func private @stage
// CHECK-SAME: (%{{.*}}: !llvm.ptr<1>, %[[X:.*]]: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: f32, %{{.*}}: index, %{{.*}}: index)
// CHECK: llvm.addrspacecast %[[X]] : !llvm.ptr<1> to !llvm.ptr
func.func private @stage(%x: memref<?xf32, strided<[1], offset: ?>>, %v: f32, %begin: index, %end: index) {
  memref.store %v, %x[%begin] : memref<?xf32, strided<[1], offset: ?>>
  return
}

/// A kernel returns nothing; pointers that it reads are global. Memory is the next part
/// of the workspace, in whole lines.
// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[ARGUMENT:.*]]: !llvm.ptr<1>) {
// CHECK: %[[CALL:.*]] = llvm.addrspacecast %[[ARGUMENT]]
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr<1>
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[CALL]][88]
// CHECK: %[[FIELD:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr<1>
// CHECK: %[[FIRST:.*]] = llvm.addrspacecast %[[FIELD]]
// CHECK: llvm.mlir.constant(127 : i64)
// CHECK: llvm.mlir.constant(-128 : i64)
// CHECK: %[[SIZE:.*]] = llvm.and
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][%[[SIZE]]]
// CHECK: llvm.insertvalue %[[SECOND]]
// CHECK: llvm.call @cambium_barrier(%[[CALL]])
// CHECK: call @stage(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr<1>, !llvm.ptr<1>, i64, f32, index, index) -> ()
/// The first thread of the grid records a failure, by its number, if it is the first.
// CHECK: cf.cond_br %{{.*}}, ^[[FAILING:.*]], ^[[REST:.*]]
// CHECK: ^[[FAILING]]:
// CHECK: read.ptx.sreg.tid.x
// CHECK: read.ptx.sreg.ctaid.x
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: cf.cond_br %[[FIRST]], ^[[RECORD:.*]], ^[[REST]]
// CHECK: ^[[RECORD]]:
// CHECK: llvm.getelementptr %[[CALL]][104]
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: cf.br ^[[REST]]
// CHECK: ^[[REST]]:
/// All threads leave the kernel where there is no going on.
// CHECK: cf.cond_br %{{.*}}, ^[[FAILING:.*]], ^[[REST:.*]]
// CHECK: ^[[FAILING]]:
// CHECK: cf.cond_br %{{.*}}, ^[[RECORD:.*]], ^[[END:.*]]
// CHECK: ^[[RECORD]]:
// CHECK: cf.br ^[[END]]
// CHECK: ^[[REST]]:
// CHECK-NEXT: return{{$}}
// CHECK: ^[[END]]:
// CHECK-NEXT: return{{$}}
func.func @f(%rows: !ragged.rows {rt.as = #rt.rows<name = "r">}) {
  %v = arith.constant 1.0 : f32
  %n = rt.rows_size %rows num_rows
  %x = rt.alloc(%n) : memref<?xf32>
  %y = rt.alloc(%n) : memref<?xf32>
  rt.barrier
  %z = memref.cast %y : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  rt.launch @stage(%z, %v) over %n grain 1 unit thread : memref<?xf32, strided<[1], offset: ?>>, f32
  %bad = arith.cmpi slt, %n, %n : index
  rt.fail_if %bad, 9, "bad"
  rt.fail_if %bad, 9, "bad" stop
  return
}

/// LLVM 22 drops the order of an atomic addition: a fence has it.
// CHECK-LABEL: llvm.func @cambium_barrier
// CHECK: barrier.cta.sync.aligned.all
// CHECK: llvm.fence syncscope("device") acq_rel
// CHECK-NEXT: llvm.mlir.constant
// CHECK-NEXT: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") monotonic
// CHECK: llvm.load %{{.*}} atomic syncscope("device") acquire
// CHECK: barrier.cta.sync.aligned.all

// -----

rt.target #rt.processor<triple = "nvptx64-nvidia-cuda", cpu = "sm_80", features = "+ptx80", flags = []>
func.func @f(%rows: !ragged.rows {rt.as = #rt.rows<name = "r">}) {
  // expected-error @below {{'rt.chain' op expected an op that GPU code can be made of}}
  %chain = rt.chain %rows
  return
}
