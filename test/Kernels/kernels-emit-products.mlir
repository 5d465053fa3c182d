// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V4
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-emit-products | FileCheck %s --check-prefix=LEFT
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V3
// RUN: cambium-opt %s --target-attach=cpu=x86-64 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V1
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v4 math=bf16" --kernels-emit-products | FileCheck %s --check-prefixes=WORDS,BF16
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v3 weights=int8" --kernels-emit-products | FileCheck %s --check-prefixes=WORDS,INT8
// RUN: cambium-opt %s --target-attach="cpu=cooperlake math=bf16" --kernels-emit-products | FileCheck %s --check-prefix=DOT
// RUN: cambium-opt %s --target-attach="cpu=sapphirerapids math=bf16" | sed 's/, "amx_[a-z0-9]*"//g' | cambium-opt --kernels-emit-products | FileCheck %s --check-prefix=NODOT
// RUN: cambium-opt %s --target-attach="cpu=sapphirerapids math=bf16" --kernels-emit-products | FileCheck %s --check-prefixes=TILES,TILES-BF16
// RUN: cambium-opt %s --target-attach="cpu=sapphirerapids weights=int8" --kernels-emit-products | FileCheck %s --check-prefixes=TILES,TILES-INT8
// RUN: cambium-opt %s --target-attach="cpu=cascadelake weights=int8" --kernels-emit-products | FileCheck %s --check-prefix=VNNI

nn.param @B : tensor<16x30xf32>
nn.param @P : tensor<256x70xf32>
nn.param @S : tensor<3x256x70xf32>

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mk = affine_map<(m, n, k) -> (m, k)>

/// What a product starts from is folded into it: zeros, a row at distance 0, or what
/// is there.
// CHECK-LABEL: func.func @inits
// CHECK-NOT: linalg.
// CHECK: call @product_f32({{.*}}, %true{{.*}},
// CHECK: memref.reinterpret_cast {{.*}} strides: [%c0{{.*}}, 1]
// CHECK: call @product_f32(
// CHECK: call @product_f32({{.*}}, %false{{.*}},
// CHECK: call @product_f32(
// CHECK: return
func.func @inits(%a: memref<?x30xf32>, %b: memref<30x40xf32>, %c: memref<?x40xf32>, %r: memref<40xf32>,
                 %v: memref<?x40xf32, strided<[80, 1], offset: 4>>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x40xf32>)
  linalg.matmul ins(%a, %b : memref<?x30xf32>, memref<30x40xf32>) outs(%c : memref<?x40xf32>)
  linalg.broadcast ins(%r : memref<40xf32>) outs(%c : memref<?x40xf32>) dimensions = [0]
  linalg.matmul ins(%a, %b : memref<?x30xf32>, memref<30x40xf32>) outs(%c : memref<?x40xf32>)
  linalg.matmul ins(%a, %b : memref<?x30xf32>, memref<30x40xf32>) outs(%c : memref<?x40xf32>)
  linalg.matmul ins(%a, %b : memref<?x30xf32>, memref<30x40xf32>) outs(%v : memref<?x40xf32, strided<[80, 1], offset: 4>>)
  return
}

/// A fill of something else stays.
// CHECK-LABEL: func.func @other_fill
// CHECK: linalg.fill
// CHECK: call @product_f64({{.*}} %false
func.func @other_fill(%a: memref<?x3xf64>, %b: memref<3x4xf64>, %c: memref<?x4xf64>, %d: memref<?x4xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%d : memref<?x4xf64>)
  linalg.matmul ins(%a, %b : memref<?x3xf64>, memref<3x4xf64>) outs(%c : memref<?x4xf64>)
  return
}

/// The gradient of a weight: the left operand is read the other way round.
// CHECK-LABEL: func.func @transposed
// CHECK: memref.transpose %{{.*}} (d0, d1) -> (d1, d0)
// CHECK: call @product_f32
func.func @transposed(%a: memref<?x30xf32>, %b: memref<?x16xf32>, %c: memref<30x16xf32>) {
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%a, %b : memref<?x30xf32>, memref<?x16xf32>) outs(%c : memref<30x16xf32>)
  return
}

/// A right operand is transposed once, before the loop in which it does not change.
// CHECK-LABEL: func.func @rhs_transposed
// CHECK: %[[FLIPPED:.*]] = rt.alloc() : memref<30x16xf32>
// CHECK: linalg.transpose ins(%{{.*}}) outs(%[[FLIPPED]]
// CHECK: scf.for
// CHECK: call @product_f32
// CHECK: call @product_f32
func.func @rhs_transposed(%a: memref<?x30xf32>, %c: memref<?x16xf32> {rt.as = #rt.output<name = "c">}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %b = rt.param @B : memref<16x30xf32>
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.matmul indexing_maps = [#mk, #nk, #mn]
      ins(%a, %b : memref<?x30xf32>, memref<16x30xf32>) outs(%c : memref<?x16xf32>)
    linalg.matmul indexing_maps = [#mk, #nk, #mn]
      ins(%a, %b : memref<?x30xf32>, memref<16x30xf32>) outs(%c : memref<?x16xf32>)
  }
  return
}

/// What the loop changes is transposed in it.
// CHECK-LABEL: func.func @rhs_changes
// CHECK: scf.for
// CHECK: linalg.fill
// CHECK: linalg.transpose
// CHECK: call @product_f32
func.func @rhs_changes(%a: memref<?x30xf32>, %c: memref<?x16xf32> {rt.as = #rt.output<name = "c">}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f32
  %b = rt.alloc() : memref<16x30xf32>
  %row = memref.subview %b[0, 0] [1, 30] [1, 1] : memref<16x30xf32> to memref<1x30xf32, strided<[30, 1]>>
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.fill ins(%one : f32) outs(%row : memref<1x30xf32, strided<[30, 1]>>)
    linalg.matmul indexing_maps = [#mk, #nk, #mn]
      ins(%a, %b : memref<?x30xf32>, memref<16x30xf32>) outs(%c : memref<?x16xf32>)
  }
  return
}

/// Without a place for the transpose the product is left alone.
// CHECK-LABEL: func.func private @negative_no_entry
// CHECK: linalg.matmul
func.func private @negative_no_entry(%a: memref<?x30xf32>, %b: memref<16x30xf32>, %c: memref<?x16xf32>) {
  linalg.matmul indexing_maps = [#mk, #nk, #mn]
    ins(%a, %b : memref<?x30xf32>, memref<16x30xf32>) outs(%c : memref<?x16xf32>)
  return
}

/// A parameter is read in panels as wide as a register tile, which are there once.
// CHECK-LABEL: func.func @panels
// V4: %[[PANELS:.*]] = rt.panels @P : memref<2x256x48xf32, strided<[?, ?, 1]>>
// V3: %[[PANELS:.*]] = rt.panels @P : memref<5x256x16xf32, strided<[?, ?, 1]>>
// V1: %[[PANELS:.*]] = rt.panels @P : memref<9x256x8xf32, strided<[?, ?, 1]>>
// CHECK-NOT: rt.panels
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[PANELS]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [{{.*}}], sizes: [256, 70], strides: [%[[STRIDES]]#1, 1]
// CHECK: call @product_f32({{.*}}, %[[STRIDES]]#0, %c{{[0-9_]+}})
// CHECK: call @product_f32
func.func @panels(%a: memref<?x256xf32>, %c: memref<?x70xf32>) {
  %p = rt.param @P : memref<256x70xf32>
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  return
}

/// In another format there are words, `[panels, words]`, and the kernel has them alone.
// WORDS-LABEL: func.func @panels
// BF16: %[[PANELS:.*]] = rt.panels @P as bf16 : memref<2x128x64xi32>
// INT8: %[[PANELS:.*]] = rt.panels @P as int8 : memref<5x66x16xi32>
// WORDS-NOT: rt.panels
// BF16: memref.reinterpret_cast {{.*}} sizes: [2, 8192], strides: [8192, 1]
// INT8: memref.reinterpret_cast {{.*}} sizes: [5, 1056], strides: [1056, 1]
// BF16: call @product_bf16
// BF16: call @product_bf16
// INT8: call @product_int8
// INT8: call @product_int8
// WORDS-LABEL: func.func @slice
// BF16: rt.panels @S as bf16 : memref<3x2x128x64xi32>
// WORDS: memref.subview
// WORDS-NOT: call @product_f32

/// What is no entry, small, or a part of a matrix stays f32, and reads values.
// WORDS-LABEL: func.func @negative_panels
// WORDS-NOT: rt.panels
// WORDS: call @product_f32
// WORDS: call @product_f32
// WORDS-LABEL: func.func @negative_step.accumulate
// WORDS-NOT: rt.panels
// WORDS: call @product_f32

/// Where there is no fast instruction, bf16 are the upper halves of f32, and bytes
/// become 16 bits.
// BF16: func.func private @product_bf16
// BF16: arith.shli {{.*}} : vector<16xi32>
// BF16: vector.fma {{.*}} : vector<16xf32>
// INT8: func.func private @product_int8
// INT8: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// DOT: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// NODOT: vector.fma {{.*}} : vector<16xf32>
// NODOT-NOT: dpbf16ps
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"

/// Tiles of the processor have shapes for two times 16 rows, or for fewer, and words of
/// two or four elements. They are given back at the end.
// TILES: func.func private @product_{{bf16|int8}}
// TILES-BF16: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"
// TILES: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// TILES: llvm.call_intrinsic "llvm.x86.tilezero"(%[[SUM:.*]]) :
// TILES: scf.for
// TILES: llvm.call_intrinsic "llvm.x86.tileloadd64"
// TILES-BF16: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// TILES-INT8: llvm.call_intrinsic "llvm.x86.tdpbusd"
// TILES: llvm.call_intrinsic "llvm.x86.tilestored64"
// TILES: llvm.call_intrinsic "llvm.x86.tilerelease"
// TILES-NEXT: return

/// So is a matrix of a parameter that has several.
// CHECK-LABEL: func.func @slice
// CHECK-SAME: %[[LAYER:.*]]: index
// V4: %[[PANELS:.*]] = rt.panels @S : memref<3x2x256x48xf32, strided<[?, ?, ?, 1]>>
// V4: %[[PART:.*]] = memref.subview %[[PANELS]][%[[LAYER]], 0, 0, 0] [1, 2, 256, 48] [1, 1, 1, 1]
// V4: memref.extract_strided_metadata %[[PART]]
func.func @slice(%layer: index, %a: memref<?x256xf32>, %c: memref<?x70xf32>) {
  %s = rt.param @S : memref<3x256x70xf32>
  %p = memref.subview %s[%layer, 0, 0] [1, 256, 70] [1, 1, 1]
    : memref<3x256x70xf32> to memref<256x70xf32, strided<[70, 1], offset: ?>>
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32, strided<[70, 1], offset: ?>>)
                outs(%c : memref<?x70xf32>)
  return
}

/// There are no panels of small parameters, and of parts of a matrix.
// CHECK-LABEL: func.func @negative_panels
// CHECK-NOT: rt.panels
// CHECK: return
func.func @negative_panels(%a: memref<?x16xf32>, %c: memref<?x30xf32>, %d: memref<?x240xf32>,
                           %e: memref<?x70xf32>) {
  %b = rt.param @B : memref<16x30xf32>
  linalg.matmul ins(%a, %b : memref<?x16xf32>, memref<16x30xf32>) outs(%c : memref<?x30xf32>)
  %p = rt.param @P : memref<256x70xf32>
  %part = memref.subview %p[16, 0] [240, 70] [1, 1]
    : memref<256x70xf32> to memref<240x70xf32, strided<[70, 1], offset: 1120>>
  linalg.matmul ins(%d, %part : memref<?x240xf32>, memref<240x70xf32, strided<[70, 1], offset: 1120>>)
                outs(%e : memref<?x70xf32>)
  return
}

/// A step reads values, which change with it.
rt.training "negative_step" accumulate @negative_step.accumulate apply @negative_step.apply every 1
  groups ["default"] optimizers {default = #train.optimizer<sgd>}
func.func @negative_step.accumulate(%a: memref<?x256xf32>, %c: memref<?x70xf32>) {
  %p = rt.param @P : memref<256x70xf32>
  linalg.matmul ins(%a, %p : memref<?x256xf32>, memref<256x70xf32>) outs(%c : memref<?x70xf32>)
  return
}
func.func @negative_step.apply() {
  return
}

/// Tiles of fused multiply-adds over whole vectors, the last columns masked. Threads compute parts. A
/// tile that starts from nothing reads a row of zeros, and asks for its share of the next panel, where
/// that is a copy, else for a line of each of its rows; one that is alone for what follows in its own a
/// page ahead. A pass of a tile's loop adds two products to an element, one of the first tile of a panel,
/// which asks for its rows a little ahead, too. No element of a row is read before the sums of the row
/// above are there: they would leave the registers.
// CHECK: func.func private @product_f32_part(
// V4: vector.load {{.*}} vector<16xf32>
// V4: vector.fma {{.*}} : vector<16xf32>
// V4: arith.muli %{{.*}}, %c65536{{[_0-9]*}} : index
// V4: %[[SHARE:.*]] = arith.ceildivui %{{.*}}, %{{.*}} : index
// V4: %[[MORE:.*]] = arith.muli %[[SHARE]], %c8{{[_0-9]*}} : index
// V4: %[[WHOLE:.*]] = arith.shrui %[[MORE]], %c16{{[_0-9]*}} : index
// V4: %[[STEP:.*]] = arith.minui %[[WHOLE]], %c16{{[_0-9]*}} : index
// V4: %[[OWN:.*]] = arith.select %[[ALONE:[0-9]+]], %{{.*}}, %[[STEP]] : index
// V4: %[[PAGE:c1024_.*]] = arith.constant 1024 : index
// V4: %[[BEGIN:.*]] = arith.select %[[ALONE]], %[[PAGE]], %{{.*}} : index
// V4: %[[ROWS:.*]] = arith.select %[[PACKED:[0-9]+]], %[[OWN]], %{{.*}} : index
// V4: %[[AHEAD:.*]] = memref.reinterpret_cast {{.*}} strides: [%[[ROWS]], 1]
// V4: %[[LINE:.*]] = arith.select %[[PACKED]], %[[BEGIN]], %{{.*}} : index
// V4: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// V4: memref.prefetch %arg3{{.*}}, write, locality<3>
// V4: %[[START:[0-9]+]] = arith.select %{{.*}}, %reinterpret_cast{{.*}}, %{{.*}} : memref<?x?xf32
// V4: vector.load %[[START]][
// V4: memref.extract_strided_metadata %[[AHEAD]]
// V4: %[[BYTES:.*]] = arith.muli %[[LINE]], %c4{{[_0-9]*}} : index
// V4: %[[FROM:.*]] = arith.addi %{{.*}}, %[[BYTES]] : index
// V4: %[[PAIRS:.*]] = arith.select %[[FIRST]], %{{.*}}, %{{.*}} : index
// V4: scf.for {{.*}} to %[[PAIRS]] step %c2{{.*}}, %[[AT:[a-z0-9]+]] = %{{[0-9]+}}, %[[ROW:[a-z0-9]+]] = %{{[0-9]+}}, %[[ASKED:[a-z0-9]+]] = %[[FROM]])
// V4-COUNT-3: llvm.load {{.*}} -> vector<16xf32>
// V4-NEXT: arith.addi %[[ROW]], %[[ROWSTEP:[0-9]+]] : index
// V4-NEXT: %[[WORD:.*]] = arith.index_cast %[[ASKED]] : index to i64
// V4-NEXT: %[[LATER:.*]] = llvm.inttoptr %[[WORD]]
// V4-NEXT: "llvm.intr.prefetch"(%[[LATER]]) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// V4-NEXT: %[[SECOND:.*]] = arith.addi %[[ASKED]], %{{[0-9]+}} : index
// V4-NOT: prefetch
// V4: llvm.load
// V4-COUNT-2: vector.fma {{.*}} : vector<16xf32>
// V4-NEXT: %[[LAST:.*]] = vector.fma {{.*}} : vector<16xf32>
// V4-NEXT: %[[PLACE:.*]] = arith.index_cast %[[AT]] : index to i64
// V4-NEXT: llvm.inline_asm "", "=r,0,v" %[[PLACE]], %[[LAST]]
// V4: llvm.load
// V4: arith.index_cast %[[SECOND]] : index to i64
// V4: "llvm.intr.prefetch"({{.*}}, hint = 2 : i32, rw = 0 : i32}>
// V4: scf.for {{.*}} = %[[PAIRS]] to %{{.*}} step %c1
// V4-COUNT-3: llvm.load {{.*}} -> vector<16xf32>
// V4: %[[NEXT:.*]] = arith.muli %[[ROWSTEP]], %c6{{[_0-9]*}} : index
// V4: arith.addi %{{.*}}, %[[NEXT]] : index
// V4-COUNT-3: "llvm.intr.prefetch"({{.*}}, hint = 3 : i32, rw = 0 : i32}>
// V4: "llvm.intr.prefetch"({{.*}}, hint = 2 : i32, rw = 0 : i32}>
// V4-NOT: prefetch
// V4: vector.store
// V4: vector.maskedload {{.*}} vector<16xf32>
// V3: vector.load {{.*}} vector<8xf32>
// V3: vector.fma {{.*}} : vector<8xf32>
// V1: arith.mulf {{.*}} : vector<4xf32>
// V1: arith.addf {{.*}} : vector<4xf32>
// V1-NOT: vector.fma
// CHECK: func.func private @product_f32(
// CHECK: rt.parallel
// CHECK: call @product_f32_part

/// Of a gradient, the first of many tiles keeps the panel that it reads for the others.
// LEFT: func.func private @product_f32_transposed_part(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>,
// LEFT: %[[MEMORY:.*]] = memref.alloca() {alignment = 64 : i64} : memref<6144xf32>
// LEFT: %[[KEPT:.*]] = memref.reinterpret_cast %[[MEMORY]] to offset: [0], sizes: [%{{.*}}, 48], strides: [48, 1]
// LEFT: %[[OTHERS:.*]] = arith.select %{{.*}}, %[[KEPT]], %{{.*}} : memref<?x?xf32, strided<[?, 1], offset: ?>>
// LEFT: %[[READ:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OTHERS]] : memref<?x?xf32, strided<[?, 1], offset: ?>>
// LEFT: memref.extract_aligned_pointer_as_index %[[READ]]
// LEFT: step %c2
// LEFT: llvm.load {{.*}} -> vector<16xf32>
// LEFT-NOT: .store
// LEFT: memref.extract_aligned_pointer_as_index %[[KEPT]]
// LEFT: step %c1{{.*}}, %[[PLACE:arg[0-9]+]] = %{{[0-9]+}})
// LEFT: %[[VECTOR:[0-9]+]] = llvm.load {{.*}} -> vector<16xf32>
// LEFT: arith.index_cast %[[PLACE]] : index to i64
// LEFT: llvm.store %[[VECTOR]],

/// Its left operand, where it is large, is copied by lines of its memory, block by block.
// LEFT: func.func private @product_f32_transposed(
// LEFT: rt.parallel
// LEFT: scf.if
// LEFT: %[[MEMORY:.*]] = memref.alloca() {alignment = 64 : i64} : memref<24576xf32>
// LEFT: %[[COPY:.*]] = memref.reinterpret_cast %[[MEMORY]]
// LEFT: %[[LINE:.*]] = vector.maskedload {{.*}} vector<16xf32>
// LEFT: vector.store %[[LINE]], %[[COPY]]
// LEFT: call @product_f32_transposed_part(
// LEFT: } else {
// LEFT-NOT: vector.
// LEFT: call @product_f32_transposed_part(%arg0,
