/// Operands with different numbers of rows: an error of the interpreter.
// RUN: printf '{"function": "f", "examples": [{"words": [[1, 2], []], "kinds": [1, 2, 3]}]}' > %t.json
// RUN: not cambium-interpret %s %t.json 2>&1 | FileCheck %s
// RUN: printf '{"function": "f", "examples": [{"words": [[1, 2], [], [3]], "kinds": [1, 2, 3]}]}' > %t.json
// RUN: cambium-interpret %s %t.json | FileCheck %s --check-prefix=VALUES
// RUN: printf '{"function": "f", "examples": [{"words": [], "kinds": []}]}' > %t.json
// RUN: cambium-interpret %s %t.json | FileCheck %s --check-prefix=NONE
// RUN: printf '{"function": "f", "examples": [{"words": [1], "kinds": [1]}]}' > %t.json
// RUN: not cambium-interpret %s %t.json 2>&1 | FileCheck %s --check-prefix=KIND

// [NN-EACH-C12]
// CHECK: error: 'nn.each' op expected operands with as many rows as one another, but got 2 and 3
// VALUES: {{\[\[\[3,2,6\]\]\]}}
// NONE: {{\[\[\[\]\]\]}}
// KIND: input 'words': expected a list
func.func @f(%words: tensor<?x?xi32> {cambium.name = "words"}, %kinds: tensor<?xi32> {cambium.name = "kinds"}) -> tensor<?xi32> {
  %y = nn.each rows(%w = %words : tensor<?xi32>, %k = %kinds : tensor<i32>) -> (tensor<i32>) {
    %p = nn.positions %w limit 8 : tensor<?xi32>
    %last = arith.constant dense<2147483647> : tensor<i32>
    %l = nn.take %w, %last : tensor<?xi32>, tensor<i32>
    %s = arith.addi %l, %k : tensor<i32>
    nn.yield %s : tensor<i32>
  }
  return %y : tensor<?xi32>
}
