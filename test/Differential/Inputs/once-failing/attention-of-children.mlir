// Attention to the children within a cell: its memory is that of the largest level.
module {
  nn.param @p0 : tensor<3x16xf32> init <normal(0.000000e+00, 5.000000e-01)>
  nn.param @p1 : tensor<3x12xf32> init <normal(0.000000e+00, 5.000000e-01)>
  nn.param @p6 : tensor<3x1xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  nn.param @p7 : tensor<3x2xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  func.func @loss(%arg0: tensor<?xi32> {cambium.name = "words"}, %arg1: tensor<2xf32> {cambium.name = "target"}) -> tensor<f32> {
    %0 = nn.use @p0 : tensor<3x16xf32>
    %1 = nn.use @p1 : tensor<3x12xf32>
    %2 = nn.use @p6 : tensor<3x1xf32>
    %3 = nn.use @p7 : tensor<3x2xf32>
    %4 = tree.chain %arg0 : tensor<?xi32>
    %5 = nn.embed %arg0, %0 : tensor<?xi32>, tensor<3x16xf32>
    %6 = nn.embed %arg0, %1 : tensor<?xi32>, tensor<3x12xf32>
    %7:3 = tree.fold %4 nodes(%arg2 = %5 : tensor<16xf32>, %arg3 = %6 : tensor<12xf32>, %arg4 = %arg0 : tensor<i32>) children(%arg5: tensor<?x16xf32>, %arg6: tensor<?x16xf32>, %arg7: tensor<?x16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
      tree.yield %arg2, %arg2, %arg2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
    }
    %8:2 = tree.fold %4 nodes(%arg2 = %7#1 : tensor<16xf32>, %arg3 = %7#1 : tensor<16xf32>) children(%arg4: tensor<?x3xf32>, %arg5: tensor<?x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %14 = nn.attention %arg5, %arg5, %arg4 heads 1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
      %15 = nn.sum %14 over 0 : tensor<?x3xf32>
      tree.yield %15, %15 : tensor<3xf32>, tensor<3xf32>
    }
    %9 = nn.linear %8#1, %2 : tensor<?x3xf32>, tensor<3x1xf32>
    %10 = nn.reshape %9 : tensor<?x1xf32> -> tensor<?xf32>
    %11 = nn.matmul %10, %8#1 : tensor<?xf32>, tensor<?x3xf32>
    %12 = nn.linear %11, %3 : tensor<3xf32>, tensor<3x2xf32>
    %13 = nn.mse %12, %arg1 : tensor<2xf32>, tensor<2xf32>
    return %13 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
