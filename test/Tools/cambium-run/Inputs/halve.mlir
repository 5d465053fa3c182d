// Of each token: how often its number must be halved to be at most 1, at least once.
func.func @steps(%ids: tensor<?xi32> {cambium.name = "marked"}) -> tensor<?xi32> {
  %half = arith.constant dense<0.5> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %x0 = arith.sitofp %ids : tensor<?xi32> to tensor<?xf32>
  %y, %n = depth.iterate max 20 carried(%x = %x0 : tensor<?xf32>) {
    %halves = nn.broadcast %half dims [] like %x : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %ones = nn.broadcast %one dims [] like %x : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %next = arith.mulf %x, %halves : tensor<?xf32>
    %go = arith.cmpf ogt, %next, %ones : tensor<?xf32>
    depth.yield %go, %next : tensor<?xi1>, tensor<?xf32>
  }
  return %n : tensor<?xi32>
}

// The same with numbers that count nothing, and of the whole example.
func.func @half(%ids: tensor<?xi32> {cambium.name = "marked"}) -> tensor<?xf32> {
  %half = arith.constant dense<0.5> : tensor<f32>
  %x = arith.sitofp %ids : tensor<?xi32> to tensor<?xf32>
  %halves = nn.broadcast %half dims [] like %x : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %y = arith.mulf %x, %halves : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @mean(%ids: tensor<?xi32> {cambium.name = "marked"}) -> tensor<f32> {
  %x = arith.sitofp %ids : tensor<?xi32> to tensor<?xf32>
  %m = nn.mean %x over 0 : tensor<?xf32>
  return %m : tensor<f32>
}
func.func @both(%ids: tensor<?xi32> {cambium.name = "marked"}) -> tensor<?x2xf32> {
  %x = arith.sitofp %ids : tensor<?xi32> to tensor<?xf32>
  %y = nn.broadcast %x dims [0] : tensor<?xf32> -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
