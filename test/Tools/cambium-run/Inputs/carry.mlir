// A state of two numbers is handed from line to line: h = tanh(a s + b x), y = w . h.
nn.param @a : tensor<2xf32> init #nn.init<constant(0.5)>
nn.param @b : tensor<2xf32> init #nn.init<constant(0.7)>
nn.param @w : tensor<2xf32> init #nn.init<constant(1.0)>

func.func @predict(%x: tensor<f32> {cambium.name = "x"},
                   %s: tensor<2xf32> {cambium.name = "before"})
    -> (tensor<f32>, tensor<2xf32> {cambium.name = "state"}) {
  %a = nn.use @a : tensor<2xf32>
  %b = nn.use @b : tensor<2xf32>
  %w = nn.use @w : tensor<2xf32>
  %k = arith.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %xs = nn.broadcast %x dims [] : tensor<f32> -> tensor<2xf32>
  %as = arith.mulf %a, %s : tensor<2xf32>
  %bx = arith.mulf %b, %xs : tensor<2xf32>
  %z = arith.addf %as, %bx : tensor<2xf32>
  %zk = arith.mulf %z, %k : tensor<2xf32>
  %h = math.tanh %zk : tensor<2xf32>
  %y = nn.matmul %w, %h : tensor<2xf32>, tensor<2xf32>
  return %y, %h : tensor<f32>, tensor<2xf32>
}
func.func @loss(%x: tensor<f32> {cambium.name = "x"},
                %s: tensor<2xf32> {cambium.name = "before"},
                %target: tensor<f32> {cambium.name = "target"})
    -> (tensor<f32>, tensor<2xf32> {cambium.name = "state"}) {
  %y, %h = func.call @predict(%x, %s) : (tensor<f32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)
  %l = nn.mse %y, %target : tensor<f32>, tensor<f32>
  return %l, %h : tensor<f32>, tensor<2xf32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
