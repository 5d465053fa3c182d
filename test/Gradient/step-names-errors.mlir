// RUN: cambium-opt %s --gradient-lower-steps --verify-diagnostics

// expected-error @below {{expected the name 'train.apply' to be free for an entry}}
train.step @train loss @loss optimizer #train.optimizer<sgd>

// expected-note @below {{it is used here}}
nn.param @train.apply : tensor<3xf32>

func.func @loss(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
