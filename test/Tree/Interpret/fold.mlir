// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 | FileCheck %s
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 --function=depths | FileCheck %s --check-prefix=DEPTH

/// Sums over subtrees: the root's is the sum of all words, whatever the shape.
// CHECK: {"results":[
// CHECK-SAME: {{\[}}[1,3,2,4],10]
// CHECK-SAME: ,{{\[}}[7],7]
// CHECK-SAME: ,{{\[}}[6,3,1],10]
// CHECK-SAME: ]}

/// Depth from the root: the parent's plus one.
// DEPTH: {"results":[{{\[}}[1,2,2,3]{{\]}},{{\[}}[1]{{\]}},{{\[}}[1,2,3]{{\]}}]}

//--- model.mlir
func.func @sums(%tree: !tree.tree {cambium.name = "tree"},
                %x: tensor<?xf32> {cambium.name = "x"}) -> (tensor<?xf32>, tensor<f32>) {
  %s = tree.fold %tree nodes(%xj = %x : tensor<f32>) children(%sk : tensor<?xf32>)
       -> (tensor<f32>) {
    %below = nn.sum %sk over 0 : tensor<?xf32>
    %all = arith.addf %xj, %below : tensor<f32>
    tree.yield %all : tensor<f32>
  }
  %r = tree.root %tree, %s : tensor<?xf32>
  return %x, %r : tensor<?xf32>, tensor<f32>
}
func.func @depths(%tree: !tree.tree {cambium.name = "tree"},
                  %x: tensor<?xf32> {cambium.name = "x"}) -> tensor<?xf32> {
  %d = tree.unfold %tree parent(%p : tensor<f32>) -> (tensor<f32>) {
    %one = arith.constant dense<1.0> : tensor<f32>
    %e = arith.addf %p, %one : tensor<f32>
    tree.yield %e : tensor<f32>
  }
  return %d : tensor<?xf32>
}
//--- data.json
{"function": "sums", "examples": [
  {"tree": {"children": [[1, 2], [3], [], []]}, "x": [1, 3, 2, 4]},
  {"tree": {"parents": [-1]}, "x": [7]},
  {"tree": {"parents": [-1, 0, 1]}, "x": [6, 3, 1]}]}
