// RUN: split-file %s %t
// RUN: bash -c "ulimit -s 256 && cambium-interpret %t/model.mlir %t/data.json" | FileCheck %s

/// A chain of a million nodes, up and down, and a star of a million children, with a
/// stack of 256 KiB: depth is data, never recursion.
// CHECK: {"results":[{{\[}}1000000,1000000],[1000001]]}

//--- model.mlir
func.func @chain() -> (tensor<f32>, tensor<f32>) {
  %n = arith.constant 1000000 : index
  %one = arith.constant 1.0 : f32
  %x = tensor.splat %one[%n] : tensor<?xf32>
  %t = tree.chain %x : tensor<?xf32>
  %up = tree.fold %t nodes(%xj = %x : tensor<f32>) children(%hk : tensor<?xf32>)
        -> (tensor<f32>) {
    %s = nn.sum %hk over 0 : tensor<?xf32>
    %h = arith.addf %s, %xj : tensor<f32>
    tree.yield %h : tensor<f32>
  }
  %down = tree.unfold %t nodes(%xj = %x : tensor<f32>) parent(%p : tensor<f32>)
          -> (tensor<f32>) {
    %h = arith.addf %p, %xj : tensor<f32>
    tree.yield %h : tensor<f32>
  }
  %root = tree.root %t, %up : tensor<?xf32>
  %deepest = nn.max %down over 0 : tensor<?xf32>
  return %root, %deepest : tensor<f32>, tensor<f32>
}
func.func @star() -> tensor<f32> {
  %n = arith.constant 1000001 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %none = arith.constant dense<-1> : tensor<1xi32>
  %zeros = tensor.splat %zero[%n] : tensor<?xi32>
  %parents = tensor.insert_slice %none into %zeros[0] [1] [1] : tensor<1xi32> into tensor<?xi32>
  %x = tensor.splat %one[%n] : tensor<?xf32>
  %t = tree.from_parents %parents : tensor<?xi32>
  %h = tree.fold %t nodes(%xj = %x : tensor<f32>) children(%hk : tensor<?xf32>)
       -> (tensor<f32>) {
    %s = nn.sum %hk over 0 : tensor<?xf32>
    %h = arith.addf %s, %xj : tensor<f32>
    tree.yield %h : tensor<f32>
  }
  %root = tree.root %t, %h : tensor<?xf32>
  return %root : tensor<f32>
}
//--- data.json
{"examples": [{"function": "chain"}, {"function": "star"}]}
