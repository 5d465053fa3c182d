// A loop of a fixed number in a cell, which spreads a row over the nodes of the
// level: the count of nodes, built again for the derivative, stood behind the
// loop that reads it (random model 93680).
nn.param @W : tensor<2x3xf32>

func.func @loss(%t: !tree.tree, %words: tensor<?x3xf32>) -> tensor<f32> {
  %W = nn.use @W : tensor<2x3xf32>
  %h = tree.fold %t nodes(%x = %words : tensor<3xf32>)
                    children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %b = arith.addf %x, %s : tensor<3xf32>
    %y = depth.iterate 2 carried(%z = %b : tensor<3xf32>)
                         slices(%w = %W : tensor<2x3xf32>) {
      %v = math.sin %w : tensor<3xf32>
      %a = arith.addf %z, %v : tensor<3xf32>
      %n = math.tanh %a : tensor<3xf32>
      depth.yield %n : tensor<3xf32>
    }
    tree.yield %y : tensor<3xf32>
  }
  %r = tree.root %t, %h : tensor<?x3xf32>
  %q = arith.mulf %r, %r : tensor<3xf32>
  %l = nn.sum %q over 0 : tensor<3xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer <sgd>
