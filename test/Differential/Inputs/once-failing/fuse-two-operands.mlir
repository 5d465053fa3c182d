// What the fused op reads by two operands: linalg read freed memory (random model 120).
module {
  nn.param @p0 : tensor<6x2xf32> init <normal(0.000000e+00, 5.000000e-01)>
  nn.param @p1 : tensor<2x6xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  nn.param @p4 : tensor<2x5xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<5xf32> {cambium.name = "target"}) -> tensor<f32> {
    %0 = nn.use @p0 : tensor<6x2xf32>
    %1 = nn.use @p1 : tensor<2x6xf32>
    %2 = nn.use @p4 : tensor<2x5xf32>
    %3 = nn.embed %arg1, %0 : tensor<?xi32>, tensor<6x2xf32>
    %4 = nn.linear %3, %1 : tensor<?x2xf32>, tensor<2x6xf32>
    %5 = nn.pick %4, %arg1 : tensor<?x6xf32>, tensor<?xi32>
    %6:2 = tree.fold %arg0 nodes(%arg3 = %5 : tensor<f32>, %arg4 = %3 : tensor<2xf32>, %arg5 = %arg1 : tensor<i32>) children(%arg6: tensor<?x2xf32>, %arg7: tensor<?x2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %10 = nn.sum %arg6 over 0 : tensor<?x2xf32>
      %11 = arith.addf %arg4, %10 : tensor<2xf32>
      %12 = arith.addf %11, %10 : tensor<2xf32>
      tree.yield %11, %12 : tensor<2xf32>, tensor<2xf32>
    }
    %7 = tree.root %arg0, %6#1 : tensor<?x2xf32>
    %8 = nn.linear %7, %2 : tensor<2xf32>, tensor<2x5xf32>
    %9 = nn.mse %8, %arg2 : tensor<5xf32>, tensor<5xf32>
    return %9 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
