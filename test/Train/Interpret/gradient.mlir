// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json | FileCheck %s
// RUN: cambium-interpret %t/model.mlir %t/params.json --gradient | FileCheck %s --check-prefix=PARAMS
// RUN: cambium-interpret %t/model.mlir %t/params.json --gradient --samples=1 --seed=3 | FileCheck %s --check-prefix=SAMPLE

// CHECK: {"results":[
/// d x^2 / dx at 3; of x * stop(x); of the loss itself; of what does not depend on x.
// CHECK-SAME: {{\[}}6,3,1,0]
/// d x^3 / dx at 2 and its own derivative; with the first one stopped in g * x.
// CHECK-SAME: ,{{\[}}12,12,12]
/// A value of a cell and one from outside of it, at every node.
// CHECK-SAME: ,{{\[}}[3,6],[1,2]]
/// x keeps its value after the perturbations; what follows the loss does not count.
// CHECK-SAME: ,{{\[}}[4,6],[2,3],4,0]
/// A kink within the first step; a logarithm whose first step leaves its domain.
// CHECK-SAME: ,[1,{{2048|2047\.999[0-9]+}}]
// CHECK-SAME: ]}

/// Frozen parameters have no gradient; a frozen table and a stopped value are constant.
// PARAMS: {"gradients":{"E":[
// PARAMS-SAME: [0,0],[1,0],[2,0]],"w":[
// PARAMS-SAME: [0,{{1\.0000|0\.9999}}
// PARAMS-SAME: ],[1,{{3\.0000|2\.9999}}
// PARAMS-NOT: fixed
// SAMPLE: "E":[{{\[[0-9],[^]]*\]\]}},"w":[{{\[[01],[^]]*\]\]}}

//--- model.mlir
nn.param @w : tensor<2xf32>
nn.param @E : tensor<3x1xf32>
nn.param @fixed : tensor<2xf32> frozen
func.func @first(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %square = arith.mulf %x, %x : tensor<f32>
  %0 = train.gradient %square wrt %x : tensor<f32>, tensor<f32>
  %held = train.stop_gradient %x : tensor<f32>
  %product = arith.mulf %x, %held : tensor<f32>
  %1 = train.gradient %product wrt %x : tensor<f32>, tensor<f32>
  %2 = train.gradient %product wrt %product : tensor<f32>, tensor<f32>
  %other = arith.constant dense<2.0> : tensor<f32>
  %3 = train.gradient %other wrt %x : tensor<f32>, tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @second(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %square = arith.mulf %x, %x : tensor<f32>
  %cube = arith.mulf %square, %x : tensor<f32>
  %0 = train.gradient %cube wrt %x : tensor<f32>, tensor<f32>
  %1 = train.gradient %0 wrt %x : tensor<f32>, tensor<f32>
  %held = train.stop_gradient %0 : tensor<f32>
  %linear = arith.mulf %held, %x : tensor<f32>
  %2 = train.gradient %linear wrt %x : tensor<f32>, tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @in_a_cell(%x: tensor<?xf32>, %w: tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %t = tree.chain %x : tensor<?xf32>
  %a, %b = tree.fold %t nodes(%xj = %x : tensor<f32>)
           children(%ak : tensor<?xf32>, %bk : tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {
    %square = arith.mulf %xj, %xj : tensor<f32>
    %loss = arith.mulf %square, %w : tensor<f32>
    %dx, %dw = train.gradient %loss wrt %xj, %w
             : tensor<f32>, tensor<f32>, tensor<f32>
    %half = arith.constant dense<0.5> : tensor<f32>
    %one = arith.mulf %dx, %half : tensor<f32>
    %root = math.sqrt %dw : tensor<f32>
    tree.yield %one, %root : tensor<f32>, tensor<f32>
  }
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
func.func @values_stay(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<f32>,
                                              tensor<f32>) {
  %square = arith.mulf %x, %x : tensor<2xf32>
  %loss = nn.sum %square over 0 : tensor<2xf32>
  %late = nn.max %square over 0 : tensor<2xf32>
  %0 = train.gradient %loss wrt %x : tensor<f32>, tensor<2xf32>
  %root = math.sqrt %square : tensor<2xf32>
  %1 = nn.sum %x over 0 : tensor<2xf32>
  %minus = arith.constant dense<1.0> : tensor<f32>
  %2 = arith.subf %1, %minus : tensor<f32>
  %3 = train.gradient %loss wrt %late : tensor<f32>, tensor<f32>
  return %0, %root, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>
}
func.func @kinks(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r = nn.relu %x : tensor<f32>
  %0 = train.gradient %r wrt %x : tensor<f32>, tensor<f32>
  %l = math.log %x : tensor<f32>
  %1 = train.gradient %l wrt %x : tensor<f32>, tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func @loss(%id: tensor<i32>) -> tensor<f32> {
  %w = nn.use @w : tensor<2xf32>
  %E = nn.use @E : tensor<3x1xf32>
  %f = nn.use @fixed : tensor<2xf32>
  %e = nn.embed %id, %E frozen : tensor<i32>, tensor<3x1xf32>
  %held = train.stop_gradient %w : tensor<2xf32>
  %a = arith.mulf %w, %held : tensor<2xf32>
  %b = arith.mulf %a, %f : tensor<2xf32>
  %s = nn.sum %b over 0 : tensor<2xf32>
  %z = nn.sum %e over 0 : tensor<1xf32>
  %l = arith.addf %s, %z : tensor<f32>
  return %l : tensor<f32>
}
//--- data.json
{"examples": [{"function": "first", "arg0": 3}, {"function": "second", "arg0": 2},
  {"function": "in_a_cell", "arg0": [1, 2], "arg1": 3},
  {"function": "values_stay", "arg0": [2, 3]}, {"function": "kinks", "arg0": 0.00048828125}]}
//--- params.json
{"function": "loss", "params": {"w": [0.5, 1.5], "E": [[1], [2], [3]], "fixed": [2, 2]},
 "examples": [{"arg0": 0}, {"arg0": 1}]}
