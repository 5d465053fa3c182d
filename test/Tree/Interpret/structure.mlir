// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json | FileCheck %s

// CHECK: {"results":[
/// Edges are grouped by parent in the order of the nodes, then by place.
// CHECK-SAME: {{\[}}[20,40,30],[90,0,70,30]]
/// The chain's root is the last row, or the first one.
// CHECK-SAME: ,{{\[}}[1,12,123],[321,32,3],123,321]
/// Children of computed parents are in the order of their numbers.
// CHECK-SAME: ,{{\[}}{"children":[{{\[}}1,3],[2],[],[]]},[4,2,1,1]]
/// A node that two others share is computed once for both; unfold sums its parents.
// CHECK-SAME: ,{{\[}}[5,2,2,1],[1,2,2,5]]
/// Missing children are zero rows after those that are there.
// CHECK-SAME: ,{{\[}}[12,10,2]]
/// The leaf region sees no children.
// CHECK-SAME: ,{{\[}}[-1,10,-1]]
// CHECK-SAME: ]}

//--- model.mlir
func.func @edges(%t: !tree.tree, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tree.child_rows %t, %x : tensor<?xf32>
  %h = tree.fold %t edges(%ek = %e : tensor<?xf32>) children(%hk : tensor<?xf32>)
       -> (tensor<f32>) {
    %a = arith.addf %ek, %hk : tensor<?xf32>
    %s = nn.max %a over 0 : tensor<?xf32>
    tree.yield %s : tensor<f32>
  }
  return %e, %h : tensor<?xf32>, tensor<?xf32>
}
func.func private @digits(%t: !tree.tree, %x: tensor<?xf32>) -> tensor<?xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<f32>) children(%hk : tensor<?xf32>)
       -> (tensor<f32>) {
    %ten = arith.constant dense<10.0> : tensor<f32>
    %s = nn.sum %hk over 0 : tensor<?xf32>
    %m = arith.mulf %s, %ten : tensor<f32>
    %d = arith.addf %m, %xj : tensor<f32>
    tree.yield %d : tensor<f32>
  }
  return %h : tensor<?xf32>
}
func.func @chains(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>) {
  %f = tree.chain %x : tensor<?xf32>
  %b = tree.chain %x reversed : tensor<?xf32>
  %0 = func.call @digits(%f, %x) : (!tree.tree, tensor<?xf32>) -> tensor<?xf32>
  %1 = func.call @digits(%b, %x) : (!tree.tree, tensor<?xf32>) -> tensor<?xf32>
  %2 = tree.root %f, %0 : tensor<?xf32>
  %3 = tree.root %b, %1 : tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>
}
func.func @computed(%p: tensor<?xi32>) -> (!tree.tree, tensor<?xf32>) {
  %t = tree.from_parents %p : tensor<?xi32>
  %h = tree.fold %t children(%hk : tensor<?xf32>) -> (tensor<f32>) {
    %one = arith.constant dense<1.0> : tensor<f32>
    %s = nn.sum %hk over 0 : tensor<?xf32>
    %size = arith.addf %s, %one : tensor<f32>
    tree.yield %size : tensor<f32>
  }
  return %t, %h : !tree.tree, tensor<?xf32>
}
func.func @shared(%t: !tree.tree) -> (tensor<?xf32>, tensor<?xf32>) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %up = tree.fold %t children(%hk : tensor<?xf32>) -> (tensor<f32>) {
    %s = nn.sum %hk over 0 : tensor<?xf32>
    %paths = arith.addf %s, %one : tensor<f32>
    tree.yield %paths : tensor<f32>
  }
  %down = tree.unfold %t parent(%p : tensor<f32>) -> (tensor<f32>) {
    %d = arith.addf %p, %one : tensor<f32>
    tree.yield %d : tensor<f32>
  }
  return %up, %down : tensor<?xf32>, tensor<?xf32>
}
func.func @missing(%t: !tree.tree, %x: tensor<?xf32>) -> tensor<?xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<f32>) children(%hk : tensor<2xf32>)
       -> (tensor<f32>) {
    %w = arith.constant dense<[1.0, 100.0]> : tensor<2xf32>
    %p = arith.mulf %hk, %w : tensor<2xf32>
    %s = nn.sum %p over 0 : tensor<2xf32>
    %d = arith.addf %s, %xj : tensor<f32>
    tree.yield %d : tensor<f32>
  }
  return %h : tensor<?xf32>
}
func.func @leaves(%t: !tree.tree, %x: tensor<?xf32>) -> tensor<?xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<f32>) children(%hk : tensor<?xf32>)
       -> (tensor<f32>) {
    tree.yield %xj : tensor<f32>
  } leaf {
    %m = arith.constant dense<-1.0> : tensor<f32>
    tree.yield %m : tensor<f32>
  }
  return %h : tensor<?xf32>
}
//--- data.json
{"examples": [
  {"function": "edges", "arg0": {"children": [[2], [], [3], [1]]}, "arg1": [10, 30, 20, 40]},
  {"function": "chains", "arg0": [1, 2, 3]},
  {"function": "computed", "arg0": [-1, 0, 1, 0]},
  {"function": "shared", "arg0": {"children": [[1, 2], [3], [3], []]}},
  {"function": "missing", "arg0": {"children": [[1], [2], []]}, "arg1": [2, 8, 2]},
  {"function": "leaves", "arg0": {"children": [[], [0, 2], []]}, "arg1": [1, 10, 2]}]}
