// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 --kernels-approximate-math | FileCheck %s --check-prefixes=CHECK,FMA,EXACT
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 --kernels-approximate-math | FileCheck %s --check-prefixes=CHECK,FMA,ESTIMATE
// RUN: cambium-opt %s --target-attach=cpu=x86-64 --kernels-approximate-math | FileCheck %s --check-prefixes=CHECK,SPLIT,EXACT

// CHECK-LABEL: func.func @single
// FMA: math.fma {{.*}} : vector<16xf32>
// SPLIT-NOT: math.fma
// CHECK-NOT: math.exp
// CHECK-NOT: math.tanh
// CHECK: return
func.func @single(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.tanh %x : vector<16xf32>
  return %0, %1 : vector<16xf32>, vector<16xf32>
}

/// A fraction of polynomials, by a reciprocal that may be estimated where there is a good
/// estimate; a model's own division is exact.
// CHECK-LABEL: func.func @fraction
// CHECK-NOT: math.erf
// ESTIMATE: arith.divf %{{.*}} fastmath<ninf,arcp,contract> : vector<16xf32>
// EXACT: arith.divf %{{.*}} fastmath<ninf,contract> : vector<16xf32>
// CHECK-NOT: math.erf
// CHECK: arith.divf %{{.*}}, %arg1 : vector<16xf32>
func.func @fraction(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %0 = math.erf %x : vector<16xf32>
  %1 = arith.divf %0, %y : vector<16xf32>
  return %1 : vector<16xf32>
}

/// Each lane has an exponent of its own.
// CHECK-LABEL: func.func @power
// CHECK: %[[X:.*]] = arith.extf %arg0 : vector<16xf32> to vector<16xf64>
// CHECK: %[[N:.*]] = arith.sitofp %arg1 : vector<16xi32> to vector<16xf64>
// CHECK: %[[Y:.*]] = math.powf %[[X]], %[[N]] : vector<16xf64>
// CHECK: arith.truncf %[[Y]]
func.func @power(%x: vector<16xf32>, %n: vector<16xi32>) -> vector<16xf32> {
  %y = math.fpowi %x, %n : vector<16xf32>, vector<16xi32>
  return %y : vector<16xf32>
}

/// Those on doubles are libm's.
// CHECK-LABEL: func.func @double
// CHECK: math.exp
// CHECK: math.erf
func.func @double(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  %1 = math.erf %0 : f64
  return %1 : f64
}
