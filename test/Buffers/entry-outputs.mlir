// RUN: cambium-opt --buffers-entry-outputs --split-input-file --verify-diagnostics %s | FileCheck %s

/// Results are memory of the caller, with the attributes that they had; arguments are
/// only read.
// CHECK-LABEL: func @results
// CHECK-SAME: (%[[N:.*]]: !ragged.rows, %[[X:.*]]: memref<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>}, %[[Y:.*]]: memref<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}, %[[Z:.*]]: memref<f32>)
// CHECK-DAG: %[[T:.*]] = bufferization.to_tensor %[[X]] restrict :
// CHECK-DAG: %[[YT:.*]] = bufferization.to_tensor %[[Y]] restrict writable
// CHECK-DAG: %[[ZT:.*]] = bufferization.to_tensor %[[Z]] restrict writable
// CHECK: %[[YV:.*]] = bufferization.materialize_in_destination %[[T]] in %[[YT]]
// CHECK: %[[ZV:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[ZT]]
// CHECK: bufferization.materialize_in_destination %[[YV]] in restrict writable %[[Y]]
// CHECK: bufferization.materialize_in_destination %[[ZV]] in restrict writable %[[Z]]
// CHECK: return{{$}}
func.func @results(%n: !ragged.rows, %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}, tensor<f32>) {
  %c = arith.constant dense<1.0> : tensor<f32>
  return %x, %c : tensor<?x3xf32>, tensor<f32>
}

// -----

/// What was computed first is read first, also through a view: %b may be computed in
/// the memory of %a.
// CHECK-LABEL: func @order
// CHECK-SAME: %[[OUT0:[a-z0-9]*]]: memref<?xf32>, %[[OUT1:[a-z0-9]*]]: memref<?x1xf32>, %[[OUT2:[a-z0-9]*]]: memref<?xf32>)
// CHECK: %[[A:.*]] = math.tanh
// CHECK: %[[B:.*]] = math.sin
// CHECK: %[[V:.*]] = tensor.expand_shape %[[A]]
// CHECK: %[[V1:.*]] = bufferization.materialize_in_destination %[[V]] in
// CHECK: %[[A1:.*]] = bufferization.materialize_in_destination %[[A]] in
// CHECK: %[[B1:.*]] = bufferization.materialize_in_destination %[[B]] in
// CHECK: materialize_in_destination %[[B1]] in restrict writable %[[OUT0]]
// CHECK: materialize_in_destination %[[V1]] in restrict writable %[[OUT1]]
// CHECK: materialize_in_destination %[[A1]] in restrict writable %[[OUT2]]
func.func @order(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?x1xf32>, tensor<?xf32>) {
  %a = math.tanh %x : tensor<?xf32>
  %b = math.sin %a : tensor<?xf32>
  %v = tensor.expand_shape %a [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %b, %v, %a : tensor<?xf32>, tensor<?x1xf32>, tensor<?xf32>
}

// -----

func.func @no_tensor(%n: index) -> index {
  // expected-error @below {{expected tensors, but got 'index'}}
  return %n : index
}
