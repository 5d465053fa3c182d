// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 | FileCheck %s

/// The worked example: p = 0.3, 0.4, 0.5 gives N = 3, R = 0.3 and leaves 0.294 of the first
/// state. A row with p >= 1 - epsilon takes the layer once; one whose p is a NaN stops.
// CHECK: {"results":[
// CHECK-SAME: {{\[}}[0.29{{(4|399999)[0-9]*}},0,0],[3,1,1],[0.{{(3|29999|30000)[0-9]*}},1,1]]
/// At the maximum: `forced` takes what is left, `none` keeps the probability.
// CHECK-SAME: ,{{\[}}0.1875,2,0.75]
// CHECK-SAME: ,{{\[}}0.5625,2,0]]}

//--- model.mlir
func.func @worked(%xs: tensor<3xf64>) -> (tensor<?xf64>, tensor<?xi32>, tensor<?xf64>) {
  %rows = tensor.cast %xs : tensor<3xf64> to tensor<?xf64>
  %h, %n, %r = depth.ponder max 9 combine convex remainder none carried(%x = %rows : tensor<?xf64>) {
    %zero = arith.subf %x, %x : tensor<?xf64>
    %one = math.exp %zero : tensor<?xf64>
    %c9 = arith.constant dense<0.9> : tensor<f64>
    %c6 = arith.constant dense<0.6> : tensor<f64>
    %c5 = arith.constant dense<0.5> : tensor<f64>
    %c4 = arith.constant dense<0.4> : tensor<f64>
    %c3 = arith.constant dense<0.3> : tensor<f64>
    %p9 = nn.broadcast %c9 dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %p6 = nn.broadcast %c6 dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %p5 = nn.broadcast %c5 dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %p4 = nn.broadcast %c4 dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %p3 = nn.broadcast %c3 dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %nan = arith.divf %zero, %zero : tensor<?xf64>
    // x = 1, 0.7, 0.42: 0.3, 0.4, 0.5; 0: 1; below: no number.
    %is9 = arith.cmpf ogt, %x, %p9 : tensor<?xf64>
    %is6 = arith.cmpf ogt, %x, %p6 : tensor<?xf64>
    %is0 = arith.cmpf oeq, %x, %zero : tensor<?xf64>
    %less = arith.cmpf olt, %x, %zero : tensor<?xf64>
    %a = arith.select %is6, %p4, %p5 : tensor<?xi1>, tensor<?xf64>
    %b = arith.select %is9, %p3, %a : tensor<?xi1>, tensor<?xf64>
    %c = arith.select %is0, %one, %b : tensor<?xi1>, tensor<?xf64>
    %p = arith.select %less, %nan, %c : tensor<?xi1>, tensor<?xf64>
    depth.yield %p, %zero : tensor<?xf64>, tensor<?xf64>
  }
  return %h, %n, %r : tensor<?xf64>, tensor<?xi32>, tensor<?xf64>
}
func.func @forced(%a: tensor<f64>) -> (tensor<f64>, tensor<i32>, tensor<f64>) {
  %p = arith.constant dense<0.25> : tensor<f64>
  %h, %n, %r = depth.ponder max 2 combine convex remainder forced carried(%x = %a : tensor<f64>) {
    %zero = arith.subf %x, %x : tensor<f64>
    depth.yield %p, %zero : tensor<f64>, tensor<f64>
  }
  return %h, %n, %r : tensor<f64>, tensor<i32>, tensor<f64>
}
func.func @none(%a: tensor<f64>) -> (tensor<f64>, tensor<i32>, tensor<f64>) {
  %p = arith.constant dense<0.25> : tensor<f64>
  %h, %n, %r = depth.ponder max 2 combine convex remainder none carried(%x = %a : tensor<f64>) {
    %zero = arith.subf %x, %x : tensor<f64>
    depth.yield %p, %zero : tensor<f64>, tensor<f64>
  }
  return %h, %n, %r : tensor<f64>, tensor<i32>, tensor<f64>
}
//--- data.json
{"examples": [{"function": "worked", "arg0": [1.0, 0.0, -1.0]}, {"function": "forced", "arg0": 1.0},
  {"function": "none", "arg0": 1.0}]}
