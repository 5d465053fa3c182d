// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V4
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V3
// RUN: cambium-opt %s --target-attach=cpu=x86-64 --kernels-emit-products | FileCheck %s --check-prefixes=CHECK,V1

nn.param @B : tensor<16x30xf32>

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

/// Tiles of fused multiply-adds over whole vectors, the last columns masked; memory for
/// a copy of the left operand.
// CHECK: func.func private @product_f32(
// CHECK: rt.parallel
// V4: memref.alloca() {alignment = 64 : i64} : memref<24576xf32>
// V3: memref.alloca() {alignment = 64 : i64} : memref<24576xf32>
// V4: vector.load {{.*}} vector<16xf32>
// V4: vector.fma {{.*}} : vector<16xf32>
// V4: vector.maskedload {{.*}} vector<16xf32>
// V3: vector.load {{.*}} vector<8xf32>
// V3: vector.fma {{.*}} : vector<8xf32>
// V1: arith.mulf {{.*}} : vector<4xf32>
// V1: arith.addf {{.*}} : vector<4xf32>
// V1-NOT: vector.fma
