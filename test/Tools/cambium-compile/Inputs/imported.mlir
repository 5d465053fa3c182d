// The inner function takes a matrix.
func.func private @outer(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.call @inner(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func private @inner(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  return %x : tensor<3x3xf32>
}
