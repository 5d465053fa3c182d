// RUN: split-file %s %t
// RUN: cambium-interpret %t/model.mlir %t/data.json 2>&1 | FileCheck %s

/// A number that is none is a warning of the interpreter, once for an example, and the
/// computation goes on; a call of compiled code returns a status (Batching/not-a-number).
// CHECK: warning: expected a number as root, but got NaN
// CHECK-NOT: warning
// CHECK: {"results":[{{\[}}["nan",2,"nan"]],{{\[}}[1,3]]]}
//--- model.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.sqrt %x : tensor<?xf32>
  nn.expect_number %y, "root" : tensor<?xf32>
  return %y : tensor<?xf32>
}
//--- data.json
{"examples": [{"function": "main", "arg0": [-1, 4, -9]}, {"function": "main", "arg0": [1, 9]}]}
