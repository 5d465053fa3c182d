// Written for 300 and 150 columns.
nn.sizes {in = 300, out = 150}
func.func private @dense(%x: tensor<?x300xf32>) -> tensor<?x150xf32> {
  %W = nn.param "W" : tensor<300x150xf32> init #nn.init<xavier_uniform>
  %b = nn.param "b" : tensor<150xf32> no_decay
  %y = nn.linear %x, %W, %b : tensor<?x300xf32>, tensor<300x150xf32>, tensor<150xf32>
  return %y : tensor<?x150xf32>
}
