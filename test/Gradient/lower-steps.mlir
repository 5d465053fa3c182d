// RUN: cambium-opt %s --cambium-batched-to-gradient | FileCheck %s

// CHECK: nn.param @E {{.*}} row_sparse
// CHECK-NOT: train.step
nn.param @E : tensor<10x4xf32>
nn.param @W : tensor<4x3xf32>
nn.param @b : tensor<3xf32> group "biases" no_decay
nn.param @fixed : tensor<3xf32> frozen
train.step @train loss @loss optimizer #train.optimizer<adam>
  groups {biases = #train.optimizer<sgd>} clip_norm 5.0 accumulate 2

/// The loss is the mean; a table's gradient is added row by row, others whole; a
/// frozen parameter has none. Dropout stays in training.
// CHECK-LABEL: func.func @train.accumulate
// CHECK-SAME: -> (tensor<f32> {rt.as = #rt.output<name = "loss", space = -2>})
// CHECK: nn.dropout
// CHECK: ragged.accumulate_rows @E, %arg0, %{{.*}} padding_id 0
// CHECK: ragged.accumulate @W
// CHECK: ragged.accumulate @b
// CHECK-NOT: @fixed,

// CHECK-LABEL: func.func @train.apply
// CHECK: %[[S:.+]] = train.gradient_scale [@E, @W, @b] scalar 2 clip_norm 5.0
// CHECK: train.update @E scale %[[S]] rate 0 with <adam> decay
// CHECK: train.update @W scale %[[S]] rate 0 with <adam> decay
// CHECK: train.update @b scale %[[S]] rate 1 with <sgd>
// CHECK-NOT: decay
// CHECK: rt.training "train" accumulate @train.accumulate apply @train.apply every 2 groups ["default", "biases"] optimizers {biases = #train.optimizer<sgd>, default = #train.optimizer<adam>}

/// Outside training there is no dropout.
// CHECK-LABEL: func.func @loss
// CHECK-NOT: nn.dropout
// CHECK: return
func.func @loss(%ids: tensor<?xi32>, %target: tensor<?xi32>) -> tensor<?xf32> {
  %E = nn.use @E : tensor<10x4xf32>
  %W = nn.use @W : tensor<4x3xf32>
  %b = nn.use @b : tensor<3xf32>
  %f = nn.use @fixed : tensor<3xf32>
  %k = ragged.example_keys : tensor<?xi64>
  %x0 = nn.embed %ids, %E padding_id 0 : tensor<?xi32>, tensor<10x4xf32>
  %x = nn.dropout %x0 rate 0.5 keys %k id 0 : tensor<?x4xf32>, tensor<?xi64>
  %y0 = nn.linear %x, %W, %b : tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %y1 = nn.linear %x, %W, %f : tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %y = arith.addf %y0, %y1 : tensor<?x3xf32>
  %l = nn.cross_entropy %y, %target : tensor<?x3xf32>, tensor<?xi32>
  return %l : tensor<?xf32>
}
