// Built by cambium_add_model; see CMakeLists.txt.
func.func @square(%x: tensor<4xf32> {cambium.name = "x"}) -> tensor<4xf32> {
  %W = nn.use @W : tensor<4x4xf32>
  %a = nn.matmul %x, %W : tensor<4xf32>, tensor<4x4xf32>
  %b = nn.matmul %a, %W : tensor<4xf32>, tensor<4x4xf32>
  return %b : tensor<4xf32>
}
nn.param @W : tensor<4x4xf32>
