/// A halting probability that is not a number: the row stops, and the status of the call
/// says so. Loops within loops have no effects; their NaNs reach the outer one.
// RUN: cambium-opt %s --depth-expand-ponder --ragged-batch --linalg-lower | FileCheck %s
// RUN: cambium-compile %s -o %t.so
// RUN: not cambium-compare %s %t.so --function=encode --seed=3 2>&1 | FileCheck %s --check-prefix=STATUS
// RUN: cambium-compare %s %t.so --function=positive --seed=3 2>&1 | FileCheck %s --check-prefix=GOOD
// STATUS: entry 'encode': expected a number as halting probability, but got NaN
// GOOD: equal: positive.out0

// CHECK-LABEL: func.func @encode
// CHECK: scf.while
// CHECK: %[[X:.*]] = tensor.extract %{{.*}}[] : tensor<f32>
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
// CHECK: rt.fail_if %[[NAN]], 9, "expected a number as halting probability, but got NaN"
func.func @encode(%x0: tensor<?xf32> {cambium.name = "x"}) -> (tensor<?xf32>, tensor<?xi32>) {
  %h, %n, %r = depth.ponder max 5 combine convex remainder none carried(%x = %x0 : tensor<?xf32>) {
    // NaN below zero.
    %p = math.sqrt %x : tensor<?xf32>
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return %h, %n : tensor<?xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @positive
func.func @positive(%x0: tensor<?xf32> {cambium.name = "x"}) -> (tensor<?xf32>, tensor<?xi32>) {
  %square = arith.mulf %x0, %x0 : tensor<?xf32>
  %h, %n, %r = depth.ponder max 5 combine convex remainder none carried(%x = %square : tensor<?xf32>) {
    %p = math.sqrt %x : tensor<?xf32>
    depth.yield %p, %x : tensor<?xf32>, tensor<?xf32>
  }
  return %h, %n : tensor<?xf32>, tensor<?xi32>
}
