// RUN: cambium-opt %s --buffers-constant-memory | FileCheck %s

/// A constant that is one number many times is no part of the module.
// CHECK: memref.global {{.*}}memref<2xf32>
// CHECK-NOT: memref.global
// CHECK-LABEL: func @splat
// CHECK: %[[E:.*]] = tensor.empty() : tensor<1000000000xf32>
// CHECK: linalg.fill {{.*}} outs(%[[E]] : tensor<1000000000xf32>)
func.func @splat() -> (tensor<1000000000xf32>, tensor<2xf32>) {
  %a = arith.constant dense<1.0> : tensor<1000000000xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %a, %b : tensor<1000000000xf32>, tensor<2xf32>
}
