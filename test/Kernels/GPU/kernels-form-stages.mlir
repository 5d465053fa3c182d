// RUN: cambium-opt %s --split-input-file --verify-diagnostics --kernels-form-stages | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

/// Elements are for threads, the last dimension for neighbours; all results in one pass.
// CHECK-LABEL: func.func @elementwise
// CHECK: %[[ALL:.*]] = arith.muli
// CHECK: rt.parallel %[[ALL]] grain 1 unit thread
// CHECK: ^bb0(%{{.*}}: index, %[[END:.*]]: index):
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[END]] step
// CHECK: %[[COLUMN:.*]] = arith.remui %[[I]]
// CHECK: %[[ROW:.*]] = arith.divui %[[I]]
// CHECK: memref.load %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK-COUNT-2: memref.store %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK-NOT: linalg.generic
func.func @elementwise(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %z: memref<?x8xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x8xf32>) outs(%y, %z : memref<?x8xf32>, memref<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %a : f32
    linalg.yield %a, %d : f32, f32
  }
  return
}

/// A warp adds the values of a row: each thread its part, then they exchange sums. The
/// first one writes.
// CHECK-LABEL: func.func @row_sums
// CHECK: rt.parallel %{{.*}} grain 1 unit warp
// CHECK: scf.for
// CHECK: %[[OWN:.*]] = scf.for {{.*}} iter_args
// CHECK: llvm.nvvm.shfl.sync.bfly.i32
// CHECK: arith.addf %[[OWN]]
// CHECK-COUNT-4: llvm.nvvm.shfl.sync.bfly.i32
// CHECK: scf.if
// CHECK: memref.load
// CHECK: memref.store
func.func @row_sums(%x: memref<?x80xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x80xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}

/// Neighbouring threads add neighbouring columns.
// CHECK-LABEL: func.func @column_sums
// CHECK: rt.parallel %{{.*}} grain 1 unit thread
// CHECK-NOT: shfl
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.store
#swapped = affine_map<(j, i) -> (i, j)>
func.func @column_sums(%x: memref<?x80xf32>, %y: memref<80xf32>) {
  linalg.reduce ins(%x : memref<?x80xf32>) outs(%y : memref<80xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    }
  return
}

/// A product is a stage over tiles; what it starts from is part of it.
// CHECK-LABEL: func.func @product
// CHECK-NOT: linalg.
// CHECK: rt.parallel %{{.*}} grain 1 unit block
// CHECK: scf.for {{.*}} iter_args
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK: memref.store %{{.*}} : memref<16x66xf32>
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK-COUNT-256: math.fma
// CHECK: scf.if
func.func @product(%a: memref<?x300xf32>, %b: memref<300x150xf32>, %r: memref<150xf32>, %c: memref<?x150xf32>) {
  linalg.broadcast ins(%r : memref<150xf32>) outs(%c : memref<?x150xf32>) dimensions = [0]
  linalg.matmul ins(%a, %b : memref<?x300xf32>, memref<300x150xf32>) outs(%c : memref<?x150xf32>)
  return
}

/// The warp of an iteration shares what is in it; one thread writes scalars, and all
/// wait for each other around that.
// CHECK-LABEL: func.func @gather
// CHECK: rt.parallel %{{.*}} grain 1 unit warp
// CHECK: memref.load
// CHECK: llvm.nvvm.bar.warp.sync
// CHECK: scf.for
// CHECK: memref.store
// CHECK: llvm.nvvm.bar.warp.sync
// CHECK-NOT: bar.warp.sync
// CHECK: scf.if
// CHECK-NEXT: memref.store
// CHECK: llvm.nvvm.bar.warp.sync
func.func @gather(%x: memref<?x80xf32>, %ids: memref<?xindex>, %y: memref<?x80xf32>, %n: index) {
  rt.for_each %i of %n work 80 {
    %id = memref.load %ids[%i] : memref<?xindex>
    %row = memref.subview %x[%id, 0] [1, 80] [1, 1] : memref<?x80xf32> to memref<80xf32, strided<[1], offset: ?>>
    %to = memref.subview %y[%i, 0] [1, 80] [1, 1] : memref<?x80xf32> to memref<80xf32, strided<[1], offset: ?>>
    linalg.copy ins(%row : memref<80xf32, strided<[1], offset: ?>>) outs(%to : memref<80xf32, strided<[1], offset: ?>>)
    memref.store %i, %ids[%i] : memref<?xindex>
  }
  return
}

/// An iteration that moves little is for one thread.
// CHECK-LABEL: func.func @short
// CHECK: rt.parallel %{{.*}} grain 1 unit thread
// CHECK-NOT: bar.warp
// CHECK: return
func.func @short(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  rt.for_each %i of %n work 1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
  }
  return
}

// -----

/// What a warp has for itself is a part of the block's memory, which nobody uses any
/// more.
// CHECK: memref.global "private" @cambium_pool : memref<4096xi8, 3> = uninitialized {alignment = 128 : i64}
// CHECK-LABEL: func.func @own
// CHECK: rt.parallel %{{.*}} grain 1 unit warp
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK: scf.for
// CHECK: memref.get_global @cambium_pool : memref<4096xi8, 3>
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<128xf32>
// CHECK-NOT: memref.alloca
func.func @own(%y: memref<?xf32>, %n: index, %v: f32) {
  %c5 = arith.constant 5 : index
  rt.for_each %i of %n work 128 {
    %own = memref.alloca() : memref<128xf32>
    linalg.fill ins(%v : f32) outs(%own : memref<128xf32>)
    %w = memref.load %own[%c5] : memref<128xf32>
    memref.store %w, %y[%i] : memref<?xf32>
  }
  return
}

// -----

/// An iteration that is worth a thread of a processor, and has products, is for a block: its
/// threads share tiles of the product, whose sums begin with zero, and elements. What it has for
/// itself stands behind what tiles need.
// CHECK: memref.global "private" @cambium_pool : memref<[[SIZE:[0-9]*]]xi8, 3>
// CHECK-LABEL: func.func @products
// CHECK: rt.parallel %{{.*}} grain 1 unit block
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.constant 0 : i32
// CHECK-NEXT: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK-NOT: memref.alloca
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<64x32xf32>
// CHECK-NOT: linalg
// CHECK: math.fma
// CHECK: math.absf
// CHECK: return
func.func @products(%a: memref<?x8xf32>, %b: memref<8x32xf32>, %y: memref<?x32xf32>, %n: index, %rows: index) {
  %zero = arith.constant 0.0 : f32
  rt.for_each %i of %n {
    %own = memref.alloca() : memref<64x32xf32>
    %few = memref.subview %own[0, 0] [%rows, 32] [1, 1] : memref<64x32xf32> to memref<?x32xf32, strided<[32, 1]>>
    %first = arith.muli %i, %rows : index
    %part = memref.subview %a[%first, 0] [%rows, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
    %to = memref.subview %y[%first, 0] [%rows, 32] [1, 1] : memref<?x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%few : memref<?x32xf32, strided<[32, 1]>>)
    linalg.matmul ins(%part, %b : memref<?x8xf32, strided<[8, 1], offset: ?>>, memref<8x32xf32>) outs(%few : memref<?x32xf32, strided<[32, 1]>>)
    linalg.abs ins(%few : memref<?x32xf32, strided<[32, 1]>>) outs(%to : memref<?x32xf32, strided<[32, 1], offset: ?>>)
  }
  return
}

// -----

/// All threads go through the levels; a loop that is not independent is for one warp,
/// and what it counts goes through memory.
// CHECK-LABEL: func.func @control
// CHECK: %[[WORD:.*]] = rt.alloc() : memref<i64>
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK: rt.parallel %{{.*}} grain 1 unit warp
// CHECK: %[[COUNT:.*]] = scf.for
// CHECK: %[[CAST:.*]] = arith.index_cast %[[COUNT]]
// CHECK: memref.store %[[CAST]], %[[WORD]][]
// CHECK: memref.load %[[WORD]][]
// CHECK: rt.parallel %{{.*}} grain 1 unit thread
func.func @control(%levels: memref<?xindex>, %n: index, %x: memref<?xindex>, %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %l = %c0 to %n step %c1 {
    %size = memref.load %levels[%l] : memref<?xindex>
    %count = scf.for %i = %c0 to %size step %c1 iter_args(%next = %c0) -> index {
      memref.store %i, %y[%next] : memref<?xindex>
      %more = arith.addi %next, %c1 : index
      scf.yield %more : index
    }
    rt.for_each %i of %count work 1 {
      memref.store %i, %x[%i] : memref<?xindex>
    }
  }
  return
}

// -----

/// What there is no code for is an error.
func.func @iterations(%steps: memref<?xi32>, %n: index) {
  // expected-error @below {{'rt.iterations' op expected an op that GPU code can be made of}}
  %forest = rt.iterations %steps, %n max 5 : memref<?xi32>
  return
}
