// A loop in the cell of a node, differentiated twice: its derivative is a loop
// in the levels, of which the second one found no tape (random model 500119).
func.func @loss(%t: !tree.tree, %words: tensor<?xi32> {cambium.name = "words"},
                %query: tensor<3xf32>) -> tensor<f32> {
  %E = nn.param "E" : tensor<5x3xf32> init <uniform(-0.5, 0.5)>
  %W = nn.param "W" : tensor<3x3xf32> init <uniform(-0.5, 0.5)>
  %V = nn.param "V" : tensor<3x3xf32> init <uniform(-0.5, 0.5)>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<5x3xf32>
  %reals = arith.sitofp %words : tensor<?xi32> to tensor<?xf32>
  %most = nn.max %reals over 0 : tensor<?xf32>
  %h = tree.unfold %t nodes(%xj = %x : tensor<3xf32>) parent(%hp : tensor<3xf32>) -> (tensor<3xf32>) {
    %a, %c, %n = depth.iterate max 3 carried(%s = %xj : tensor<3xf32>, %k = %most : tensor<f32>) {
      %gate = nn.sigmoid %query : tensor<3xf32>
      %u = nn.linear %s, %W : tensor<3xf32>, tensor<3x3xf32>
      %v = arith.mulf %u, %gate : tensor<3xf32>
      %y = math.tanh %v : tensor<3xf32>
      %one = arith.constant dense<1.0> : tensor<f32>
      %less = arith.subf %k, %one : tensor<f32>
      %half = arith.constant dense<0.5> : tensor<f32>
      %go = arith.cmpf ogt, %less, %half : tensor<f32>
      depth.yield %go, %y, %less : tensor<i1>, tensor<3xf32>, tensor<f32>
    }
    %p = nn.linear %a, %V : tensor<3xf32>, tensor<3x3xf32>
    %q = arith.addf %p, %hp : tensor<3xf32>
    %r = math.tanh %q : tensor<3xf32>
    tree.yield %r : tensor<3xf32>
  }
  %m = arith.mulf %h, %h : tensor<?x3xf32>
  %rows = nn.sum %m over 1 : tensor<?x3xf32>
  %l = nn.sum %rows over 0 : tensor<?xf32>
  %g = train.gradient %l wrt %query : tensor<f32>, tensor<3xf32>
  %g2 = arith.mulf %g, %g : tensor<3xf32>
  %s = nn.sum %g2 over 0 : tensor<3xf32>
  return %s : tensor<f32>
}
train.step @train loss @loss optimizer <sgd>
