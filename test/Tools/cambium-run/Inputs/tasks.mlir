// Four classes of points of the plane, two in each of two tasks.
nn.param @W : tensor<2x8xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @b : tensor<8xf32>
nn.param @V : tensor<8x4xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @c : tensor<4xf32>

func.func @hidden(%x: tensor<2xf32> {cambium.name = "x"}) -> (tensor<8xf32> {cambium.name = "h"}) {
  %W = nn.use @W : tensor<2x8xf32>
  %b = nn.use @b : tensor<8xf32>
  %a = nn.linear %x, %W, %b : tensor<2xf32>, tensor<2x8xf32>, tensor<8xf32>
  %h = math.tanh %a : tensor<8xf32>
  return %h : tensor<8xf32>
}
func.func @predict(%x: tensor<2xf32> {cambium.name = "x"}) -> tensor<4xf32> {
  %h = call @hidden(%x) : (tensor<2xf32>) -> tensor<8xf32>
  %V = nn.use @V : tensor<8x4xf32>
  %c = nn.use @c : tensor<4xf32>
  %y = nn.linear %h, %V, %c : tensor<8xf32>, tensor<8x4xf32>, tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @loss(%x: tensor<2xf32> {cambium.name = "x"}, %label: tensor<i32> {cambium.name = "label"})
    -> tensor<f32> {
  %y = call @predict(%x) : (tensor<2xf32>) -> tensor<4xf32>
  %l = nn.cross_entropy %y, %label : tensor<4xf32>, tensor<i32>
  return %l : tensor<f32>
}
/// The same, and how far the hidden numbers are from those before the task.
func.func @near(%x: tensor<2xf32> {cambium.name = "x"}, %label: tensor<i32> {cambium.name = "label"},
                %h0: tensor<8xf32> {cambium.name = "old.h"}) -> tensor<f32> {
  %h = call @hidden(%x) : (tensor<2xf32>) -> tensor<8xf32>
  %l = call @loss(%x, %label) : (tensor<2xf32>, tensor<i32>) -> tensor<f32>
  %far = nn.mse %h, %h0 : tensor<8xf32>, tensor<8xf32>
  %sum = arith.addf %l, %far : tensor<f32>
  return %sum : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<adam>
train.step @later loss @near optimizer #train.optimizer<adam>
train.step @replay loss @near optimizer #train.optimizer<adam>
train.step @remember loss @loss optimizer #train.optimizer<adam>
