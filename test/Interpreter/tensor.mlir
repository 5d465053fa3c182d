// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json | FileCheck %s

/// What tensor, func and scf mean.
// CHECK: {"results":[
// CHECK-SAME: {{\[}}3,[7,7,7],[1,2],6]
// CHECK-SAME: ,{{\[}}{{\[}}[2],[5]],[4,6],{{\[}}[1,2,3],[4,0,6]]]
// CHECK-SAME: ,{{\[}}{{\[}}[1,2],[3,4],[5,6]],[1,2,3,4,5,6]]
/// Contents of tensor.empty are nobody's to read.
// CHECK-SAME: ,{{\[}}["nan","nan"]]
// CHECK-SAME: ,[10,-1],[0,1]]}

//--- model.mlir
func.func @small(%x: tensor<?x3xf32>) -> (index, tensor<?xf32>, tensor<2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %seven = arith.constant 7.0 : f32
  %d = tensor.dim %x, %c1 : tensor<?x3xf32>
  %s = tensor.splat %seven[%d] : tensor<?xf32>
  %a = tensor.extract %x[%c0, %c0] : tensor<?x3xf32>
  %b = tensor.extract %x[%c0, %c1] : tensor<?x3xf32>
  %f = tensor.from_elements %a, %b : tensor<2xf32>
  %l = tensor.extract %x[%c1, %c2] : tensor<?x3xf32>
  return %d, %s, %f, %l : index, tensor<?xf32>, tensor<2xf32>, f32
}
func.func @slices(%x: tensor<?x3xf32>) -> (tensor<2x1xf32>, tensor<2xf32>, tensor<?x3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %0 = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<?x3xf32> to tensor<2x1xf32>
  %1 = tensor.extract_slice %x[1, 0] [1, 2] [1, 2] : tensor<?x3xf32> to tensor<2xf32>
  %2 = tensor.insert_slice %zero into %x[1, 1] [1, 1] [1, 1]
     : tensor<1xf32> into tensor<?x3xf32>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<2xf32>, tensor<?x3xf32>
}
func.func @shapes(%x: tensor<?x3xf32>) -> (tensor<3x2xf32>, tensor<?xf32>) {
  %s = tensor.cast %x : tensor<?x3xf32> to tensor<2x3xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
  %2 = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  return %1, %2 : tensor<3x2xf32>, tensor<?xf32>
}
func.func @empty() -> tensor<2xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @negate(%x: f32) -> f32 {
  %0 = arith.negf %x : f32
  return %0 : f32
}
func.func @loop() -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %s = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %zero) -> f32 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %b = arith.addf %a, %f : f32
    scf.yield %b : f32
  }
  %m = func.call @negate(%one) : (f32) -> f32
  return %s, %m : f32, f32
}
func.func @branch() -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c = arith.cmpf olt, %zero, %one : f32
  %0 = scf.if %c -> f32 {
    scf.yield %zero : f32
  } else {
    scf.yield %one : f32
  }
  %d = arith.cmpf olt, %one, %zero : f32
  %1 = scf.if %d -> f32 {
    scf.yield %zero : f32
  } else {
    scf.yield %one : f32
  }
  return %0, %1 : f32, f32
}
//--- data.json
{"examples": [{"function": "small", "arg0": [[1, 2, 3], [4, 5, 6]]},
  {"function": "slices", "arg0": [[1, 2, 3], [4, 5, 6]]},
  {"function": "shapes", "arg0": [[1, 2, 3], [4, 5, 6]]},
  {"function": "empty"}, {"function": "loop"}, {"function": "branch"}]}
