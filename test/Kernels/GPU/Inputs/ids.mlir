// Rows of a table that ids choose: as many gradients for a row as it has ids.
func.func @loss(%ids: tensor<?xi32> {cambium.name = "ids"}) -> tensor<f32> {
  %E = nn.param "table" : tensor<3000x4xf32> init <uniform(-1.0, 1.0)>
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<3000x4xf32>
  %t = math.tanh %x : tensor<?x4xf32>
  %s = nn.sum %t over 0 : tensor<?x4xf32>
  %l = nn.sum %s over 0 : tensor<4xf32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad>
