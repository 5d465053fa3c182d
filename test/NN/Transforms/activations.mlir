// RUN: cambium-opt --gradient-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: func @leaky_relu
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>
// CHECK: %[[POSITIVE:.*]] = arith.cmpf ogt, %[[X]]
// CHECK: %[[BELOW:.*]] = arith.mulf %[[X]]
// CHECK: arith.select %[[POSITIVE]], %[[X]], %[[BELOW]]
func.func @leaky_relu(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = nn.leaky_relu %x slope 0.1 : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @gelu
// CHECK: math.erf
// CHECK: math.tanh
func.func @gelu(%x: f32) -> f32 {
  %0 = nn.gelu %x : f32
  %1 = nn.gelu %0 tanh : f32
  return %1 : f32
}

// -----

/// The number of rows is known at run time only; no rows have the mean 0.
// CHECK-LABEL: func @mean_of_rows
// CHECK-SAME: %[[X:.*]]: tensor<?x3xf32>
// CHECK: %[[SUM:.*]] = nn.sum %[[X]] over 0
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: arith.maxsi %[[N]], %c1
// CHECK: arith.divf %[[SUM]]
func.func @mean_of_rows(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %0 = nn.mean %x over 0 : tensor<?x3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @layer_norm
// CHECK-NOT: nn.layer_norm
// CHECK: arith.subf
// CHECK: math.sqrt
// CHECK: nn.broadcast %arg1 dims [1]
// CHECK: nn.broadcast %arg2 dims [1]
func.func @layer_norm(%x: tensor<?x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = nn.layer_norm %x, %g, %b : tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

/// An expansion may hold abbreviations itself.
// CHECK-LABEL: func @cosine_similarity
// CHECK-COUNT-2: math.sqrt
// CHECK-NOT: nn.l2_normalize
// CHECK: nn.sum %{{.*}} over 1 : tensor<?x3xf32>
func.func @cosine_similarity(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?xf32> {
  %0 = nn.cosine_similarity %x, %y over 1 : tensor<?x3xf32>, tensor<?x3xf32>
  return %0 : tensor<?xf32>
}
