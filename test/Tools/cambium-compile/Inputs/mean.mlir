// The mean of the words' vectors, and a training step.
nn.param @E : tensor<9x4xf32> init #nn.init<uniform(-0.5, 0.5)>
nn.param @W : tensor<4x2xf32> init #nn.init<xavier_uniform>

func.func @predict(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<2xf32> {
  %E = nn.use @E : tensor<9x4xf32>
  %W = nn.use @W : tensor<4x2xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<9x4xf32>
  %m = nn.mean %x over 0 : tensor<?x4xf32>
  %y = nn.linear %m, %W : tensor<4xf32>, tensor<4x2xf32>
  return %y : tensor<2xf32>
}

func.func @loss(%words: tensor<?xi32> {cambium.name = "words"}, %label: tensor<i32> {cambium.name = "label"})
    -> tensor<f32> {
  %y = call @predict(%words) : (tensor<?xi32>) -> tensor<2xf32>
  %l = nn.cross_entropy %y, %label : tensor<2xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
