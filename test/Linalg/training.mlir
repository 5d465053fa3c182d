// RUN: cambium-opt --cambium-gradient-to-linalg --split-input-file %s | FileCheck %s

nn.param @W : tensor<4x3xf32>
nn.param @b : tensor<3xf32>

/// Contractions and sums over rows are added to gradients in place.
// CHECK-LABEL: func @dense
// CHECK-NOT: tensor.empty
// CHECK-DAG: %[[W:.*]] = rt.gradient @W : memref<4x3xf32>
// CHECK-DAG: %[[B:.*]] = rt.gradient @b : memref<3xf32>
// CHECK-DAG: linalg.matmul indexing_maps = {{.*}} outs(%[[W]] : memref<4x3xf32>)
// CHECK-DAG: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins({{.*}}) outs(%[[B]] : memref<3xf32>)
func.func @dense(%x: tensor<?x4xf32>, %dy: tensor<?x3xf32>) {
  %dW = nn.outer_sum %x, %dy : tensor<?x4xf32>, tensor<?x3xf32>
  %db = nn.sum %dy over 0 : tensor<?x3xf32>
  ragged.accumulate @W, %dW : tensor<4x3xf32>
  ragged.accumulate @b, %db : tensor<3xf32>
  return
}

// -----

nn.param @E : tensor<9x3xf32> row_sparse

/// Rows are added one by one, in order, and marked; those of the padding id are not.
// CHECK-LABEL: func @sparse
// CHECK: %[[G:.*]] = rt.gradient @E
// CHECK: scf.for
// CHECK: %[[WANTED:.*]] = arith.cmpi ne, %[[ID:.*]], %c0
// CHECK: scf.if %[[WANTED]]
// CHECK: rt.touch @E, %[[ID]]
// CHECK: memref.subview %[[G]][%[[ID]], 0]
// CHECK: arith.addf
func.func @sparse(%ids: tensor<?xi32>, %rows: tensor<?x3xf32>) {
  ragged.accumulate_rows @E, %ids, %rows padding_id 0 : tensor<?xi32>, tensor<?x3xf32>
  return
}
