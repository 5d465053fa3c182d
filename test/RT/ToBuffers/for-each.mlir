// RUN: cambium-opt %s --pass-pipeline='builtin.module(func.func(buffers-bufferize,canonicalize,cse,canonicalize))' --split-input-file --verify-diagnostics | FileCheck %s

/// The loop has no results any more; rows are computed where they stay.
// CHECK-LABEL: func.func @rows
// CHECK: %[[OUT:.*]] = memref.alloc(%{{.*}})
// CHECK-NEXT: rt.for_each %[[I:.*]] of %{{.*}} work 4 {
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %[[OUT]][%[[I]], 0]
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[ROW]]
// CHECK-NEXT: }
func.func @rows(%n: index, %f: f32, %out: memref<?x4xf32>) {
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %rows = rt.for_each %i of %n work 4 into(%all = %empty : tensor<?x4xf32>) {
    %row = tensor.extract_slice %all[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
    %filled = linalg.fill ins(%f : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
    %next = tensor.insert_slice %filled into %all[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<?x4xf32>
    rt.yield %next : tensor<?x4xf32>
  }
  %at = tensor.extract_slice %rows[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  bufferization.materialize_in_destination %at in restrict writable %out : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}

// -----

/// Who reads the array afterwards as it was keeps it: the loop gets a copy.
// CHECK-LABEL: func.func @read_later
// CHECK: %[[OWN:.*]] = memref.alloc
// CHECK: memref.copy %{{.*}}, %[[OWN]]
// CHECK: rt.for_each
// CHECK: memref.store %{{.*}}, %[[OWN]]
func.func @read_later(%n: index, %f: f32, %x: memref<?xf32>, %out: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %y = rt.for_each %i of %n work 1 into(%all = %t : tensor<?xf32>) {
    %next = tensor.insert %f into %all[%i] : tensor<?xf32>
    rt.yield %next : tensor<?xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  %old = tensor.extract %t[%c0] : tensor<?xf32>
  return %old : f32
}

// -----

func.func @another(%n: index, %x: tensor<3xf32>) -> tensor<3xf32> {
  %y = rt.for_each %i of %n into(%all = %x : tensor<3xf32>) {
    // expected-note @below {{it is made here}}
    %other = tensor.empty() : tensor<3xf32>
    // [RT-FOREACH-C2]
    // expected-error @below {{expected the array that the iteration got, but got another one}}
    rt.yield %other : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}

// -----

/// What iterations write beside the arrays is their own, also where the value
/// that they write over was made before the loop.
// CHECK-LABEL: func.func @own
// CHECK: rt.for_each
// CHECK: %[[OWN:.*]] = memref.alloc() {{.*}}: memref<4xf32>
// CHECK: memref.store %{{.*}}, %[[OWN]]
func.func @own(%n: index, %f: f32, %x: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = rt.for_each %j of %n work 4 into(%all = %x : tensor<?xf32>) {
    %v = tensor.extract %all[%j] : tensor<?xf32>
    %mine = tensor.insert %v into %empty[%i] : tensor<4xf32>
    %w = tensor.extract %mine[%j] : tensor<4xf32>
    %next = tensor.insert %w into %all[%j] : tensor<?xf32>
    rt.yield %next : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
