// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json | FileCheck %s
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 | FileCheck %s --check-prefix=DOUBLE

/// What arith means. NaN: `maximumf` gives it back, `maxnumf` leaves it out.
// CHECK: {"results":[
// CHECK-SAME: {{\[}}[4,0.5],[2,-1.5],[3,-0.5],[3,-0.5],[1,-0.5],[-3,0.5]]
// CHECK-SAME: ,{{\[}}["nan",2],["nan",-1],[1,2],[1,-1]]
// CHECK-SAME: ,{{\[}}[0,1,0],[1,1,1],[0,0,1]]
// CHECK-SAME: ,{{\[}}-3,-1,-4,-3,2147483639,-2147483648]
// CHECK-SAME: ,{{\[}}7,-1,1,250]
// CHECK-SAME: ,{{\[}}[1,20,3],[1,2,3]]
/// One rounding per op: 1 + 2^-24 is 1 in f32.
// CHECK-SAME: ,[0,0.10000000149011612]
// DOUBLE: [5.9604644775390625e-08,0.10000000000000001]

//--- model.mlir
func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
                        tensor<2xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[3.0, -0.5]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %0 = arith.addf %a, %b : tensor<2xf32>
  %1 = arith.subf %a, %b : tensor<2xf32>
  %2 = arith.mulf %a, %b : tensor<2xf32>
  %3 = arith.divf %a, %b : tensor<2xf32>
  %4 = arith.minimumf %a, %b : tensor<2xf32>
  %5 = arith.negf %a : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @nans() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %0 = arith.maximumf %a, %b : tensor<2xf32>
  %1 = arith.minimumf %a, %b : tensor<2xf32>
  %2 = arith.maxnumf %a, %b : tensor<2xf32>
  %3 = arith.minnumf %a, %b : tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @compare() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %a = arith.constant dense<[0.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %b = arith.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %0 = arith.cmpf ogt, %a, %b : tensor<3xf32>
  %1 = arith.cmpf une, %a, %b : tensor<3xf32>
  %2 = arith.cmpf uno, %a, %b : tensor<3xf32>
  return %0, %1, %2 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}
func.func @integers() -> (i32, i32, i32, i32, i32, i32) {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %min = arith.constant -2147483648 : i32
  %m1 = arith.constant -1 : i32
  %0 = arith.divsi %a, %b : i32
  %1 = arith.remsi %a, %b : i32
  %2 = arith.floordivsi %a, %b : i32
  %3 = arith.ceildivsi %a, %b : i32
  %c = arith.constant 2 : i32
  %far = arith.subi %min, %c : i32
  %4 = arith.addi %far, %a : i32
  %5 = arith.divsi %min, %m1 : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}
func.func @conversions() -> (i32, i32, i32, f32) {
  %x = arith.constant 7.9 : f32
  %t = arith.constant true
  %c = arith.constant -6 : i8
  %0 = arith.fptosi %x : f32 to i32
  %1 = arith.extsi %t : i1 to i32
  %2 = arith.extui %t : i1 to i32
  %3 = arith.uitofp %c : i8 to f32
  return %0, %1, %2, %3 : i32, i32, i32, f32
}
func.func @select() -> (tensor<3xf32>, tensor<3xf32>) {
  %c = arith.constant dense<[1, 0, 1]> : tensor<3xi1>
  %t = arith.constant true
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %0 = arith.select %c, %a, %b : tensor<3xi1>, tensor<3xf32>
  %1 = arith.select %t, %a, %b : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
func.func @rounding() -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %ten = arith.constant 10.0 : f32
  %tiny = arith.constant 5.9604644775390625e-08 : f32
  %s = arith.addf %one, %tiny : f32
  %0 = arith.subf %s, %one : f32
  %1 = arith.divf %one, %ten : f32
  return %0, %1 : f32, f32
}
//--- data.json
{"examples": [{"function": "floats"}, {"function": "nans"}, {"function": "compare"},
  {"function": "integers"}, {"function": "conversions"}, {"function": "select"},
  {"function": "rounding"}]}
