/// A number that no row of the example has fails the call.
// RUN: cambium-compile %s -o %t.so
// RUN: not cambium-compare %s %t.so --function=beyond --seed=3 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not cambium-compare %s %t.so --function=below --seed=3 2>&1 | FileCheck %s --check-prefix=BELOW
// BEYOND: 'nn.pick' (row-classes-errors.mlir:{{[0-9]+}}:{{[0-9]+}}) expected the number of a row of its example: row 0
// BELOW: 'nn.cross_entropy' (row-classes-errors.mlir:{{[0-9]+}}:{{[0-9]+}}) expected the number of a row of its example: row 0
// RUN: cambium-compare %s %t.so --function=ignored --seed=3 | FileCheck %s --check-prefix=IGNORED
// IGNORED: equal: ignored.out0
func.func @beyond(%s: tensor<?xf32> {cambium.name = "s"}) -> tensor<f32> {
  // [NN-PICK-C2]
  %i = arith.constant dense<100000> : tensor<i32>
  %y = nn.pick %s, %i : tensor<?xf32>, tensor<i32>
  return %y : tensor<f32>
}
func.func @below(%s: tensor<?xf32> {cambium.name = "s"}) -> tensor<f32> {
  // [NN-CROSS_ENTROPY-C3]
  %i = arith.constant dense<-1> : tensor<i32>
  %y = nn.cross_entropy %s, %i : tensor<?xf32>, tensor<i32>
  return %y : tensor<f32>
}
func.func @ignored(%s: tensor<?xf32> {cambium.name = "s"}) -> tensor<f32> {
  %i = arith.constant dense<-1> : tensor<i32>
  %y = nn.cross_entropy %s, %i ignore_id -1 : tensor<?xf32>, tensor<i32>
  return %y : tensor<f32>
}
