// Results that are computed in the memory of others: one was overwritten before it was
// read (random model 80165).
func.func @loss(%arg1: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x2x2xf64>) {
  %0 = nn.param "p0" : tensor<5x4xf64> init <normal(0.0, 0.5)>
  %cst_1 = arith.constant dense<5.000000e-01> : tensor<3x1xf64>
  %1 = nn.embed %arg1, %0 : tensor<?xi32>, tensor<5x4xf64>
  %4 = depth.iterate 3 carried(%arg5 = %1 : tensor<?x4xf64>) slices(%arg6 = %cst_1 : tensor<3x1xf64>) {
      %5 = math.tanh %arg5 : tensor<?x4xf64>
      depth.yield %5 : tensor<?x4xf64>
  }
  %6 = depth.iterate 2 carried(%arg5 = %4 : tensor<?x4xf64>) {
      %5 = math.sin %arg5 : tensor<?x4xf64>
      depth.yield %5 : tensor<?x4xf64>
  }
  %7 = nn.reshape %1 : tensor<?x4xf64> -> tensor<?x2x2xf64>
  return %6, %4, %7 : tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x2x2xf64>
}
