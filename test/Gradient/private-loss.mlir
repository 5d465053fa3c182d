/// A private loss is no entry, and of its function nothing is left but the step.
// RUN: cambium-compile %s --compile-to=gradient -o - | FileCheck %s
// RUN: cambium-compile %s -o %t.so
// CHECK-NOT: func.func {{.*}}@loss
// CHECK: func.func @train.accumulate
// CHECK-NOT: func.func {{.*}}@loss
func.func private @loss(%x: tensor<?x4xf32> {cambium.name = "x"}, %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %W = nn.param "W" : tensor<4x3xf32> init <xavier_uniform>
  %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
  %s = nn.sum %y over 0 : tensor<?x3xf32>
  %l = nn.cross_entropy %s, %label : tensor<3xf32>, tensor<i32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<adam>
