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

/// Two arrays that begin with the same rows get these each: a copy would read the others.
// CHECK-LABEL: func @begun
// CHECK-COUNT-2: tensor.insert_slice
// CHECK: scf.for
func.func @begun(%n: index, %x: tensor<?x3xf32>, %k: index) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [%k, 3] [1, 1] : tensor<?x3xf32> into tensor<?x3xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
    %l = linalg.exp ins(%q : tensor<?x3xf32>) outs(%p : tensor<?x3xf32>) -> tensor<?x3xf32>
    %m = linalg.log ins(%l : tensor<?x3xf32>) outs(%q : tensor<?x3xf32>) -> tensor<?x3xf32>
    scf.yield %l, %m : tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %r#0, %r#1 : tensor<?x3xf32>, tensor<?x3xf32>
}
