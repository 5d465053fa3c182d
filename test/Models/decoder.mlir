/// The layer for words behind others, with the cached keys and values of those, gives what it
/// gives for all of them together: `predict` of models/cells/transformer_decoder.mlir for
/// the two parts of a text, in one call and in two.
// RUN: cat %models/cells/transformer_decoder.mlir %s | cambium-compile - -I%models/cells --compile-to=input --size words=11 --size width=6 --size inner=8 -o %t.mlir
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
func.func @both(%first: !words {cambium.name = "first"}, %second: !words {cambium.name = "second"},
                %memory: !x {cambium.name = "memory"}) -> (tensor<2000xf32>, tensor<2000xf32>) {
  %ids = nn.append %first, %second : !words, !words
  %x = nn.call @vectors(%ids) : (!words) -> !x
  %k, %v = nn.call @keys(%x) : (!x) -> (!x, !x)
  %y = nn.call @layer(%x, %k, %v, %memory) : (!x, !x, !x, !x) -> !x
  %s = nn.call @scores(%y) : (!x) -> !scores
  %together = nn.sum %s over 0 : !scores

  %x1 = nn.call @vectors(%first) : (!words) -> !x
  %k1, %v1 = nn.call @keys(%x1) : (!x) -> (!x, !x)
  %s1 = nn.call @predict(%first, %memory) : (!words, !x) -> !scores
  %s2, %k2, %v2 = nn.call @step(%second, %k1, %v1, %memory) : (!words, !x, !x, !x) -> (!scores, !x, !x)
  %sum1 = nn.sum %s1 over 0 : !scores
  %sum2 = nn.sum %s2 over 0 : !scores
  %apart = arith.addf %sum1, %sum2 : tensor<2000xf32>
  %difference = arith.subf %together, %apart : tensor<2000xf32>
  // What differs by more than rounding.
  %size = math.absf %difference : tensor<2000xf32>
  %limit = arith.constant dense<1.0e-03> : tensor<2000xf32>
  %differs = arith.cmpf ogt, %size, %limit : tensor<2000xf32>
  %wrong = arith.uitofp %differs : tensor<2000xi1> to tensor<2000xf32>
  return %together, %wrong : tensor<2000xf32>, tensor<2000xf32>
}
