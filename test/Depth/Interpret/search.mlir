// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json --f64 | FileCheck %s

/// What scores 0 to 3 say of the next word, by the last one; 0 begins, 3 ends.
/// Greedy: 1 is better than 2, and has no good continuation.
// CHECK: {"results":[
// CHECK-SAME: {{\[\[\[}}1,3,3,3]],[2],[-5]]
/// With two: 2, 3 has -2.5; 1, 3 stays behind it, though it ended at once.
// CHECK-SAME: ,{{\[\[\[}}2,3,3,3],[1,3,3,3]],[2,2],[-2.5,-5]]
/// Of equal scores (1, 1 and 1, 2: -6) the lower word comes first.
// CHECK-SAME: ,{{\[\[\[}}2,3],[1,3],[1,1],[1,2]],[2,2,2,2],[-2.5,-5,-6,-6]]
/// 3 has -2; 1, 3 has -2.5, by its length -1.25.
// CHECK-SAME: ,{{\[\[\[}}3,3],[1,3]],[1,2],[-2,-2.5]]
// CHECK-SAME: ,{{\[\[\[}}1,3],[3,3]],[2,1],[-2.5,-2]]
/// Nothing goes on but by what is no number, or by nothing.
// CHECK-SAME: ,{{\[\[\[}}3,3],[3,3]],[0,0],["-inf","-inf"]]
/// Draws among the best one are greedy, each by itself.
// CHECK-SAME: ,{{\[\[\[}}1,3,3,3],[1,3,3,3]],[2,2],[-5,-5]]
/// What is carried goes where its hypothesis goes: the sum of all words decides.
// CHECK-SAME: ,{{\[\[\[}}2,2,3],[1,1,2]],[3,3],[-1,-2]]
/// So do its rows, of which the sum is the same.
// CHECK-SAME: ,{{\[\[\[}}2,2,3],[1,1,2]],[3,3],[-1,-2]]]}

//--- model.mlir
func.func private @table() -> tensor<4x4xf64> {
  %t = arith.constant dense<[[-99.0, -1.0, -2.0, -9.0], [-99.0, -5.0, -5.0, -4.0],
    [-99.0, -5.0, -5.0, -0.5], [-99.0, -99.0, -99.0, -99.0]]> : tensor<4x4xf64>
  return %t : tensor<4x4xf64>
}
func.func @greedy(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<1x4xi32>, tensor<1xi32>, tensor<1xf64>) {
  %T = call @table() : () -> tensor<4x4xf64>
  %w, %n, %s = depth.search beam 1 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<4x4xf64>
    depth.yield %p : tensor<?x4xf64>
  }
  return %w, %n, %s : tensor<1x4xi32>, tensor<1xi32>, tensor<1xf64>
}
func.func @two(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<2x4xi32>, tensor<2xi32>, tensor<2xf64>) {
  %T = call @table() : () -> tensor<4x4xf64>
  %w, %n, %s = depth.search beam 2 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<4x4xf64>
    depth.yield %p : tensor<?x4xf64>
  }
  return %w, %n, %s : tensor<2x4xi32>, tensor<2xi32>, tensor<2xf64>
}
func.func @four(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<4x2xi32>, tensor<4xi32>, tensor<4xf64>) {
  %T = call @table() : () -> tensor<4x4xf64>
  %w, %n, %s = depth.search beam 4 max 2 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<4x4xf64>
    depth.yield %p : tensor<?x4xf64>
  }
  return %w, %n, %s : tensor<4x2xi32>, tensor<4xi32>, tensor<4xf64>
}
func.func private @short() -> tensor<4x4xf64> {
  %t = arith.constant dense<[[-99.0, -1.0, -99.0, -2.0], [-99.0, -99.0, -99.0, -1.5],
    [-99.0, -99.0, -99.0, -99.0], [-99.0, -99.0, -99.0, -99.0]]> : tensor<4x4xf64>
  return %t : tensor<4x4xf64>
}
func.func @plain(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<2x2xi32>, tensor<2xi32>, tensor<2xf64>) {
  %T = call @short() : () -> tensor<4x4xf64>
  %w, %n, %s = depth.search beam 2 max 2 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<4x4xf64>
    depth.yield %p : tensor<?x4xf64>
  }
  return %w, %n, %s : tensor<2x2xi32>, tensor<2xi32>, tensor<2xf64>
}
func.func @penalty(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<2x2xi32>, tensor<2xi32>, tensor<2xf64>) {
  %T = call @short() : () -> tensor<4x4xf64>
  %w, %n, %s = depth.search beam 2 length_penalty 1.0 max 2 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<4x4xf64>
    depth.yield %p : tensor<?x4xf64>
  }
  return %w, %n, %s : tensor<2x2xi32>, tensor<2xi32>, tensor<2xf64>
}
func.func @nothing(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<2x2xi32>, tensor<2xi32>, tensor<2xf64>) {
  %T = arith.constant dense<[[0x7FF8000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]]> : tensor<1x4xf64>
  %w, %n, %s = depth.search beam 2 max 2 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<1x4xf64>
    depth.yield %p : tensor<?x4xf64>
  }
  return %w, %n, %s : tensor<2x2xi32>, tensor<2xi32>, tensor<2xf64>
}
func.func @drawn(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<2x4xi32>, tensor<2xi32>, tensor<2xf64>) {
  %T = call @table() : () -> tensor<4x4xf64>
  %w, %n, %s = depth.search sample 2 among 1 max 4 begin %b end %e next(%last : tensor<?xi32>) {
    %p = nn.embed %last, %T : tensor<?xi32>, tensor<4x4xf64>
    depth.yield %p : tensor<?x4xf64>
  }
  return %w, %n, %s : tensor<2x4xi32>, tensor<2xi32>, tensor<2xf64>
}
func.func @carried(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<2x3xi32>, tensor<2xi32>, tensor<2xf64>) {
  %zero = arith.constant dense<0> : tensor<i32>
  // 0: 1 or 2; 1: 1; 2: 2; 3: 2; 4: 3.
  %T = arith.constant dense<[[-99.0, -1.0, -1.0, -99.0], [-99.0, -1.0, -99.0, -99.0], [-99.0, -99.0, 0.0, -99.0],
    [-99.0, -99.0, 0.0, -99.0], [-99.0, -99.0, -99.0, 0.0]]> : tensor<5x4xf64>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %e carried(%sum = %zero : tensor<i32>) next(%last : tensor<?xi32>) {
    %more = arith.addi %sum, %last : tensor<?xi32>
    %p = nn.embed %more, %T : tensor<?xi32>, tensor<5x4xf64>
    depth.yield %p, %more : tensor<?x4xf64>, tensor<?xi32>
  }
  return %w, %n, %s : tensor<2x3xi32>, tensor<2xi32>, tensor<2xf64>
}
func.func @grown(%b: tensor<i32>, %e: tensor<i32>) -> (tensor<2x3xi32>, tensor<2xi32>, tensor<2xf64>) {
  %T = arith.constant dense<[[-99.0, -1.0, -1.0, -99.0], [-99.0, -1.0, -99.0, -99.0], [-99.0, -99.0, 0.0, -99.0],
    [-99.0, -99.0, -1.0, -99.0], [-99.0, -99.0, -99.0, 0.0]]> : tensor<5x4xf64>
  %w, %n, %s = depth.search beam 2 max 3 begin %b end %e grows(%all : tensor<?x?xf64>) next(%last : tensor<?xi32>) {
    %f = arith.sitofp %last : tensor<?xi32> to tensor<?xf64>
    %more = depth.append %all, %f : tensor<?x?xf64>, tensor<?xf64>
    %sum = nn.each rows(%own = %more : tensor<?xf64>) -> (tensor<f64>) {
      %t = nn.sum %own over 0 : tensor<?xf64>
      nn.yield %t : tensor<f64>
    }
    %id = arith.fptosi %sum : tensor<?xf64> to tensor<?xi32>
    %p = nn.embed %id, %T : tensor<?xi32>, tensor<5x4xf64>
    depth.yield %p, %more : tensor<?x4xf64>, tensor<?x?xf64>
  }
  return %w, %n, %s : tensor<2x3xi32>, tensor<2xi32>, tensor<2xf64>
}
//--- data.json
{"examples": [{"function": "greedy", "arg0": 0, "arg1": 3}, {"function": "two", "arg0": 0, "arg1": 3},
  {"function": "four", "arg0": 0, "arg1": 3}, {"function": "plain", "arg0": 0, "arg1": 3},
  {"function": "penalty", "arg0": 0, "arg1": 3}, {"function": "nothing", "arg0": 0, "arg1": 3},
  {"function": "drawn", "arg0": 0, "arg1": 3}, {"function": "carried", "arg0": 0, "arg1": 3},
  {"function": "grown", "arg0": 0, "arg1": 3}]}
