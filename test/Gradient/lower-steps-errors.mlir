// RUN: cambium-opt %s --gradient-lower-steps --split-input-file --verify-diagnostics

nn.param @W : tensor<3xf32>

// expected-error @below {{expected a trained parameter in group 'embeddings', but got none}}
train.step @train loss @loss optimizer #train.optimizer<sgd>
  groups {embeddings = #train.optimizer<sgd>}

func.func @loss(%x: tensor<?x3xf32>) -> tensor<?xf32> {
  %W = nn.use @W : tensor<3xf32>
  %n = arith.constant 1 : index
  %d = tensor.dim %x, %n : tensor<?x3xf32>
  %w = ragged.broadcast %W, %d : tensor<3xf32> -> tensor<?x3xf32>
  %y = arith.mulf %x, %w : tensor<?x3xf32>
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}

// -----

nn.param @W : tensor<3xf32>

// expected-error @below {{expected a trained parameter in group 'critic', but got none}}
train.step @train loss @loss updates ["critic"] optimizer #train.optimizer<sgd>

func.func @loss(%x: tensor<?x3xf32>) -> tensor<?xf32> {
  %W = nn.use @W : tensor<3xf32>
  %n = arith.constant 1 : index
  %d = tensor.dim %x, %n : tensor<?x3xf32>
  %w = ragged.broadcast %W, %d : tensor<3xf32> -> tensor<?x3xf32>
  %y = arith.mulf %x, %w : tensor<?x3xf32>
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}

// -----

// [TRAIN-STEP-C7]
// expected-error @below {{expected 'adafactor' in all steps that update 'W', but got 'adam'}}
nn.param @W : tensor<3xf32>

train.step @first loss @loss optimizer #train.optimizer<adafactor>
train.step @second loss @loss optimizer #train.optimizer<adam>

func.func @loss(%x: tensor<?x3xf32>) -> tensor<?xf32> {
  %W = nn.use @W : tensor<3xf32>
  %n = arith.constant 1 : index
  %d = tensor.dim %x, %n : tensor<?x3xf32>
  %w = ragged.broadcast %W, %d : tensor<3xf32> -> tensor<?x3xf32>
  %y = arith.mulf %x, %w : tensor<?x3xf32>
  %l = nn.sum %y over 1 : tensor<?x3xf32>
  return %l : tensor<?xf32>
}
