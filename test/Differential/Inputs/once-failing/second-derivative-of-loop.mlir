// The second derivative of a loop of a fixed number was refused (random model
// 90025): what it has recorded is read and written by slices.
func.func @loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %E = nn.param "E" : tensor<11x6xf32> init <uniform(-0.5, 0.5)>
  %W = nn.param "W" : tensor<6x6xf32> init <uniform(-0.5, 0.5)>
  %V = nn.param "V" : tensor<3x6x6xf32> init <uniform(-0.5, 0.5)> slices 1
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<11x6xf32>
  %y = depth.iterate 1 carried(%h = %x : tensor<?x6xf32>) {
    %a = nn.linear %h, %W : tensor<?x6xf32>, tensor<6x6xf32>
    %t = math.tanh %a : tensor<?x6xf32>
    depth.yield %t : tensor<?x6xf32>
  }
  %z = depth.iterate 3 carried(%h = %y : tensor<?x6xf32>) slices(%v = %V : tensor<3x6x6xf32>) {
    %a = nn.linear %h, %v : tensor<?x6xf32>, tensor<6x6xf32>
    %t = math.tanh %a : tensor<?x6xf32>
    %s = arith.addf %t, %h : tensor<?x6xf32>
    depth.yield %s : tensor<?x6xf32>
  }
  %q = arith.mulf %z, %z : tensor<?x6xf32>
  %r = nn.sum %q over 1 : tensor<?x6xf32>
  %l = nn.sum %r over 0 : tensor<?xf32>
  %g = train.gradient %l wrt %x : tensor<f32>, tensor<?x6xf32>
  %g2 = arith.mulf %g, %g : tensor<?x6xf32>
  %s1 = nn.sum %g2 over 1 : tensor<?x6xf32>
  %s2 = nn.sum %s1 over 0 : tensor<?xf32>
  return %s2 : tensor<f32>
}
train.step @train loss @loss optimizer <sgd>
