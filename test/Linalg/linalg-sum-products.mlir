// RUN: cambium-opt %s --linalg-lower --linalg-resolve-dims --canonicalize --linalg-sum-products --split-input-file | FileCheck %s

/// Three products of which each adds to the one before: one array.
// CHECK-LABEL: func @chain
// CHECK-COUNT-3: linalg.matmul
// CHECK-NOT: arith.addf
// CHECK: return
func.func @chain(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<?x4xf32>,
                 %U: tensor<4x3xf32>, %V: tensor<4x3xf32>, %W: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %a = nn.linear %x, %U : tensor<?x4xf32>, tensor<4x3xf32>
  %b = nn.linear %y, %V : tensor<?x4xf32>, tensor<4x3xf32>
  %c = nn.linear %z, %W : tensor<?x4xf32>, tensor<4x3xf32>
  %bc = arith.addf %b, %c : tensor<?x3xf32>
  %s = arith.addf %a, %bc : tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}

// -----

/// What is computed otherwise is a beginning, too.
// CHECK-LABEL: func @tanh
// CHECK: %[[T:.*]] = linalg.generic
// CHECK: math.tanh
// CHECK: linalg.matmul {{.*}} outs(%[[T]] :
// CHECK-NOT: arith.addf
// CHECK: return
func.func @tanh(%x: tensor<?x3xf32>, %y: tensor<?x4xf32>, %U: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %t = math.tanh %x : tensor<?x3xf32>
  %a = nn.linear %y, %U : tensor<?x4xf32>, tensor<4x3xf32>
  %s = arith.addf %a, %t : tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}

// -----

/// An argument would have to be copied.
// CHECK-LABEL: func @negative_argument
// CHECK: linalg.matmul
// CHECK: arith.addf
func.func @negative_argument(%x: tensor<?x3xf32>, %y: tensor<?x4xf32>, %U: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %a = nn.linear %y, %U : tensor<?x4xf32>, tensor<4x3xf32>
  %s = arith.addf %a, %x : tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}

// -----

/// Both are read elsewhere.
// CHECK-LABEL: func @negative_read
// CHECK: arith.addf
func.func @negative_read(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %U: tensor<4x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %a = nn.linear %x, %U : tensor<?x4xf32>, tensor<4x3xf32>
  %b = nn.linear %y, %U : tensor<?x4xf32>, tensor<4x3xf32>
  %s = arith.addf %a, %b : tensor<?x3xf32>
  return %a, %b, %s : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// A product that starts from a bias has its beginning already; the other one adds to it.
// CHECK-LABEL: func @bias
// CHECK: linalg.broadcast
// CHECK: %[[B:.*]] = linalg.matmul
// CHECK: linalg.matmul {{.*}} outs(%[[B]] :
// CHECK-NOT: arith.addf
// CHECK: return
func.func @bias(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %U: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> {
  %a = nn.linear %x, %U : tensor<?x4xf32>, tensor<4x3xf32>
  %c = nn.linear %y, %U, %b : tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %s = arith.addf %a, %c : tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
