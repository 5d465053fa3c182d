// RUN: cambium-opt %s --target-attach=cpu=sm_90 --kernels-fuse-rows | FileCheck %s
// RUN: cambium-opt %s --target-attach=cpu=sm_90 --kernels-fuse-rows --remarks-filter=kernels-fuse-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cambium-opt %s --target-attach=cpu=sm_90a --kernels-fuse-rows | FileCheck %s --check-prefix=LARGE
// RUN: cambium-opt %s --target-attach=cpu=sm_75 --kernels-fuse-rows | FileCheck %s --check-prefix=SMALL

/// Blocks have the same columns in each iteration. In the first one they read their columns
/// of the weights, 16 rows of 64 columns with zeros behind the 8th row, and in each one if
/// there are fewer blocks than columns.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for %[[I:.*]] = %[[FIRST:.*]] to
// CHECK: rt.parallel
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<16x64xf32>
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %[[FIRST]]
// CHECK: %[[ARE_FEW:.*]] = arith.cmpi slt
// CHECK: %[[FILL:.*]] = arith.ori %[[IS_FIRST]], %[[ARE_FEW]]
// CHECK: scf.if %[[FILL]]
// CHECK: barrier.cta.sync
// CHECK: memref.store %{{.*}} : memref<16x64xf32>
// CHECK: barrier.cta.sync
// CHECK: scf.for
// CHECK-COUNT-1: memref.view %{{.*}} : memref<?xi8> to memref<16x34xf32>
// CHECK-NOT: memref.view
// CHECK: math.fma
// CHECK: return
func.func @kept(%x: memref<?x8xf32>, %w: memref<8x40xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x40xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x40xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x40xf32>) outs(%y : memref<?x40xf32>)
    linalg.exp ins(%y : memref<?x40xf32>) outs(%y : memref<?x40xf32>)
  }
  return
}

/// What the loop writes is read in each iteration.
// CHECK-LABEL: func.func @changed
// CHECK: rt.parallel
// CHECK-NOT: arith.ori
// CHECK-COUNT-2: memref.view
// CHECK: return
func.func @changed(%x: memref<?x8xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = rt.alloc() : memref<8x40xf32>
  %y = rt.alloc(%n) : memref<?x40xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x40xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x40xf32>) outs(%y : memref<?x40xf32>)
    linalg.exp ins(%y : memref<?x40xf32>) outs(%y : memref<?x40xf32>)
    linalg.exp ins(%w : memref<8x40xf32>) outs(%w : memref<8x40xf32>)
  }
  return
}

/// Two stages of a loop keep theirs behind what both use while they are executed, 2,176 bytes
/// for a slice of the left operand.
// CHECK-LABEL: func.func @two
// CHECK: rt.parallel
// CHECK-DAG: %[[P:.*]] = arith.constant 2176 : index
// CHECK-DAG: memref.view %{{.*}}[%[[P]]]{{.*}} to memref<16x64xf32>
// CHECK: rt.parallel
// CHECK-DAG: %[[Q:.*]] = arith.constant 6272 : index
// CHECK-DAG: memref.view %{{.*}}[%[[Q]]]{{.*}} to memref<48x64xf32>
// CHECK: return
func.func @two(%x: memref<?x8xf32>, %w: memref<8x40xf32>, %v: memref<40x60xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x40xf32>
  %z = rt.alloc(%n) : memref<?x60xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x40xf32>)
    linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x40xf32>) outs(%y : memref<?x40xf32>)
    linalg.exp ins(%y : memref<?x40xf32>) outs(%y : memref<?x40xf32>)
    linalg.fill ins(%zero : f32) outs(%z : memref<?x60xf32>)
    linalg.matmul ins(%y, %v : memref<?x40xf32>, memref<40x60xf32>) outs(%z : memref<?x60xf32>)
    linalg.exp ins(%z : memref<?x60xf32>) outs(%z : memref<?x60xf32>)
  }
  return
}

/// 500 rows of 64 columns are 131,072 bytes: every GPU that runs sm_90a has them, not every
/// one that runs sm_90. Where columns are not those of a level, tiles do not become narrower.
// CHECK-LABEL: func.func @large
// CHECK-NOT: arith.ori
// CHECK: return
// REMARK: kernels-fuse-rows-kept.mlir:[[# @LINE + 14]]:5: remark: {{.*}}weights are read in each iteration: a block has 131072 bytes of them, and room for 99200
// LARGE-LABEL: func.func @large
// LARGE: arith.ori
// LARGE: return
// SMALL-LABEL: func.func @large
// SMALL-NOT: arith.ori
// SMALL: return
func.func @large(%x: memref<?x500xf32>, %w: memref<500x64xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = rt.alloc(%n) : memref<?x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
    linalg.matmul ins(%x, %w : memref<?x500xf32>, memref<500x64xf32>) outs(%y : memref<?x64xf32>)
    linalg.exp ins(%y : memref<?x64xf32>) outs(%y : memref<?x64xf32>)
  }
  return
}

/// Levels have few rows: a tile has 32 columns here, so that what is kept fits.
// CHECK-LABEL: func.func @level
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<512x32xf32>
// CHECK: arith.ori
// CHECK: return
// LARGE-LABEL: func.func @level
// LARGE: memref.view %{{.*}} : memref<?xi8> to memref<512x64xf32>
// SMALL-LABEL: func.func @level
// SMALL: memref.view %{{.*}} : memref<?xi8> to memref<512x16xf32>
func.func @level(%forest: !ragged.forest, %w: memref<500x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %levels = rt.forest_size %forest num_levels
  %most = rt.forest_size %forest max_level_nodes
  %level_nodes = rt.forest_index %forest level_nodes : memref<?xi32>
  %x = rt.alloc(%most) : memref<?x500xf32>
  %y = rt.alloc(%most) : memref<?x64xf32>
  scf.for %l = %c0 to %levels step %c1 {
    %next = arith.addi %l, %c1 : index
    %b = memref.load %level_nodes[%l] : memref<?xi32>
    %begin = arith.index_cast %b : i32 to index
    %e = memref.load %level_nodes[%next] : memref<?xi32>
    %end = arith.index_cast %e : i32 to index
    %size = arith.subi %end, %begin : index
    %n = rt.at_most %size, %most
    %xs = memref.subview %x[0, 0] [%n, 500] [1, 1] : memref<?x500xf32> to memref<?x500xf32, strided<[500, 1]>>
    %ys = memref.subview %y[0, 0] [%n, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1]>>
    linalg.fill ins(%zero : f32) outs(%ys : memref<?x64xf32, strided<[64, 1]>>)
    linalg.matmul ins(%xs, %w : memref<?x500xf32, strided<[500, 1]>>, memref<500x64xf32>) outs(%ys : memref<?x64xf32, strided<[64, 1]>>)
    linalg.exp ins(%ys : memref<?x64xf32, strided<[64, 1]>>) outs(%ys : memref<?x64xf32, strided<[64, 1]>>)
  }
  return
}
