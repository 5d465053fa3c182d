// RUN: cambium-opt --lower-to-linalg --canonicalize --cse --cambium-fuse-elementwise --canonicalize --cse --split-input-file %s | FileCheck %s

/// The elementwise tail of a cell is one loop: c is computed once, for the result and
/// for h.
// CHECK-LABEL: func @tail
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK-COUNT-2: math.tanh
// CHECK-NOT: math.tanh
// CHECK: linalg.yield
// CHECK: return %[[R]]#{{[01]}}, %[[R]]#{{[01]}}
func.func @tail(%i: tensor<?x3xf32>, %u: tensor<?x3xf32>, %o: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %t = math.tanh %u : tensor<?x3xf32>
  %c = arith.mulf %i, %t : tensor<?x3xf32>
  %tc = math.tanh %c : tensor<?x3xf32>
  %h = arith.mulf %o, %tc : tensor<?x3xf32>
  return %h, %c : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

/// What is needed before the consumer stays on its own; nothing is computed twice.
// CHECK-LABEL: func @needed_before
// CHECK: math.tanh
// CHECK: linalg.matmul
// CHECK-NOT: math.tanh
// CHECK: arith.addf
func.func @needed_before(%x: tensor<?x3xf32>, %w: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %t = math.tanh %x : tensor<?x3xf32>
  %y = nn.linear %t, %w : tensor<?x3xf32>, tensor<3x3xf32>
  %z = arith.addf %y, %t : tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// -----

/// One number per row is not computed again for every element of the row.
// CHECK-LABEL: func @per_row
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT: math.sqrt
// CHECK: arith.divf
func.func @per_row(%x: tensor<?x3xf32>, %n: tensor<?xf32>) -> tensor<?x3xf32> {
  %s = math.sqrt %n : tensor<?xf32>
  %b = nn.broadcast %s dims [0] like %x : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %y = arith.divf %x, %b : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

/// Values that share an operand are computed in one loop; others are not.
// CHECK-LABEL: func @siblings
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK: arith.mulf
// CHECK: math.tanh
// CHECK: linalg.generic
// CHECK: math.exp
func.func @siblings(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>, %z: tensor<4x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>) {
  %a = arith.mulf %x, %y : tensor<?x3xf32>
  %b = math.tanh %x : tensor<?x3xf32>
  %c = math.exp %z : tensor<4x3xf32>
  return %a, %b, %c : tensor<?x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>
}
