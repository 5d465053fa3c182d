// Scores of a bag of words, times a number that the host gives.
nn.sizes {words = 32, classes = 3}
!scores = tensor<3xf32>

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %tokens: tensor<?xi32> {cambium.name = "words"},
                   %scale: tensor<f32> {cambium.name = "scale"}) -> !scores {
  %E = nn.param "E" : tensor<32x3xf32> init <normal(0.0, 1.0)>
  %xs = nn.embed %tokens, %E : tensor<?xi32>, tensor<32x3xf32>
  %root = tree.root %tree, %xs : tensor<?x3xf32>
  %sum = nn.sum %xs over 0 : tensor<?x3xf32>
  %s = arith.addf %root, %sum : !scores
  %f = nn.broadcast %scale dims [] : tensor<f32> -> !scores
  %y = arith.mulf %s, %f : !scores
  return %y : !scores
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %tokens: tensor<?xi32> {cambium.name = "words"},
                %scale: tensor<f32> {cambium.name = "scale"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %tokens, %scale) : (!tree.tree, tensor<?xi32>, tensor<f32>) -> !scores
  %l = nn.cross_entropy %y, %label : !scores, tensor<i32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<adam>
