// RUN: cambium-opt --buffers-entry-outputs --split-input-file --verify-diagnostics %s | FileCheck %s

/// Results are memory of the caller, with the attributes that they had; arguments are
/// only read.
// CHECK-LABEL: func @results
// CHECK-SAME: (%[[N:.*]]: !ragged.rows, %[[X:.*]]: memref<?x3xf32> {ragged.space = 0 : i64}, %[[Y:.*]]: memref<?x3xf32> {ragged.space = 0 : i64, rt.output}, %[[Z:.*]]: memref<f32> {rt.output})
// CHECK-SAME: attributes {rt.entry = "function"}
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[X]] restrict :
// CHECK: bufferization.materialize_in_destination %[[T]] in restrict writable %[[Y]]
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[Z]]
// CHECK: return{{$}}
func.func @results(%n: !ragged.rows, %x: tensor<?x3xf32> {ragged.space = 0 : i64})
    -> (tensor<?x3xf32> {ragged.space = 0 : i64}, tensor<f32>) {
  %c = arith.constant dense<1.0> : tensor<f32>
  return %x, %c : tensor<?x3xf32>, tensor<f32>
}

// -----

/// Entries that say what they are stay so.
// CHECK-LABEL: func @train.accumulate() attributes {rt.entry = "accumulate"}
func.func @train.accumulate() attributes {rt.entry = "accumulate"} {
  return
}

// -----

func.func @no_tensor(%n: index) -> index {
  // expected-error @below {{expected tensors, but got 'index'}}
  return %n : index
}
