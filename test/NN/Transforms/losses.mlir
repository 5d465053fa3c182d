// RUN: cambium-opt --gradient-decompose --split-input-file %s | FileCheck %s

/// An ignored id need not be a class: its place is taken by class 0 and its loss by 0.
/// Other ids that are none are brought to the nearest class.
// CHECK-LABEL: func @hard_targets_with_ignored_id
// CHECK-SAME: %[[X:.*]]: tensor<?x5xf32>, %[[T:.*]]: tensor<?xi32>
func.func @hard_targets_with_ignored_id(%x: tensor<?x5xf32>, %t: tensor<?xi32>) -> tensor<?xf32> {
  // CHECK: %[[LP:.*]] = nn.log_softmax %[[X]] over 1
  // CHECK: nn.broadcast %{{.*}} dims [] like %[[T]] : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  // CHECK: %[[IGNORED:.*]] = arith.cmpi eq, %[[T]]
  // CHECK: %[[IDS:.*]] = arith.select %[[IGNORED]], %{{.*}}, %[[T]]
  // CHECK: %[[LOW:.*]] = arith.maxsi %[[IDS]], %{{.*}} : tensor<?xi32>
  // CHECK: %[[CLASS:.*]] = arith.minsi %[[LOW]], %{{.*}} : tensor<?xi32>
  // CHECK: %[[P:.*]] = nn.pick %[[LP]], %[[CLASS]]
  // CHECK: %[[NLL:.*]] = arith.negf %[[P]]
  // CHECK: arith.select %[[IGNORED]], %{{.*}}, %[[NLL]]
  // CHECK-NOT: nn.cross_entropy
  %0 = nn.cross_entropy %x, %t ignore_id -1 : tensor<?x5xf32>, tensor<?xi32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @soft_targets
// CHECK: %[[LP:.*]] = nn.log_softmax
// CHECK: %[[T:.*]] = arith.mulf %{{.*}}, %[[LP]]
// CHECK: %[[S:.*]] = nn.sum %[[T]] over 0
// CHECK: arith.negf %[[S]]
func.func @soft_targets(%x: tensor<5xf32>, %t: tensor<5xf32>) -> tensor<f32> {
  %0 = nn.cross_entropy %x, %t : tensor<5xf32>, tensor<5xf32>
  return %0 : tensor<f32>
}

// -----

/// Both logarithms are kept away from 0 where the target is 0.
// CHECK-LABEL: func @kl_divergence
// CHECK-SAME: %[[P:.*]]: tensor<5xf64>, %[[Q:.*]]: tensor<5xf64>
// CHECK: %[[EMPTY:.*]] = arith.cmpf oeq, %[[P]]
// CHECK: %[[SAFE:.*]] = arith.select %[[EMPTY]], %{{.*}}, %[[P]]
// CHECK: %[[LOGP:.*]] = math.log %[[SAFE]]
// CHECK: %[[LOGQ:.*]] = arith.select %[[EMPTY]], %{{.*}}, %[[Q]]
// CHECK: %[[DIFF:.*]] = arith.subf %[[LOGP]], %[[LOGQ]]
// CHECK: %[[TERM:.*]] = arith.mulf %[[P]], %[[DIFF]]
// CHECK: nn.sum %[[TERM]] over 0
func.func @kl_divergence(%p: tensor<5xf64>, %q: tensor<5xf64>) -> tensor<f64> {
  %0 = nn.kl_divergence %p, %q : tensor<5xf64>, tensor<5xf64>
  return %0 : tensor<f64>
}

// -----

/// Of scalars it is the square, else a mean, which is a sum divided by a constant.
// CHECK-LABEL: func @mse
// CHECK: %[[D:.*]] = arith.subf
// CHECK: %[[SQ:.*]] = arith.mulf %[[D]], %[[D]] : tensor<f32>
// CHECK: %[[S:.*]] = nn.sum %{{.*}} over 1 : tensor<?x4xf32>
// CHECK: arith.divf %[[S]]
// CHECK: return %[[SQ]]
func.func @mse(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<?x4xf32>, %d: tensor<?x4xf32>)
    -> (tensor<f32>, tensor<?xf32>) {
  %0 = nn.mse %a, %b : tensor<f32>, tensor<f32>
  %1 = nn.mse %c, %d : tensor<?x4xf32>, tensor<?x4xf32>
  return %0, %1 : tensor<f32>, tensor<?xf32>
}
