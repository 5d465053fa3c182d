// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 | FileCheck %s

/// (x * 2 + 10) * 3 + 20, for each row and for what is no row; x takes the slices in order.
// CHECK: {"results":[
// CHECK-SAME: {{\[}}[53,56],110]
/// Rows that stop early have met the first slices alone: 1 * 2; (1 * 2) * 3; all.
// CHECK-SAME: ,{{\[}}[2,6,30],[1,2,3]]
/// A halting probability of a half: 0.5 * 2 + 0.5 * 1 = 1.5, then 0.5 * (1.5 * 3) + 0.5 * 1.5.
// CHECK-SAME: ,{{\[}}[3],[2],[0.5]]
/// One iteration, no rows.
// CHECK-SAME: ,{{\[\[\]\]}}]}

//--- model.mlir
func.func @fixed(%xs: tensor<?xf64>, %a: tensor<f64>) -> (tensor<?xf64>, tensor<f64>) {
  %W = arith.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %b = arith.constant dense<[10.0, 20.0]> : tensor<2xf64>
  %y:2 = depth.iterate 2 carried(%x = %xs : tensor<?xf64>, %s = %a : tensor<f64>) slices(%w = %W : tensor<2xf64>, %c = %b : tensor<2xf64>) {
    %ws = nn.broadcast %w dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %cs = nn.broadcast %c dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %xw = arith.mulf %x, %ws : tensor<?xf64>
    %next = arith.addf %xw, %cs : tensor<?xf64>
    %sw = arith.mulf %s, %w : tensor<f64>
    %t = arith.addf %sw, %c : tensor<f64>
    depth.yield %next, %t : tensor<?xf64>, tensor<f64>
  }
  return %y#0, %y#1 : tensor<?xf64>, tensor<f64>
}
func.func @stopping(%xs: tensor<?xf64>, %limits: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi32>) {
  %W = arith.constant dense<[2.0, 3.0, 5.0]> : tensor<3xf64>
  %y, %n = depth.iterate max 3 carried(%x = %xs : tensor<?xf64>) slices(%w = %W : tensor<3xf64>) {
    %ws = nn.broadcast %w dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %next = arith.mulf %x, %ws : tensor<?xf64>
    %go = arith.cmpf olt, %next, %limits : tensor<?xf64>
    depth.yield %go, %next : tensor<?xi1>, tensor<?xf64>
  }
  return %y, %n : tensor<?xf64>, tensor<?xi32>
}
func.func @pondering(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi32>, tensor<?xf64>) {
  %W = arith.constant dense<[2.0, 3.0, 5.0]> : tensor<3xf64>
  %half = arith.constant dense<0.5> : tensor<f64>
  %y, %n, %r = depth.ponder max 3 combine convex remainder forced carried(%x = %xs : tensor<?xf64>) slices(%w = %W : tensor<3xf64>) {
    %ws = nn.broadcast %w dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %p = nn.broadcast %half dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %next = arith.mulf %x, %ws : tensor<?xf64>
    depth.yield %p, %next : tensor<?xf64>, tensor<?xf64>
  }
  return %y, %n, %r : tensor<?xf64>, tensor<?xi32>, tensor<?xf64>
}
func.func @once(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %W = arith.constant dense<2.0> : tensor<1xf64>
  %y = depth.iterate 1 carried(%x = %xs : tensor<?xf64>) slices(%w = %W : tensor<1xf64>) {
    %ws = nn.broadcast %w dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %next = arith.mulf %x, %ws : tensor<?xf64>
    depth.yield %next : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}
//--- data.json
{"examples": [{"function": "fixed", "arg0": [0.5, 1.0], "arg1": 10.0},
  {"function": "stopping", "arg0": [1.0, 1.0, 1.0], "arg1": [0.0, 3.0, 100.0]},
  {"function": "pondering", "arg0": [1.0]}, {"function": "once", "arg0": []}]}
