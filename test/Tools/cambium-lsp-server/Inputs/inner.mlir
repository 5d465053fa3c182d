func.func private @inner(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
