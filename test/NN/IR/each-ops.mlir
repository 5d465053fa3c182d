/// The syntax of a body for each row.
// RUN: cambium-opt %s | FileCheck %s
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s

// CHECK-LABEL: func.func @two
func.func @two(%words: tensor<?x?xi32>, %kinds: tensor<?xi32>) -> (tensor<?xi32>, tensor<?x2xf32>) {
  // CHECK: %{{.*}}:2 = nn.each rows(%[[W:.*]] = %{{.*}} : tensor<?xi32>, %[[K:.*]] = %{{.*}} : tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
  %a, %b = nn.each rows(%w = %words : tensor<?xi32>, %k = %kinds : tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
    %zero = arith.constant dense<0.0> : tensor<2xf32>
    // CHECK: nn.yield %[[K]], %{{.*}} : tensor<i32>, tensor<2xf32>
    nn.yield %k, %zero : tensor<i32>, tensor<2xf32>
  }
  return %a, %b : tensor<?xi32>, tensor<?x2xf32>
}
