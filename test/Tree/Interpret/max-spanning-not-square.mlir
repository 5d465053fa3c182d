/// A row that does not have a score for each row of its example fails the call.
// RUN: cambium-compile %s -o %t.so
// RUN: not cambium-compare %s %t.so --function=heads --seed=3 2>&1 | FileCheck %s
// RUN: printf '{"function": "heads", "examples": [{"scores": [[1, 2], [3]]}]}' > %t.json
// RUN: not cambium-interpret %s %t.json 2>&1 | FileCheck %s --check-prefix=INTERPRETED

// [TREE-MAX_SPANNING-C2]
// CHECK: 'tree.max_spanning' (max-spanning-not-square.mlir:{{[0-9]+}}:{{[0-9]+}}) expected a score for each pair of rows of its example: row {{[0-9]+}}
// INTERPRETED: 'tree.max_spanning' op expected a score for each pair of rows of its example: row 1 of 2 has 1
func.func @heads(%s: tensor<?x?xf32> {cambium.name = "scores", cambium.rows = "words"}) -> tensor<?xi32> {
  %p = tree.max_spanning %s : tensor<?x?xf32>
  return %p : tensor<?xi32>
}
