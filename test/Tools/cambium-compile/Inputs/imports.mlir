// A call that no sizes fit, in an imported file.
nn.import "imported.mlir"

func.func @predict(%x: tensor<3xf32> {cambium.name = "x"}) -> tensor<3xf32> {
  %y = nn.call @outer(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
