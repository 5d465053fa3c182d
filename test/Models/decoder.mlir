/// The layer for words behind others, with the cached keys and values of those, gives what it
/// gives for all of them together: `predict` of models/cells/transformer_decoder.mlir for
/// the two parts of a text, in one call and in two.
// RUN: %models/cells/resize %models/cells/transformer_decoder.mlir words=11 width=6 inner=8 > %t.mlir
// RUN: cat %s >> %t.mlir
// RUN: cambium-compile %t.mlir -o %t.so
// RUN: cambium-compare %t.mlir %t.so --function=both --seed=3 | FileCheck %s
// RUN: cambium-compare %t.mlir %t.so --function=both --seed=4 --nodes=70 --examples=3 | FileCheck %s
// RUN: cambium-compare %t.mlir %t.so --function=step --seed=5 | FileCheck %s --check-prefix=STEP
// RUN: %limit cambium-difftest %t.mlir | FileCheck %s --check-prefix=SAME
// CHECK: equal: both.out0, {{.*}} numbers up to {{[1-9]}}
// CHECK: equal: both.out1, {{.*}} numbers up to 0,
// STEP: equal: step.out0
// STEP: equal: step.keys
// STEP: equal: step.values
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
func.func @both(%first: tensor<?xi32> {cambium.name = "first"}, %second: tensor<?xi32> {cambium.name = "second"},
                %memory: tensor<?x6xf32> {cambium.name = "memory"}) -> (tensor<11xf32>, tensor<11xf32>) {
  %ids = nn.append %first, %second : tensor<?xi32>, tensor<?xi32>
  %x = call @vectors(%ids) : (tensor<?xi32>) -> tensor<?x6xf32>
  %k, %v = call @keys(%x) : (tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>)
  %y = call @layer(%x, %k, %v, %memory) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = call @scores(%y) : (tensor<?x6xf32>) -> tensor<?x11xf32>
  %together = nn.sum %s over 0 : tensor<?x11xf32>

  %x1 = call @vectors(%first) : (tensor<?xi32>) -> tensor<?x6xf32>
  %k1, %v1 = call @keys(%x1) : (tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>)
  %s1 = call @predict(%first, %memory) : (tensor<?xi32>, tensor<?x6xf32>) -> tensor<?x11xf32>
  %s2, %k2, %v2 = call @step(%second, %k1, %v1, %memory) : (tensor<?xi32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>) -> (tensor<?x11xf32>, tensor<?x6xf32>, tensor<?x6xf32>)
  %sum1 = nn.sum %s1 over 0 : tensor<?x11xf32>
  %sum2 = nn.sum %s2 over 0 : tensor<?x11xf32>
  %apart = arith.addf %sum1, %sum2 : tensor<11xf32>
  %difference = arith.subf %together, %apart : tensor<11xf32>
  // What differs by more than rounding.
  %size = math.absf %difference : tensor<11xf32>
  %limit = arith.constant dense<1.0e-03> : tensor<11xf32>
  %differs = arith.cmpf ogt, %size, %limit : tensor<11xf32>
  %wrong = arith.uitofp %differs : tensor<11xi1> to tensor<11xf32>
  return %together, %wrong : tensor<11xf32>, tensor<11xf32>
}
