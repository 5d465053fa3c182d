// A state that depends on sums of appended rows alone: its cotangents were given
// to the levels as if they were those of edges (random model 500042).
nn.param @P : tensor<1x2xf32> init <uniform(-0.5, 0.5)>
nn.param @E : tensor<4x2xf32> init <uniform(-0.5, 0.5)>

func.func @loss(%t: !tree.tree, %words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x2xf32>) {
  %P = nn.use @P : tensor<1x2xf32>
  %E = nn.use @E : tensor<4x2xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<4x2xf32>
  %h, %c = tree.fold %t nodes(%xj = %x : tensor<2xf32>)
                        children(%hk : tensor<?x2xf32>, %ck : tensor<?x2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %all = nn.append %ck, %hk : tensor<?x2xf32>, tensor<?x2xf32>
    %rows = nn.sum %all over 1 : tensor<?x2xf32>
    %sum = nn.sum %rows over 0 : tensor<?xf32>
    %s = math.tanh %sum : tensor<f32>
    %r = nn.reshape %s : tensor<f32> -> tensor<1xf32>
    %y = nn.linear %r, %P : tensor<1xf32>, tensor<1x2xf32>
    %yt = math.tanh %y : tensor<2xf32>
    %xt = math.tanh %xj : tensor<2xf32>
    tree.yield %yt, %xt : tensor<2xf32>, tensor<2xf32>
  }
  %hh = arith.mulf %h, %h : tensor<?x2xf32>
  %m = nn.mean %hh over 0 : tensor<?x2xf32>
  %n = nn.mean %m over 0 : tensor<2xf32>
  return %n, %h : tensor<f32>, tensor<?x2xf32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
