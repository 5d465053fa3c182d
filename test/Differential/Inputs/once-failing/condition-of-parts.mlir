// What a condition chooses is split, and the derivative reads the condition too:
// it was split like a value (random model 400011).
nn.param @E : tensor<4x6xf32> init <normal(0.0, 0.5)>
nn.param @W : tensor<2x3xf32> init <uniform(-0.5, 0.5)>

func.func @loss(%words: tensor<?xi32> {cambium.name = "words"}, %than: tensor<6xf32>) -> tensor<f32> {
  %E = nn.use @E : tensor<4x6xf32>
  %W = nn.use @W : tensor<2x3xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<4x6xf32>
  %y = nn.broadcast %than dims [1] like %x : tensor<6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %is = arith.cmpf ogt, %x, %y : tensor<?x6xf32>
  %z = arith.select %is, %x, %y : tensor<?x6xi1>, tensor<?x6xf32>
  %a, %b = nn.split %z over 1 sizes [2, 4] : tensor<?x6xf32>
  %p = nn.linear %a, %W : tensor<?x2xf32>, tensor<2x3xf32>
  %t = math.tanh %p : tensor<?x3xf32>
  %m = nn.mean %t over 0 : tensor<?x3xf32>
  %l = nn.sum %m over 0 : tensor<3xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
