// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A forest of decision trees, such as XGBoost grows: what each tree says, added up.
//
// T. Chen, C. Guestrin: XGBoost: A Scalable Tree Boosting System. KDD 2016, equation 1. `convert`
// makes the tables. A row per tree walks down from its root: an inner node has a number of a
// feature, a threshold, the node on the left (below it), on the right, and where the feature is
// missing (NaN). Numbers of inner nodes are below those of leaves, and a leaf leads to itself.
nn.sizes {nodes = 255, features = 10}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!node = tensor<?x5xf32>
!xs = tensor<?x10xf32>

/// A column of the table of nodes.
func.func private @column(%one: tensor<?x1xf32>) -> !fs {
  %y = nn.reshape %one : tensor<?x1xf32> -> !fs
  return %y : !fs
}

func.func private @table() -> tensor<255x5xf32> {
  %N = nn.param "nodes" : tensor<255x5xf32> frozen
  return %N : tensor<255x5xf32>
}

/// The node behind each one.
func.func private @descend(%at: !ids, %x: !xs) -> !fs {
  %N = nn.call @table() : () -> tensor<255x5xf32>
  %node = nn.embed %at, %N : !ids, tensor<255x5xf32>
  %f1, %t1, %l1, %r1, %m1 = nn.split %node over 1 sizes [1, 1, 1, 1, 1] : !node
  %f = nn.call @column(%f1) : (tensor<?x1xf32>) -> !fs
  %t = nn.call @column(%t1) : (tensor<?x1xf32>) -> !fs
  %l = nn.call @column(%l1) : (tensor<?x1xf32>) -> !fs
  %r = nn.call @column(%r1) : (tensor<?x1xf32>) -> !fs
  %m = nn.call @column(%m1) : (tensor<?x1xf32>) -> !fs
  %number = arith.fptosi %f : !fs to !ids
  %v = nn.pick %x, %number : !xs, !ids
  %below = arith.cmpf olt, %v, %t : !fs
  %missing = arith.cmpf uno, %v, %v : !fs
  %side = arith.select %below, %l, %r : tensor<?xi1>, !fs
  %next = arith.select %missing, %m, %side : tensor<?xi1>, !fs
  return %next : !fs
}

/// base + the sum of the leaves that x comes to.
func.func @predict(%x: tensor<10xf32> {cambium.name = "x"},
                   %roots: !ids {cambium.name = "roots", cambium.rows = "trees"}) -> !f {
  %V = nn.param "leaves" : tensor<255x1xf32> frozen
  %base = nn.param "base" : tensor<1xf32> frozen
  %inner = nn.constant "inner" = 127.0 : !f
  %xs = nn.broadcast %x dims [1] like %roots : tensor<10xf32>, !ids -> !xs
  %least = nn.broadcast %inner dims [] like %roots : !f, !ids -> !fs
  %leaf, %steps = depth.iterate max 256 compact carried(%at = %roots : !ids) {
    %next = nn.call @descend(%at, %xs) : (!ids, !xs) -> !fs
    %go = arith.cmpf olt, %next, %least : !fs
    %n = arith.fptosi %next : !fs to !ids
    depth.yield %go, %n : tensor<?xi1>, !ids
  }
  %rows = nn.embed %leaf, %V : !ids, tensor<255x1xf32>
  %values = nn.call @column(%rows) : (tensor<?x1xf32>) -> !fs
  %sum = nn.sum %values over 0 : !fs
  %start = nn.reshape %base : tensor<1xf32> -> !f
  %y = arith.addf %sum, %start : !f
  return %y : !f
}
