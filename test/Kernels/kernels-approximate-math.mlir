// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 --kernels-approximate-math | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: cambium-opt %s --target-attach=cpu=x86-64 --kernels-approximate-math | FileCheck %s --check-prefixes=CHECK,SPLIT

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
func.func @double(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}
