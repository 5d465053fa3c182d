// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 | FileCheck %s

/// Halved until the next value is at most 1: 1 and 0.5 once, 8 three times, 1024 as often as
/// the maximum allows. The comparison of a NaN is false: the row keeps it and stops.
// CHECK: {"results":[
// CHECK-SAME: {{\[}}[0.5,0.25,1,64,"nan"],[1,1,3,4,1]]
/// Rows that have stopped are still read: the sum over all rows, in each iteration.
/// 4 and 1: both take 5; only the first one goes on, with 5 + 5, then 10 + 5.
// CHECK-SAME: ,{{\[}}[15,5],[3,1]]
/// No rows: no iteration.
// CHECK-SAME: ,{{\[}}[],[]]
/// The example is the row.
// CHECK-SAME: ,{{\[}}1,3],
/// Rows above 1 begin; the others keep their values, and are computed 0 times.
// CHECK-SAME: {{\[}}[0.5,1,1,0.75],[0,0,3,1]]]}

//--- model.mlir
func.func @halve(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi32>) {
  %half = arith.constant dense<0.5> : tensor<f64>
  %one = arith.constant dense<1.0> : tensor<f64>
  %y, %n = depth.iterate max 4 carried(%x = %xs : tensor<?xf64>) {
    %halves = nn.broadcast %half dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %ones = nn.broadcast %one dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %next = arith.mulf %x, %halves : tensor<?xf64>
    %go = arith.cmpf ogt, %next, %ones : tensor<?xf64>
    depth.yield %go, %next : tensor<?xi1>, tensor<?xf64>
  }
  return %y, %n : tensor<?xf64>, tensor<?xi32>
}
func.func @nan(%xs: tensor<5xf64>) -> (tensor<?xf64>, tensor<?xi32>) {
  // The last row is 0 / 0.
  %zero = arith.subf %xs, %xs : tensor<5xf64>
  %is = arith.cmpf oeq, %xs, %zero : tensor<5xf64>
  %none = arith.divf %zero, %zero : tensor<5xf64>
  %ys = arith.select %is, %none, %xs : tensor<5xi1>, tensor<5xf64>
  %rows = tensor.cast %ys : tensor<5xf64> to tensor<?xf64>
  %y, %n = call @halve(%rows) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi32>)
  return %y, %n : tensor<?xf64>, tensor<?xi32>
}
func.func @frozen(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi32>) {
  %two = arith.constant dense<2.0> : tensor<f64>
  %twos = nn.broadcast %two dims [] like %xs : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
  %go = arith.cmpf ogt, %xs, %twos : tensor<?xf64>
  %y, %n = depth.iterate max 3 carried(%x = %xs : tensor<?xf64>) {
    %s = nn.sum %x over 0 : tensor<?xf64>
    %next = nn.broadcast %s dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    depth.yield %go, %next : tensor<?xi1>, tensor<?xf64>
  }
  return %y, %n : tensor<?xf64>, tensor<?xi32>
}
func.func @example(%a: tensor<f64>) -> (tensor<f64>, tensor<i32>) {
  %half = arith.constant dense<0.5> : tensor<f64>
  %one = arith.constant dense<1.0> : tensor<f64>
  %y, %n = depth.iterate max 10 carried(%x = %a : tensor<f64>) {
    %next = arith.mulf %x, %half : tensor<f64>
    %go = arith.cmpf ogt, %next, %one : tensor<f64>
    depth.yield %go, %next : tensor<i1>, tensor<f64>
  }
  return %y, %n : tensor<f64>, tensor<i32>
}
func.func @starting(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi32>) {
  %half = arith.constant dense<0.5> : tensor<f64>
  %one = arith.constant dense<1.0> : tensor<f64>
  %limits = nn.broadcast %one dims [] like %xs : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
  %some = arith.cmpf ogt, %xs, %limits : tensor<?xf64>
  %y, %n = depth.iterate max 4 active(%some : tensor<?xi1>) carried(%x = %xs : tensor<?xf64>) {
    %halves = nn.broadcast %half dims [] like %x : tensor<f64>, tensor<?xf64> -> tensor<?xf64>
    %next = arith.mulf %x, %halves : tensor<?xf64>
    %go = arith.cmpf ogt, %next, %limits : tensor<?xf64>
    depth.yield %go, %next : tensor<?xi1>, tensor<?xf64>
  }
  return %y, %n : tensor<?xf64>, tensor<?xi32>
}
//--- data.json
{"examples": [{"function": "nan", "arg0": [1.0, 0.5, 8.0, 1024.0, 0.0]}, {"function": "frozen", "arg0": [4.0, 1.0]},
  {"function": "halve", "arg0": []}, {"function": "example", "arg0": 8.0},
  {"function": "starting", "arg0": [0.5, 1.0, 8.0, 1.5]}]}
