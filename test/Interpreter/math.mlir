// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 | FileCheck %s

/// What math means, at points where the values are known.
// CHECK: {"results":[{{\[}}
// CHECK-SAME: [1,2.718281828459045
// CHECK-SAME: ],["-inf",0],["-inf",0.693147180559945
// CHECK-SAME: ],[0,1.718281828459045
// CHECK-SAME: ],[0,1],["inf",1],[0,0.761594155955764
// CHECK-SAME: ],[0,0.842700792949714
// CHECK-SAME: ],[0,1]]
// CHECK-SAME: ,{{\[}}[0,1.4142135623730951,"nan"],[0,8,"nan"],[0,2,-2],[1,-0.41614683654714241,-0.41614683654714241
// CHECK-SAME: ],[0,2,-2],[0,2,2],[1,4,4],[0,0,0],[1,1,1]]

//--- model.mlir
func.func @at_zero_and_one() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
    tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %m = arith.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %0 = math.exp %x : tensor<2xf32>
  %1 = math.log %x : tensor<2xf32>
  %2 = math.log1p %m : tensor<2xf32>
  %3 = math.expm1 %x : tensor<2xf32>
  %4 = math.sqrt %x : tensor<2xf32>
  %5 = math.rsqrt %x : tensor<2xf32>
  %6 = math.tanh %x : tensor<2xf32>
  %7 = math.erf %x : tensor<2xf32>
  %8 = math.absf %x : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
    tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @at_zero_and_two() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
    tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xi1>) {
  %x = arith.constant dense<[0.0, 2.0, -2.0]> : tensor<3xf32>
  %e = arith.constant dense<[3.0, 3.0, 0.5]> : tensor<3xf32>
  %two = arith.constant dense<2> : tensor<3xi32>
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %0 = math.sqrt %x : tensor<3xf32>
  %1 = math.powf %x, %e : tensor<3xf32>
  %2 = math.floor %x : tensor<3xf32>
  %3 = math.cos %x : tensor<3xf32>
  %4 = math.trunc %x : tensor<3xf32>
  %5 = math.absf %x : tensor<3xf32>
  %6 = math.exp2 %5 : tensor<3xf32>
  %7 = math.isnan %x : tensor<3xf32>
  %8 = math.isfinite %x : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
    tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xi1>
}
//--- data.json
{"examples": [{"function": "at_zero_and_one"}, {"function": "at_zero_and_two"}]}
