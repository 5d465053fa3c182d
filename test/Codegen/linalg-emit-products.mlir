// RUN: cambium-opt %s --rt-attach-target=cpu=x86-64-v4 --linalg-emit-products | FileCheck %s --check-prefixes=CHECK,V4
// RUN: cambium-opt %s --rt-attach-target=cpu=x86-64-v3 --linalg-emit-products | FileCheck %s --check-prefixes=CHECK,V3
// RUN: cambium-opt %s --rt-attach-target=cpu=x86-64 --linalg-emit-products | FileCheck %s --check-prefixes=CHECK,V1

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mk = affine_map<(m, n, k) -> (m, k)>

/// What a product starts from is folded into it; equal shapes share a function.
// CHECK-LABEL: func.func @inits
// CHECK-NOT: linalg.
// CHECK: call @product_f32_nx30_40_zero(%{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK: call @product_f32_nx30_40_row(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK: call @product_f32_nx30_40_old(%{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK: call @product_f32_nx30_40_old(%{{.*}}, %{{.*}}, %{{.*}}) :
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
// CHECK: call @product_f64_nx3_4_old
func.func @other_fill(%a: memref<?x3xf64>, %b: memref<3x4xf64>, %c: memref<?x4xf64>, %d: memref<?x4xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%d : memref<?x4xf64>)
  linalg.matmul ins(%a, %b : memref<?x3xf64>, memref<3x4xf64>) outs(%c : memref<?x4xf64>)
  return
}

/// The gradient of a weight.
// CHECK-LABEL: func.func @transposed
// CHECK: call @product_f32_t_nxn_16_old
func.func @transposed(%a: memref<?x30xf32>, %b: memref<?x16xf32>, %c: memref<30x16xf32>) {
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%a, %b : memref<?x30xf32>, memref<?x16xf32>) outs(%c : memref<30x16xf32>)
  return
}

/// Products of other kinds are left alone.
// CHECK-LABEL: func.func @negative_rhs_transposed
// CHECK: linalg.matmul
func.func @negative_rhs_transposed(%a: memref<?x30xf32>, %b: memref<16x30xf32>, %c: memref<?x16xf32>) {
  linalg.matmul indexing_maps = [#mk, #nk, #mn]
    ins(%a, %b : memref<?x30xf32>, memref<16x30xf32>) outs(%c : memref<?x16xf32>)
  return
}

/// Tiles of fused multiply-adds over whole vectors, the last columns masked.
// CHECK: func.func private @product_f32_nx30_40_zero
// CHECK: rt.parallel
// V4: vector.load {{.*}} vector<16xf32>
// V4: vector.maskedload {{.*}} vector<16xf32>
// V4: vector.fma {{.*}} : vector<16xf32>
// V3: vector.load {{.*}} vector<8xf32>
// V3: vector.fma {{.*}} : vector<8xf32>
// V3-NOT: vector.maskedload
// V1: arith.mulf {{.*}} : vector<4xf32>
// V1: arith.addf {{.*}} : vector<4xf32>
// V1-NOT: vector.fma
