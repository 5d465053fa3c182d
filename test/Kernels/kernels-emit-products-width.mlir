// RUN: cambium-opt %s --split-input-file --target-attach=cpu=x86-64-v4 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V4
// RUN: cambium-opt %s --split-input-file --target-attach=cpu=x86-64-v4 --kernels-emit-products --remarks-filter=kernels-emit-products -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cambium-opt %s --split-input-file --target-attach=cpu=x86-64-v3 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V3

/// A tile of 8 rows and 3 vectors has as many sums as one of 6 and 4, and a few rows read
/// panels of its width fewer times. It is taken where nothing is added to the columns. It has
/// no register for what is asked for of the left operand.
// CHECK-LABEL: func.func @even
// V4: rt.panels @W : memref<16x768x48xf32,
// V3: rt.panels @W : memref<48x768x16xf32,
// CHECK: func.func private @product_f32_part(
// V4: memref.extract_strided_metadata %reinterpret_cast
// V4: "llvm.intr.prefetch"({{.*}}, hint = 2 : i32, rw = 0 : i32}>
// V4-COUNT-48: vector.fma {{.*}} : vector<16xf32>
// V4-NEXT: arith.addi
// V4-NEXT: scf.yield
nn.param @W : tensor<768x768xf32>
func.func @even(%a: memref<?x768xf32>, %c: memref<?x768xf32>) {
  %w = rt.param @W : memref<768x768xf32>
  linalg.matmul ins(%a, %w : memref<?x768xf32>, memref<768x768xf32>) outs(%c : memref<?x768xf32>)
  return
}

// -----

/// 256 columns would become 288. In the last panel, a tile asks for the left operand of the
/// next block in place of the next panel.
// CHECK-LABEL: func.func @wide
// V4: rt.panels @W : memref<4x512x64xf32,
// V3: rt.panels @W : memref<16x512x16xf32,
// CHECK: func.func private @product_f32_part(
// V4: %[[ROWS:.*]] = memref.reinterpret_cast {{.*}}, 6], strides: [6, 1]
// V4: %[[AHEAD:.*]] = arith.select %{{.*}}, %[[ROWS]], %{{.*}} : memref<?x?xf32, strided<[?, 1], offset: ?>>
// V4: memref.extract_strided_metadata %[[AHEAD]]
// V4: "llvm.intr.prefetch"({{.*}}, hint = 2 : i32, rw = 0 : i32}>
// V4-COUNT-48: vector.fma {{.*}} : vector<16xf32>
// V4-NEXT: arith.addi
// V4-NEXT: scf.yield
nn.param @W : tensor<512x256xf32>
func.func @wide(%a: memref<?x512xf32>, %c: memref<?x256xf32>) {
  %w = rt.param @W : memref<512x256xf32>
  linalg.matmul ins(%a, %w : memref<?x512xf32>, memref<512x256xf32>) outs(%c : memref<?x256xf32>)
  return
}

// -----

/// Each product of a module has its own, and says so to the kernel of all. There is one code
/// for what is left behind whole panels.
// CHECK-LABEL: func.func @both
// V4: rt.panels @V : memref<16x768x48xf32,
// V4: call @product_f32({{.*}}, %c3{{[_0-9]*}})
// V4: rt.panels @W : memref<4x256x64xf32,
// V4: call @product_f32_by4({{.*}}, %c4{{[_0-9]*}})
// V4: func.func private @product_f32_part({{.*}}, %[[TILE:arg6]]: index, %arg7: index,
// V4: scf.index_switch %[[TILE]]
// V4-NEXT: case 4 {
// V4: default {
// V4-COUNT-2: scf.index_switch %
// V4: scf.index_switch %[[TILE]]
// V4-NEXT: case 4 {
// V4: default {
// V4: scf.index_switch
// V4-NEXT: case 1 {
// V4: case 2 {
// V4-NOT: case
// V4: default {
// V4-NOT: func.func private @product_f32{{.*}}_part(
// REMARK: [[@LINE+6]]:{{.*}}TileRows=8, TileVectors=3
// REMARK: [[@LINE+7]]:{{.*}}TileRows=6, TileVectors=4
nn.param @V : tensor<768x750xf32>
nn.param @W : tensor<256x256xf32>
func.func @both(%a: memref<?x768xf32>, %c: memref<?x750xf32>, %d: memref<?x256xf32>, %e: memref<?x256xf32>) {
  %v = rt.param @V : memref<768x750xf32>
  linalg.matmul ins(%a, %v : memref<?x768xf32>, memref<768x750xf32>) outs(%c : memref<?x750xf32>)
  %w = rt.param @W : memref<256x256xf32>
  linalg.matmul ins(%d, %w : memref<?x256xf32>, memref<256x256xf32>) outs(%e : memref<?x256xf32>)
  return
}

// -----

/// Words have panels of one width.
// RUN: cambium-opt %s --split-input-file --target-attach="cpu=x86-64-v4 math=bf16" --kernels-emit-products | FileCheck %s --check-prefix=WORDS
// WORDS-LABEL: func.func @even
// WORDS: rt.panels @W as bf16 : memref<12x384x64xi32>

/// One of 16 parts is what panels may have more: 512 columns become 528, and 448 stay 448.
// CHECK-LABEL: func.func @more
// V4: rt.panels @V : memref<11x512x48xf32,
// V4: rt.panels @W : memref<7x512x64xf32,
nn.param @V : tensor<512x512xf32>
nn.param @W : tensor<512x448xf32>
func.func @more(%a: memref<?x512xf32>, %c: memref<?x512xf32>, %d: memref<?x448xf32>) {
  %v = rt.param @V : memref<512x512xf32>
  linalg.matmul ins(%a, %v : memref<?x512xf32>, memref<512x512xf32>) outs(%c : memref<?x512xf32>)
  %w = rt.param @W : memref<512x448xf32>
  linalg.matmul ins(%a, %w : memref<?x512xf32>, memref<512x448xf32>) outs(%d : memref<?x448xf32>)
  return
}
