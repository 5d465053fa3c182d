// RUN: cambium-opt --buffers-write-records %s | FileCheck %s
// RUN: cambium-opt --buffers-write-records --eliminate-empty-tensors --buffers-bufferize --canonicalize --cse --canonicalize %s | FileCheck %s --check-prefix=MEMORY

/// The array of states is read and stays; what is only recorded is memory. The
/// view of it stands right behind its offset, so that values can be computed there.
// CHECK-LABEL: func @recorded
// CHECK:       %[[M:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x3xf32>
// CHECK:       %[[R:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<?x3xf32>)
// CHECK-NEXT:    %[[O:.*]] = arith.addi
// CHECK-NEXT:    %[[V:.*]] = memref.subview %[[M]][%[[O]], 0] [1, 3] [1, 1]
// CHECK:         %[[Y:.*]] = linalg.exp
// CHECK:         bufferization.materialize_in_destination %[[Y]] in restrict writable %[[V]]
// CHECK:         scf.yield %{{[^,]*}} : tensor<?x3xf32>
// CHECK:       %[[T:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK:       return %[[R]], %[[T]]

/// Nothing is copied: a value is computed where it is recorded.
// MEMORY-LABEL: func @recorded
// MEMORY-NOT:   memref.copy
// MEMORY:       %[[V:.*]] = memref.subview %{{.*}}[%{{.*}}, 0] [1, 3] [1, 1] : memref<?x3xf32> to
// MEMORY:       linalg.exp ins(%{{.*}}) outs(%[[V]] :
// MEMORY-NOT:   memref.copy
// MEMORY:       return
func.func @recorded(%n: index, %x: tensor<1x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %e, %s = %e)
      -> (tensor<?x3xf32>, tensor<?x3xf32>) {
    %o = arith.addi %i, %zero : index
    %before = tensor.extract_slice %s[%i, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<1x3xf32>
    %d = tensor.empty() : tensor<1x3xf32>
    %y = linalg.exp ins(%x : tensor<1x3xf32>) outs(%d : tensor<1x3xf32>) -> tensor<1x3xf32>
    %z = linalg.add ins(%y, %before : tensor<1x3xf32>, tensor<1x3xf32>)
                    outs(%before : tensor<1x3xf32>) -> tensor<1x3xf32>
    %w = tensor.insert_slice %y into %a[%o, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
    %t = tensor.insert_slice %z into %s[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
    scf.yield %w, %t : tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %r#1, %r#0 : tensor<?x3xf32>, tensor<?x3xf32>
}

/// A row loses its dimension in the view as it does in the tensor; two arrays of one
/// loop, which carries nothing any more.
// CHECK-LABEL: func @rows
// CHECK-COUNT-2: memref.alloc
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} {
// CHECK-COUNT-2: memref.subview {{.*}} to memref<3xf32, strided<[1], offset: ?>>
// CHECK-COUNT-2: bufferization.materialize_in_destination
func.func @rows(%n: index, %x: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %e, %b = %e)
      -> (tensor<?x3xf32>, tensor<?x3xf32>) {
    %v = tensor.insert_slice %x into %a[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<?x3xf32>
    %w = tensor.insert_slice %x into %b[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<?x3xf32>
    scf.yield %v, %w : tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %r#0, %r#1 : tensor<?x3xf32>, tensor<?x3xf32>
}

/// What the array held before is read where no iteration writes.
// CHECK-LABEL: func @negative_defined
// CHECK-NOT:   memref.alloc
func.func @negative_defined(%n: index, %x: tensor<1x3xf32>, %e: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %e) -> (tensor<?x3xf32>) {
    %w = tensor.insert_slice %x into %a[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
    scf.yield %w : tensor<?x3xf32>
  }
  return %r : tensor<?x3xf32>
}

/// An iteration reads what it has written.
// CHECK-LABEL: func @negative_read
// CHECK-NOT:   memref.alloc
func.func @negative_read(%n: index, %x: tensor<1x3xf32>) -> (tensor<?x3xf32>, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %e, %b = %f) -> (tensor<?x3xf32>, f32) {
    %w = tensor.insert_slice %x into %a[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
    %c = tensor.extract %w[%zero, %zero] : tensor<?x3xf32>
    scf.yield %w, %c : tensor<?x3xf32>, f32
  }
  return %r#0, %r#1 : tensor<?x3xf32>, f32
}

/// Both rows are made in the memory of `%c`, of which one is a copy. If that one
/// were put into its array, the other one would be lost where it was made there.
// CHECK-LABEL: func @negative_one_memory
// CHECK-COUNT-2: tensor.insert_slice
func.func @negative_one_memory(%n: index, %x: f32, %y: f32, %z: tensor<1x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %f = tensor.empty(%n) : tensor<?x3xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%p = %e, %q = %f)
      -> (tensor<?x3xf32>, tensor<?x3xf32>) {
    %d = tensor.empty() : tensor<1x3xf32>
    %c = linalg.exp ins(%z : tensor<1x3xf32>) outs(%d : tensor<1x3xf32>) -> tensor<1x3xf32>
    %a = tensor.insert %x into %c[%zero, %zero] : tensor<1x3xf32>
    %b = tensor.insert %y into %c[%zero, %zero] : tensor<1x3xf32>
    %v = tensor.insert_slice %a into %p[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
    %w = tensor.insert_slice %b into %q[%i, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<?x3xf32>
    scf.yield %v, %w : tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %r#0, %r#1 : tensor<?x3xf32>, tensor<?x3xf32>
}
