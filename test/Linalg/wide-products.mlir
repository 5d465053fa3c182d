// RUN: cambium-opt --linalg-peel-yields --linalg-sink-splits --linalg-separate-products --linalg-join-pads --linalg-lower --canonicalize --cse --split-input-file %s | FileCheck %s

/// Weights that are wide by themselves are read where they are; the gates get the
/// parts of the product.
// CHECK-LABEL: func @wide
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>, %[[V:.*]]: tensor<4x96xf32>, %[[W:.*]]: tensor<4x128xf32>, %[[A:.*]]: tensor<96xf32>, %[[B:.*]]: tensor<128xf32>
// CHECK-NOT: tensor<4x224xf32>
// CHECK-DAG: linalg.broadcast ins(%[[A]] : tensor<96xf32>)
// CHECK-DAG: linalg.broadcast ins(%[[B]] : tensor<128xf32>)
// CHECK-DAG: linalg.matmul ins(%[[X]], %[[V]] :
// CHECK-DAG: linalg.matmul ins(%[[X]], %[[W]] :
// CHECK-NOT: tensor.insert_slice
func.func @wide(%x: tensor<?x4xf32>, %v: tensor<4x96xf32>, %w: tensor<4x128xf32>,
                %a: tensor<96xf32>, %b: tensor<128xf32>) -> (tensor<?x96xf32>, tensor<?x128xf32>) {
  %vw = nn.concat %v, %w over 1 : tensor<4x96xf32>, tensor<4x128xf32>
  %ab = nn.concat %a, %b over 0 : tensor<96xf32>, tensor<128xf32>
  %y = nn.linear %x, %vw, %ab : tensor<?x4xf32>, tensor<4x224xf32>, tensor<224xf32>
  %0, %1 = nn.split %y over 1 sizes [96, 128] : tensor<?x224xf32>
  return %0, %1 : tensor<?x96xf32>, tensor<?x128xf32>
}

// -----

/// Narrow ones stand side by side in one product.
// CHECK-LABEL: func @narrow
// CHECK: %[[VW:.*]] = tensor.insert_slice %arg2 into
// CHECK: linalg.matmul ins(%arg0, %[[VW]] : {{.*}}) outs({{.*}} : tensor<?x16xf32>)
// CHECK-NOT: linalg.matmul
func.func @narrow(%x: tensor<?x4xf32>, %v: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<?x16xf32> {
  %vw = nn.concat %v, %w over 1 : tensor<4x8xf32>, tensor<4x8xf32>
  %y = nn.linear %x, %vw : tensor<?x4xf32>, tensor<4x16xf32>
  return %y : tensor<?x16xf32>
}

// -----

/// Transposed, each weight goes into its place below the others.
// CHECK-LABEL: func @transposed
// CHECK-DAG: %[[V:.*]] = linalg.transpose ins(%arg1 : tensor<4x96xf32>)
// CHECK-DAG: %[[W:.*]] = linalg.transpose ins(%arg2 : tensor<4x128xf32>)
// CHECK-DAG: %[[T:.*]] = tensor.insert_slice %[[V]] into %{{.*}}[0, 0] [96, 4]
// CHECK: %[[VW:.*]] = tensor.insert_slice %[[W]] into %[[T]][96, 0] [128, 4]
// CHECK: linalg.matmul ins(%arg0, %[[VW]]
func.func @transposed(%dy: tensor<?x224xf32>, %v: tensor<4x96xf32>, %w: tensor<4x128xf32>) -> tensor<?x4xf32> {
  %vw = nn.concat %v, %w over 1 : tensor<4x96xf32>, tensor<4x128xf32>
  %t = nn.transpose %vw perm [1, 0] : tensor<4x224xf32>
  %dx = nn.linear %dy, %t : tensor<?x224xf32>, tensor<224x4xf32>
  return %dx : tensor<?x4xf32>
}

// -----

nn.param @V : tensor<4x96xf32>
nn.param @W : tensor<4x128xf32>

/// Each part of a sum of outer products is added to its gradient in place.
// CHECK-LABEL: func @gradients
// CHECK-DAG: %[[V:.*]] = rt.gradient @V
// CHECK-DAG: %[[W:.*]] = rt.gradient @W
// CHECK-DAG: linalg.matmul {{.*}} outs(%[[V]] : memref<4x96xf32>)
// CHECK-DAG: linalg.matmul {{.*}} outs(%[[W]] : memref<4x128xf32>)
// CHECK-NOT: tensor.empty
func.func @gradients(%x: tensor<?x4xf32>, %dy: tensor<?x224xf32>) {
  %d = nn.outer_sum %x, %dy : tensor<?x4xf32>, tensor<?x224xf32>
  %dv, %dw = nn.split %d over 1 sizes [96, 128] : tensor<4x224xf32>
  ragged.accumulate @V, %dv : tensor<4x96xf32>
  ragged.accumulate @W, %dw : tensor<4x128xf32>
  return
}
