// RUN: cambium-opt %s --kernels-watch-stages | FileCheck %s --check-prefix=NONE
// RUN: cambium-opt %s --kernels-watch-stages=time | FileCheck %s
// RUN: cambium-opt %s --kernels-watch-stages=limit=500 | FileCheck %s --check-prefix=LIMIT

// NONE-NOT: stages
// NONE-COUNT-1: rt.barrier{{$}}
// NONE-NOT: rt.barrier

/// Texts say which ops of the model a stage was made of, and where these stand.
// CHECK: rt.device_entry "loop" {{.*}} messages [9] ["bad"] stages
// CHECK-SAME: ["all blocks start", "nn.embed, {{.*}}s/a.mlir:3",
// CHECK-SAME: "nn.linear, nn.tanh, {{.*}}, s/a.mlir:5,7-9, s/b.mlir:2", "nn.linear, nn.tanh, {{.*}}"] workspace
// LIMIT: rt.device_entry "loop" {{.*}} messages [9, 13] ["bad",
// LIMIT-SAME: "blocks waited longer than 500 ms for others behind: nn.embed, nn.linear, nn.tanh, {{.*}}s/a.mlir:3,5,7-9, s/b.mlir:2"] workspace
rt.device_entry "loop" kernel "k" threads 256 shared 0 chains [] messages [9] ["bad"] workspace @w
func.func private @w() -> index

/// What a loop does is apart from what is before and behind it.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT: rt.barrier ends 0
// CHECK: rt.parallel
// CHECK: rt.barrier ends 1
// CHECK-NEXT: scf.for
// CHECK-NEXT: rt.barrier ends 2
// CHECK-NEXT: rt.parallel
// CHECK: rt.barrier ends 3
// CHECK-NEXT: return
// LIMIT-LABEL: func.func @loop
// LIMIT: rt.parallel
// LIMIT: scf.for
// LIMIT-NEXT: rt.barrier within 500 or 2
func.func @loop(%x: memref<?xf32> {rt.as = #rt.input<name = "x", space = -1>}, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  rt.parallel %n grain 1 unit thread {
  ^bb0(%begin: index, %end: index):
    memref.store %v, %x[%begin] : memref<?xf32> loc("nn.embed"("models/s/a.mlir":3:1))
  }
  scf.for %i = %c0 to %n step %c1 {
    rt.barrier
    rt.parallel %n grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      %w = arith.addf %v, %v : f32 loc("nn.linear"("models/s/a.mlir":8:1))
      %u = arith.addf %w, %v : f32 loc(fused["nn.linear"("models/s/a.mlir":9:1), "nn.tanh"("models/s/a.mlir":7:3)])
      %t = arith.addf %u, %v : f32 loc(callsite("models/s/b.mlir":2:1 at "models/s/a.mlir":4:1))
      memref.store %t, %x[%begin] : memref<?xf32> loc("nn.linear"("models/s/a.mlir":5:1))
    }
  }
  return
}
