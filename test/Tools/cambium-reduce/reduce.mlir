// RUN: cambium-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-tanh' | FileCheck %s

/// What is not needed for the test to fail goes away.
// CHECK-LABEL: func.func @kept
// CHECK: math.tanh
func.func @kept(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.tanh %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
// CHECK-NOT: @dropped
func.func @dropped(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.sigmoid %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
