nn.import "inner.mlir"
nn.import "layers.mlir"
nn.param @hidden : tensor<3xf32>
func.func private @outer(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
