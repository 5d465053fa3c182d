/// Sequences without rows, sequences that are too long, and pairs of children in graphs that
/// have none.
// RUN: %limit cambium-compile %s -o %t.so
// RUN: printf '{"function": "spans", "examples": [{"x": [[1, 2]]}, {"x": []}]}' > %t.json
// RUN: not cambium-interpret %s %t.json 2>&1 | FileCheck %s
// RUN: not cambium-compare %s %t.so --function=spans --empty-rows --seed=3 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not cambium-opt --cambium-to-batched %S/Inputs/chart-of-argument.mlir 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: printf '{"function": "pairs", "examples": [{"tree": {"children": [[1, 2, 3], [], [], []]}, "x": [1, 2, 3, 4]}]}' > %t.odd.json
// RUN: not cambium-interpret %S/Inputs/chart-of-argument.mlir %t.odd.json 2>&1 | FileCheck %s --check-prefix=ODD

// [TREE-CHART-C1]
// CHECK: 'tree.chart' op expected at least one row, but got none
// EMPTY: chart: expected at least one row in example {{[0-9]+}}, but got none
// [TREE-FOLD-C8]
// TREE: 'tree.fold' op expected the tree of a 'tree.chart' where children come in pairs
// TREE: note: the tree comes from here
// ODD: 'tree.fold' op expected pairs of children, as a 'tree.chart' has them, but node 0 has 3
func.func @spans(%x: tensor<?x2xf32> {cambium.name = "x"}) -> tensor<f32> {
  %t, %i, %j = tree.chart %x : tensor<?x2xf32>
  %f = arith.sitofp %j : tensor<?xi32> to tensor<?xf32>
  %r = tree.root %t, %f : tensor<?xf32>
  return %r : tensor<f32>
}
