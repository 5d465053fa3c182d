// RUN: cambium-opt %s --buffers-constant-memory | FileCheck %s --check-prefix=CONSTANT
// RUN: cambium-opt %s --pass-pipeline='builtin.module(buffers-constant-memory,func.func(buffers-bufferize,canonicalize))' | FileCheck %s

/// Equal constants of two functions are one global. A scalar stays as it is.
// CONSTANT-COUNT-2: memref.global "private" constant
// CONSTANT-NOT: memref.global
// CONSTANT-LABEL: func.func @first
// CONSTANT: arith.constant 2.0
// CONSTANT-DAG: %[[R:.*]] = memref.get_global @[[ONE:.*]] : memref<2xf32>
// CONSTANT-DAG: bufferization.to_tensor %[[R]] restrict : memref<2xf32>
// CONSTANT-DAG: memref.get_global @{{.*}} : memref<3xf32>
// CONSTANT-LABEL: func.func @second
// CONSTANT: memref.get_global @[[ONE]] : memref<2xf32>

/// What is written to the output is computed there, and constants are read in
/// place: no memory is allocated, nothing is copied twice.
// CHECK-LABEL: func.func @first
// CHECK-SAME: %{{.*}}: memref<2xf32>, %[[OUT:[a-z0-9]*]]: memref<2xf32> {rt.as = #rt.output<{{.*}}>}, %[[COPY:[a-z0-9]*]]: memref<3xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.add ins(%{{.*}}, %{{.*}} : memref<2xf32>, memref<2xf32>) outs(%[[OUT]] : memref<2xf32>)
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[COPY]] : memref<3xf32>)
// CHECK: linalg.add ins(%{{.*}}, %[[COPY]] : memref<3xf32>, memref<3xf32>) outs(%[[COPY]]
// CHECK-NOT: memref.copy
func.func @first(%x: memref<2xf32>, %out: memref<2xf32> {rt.as = #rt.output<name = "out">}, %copy: memref<3xf32> {rt.as = #rt.output<name = "copy">}) {
  %two = arith.constant 2.0 : f32
  %r = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %t = bufferization.to_tensor %x restrict : memref<2xf32> to tensor<2xf32>
  %e = bufferization.to_tensor %out restrict writable : memref<2xf32> to tensor<2xf32>
  %y = linalg.add ins(%t, %r : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<2xf32>, memref<2xf32>) -> ()
  %d = bufferization.to_tensor %copy restrict writable : memref<3xf32> to tensor<3xf32>
  %f = linalg.fill ins(%two : f32) outs(%d : tensor<3xf32>) -> tensor<3xf32>
  %z = linalg.add ins(%s, %f : tensor<3xf32>, tensor<3xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  bufferization.materialize_in_destination %z in restrict writable %copy : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}

/// A constant is never written to: what is put into it has memory of its own.
// CHECK-LABEL: func.func @second
// CHECK: %[[C:.*]] = memref.get_global
// CHECK: %[[OWN:.*]] = memref.alloc() {{.*}}: memref<2xf32>
// CHECK: memref.copy %[[C]], %[[OWN]]
// CHECK: memref.store %{{.*}}, %[[OWN]]
func.func @second(%x: f32, %out: memref<2xf32> {rt.as = #rt.output<name = "out">}) {
  %c0 = arith.constant 0 : index
  %r = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = tensor.insert %x into %r[%c0] : tensor<2xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}

/// The squares of a part of an array are another part of it, which has no values before: nothing is
/// copied there from the array.
// CHECK-LABEL: func.func @part
// CHECK: scf.for
// CHECK: memref.alloc(
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: memref.copy %{{.*}} to memref<?xf32, strided
func.func @part(%n: index, %at: index, %k: index, %out: memref<?xf32> {rt.as = #rt.output<name = "out">}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %array = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%a = %array) -> (tensor<?xf32>) {
    %f = tensor.empty(%k) : tensor<?xf32>
    %squares = scf.for %j = %c0 to %k step %c1 iter_args(%b = %f) -> (tensor<?xf32>) {
      %x = tensor.extract %a[%j] : tensor<?xf32>
      %y = arith.mulf %x, %x : f32
      %c = tensor.insert %y into %b[%j] : tensor<?xf32>
      scf.yield %c : tensor<?xf32>
    }
    %next = tensor.insert_slice %squares into %a[%at] [%k] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  bufferization.materialize_in_destination %all in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

/// Canonicalization drops the result of %k, which nobody uses: what an iteration begins
/// with and the results are beside each other again, and the array is one.
// CHECK-LABEL: func.func @dropped_result
// CHECK: scf.while
// CHECK: linalg.exp ins(%[[A:.*]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @dropped_result(%y: memref<4xf32>, %n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %in = bufferization.to_tensor %y restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %b = linalg.copy ins(%in : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.while (%k = %n, %i = %c0, %q = %b)
      : (index, index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %go = arith.cmpi ult, %i, %k : index
    scf.condition(%go) %i, %q : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %q: tensor<4xf32>):
    %j = arith.addi %i, %c1 : index
    %t = linalg.exp ins(%q : tensor<4xf32>) outs(%q : tensor<4xf32>) -> tensor<4xf32>
    %z = tensor.extract %t[%c0] : tensor<4xf32>
    %w = arith.fptosi %z : f32 to i64
    %h = arith.index_cast %w : i64 to index
    scf.yield %h, %j, %t : index, index, tensor<4xf32>
  }
  bufferization.materialize_in_destination %r#1 in restrict writable %out
      : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
