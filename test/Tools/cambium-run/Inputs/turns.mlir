// A number x w is moved towards a target, and a critic c follows it: two groups.
nn.param @w : tensor<f32> init #nn.init<constant(0.5)>
nn.param @c : tensor<f32> init #nn.init<constant(0.0)> group "critic"

func.func @predict(%x: tensor<f32> {cambium.name = "x"}) -> tensor<f32> {
  %w = nn.use @w : tensor<f32>
  %y = arith.mulf %x, %w : tensor<f32>
  return %y : tensor<f32>
}
/// Needs no target: (x w - c)^2.
func.func @guess(%x: tensor<f32> {cambium.name = "x"}) -> tensor<f32> {
  %y = func.call @predict(%x) : (tensor<f32>) -> tensor<f32>
  %c = nn.use @c : tensor<f32>
  %l = nn.mse %y, %c : tensor<f32>, tensor<f32>
  return %l : tensor<f32>
}
/// (x w + c - target)^2.
func.func @loss(%x: tensor<f32> {cambium.name = "x"}, %target: tensor<f32> {cambium.name = "target"}) -> tensor<f32> {
  %y = func.call @predict(%x) : (tensor<f32>) -> tensor<f32>
  %c = nn.use @c : tensor<f32>
  %a = arith.addf %y, %c : tensor<f32>
  %l = nn.mse %a, %target : tensor<f32>, tensor<f32>
  return %l : tensor<f32>
}
train.step @critic loss @guess updates ["critic"] optimizer #train.optimizer<sgd>
train.step @train loss @loss updates ["default"] optimizer #train.optimizer<sgd>
