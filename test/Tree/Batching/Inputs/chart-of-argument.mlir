func.func @pairs(%t: !tree.tree {cambium.name = "tree"}, %x: tensor<?xf32> {cambium.name = "x"}) -> tensor<?xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<f32>) children(%hk : tensor<?x2xf32>) -> (tensor<f32>) {
    %s = nn.sum %hk over 1 : tensor<?x2xf32>
    %m = nn.sum %s over 0 : tensor<?xf32>
    tree.yield %m : tensor<f32>
  } leaf {
    tree.yield %xj : tensor<f32>
  }
  return %h : tensor<?xf32>
}
