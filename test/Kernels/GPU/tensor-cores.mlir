// RUN: cambium-opt %s --split-input-file --kernels-form-stages | FileCheck %s
// RUN: cambium-opt %s --split-input-file --kernels-form-stages --remarks-filter=kernels-form-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

/// Products of tensor cores in tf32: numbers are rounded on their way to shared memory, a
/// row of which has 32 words and 4 behind them. A warp has 2 x 2 tiles of an instruction.
// CHECK: rt.target {{.*}} math tf32
rt.target #rt.processor<triple = "nvptx64-nvidia-cuda", cpu = "sm_80", features = "+ptx80", flags = []> math tf32

// CHECK-LABEL: func.func @product
// CHECK-NOT: linalg.
// CHECK: rt.parallel %{{.*}} grain 1 unit block
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<64x36xi32>
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<64x36xi32>
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK: scf.for {{.*}} iter_args
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK-COUNT-16: llvm.nvvm.f2tf32.rna
// CHECK-NOT: llvm.nvvm.f2tf32.rna
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16
// CHECK: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16
// CHECK: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16
// CHECK-COUNT-16: llvm.nvvm.mma.m16n8k8.row.col.tf32
// CHECK-NOT: llvm.nvvm.mma
// CHECK: memref.store
func.func @product(%a: memref<?x300xf32>, %b: memref<300x150xf32>, %r: memref<150xf32>, %c: memref<?x150xf32>) {
  linalg.broadcast ins(%r : memref<150xf32>) outs(%c : memref<?x150xf32>) dimensions = [0]
  linalg.matmul ins(%a, %b : memref<?x300xf32>, memref<300x150xf32>) outs(%c : memref<?x150xf32>)
  return
}

/// Too few columns, rows or terms, whatever the others; f64 has no other kind.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: mma
// CHECK-LABEL: func.func @one_row
// CHECK-NOT: mma
// CHECK-LABEL: func.func @double
// CHECK-NOT: mma
// CHECK-LABEL: func.func @least
// CHECK: mma.m16n8k8
// REMARK: tensor-cores.mlir:[[@LINE+2]]:{{.*}} remark: {{.*}}kernels-form-stages{{.*}}multiplies in f32: it is too narrow: tensor cores would multiply zeros
func.func @narrow(%a: memref<?x300xf32>, %b: memref<300x5xf32>, %c: memref<?x5xf32>) {
  linalg.matmul ins(%a, %b : memref<?x300xf32>, memref<300x5xf32>) outs(%c : memref<?x5xf32>)
  return
}
// REMARK: tensor-cores.mlir:[[@LINE+2]]:{{.*}} remark: {{.*}}multiplies in f32: it is too narrow
func.func @one_row(%a: memref<1x300xf32>, %b: memref<300x50xf32>, %c: memref<1x50xf32>) {
  linalg.matmul ins(%a, %b : memref<1x300xf32>, memref<300x50xf32>) outs(%c : memref<1x50xf32>)
  return
}
func.func @double(%a: memref<?x300xf64>, %b: memref<300x50xf64>, %c: memref<?x50xf64>) {
  linalg.matmul ins(%a, %b : memref<?x300xf64>, memref<300x50xf64>) outs(%c : memref<?x50xf64>)
  return
}
func.func @least(%a: memref<?x8xf32>, %b: memref<8x8xf32>, %c: memref<?x8xf32>) {
  linalg.matmul ins(%a, %b : memref<?x8xf32>, memref<8x8xf32>) outs(%c : memref<?x8xf32>)
  return
}

// -----

/// In bf16 a word has two numbers, and an instruction twice as many products. Training
/// steps stay f32.
rt.target #rt.processor<triple = "nvptx64-nvidia-cuda", cpu = "sm_90", features = "+ptx80", flags = []> math bf16
nn.param @W : tensor<16x16xf32>
rt.training "train" accumulate @train.accumulate apply @train.apply every 1
  groups ["default"] optimizers {default = #train.optimizer<sgd>}

// CHECK-LABEL: func.func @predict
// CHECK-COUNT-16: llvm.nvvm.ff2bf16x2.rn
// CHECK-NOT: llvm.nvvm.ff2bf16x2.rn
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK-COUNT-16: llvm.nvvm.mma.m16n8k16.row.col.bf16
// CHECK-NOT: llvm.nvvm.mma
// CHECK-LABEL: func.func @train.accumulate
// CHECK: math.fma
// CHECK-LABEL: func.func @train.apply
func.func @predict(%a: memref<?x16xf32> {rt.as = #rt.input<name = "a">}, %b: memref<16x16xf32> {rt.as = #rt.input<name = "b">}, %c: memref<?x16xf32> {rt.as = #rt.output<name = "c">}) {
  linalg.matmul ins(%a, %b : memref<?x16xf32>, memref<16x16xf32>) outs(%c : memref<?x16xf32>)
  return
}
// REMARK: tensor-cores.mlir:[[@LINE+2]]:{{.*}} remark: {{.*}}multiplies in f32: it is of a training step
func.func @train.accumulate(%a: memref<?x16xf32> {rt.as = #rt.input<name = "a">}, %b: memref<16x16xf32> {rt.as = #rt.input<name = "b">}, %c: memref<?x16xf32> {rt.as = #rt.output<name = "c">}) {
  linalg.matmul ins(%a, %b : memref<?x16xf32>, memref<16x16xf32>) outs(%c : memref<?x16xf32>)
  return
}
func.func @train.apply() {
  return
}
