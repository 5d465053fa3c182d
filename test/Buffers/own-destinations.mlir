// RUN: cambium-opt --buffers-own-destinations %s | FileCheck %s

/// Two ops that fill the same tensor get one each; so do two products that start
/// from the same zeros.
// CHECK-LABEL: func @shared
// CHECK-COUNT-4: tensor.empty
// CHECK-NOT: tensor.empty
func.func @shared(%n: index, %x: tensor<?x3xf32>, %w: tensor<3x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %a = linalg.copy ins(%x : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %b = linalg.copy ins(%a : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %c = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x3xf32>) outs(%z : tensor<?x3xf32>) -> tensor<?x3xf32>
  %d = linalg.matmul ins(%a, %w : tensor<?x3xf32>, tensor<3x3xf32>) outs(%z : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %a, %b, %c, %d : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
