/// The chosen tree is the best of all trees with one root, which are enumerated.
/// Scores that are not finite are taken only where there is no tree without.
// RUN: python3 %S/Inputs/check-trees %s | FileCheck %s
// CHECK: best of all trees: 60 cases
func.func @heads(%s: tensor<?x?xf32> {cambium.name = "scores", cambium.rows = "words"}) -> tensor<?xi32> {
  %p = tree.max_spanning %s : tensor<?x?xf32>
  return %p : tensor<?xi32>
}
