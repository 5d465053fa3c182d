// Everything that the Python package gives a model and takes from it; what comes out is easy to say.

nn.param @scale : tensor<2xf32> init #nn.init<constant(2.0)>

/// Rows of rows, a vector, a number per call; of each row its sum, of all the greatest one.
func.func @sums(%x: tensor<?x?xf32> {cambium.name = "x", cambium.rows = "rows"},
                %v: tensor<2xf32> {cambium.name = "v"},
                %k: tensor<f32> {cambium.name = "k", cambium.per = "call"})
    -> (tensor<?xf32> {cambium.name = "sums"}, tensor<2xf32> {cambium.name = "scaled"}) {
  %s = nn.each rows(%xi = %x : tensor<?xf32>) -> (tensor<f32>) {
    %one = nn.sum %xi over 0 : tensor<?xf32>
    %times = arith.mulf %one, %k : tensor<f32>
    nn.yield %times : tensor<f32>
  }
  %scale = nn.use @scale : tensor<2xf32>
  %y = arith.mulf %v, %scale : tensor<2xf32>
  return %s, %y : tensor<?xf32>, tensor<2xf32>
}

/// A graph: how many ways lead from the root to leaves.
func.func @ways(%graph: !tree.tree {cambium.name = "graph"},
                %leaf: tensor<?xf32> {cambium.name = "leaf"}) -> tensor<f32> {
  %n = tree.fold %graph nodes(%l = %leaf : tensor<f32>) children(%k : tensor<?xf32>)
      -> (tensor<f32>) {
    %s = nn.sum %k over 0 : tensor<?xf32>
    %a = arith.addf %s, %l : tensor<f32>
    tree.yield %a : tensor<f32>
  }
  %root = tree.root %graph, %n : tensor<?xf32>
  return %root : tensor<f32>
}

/// A number that is drawn.
func.func @drawn(%v: tensor<2xf32> {cambium.name = "v"}) -> tensor<2xf32> {
  %u = nn.random uniform(0.0, 1.0) : tensor<2xf32>
  %y = arith.addf %v, %u : tensor<2xf32>
  return %y : tensor<2xf32>
}
