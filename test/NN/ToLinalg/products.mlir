// RUN: cambium-opt --linalg-peel-yields --linalg-sink-splits --linalg-join-pads --linalg-lower --canonicalize --cse --split-input-file %s | FileCheck %s

/// The bias is where the product starts.
// CHECK-LABEL: func @linear
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>, %[[W:.*]]: tensor<4x3xf32>, %[[B:.*]]: tensor<3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[E:.*]] = tensor.empty(%[[N]])
// CHECK: %[[START:.*]] = linalg.broadcast ins(%[[B]] : tensor<3xf32>) outs(%[[E]] : tensor<?x3xf32>) dimensions = [0]
// CHECK: linalg.matmul ins(%[[X]], %[[W]] : {{.*}}) outs(%[[START]] : tensor<?x3xf32>)
func.func @linear(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> {
  %0 = nn.linear %x, %w, %b : tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

/// A transposed weight is made once, outside of loops: products read it by rows.
// CHECK-LABEL: func @transposed_weight
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg1 : tensor<4x3xf32>)
// CHECK: linalg.matmul ins(%arg0, %[[T]] :
func.func @transposed_weight(%x: tensor<?x3xf32>, %w: tensor<4x3xf32>) -> tensor<?x4xf32> {
  %t = nn.transpose %w perm [1, 0] : tensor<4x3xf32>
  %0 = nn.linear %x, %t : tensor<?x3xf32>, tensor<3x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

/// The contraction over rows reads the left operand transposed.
// CHECK-DAG: #[[AT:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @outer_sum
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<4x3xf32>
// CHECK: linalg.matmul indexing_maps = [#[[AT]], #[[B]], #[[C]]] {{.*}} outs(%[[ZERO]]
func.func @outer_sum(%x: tensor<?x4xf32>, %y: tensor<?x3xf32>) -> tensor<4x3xf32> {
  %0 = nn.outer_sum %x, %y : tensor<?x4xf32>, tensor<?x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

/// Rows of matrices are more rows.
// CHECK-LABEL: func @rows_of_matrices
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<?x2x4xf32> into tensor<?x4xf32>
// CHECK: %[[Y:.*]] = linalg.matmul ins(%[[ROWS]], %arg1
// CHECK: tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]]
func.func @rows_of_matrices(%x: tensor<?x2x4xf32>, %w: tensor<4x3xf32>) -> tensor<?x2x3xf32> {
  %0 = nn.linear %x, %w : tensor<?x2x4xf32>, tensor<4x3xf32>
  return %0 : tensor<?x2x3xf32>
}

// -----

/// Other products are loop nests in which the last dimension of the right operand
/// is innermost.
// CHECK-LABEL: func @batched_vector_matrix
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @batched_vector_matrix(%x: tensor<?x4xf32>, %y: tensor<?x4x3xf32>) -> tensor<?x3xf32> {
  %0 = nn.matmul %x, %y batch_dims 1 : tensor<?x4xf32>, tensor<?x4x3xf32>
  return %0 : tensor<?x3xf32>
}
