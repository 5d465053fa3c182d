// RUN: cambium-opt %s --kernels-compute-functions | FileCheck %s
// RUN: %limit cambium-compile %S/Inputs/functions.mlir --gpu-arch=sm_80 -o %t.so
// RUN: %emulated cambium-compare %S/Inputs/functions.mlir %t.so --device=gpu --function=f64 --tolerance=1e-13 | FileCheck %s --check-prefix=EQUAL --implicit-check-not=DIFFERENT
// RUN: %emulated cambium-compare %S/Inputs/functions.mlir %t.so --device=gpu --function=f32 --tolerance=1e-5 | FileCheck %s --check-prefix=EQUAL --implicit-check-not=DIFFERENT
// EQUAL-COUNT-14: equal:

/// A number in f32 has enough digits in f64.
// CHECK-LABEL: func.func @sine
// CHECK: arith.extf
// CHECK: math.roundeven %{{.*}} : f64
// CHECK-NOT: math.sin
// CHECK: arith.truncf
func.func @sine(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}

/// What is an instruction stays, and other types do.
// CHECK-LABEL: func.func @negative_instructions
// CHECK: math.sqrt
// CHECK: math.absf
// CHECK: math.exp %{{.*}} : f16
func.func @negative_instructions(%x: f32, %h: f16) -> (f32, f16) {
  %y = math.sqrt %x : f32
  %z = math.absf %y : f32
  %e = math.exp %h : f16
  return %z, %e : f32, f16
}

/// A function inside of another one is computed too.
// CHECK-LABEL: func.func @difference
// CHECK-NOT: math.exp
// CHECK: return
func.func @difference(%x: f64) -> f64 {
  %y = math.expm1 %x : f64
  return %y : f64
}
