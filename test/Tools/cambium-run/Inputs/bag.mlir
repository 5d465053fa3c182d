// Classes of texts from the mean of their pieces, with a vector for each of two segments.

nn.param @pieces : tensor<60x8xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @segments : tensor<2x8xf32>
nn.param @W : tensor<8x2xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<2xf32>

func.func @predict(%tokens: tensor<?xi32> {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: tensor<?xi32> {cambium.name = "segments", cambium.rows = "tokens"}) -> tensor<2xf32> {
  %P = nn.use @pieces : tensor<60x8xf32>
  %S = nn.use @segments : tensor<2x8xf32>
  %W = nn.use @W : tensor<8x2xf32>
  %b = nn.use @b : tensor<2xf32>
  %p = nn.embed %tokens, %P : tensor<?xi32>, tensor<60x8xf32>
  %s = nn.embed %segments, %S : tensor<?xi32>, tensor<2x8xf32>
  %x = arith.addf %p, %s : tensor<?x8xf32>
  %m = nn.mean %x over 0 : tensor<?x8xf32>
  %y = nn.linear %m, %W, %b : tensor<8xf32>, tensor<8x2xf32>, tensor<2xf32>
  return %y : tensor<2xf32>
}

func.func @loss(%tokens: tensor<?xi32> {cambium.name = "tokens", cambium.rows = "tokens"},
                %segments: tensor<?xi32> {cambium.name = "segments", cambium.rows = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = call @predict(%tokens, %segments) : (tensor<?xi32>, tensor<?xi32>) -> tensor<2xf32>
  %l = nn.cross_entropy %y, %label : tensor<2xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
