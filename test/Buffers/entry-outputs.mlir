// RUN: cambium-opt --buffers-entry-outputs --split-input-file --verify-diagnostics %s | FileCheck %s

/// Results are memory of the caller, with the attributes that they had; arguments are
/// only read.
// CHECK-LABEL: func @results
// CHECK-SAME: (%[[N:.*]]: !ragged.rows, %[[X:.*]]: memref<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>}, %[[Y:.*]]: memref<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}, %[[Z:.*]]: memref<f32>)
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[X]] restrict :
// CHECK: bufferization.materialize_in_destination %[[T]] in restrict writable %[[Y]]
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[Z]]
// CHECK: return{{$}}
func.func @results(%n: !ragged.rows, %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}, tensor<f32>) {
  %c = arith.constant dense<1.0> : tensor<f32>
  return %x, %c : tensor<?x3xf32>, tensor<f32>
}

// -----

func.func @no_tensor(%n: index) -> index {
  // expected-error @below {{expected tensors, but got 'index'}}
  return %n : index
}
