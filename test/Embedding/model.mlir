// What a tree is worth: every token has a value, learned from the sums of trees.
// The model of docs/Embedding.md.

nn.param @value : tensor<10x1xf32>

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %tokens: tensor<?xi32> {cambium.name = "tokens"})
    -> tensor<1xf32> {
  %value = nn.use @value : tensor<10x1xf32>
  %x = nn.embed %tokens, %value : tensor<?xi32>, tensor<10x1xf32>
  %sum = tree.fold %tree nodes(%xj = %x : tensor<1xf32>)
                   children(%sk : tensor<?x1xf32>) -> (tensor<1xf32>) {
    %s = nn.sum %sk over 0 : tensor<?x1xf32>
    %sj = arith.addf %xj, %s : tensor<1xf32>
    tree.yield %sj : tensor<1xf32>
  }
  %root = tree.root %tree, %sum : tensor<?x1xf32>
  return %root : tensor<1xf32>
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %tokens: tensor<?xi32> {cambium.name = "tokens"},
                %target: tensor<1xf32> {cambium.name = "target"})
    -> tensor<f32> {
  %y = call @predict(%tree, %tokens)
      : (!tree.tree, tensor<?xi32>) -> tensor<1xf32>
  %l = nn.mse %y, %target : tensor<1xf32>, tensor<1xf32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<sgd>
