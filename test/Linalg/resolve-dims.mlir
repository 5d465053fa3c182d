// RUN: cambium-opt --linalg-resolve-dims --split-input-file %s | FileCheck %s

/// Through an op to where its result is allocated, so that %y can be fused away.
// CHECK-LABEL: func @destination
// CHECK-SAME: (%{{.*}}: tensor<?xf32>, %[[N:.*]]: index)
// CHECK-NOT: tensor.dim
// CHECK: return %[[N]]
func.func @destination(%x: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %y, %c0 : tensor<?xf32>
  %f = tensor.empty(%d) : tensor<?xf32>
  %z = linalg.exp ins(%y : tensor<?xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  %k = tensor.dim %z, %c0 : tensor<?xf32>
  return %k : index
}

// -----

/// A slice says its size, also one that leaves a dimension out.
// CHECK-LABEL: func @slice
// CHECK-SAME: %[[N:[a-z0-9]*]]: index
// CHECK-NOT: tensor.dim
// CHECK: return %[[N]], %[[N]]
func.func @slice(%x: tensor<?x?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %a = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>
  %b = tensor.extract_slice %x[0, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %p = tensor.dim %a, %c0 : tensor<?x4xf32>
  %q = tensor.dim %b, %c0 : tensor<?xf32>
  return %p, %q : index, index
}

// -----

/// Only arguments and what nobody describes are asked, each once.
// CHECK-LABEL: func @argument
// CHECK: %[[D:.*]] = tensor.dim %arg0, %c0
// CHECK-NOT: tensor.dim
// CHECK: return %[[D]], %[[D]]
func.func @argument(%x: tensor<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %y = tensor.cast %x : tensor<?xf32> to tensor<*xf32>
  %z = tensor.cast %y : tensor<*xf32> to tensor<?xf32>
  %a = tensor.dim %x, %c0 : tensor<?xf32>
  %b = tensor.dim %z, %c0 : tensor<?xf32>
  return %a, %b : index, index
}

// -----

/// Loops that write into what they carry keep its size; others do not.
// CHECK-LABEL: func @loops
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?xf32>
// CHECK: %[[C0:.*]] = arith.constant 0
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK: scf.for
// CHECK-NOT: tensor.dim
// CHECK: linalg.exp
// CHECK: %[[G:.*]]:2 = scf.for {{.*}} iter_args(%[[A:[a-z0-9]*]] = %
// CHECK: %[[L:.*]] = tensor.dim %[[A]], %{{.*}}
// CHECK: %[[R:.*]] = tensor.dim %[[G]]#0
// CHECK: return %[[D]], %[[R]]
func.func @loops(%x: tensor<?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %k = tensor.dim %a, %c0 : tensor<?xf32>
    %e = tensor.empty(%k) : tensor<?xf32>
    %t = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %w = linalg.copy ins(%t : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %z, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %c0) -> (tensor<?xf32>, index) {
    %k = tensor.dim %a, %c0 : tensor<?xf32>
    %m = arith.addi %k, %b : index
    %e = tensor.empty(%m) : tensor<?xf32>
    scf.yield %e, %m : tensor<?xf32>, index
  }
  %p = tensor.dim %y, %c0 : tensor<?xf32>
  %q = tensor.dim %z, %c0 : tensor<?xf32>
  return %p, %q : index, index
}

// -----

/// A number of elements is computed from sizes, which are resolved in turn.
// CHECK-LABEL: func @product
// CHECK-SAME: %[[N:[a-z0-9]*]]: index
// CHECK-NOT: tensor.dim
// CHECK: affine.apply {{.*}}[%[[N]]]
func.func @product(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = tensor.collapse_shape %e [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %d = tensor.dim %f, %c0 : tensor<?xf32>
  return %d : index
}

// -----

/// A `while` loop keeps the size of what it writes into, wherever that is read. What it
/// makes anew, or takes from elsewhere, has a size of its own.
// CHECK-LABEL: func @while
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?xf32>, %[[N:[a-z0-9]*]]: index
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: %[[W:.*]]:3 = scf.while
// CHECK: tensor.empty(%[[D]])
// CHECK: %[[R:.*]] = tensor.dim %[[W]]#2
// CHECK: return %[[D]], %[[R]]
func.func @while(%x: tensor<?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 1.0 : f32
  %w:3 = scf.while (%i = %c0, %a = %x, %b = %x) : (index, tensor<?xf32>, tensor<?xf32>) -> (index, tensor<?xf32>, tensor<?xf32>) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %a, %b : index, tensor<?xf32>, tensor<?xf32>
  } do {
  ^bb0(%i: index, %a: tensor<?xf32>, %b: tensor<?xf32>):
    %k = tensor.dim %a, %c0 : tensor<?xf32>
    %e = tensor.empty(%k) : tensor<?xf32>
    %y = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %z = linalg.copy ins(%y : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    %next = arith.addi %i, %c1 : index
    %other = tensor.empty(%next) : tensor<?xf32>
    %f = linalg.fill ins(%c : f32) outs(%other : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %next, %z, %f : index, tensor<?xf32>, tensor<?xf32>
  }
  %p = tensor.dim %w#1, %c0 : tensor<?xf32>
  %q = tensor.dim %w#2, %c0 : tensor<?xf32>
  return %p, %q : index, index
}
