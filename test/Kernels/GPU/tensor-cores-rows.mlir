// RUN: cambium-opt %s --kernels-fuse-rows | FileCheck %s
// RUN: cambium-opt %s --kernels-fuse-rows --remarks-filter=kernels-fuse-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

rt.target #rt.processor<triple = "nvptx64-nvidia-cuda", cpu = "sm_80", features = "+ptx80", flags = []> math tf32

/// Gates: three products on the same rows, of 16 columns each, with two left operands. The
/// six columns of tiles are given to four warps in turn, twice; in each of the four parts of
/// a slice a warp has two instructions, in each of which it may have one of two products.
// CHECK-LABEL: func.func @gates
// CHECK: rt.parallel %{{.*}} grain 1 unit block
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<64x36xi32>
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<48x36xi32>
// CHECK-COUNT-14: llvm.nvvm.f2tf32.rna
// CHECK-NOT: llvm.nvvm.f2tf32.rna
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK-COUNT-8: llvm.nvvm.mma.m16n8k8.row.col.tf32
// CHECK-NOT: llvm.nvvm.mma
// CHECK: return
func.func @gates(%n: index, %u: memref<8x64xf32>, %v: memref<8x64xf32>, %w: memref<8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = rt.alloc(%n) : memref<?x8xf32>
  %h = rt.alloc(%n) : memref<?x8xf32>
  %y = rt.alloc(%n) : memref<?x64xf32>
  %z = rt.alloc(%n) : memref<?x64xf32>
  %s = rt.alloc(%n) : memref<?x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
    linalg.matmul ins(%x, %u : memref<?x8xf32>, memref<8x64xf32>) outs(%y : memref<?x64xf32>)
    linalg.fill ins(%zero : f32) outs(%z : memref<?x64xf32>)
    linalg.matmul ins(%h, %v : memref<?x8xf32>, memref<8x64xf32>) outs(%z : memref<?x64xf32>)
    linalg.fill ins(%zero : f32) outs(%s : memref<?x64xf32>)
    linalg.matmul ins(%h, %w : memref<?x8xf32>, memref<8x64xf32>) outs(%s : memref<?x64xf32>)
    linalg.add ins(%y, %z : memref<?x64xf32>, memref<?x64xf32>) outs(%y : memref<?x64xf32>)
    linalg.add ins(%y, %s : memref<?x64xf32>, memref<?x64xf32>) outs(%y : memref<?x64xf32>)
  }
  return
}

/// A narrow product stays f32, in the same stage.
// CHECK-LABEL: func.func @narrow
// CHECK: rt.parallel
// CHECK-NOT: mma
// CHECK: math.fma
// CHECK: return
// REMARK: tensor-cores-rows.mlir:[[@LINE+9]]:{{.*}} remark: {{.*}}kernels-fuse-rows{{.*}}multiplies in f32: it is too narrow
func.func @narrow(%n: index, %w: memref<6x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = rt.alloc(%n) : memref<?x6xf32>
  %y = rt.alloc(%n) : memref<?x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
    linalg.matmul ins(%x, %w : memref<?x6xf32>, memref<6x64xf32>) outs(%y : memref<?x64xf32>)
    linalg.exp ins(%y : memref<?x64xf32>) outs(%y : memref<?x64xf32>)
  }
  return
}
