/// Integers by number along a dimension, too; 0 for a number that there is not.
// RUN: %limit cambium-difftest %s | FileCheck %s
// RUN: echo "{\"function\": \"predict\", \"examples\": [{\"word\": 7}]}" > %t.json
// RUN: cambium-interpret %s %t.json | FileCheck %s --check-prefix=VALUES
// CHECK: compared {{[1-9][0-9]*}} values
// VALUES: {"results":{{\[\[\[}}37,17,0]]]}
func.func @predict(%word: tensor<i32> {cambium.name = "word"}) -> tensor<3xi32> {
  %tens = arith.constant dense<[10, 20, 30]> : tensor<3xi32>
  %places = arith.constant dense<[2, 0, 5]> : tensor<3xi32>
  %words = nn.broadcast %word dims [] : tensor<i32> -> tensor<3xi32>
  %sums = arith.addi %tens, %words : tensor<3xi32>
  %y = nn.pick_along %sums, %places over 0 : tensor<3xi32>, tensor<3xi32>
  return %y : tensor<3xi32>
}
