nn.param @E : tensor<20x4xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @W : tensor<4x2xf32> init #nn.init<xavier_uniform>

func.func private @vector(%words: tensor<?xi32>) -> tensor<4xf32> {
  %E = nn.use @E : tensor<20x4xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<20x4xf32>
  %m = nn.mean %x over 0 : tensor<?x4xf32>
  return %m : tensor<4xf32>
}
func.func @predict(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<2xf32> {
  %W = nn.use @W : tensor<4x2xf32>
  %v = func.call @vector(%words) : (tensor<?xi32>) -> tensor<4xf32>
  %y = nn.linear %v, %W : tensor<4xf32>, tensor<4x2xf32>
  return %y : tensor<2xf32>
}
func.func @lines_loss(%words: tensor<?xi32> {cambium.name = "words"},
                      %kind: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = func.call @predict(%words) : (tensor<?xi32>) -> tensor<2xf32>
  %l = nn.cross_entropy %y, %kind : tensor<2xf32>, tensor<i32>
  return %l : tensor<f32>
}
/// The class of each, and the part of the set that lies on its kind.
func.func @loss(%words: tensor<?x?xi32> {cambium.name = "words", cambium.rows = "members"},
                %kind: tensor<?xi32> {cambium.name = "label", cambium.rows = "members"}) -> tensor<f32> {
  %v, %l = nn.each rows(%w = %words : tensor<?xi32>, %k = %kind : tensor<i32>) -> (tensor<4xf32>, tensor<f32>) {
    %own = func.call @vector(%w) : (tensor<?xi32>) -> tensor<4xf32>
    %loss = func.call @lines_loss(%w, %k) : (tensor<?xi32>, tensor<i32>) -> tensor<f32>
    nn.yield %own, %loss : tensor<4xf32>, tensor<f32>
  }
  %one = arith.constant dense<1.0> : tensor<f32>
  %ones = nn.broadcast %one dims [] like %l : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %kinds = nn.one_hot %kind, %ones size 2 : tensor<?xi32>, tensor<?xf32>
  %p = nn.attention %v, %v, %kinds heads 1 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x2xf32>
  %same = nn.pick %p, %kind : tensor<?x2xf32>, tensor<?xi32>
  %log = math.log %same : tensor<?xf32>
  %all = arith.subf %l, %log : tensor<?xf32>
  %m = nn.mean %all over 0 : tensor<?xf32>
  return %m : tensor<f32>
}
train.step @sets loss @loss optimizer #train.optimizer<adam>
train.step @lines loss @lines_loss optimizer #train.optimizer<adam>
