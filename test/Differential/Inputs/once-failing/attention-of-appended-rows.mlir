// In a cell, queries are the children twice, keys the children: the sums of the
// scores, one for each query, were kept for the gradient as if they were one for
// each child (random model 400088).
nn.param @E : tensor<4x4xf32> init <normal(0.0, 0.5)>

func.func @loss(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x4xf32>) {
  %E = nn.use @E : tensor<4x4xf32>
  %t = tree.chain %words reversed : tensor<?xi32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<4x4xf32>
  %h = tree.fold %t nodes(%xj = %x : tensor<4xf32>)
                    children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %q = nn.append %hk, %hk : tensor<?x4xf32>, tensor<?x4xf32>
    %a = nn.attention %q, %hk, %hk heads 1 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
    %s = nn.sum %a over 0 : tensor<?x4xf32>
    %y = arith.addf %s, %xj : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  %m = nn.mean %h over 0 : tensor<?x4xf32>
  %l = nn.sum %m over 0 : tensor<4xf32>
  return %l, %h : tensor<f32>, tensor<?x4xf32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
