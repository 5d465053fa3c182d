// RUN: cambium-opt %s --cambium-to-gradient --verify-diagnostics

/// Attention is refused where it is written, before anything is lowered.
nn.param @W : tensor<4x4xf32>
func.func @loss(%x: tensor<?x4xf32>) -> tensor<f32> {
  %W = nn.use @W : tensor<4x4xf32>
  %q = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x4xf32>
  // expected-error @below {{'nn.attention' has no second derivative: expected no 'train.gradient' through it in a loss that is trained}}
  %y = nn.attention %q, %q, %q heads 2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  %r = nn.sum %y over 0 : tensor<?x4xf32>
  %s = nn.sum %r over 0 : tensor<4xf32>
  %g = train.gradient %s wrt %q : tensor<f32>, tensor<?x4xf32>
  %a = arith.mulf %g, %g : tensor<?x4xf32>
  %b = nn.sum %a over 0 : tensor<?x4xf32>
  %l = nn.sum %b over 0 : tensor<4xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
