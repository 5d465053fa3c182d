// RUN: cambium-opt --ragged-inline-calls --split-input-file %s | FileCheck %s

/// Each op once for each chain of calls to it; what is only called is gone.
// CHECK-NOT: @inner
// CHECK-NOT: @outer
// CHECK-LABEL: func @twice
// CHECK-COUNT-4: math.tanh
// CHECK-NOT: math.tanh
// CHECK: return
func.func private @inner(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.tanh %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func private @outer(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %y = call @inner(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %z = call @inner(%y) : (tensor<3xf32>) -> tensor<3xf32>
  return %z, %x : tensor<3xf32>, tensor<3xf32>
}
func.func @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y:2 = call @outer(%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %z:2 = call @outer(%y#0) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return %z#0 : tensor<3xf32>
}

// -----

/// A loss that a step names stays, and so does what has no body.
// CHECK: func private @known
// CHECK: func private @loss
// CHECK: call @known
// CHECK: train.step
func.func private @known(tensor<f32>) -> tensor<f32>
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y = call @known(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
