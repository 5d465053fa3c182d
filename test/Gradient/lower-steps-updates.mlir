/// A step that updates a group computes no other gradient, and a step updates
/// what its own loss depends on, whatever other steps do.
// RUN: cambium-opt %s --cambium-batched-to-gradient | FileCheck %s

nn.param @W : tensor<3xf32>
nn.param @C : tensor<3xf32> group "critic"
nn.param @D : tensor<3xf32>
train.step @critic loss @loss updates ["critic"] optimizer #train.optimizer<sgd>
train.step @train loss @loss updates ["default"] optimizer #train.optimizer<sgd>
train.step @other loss @alone optimizer #train.optimizer<sgd>

// CHECK-LABEL: func.func @critic.accumulate
// CHECK-NOT: ragged.accumulate @W
// CHECK: ragged.accumulate @C
// CHECK-NOT: ragged.accumulate @W
// CHECK-LABEL: func.func @critic.apply
// CHECK: train.gradient_scale [@C]
// CHECK-LABEL: func.func @train.accumulate
// CHECK-NOT: ragged.accumulate @C
// CHECK: ragged.accumulate @W
// CHECK-NOT: ragged.accumulate @C
// CHECK-LABEL: func.func @train.apply
// CHECK: train.gradient_scale [@W]
// CHECK-LABEL: func.func @other.apply
// CHECK: train.gradient_scale [@D]
func.func @loss(%x: tensor<?x3xf32> {rt.as = #rt.input<name = "x">}) -> (tensor<?xf32> {rt.as = #rt.output<name = "loss">}) {
  %W = nn.use @W : tensor<3xf32>
  %C = nn.use @C : tensor<3xf32>
  %n = arith.constant 0 : index
  %d = tensor.dim %x, %n : tensor<?x3xf32>
  %WC = arith.mulf %W, %C : tensor<3xf32>
  %w = ragged.broadcast %WC, %d : tensor<3xf32> -> tensor<?x3xf32>
  %y = arith.mulf %x, %w : tensor<?x3xf32>
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}
func.func @alone(%x: tensor<?x3xf32> {rt.as = #rt.input<name = "x">}) -> (tensor<?xf32> {rt.as = #rt.output<name = "loss">}) {
  %D = nn.use @D : tensor<3xf32>
  %n = arith.constant 0 : index
  %d = tensor.dim %x, %n : tensor<?x3xf32>
  %w = ragged.broadcast %D, %d : tensor<3xf32> -> tensor<?x3xf32>
  %y = arith.mulf %x, %w : tensor<?x3xf32>
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}
