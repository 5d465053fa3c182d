// A recursion that is differentiated, but of whose derivative nothing is asked: a loop without results.
module {
  nn.param @p4 : tensor<4x1xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  nn.param @p7 : tensor<1x5xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<?x2x2xf32> {cambium.name = "vectors"}, %arg3: tensor<2xf32> {cambium.name = "query"}, %arg4: tensor<?x2x2xf32> {cambium.name = "weights"}, %arg5: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
    %0 = nn.use @p4 : tensor<4x1xf32>
    %1 = nn.use @p7 : tensor<1x5xf32>
    %2:2 = tree.fold %arg0 nodes(%arg6 = %arg2 : tensor<2x2xf32>, %arg7 = %arg1 : tensor<i32>) edges(%arg8 = %arg4 : tensor<?x2x2xf32>) children(%arg9: tensor<?xf32>, %arg10: tensor<?x2x2xf32>) -> (tensor<f32>, tensor<2x2xf32>) {
      %cst = arith.constant dense<5.000000e-01> : tensor<f32>
      tree.yield %cst, %arg6 : tensor<f32>, tensor<2x2xf32>
    }
    %3:3 = tree.fold %arg0 nodes(%arg6 = %2#1 : tensor<2x2xf32>, %arg7 = %2#1 : tensor<2x2xf32>, %arg8 = %arg1 : tensor<i32>) edges(%arg9 = %arg4 : tensor<?x2x2xf32>) children(%arg10: tensor<?xf32>, %arg11: tensor<?x2xf32>, %arg12: tensor<?xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<f32>) {
      %10 = nn.concat %arg3, %arg3 over 0 : tensor<2xf32>, tensor<2xf32>
      %11 = nn.linear %10, %0 : tensor<4xf32>, tensor<4x1xf32>
      %12 = nn.reshape %11 : tensor<1xf32> -> tensor<f32>
      tree.yield %12, %arg3, %12 : tensor<f32>, tensor<2xf32>, tensor<f32>
    }
    %4 = nn.reshape %3#2 : tensor<?xf32> -> tensor<?x1xf32>
    %5 = nn.matmul %3#2, %4 : tensor<?xf32>, tensor<?x1xf32>
    %6 = nn.linear %5, %1 : tensor<1xf32>, tensor<1x5xf32>
    %7 = nn.cross_entropy %6, %arg5 : tensor<5xf32>, tensor<i32>
    %8 = train.gradient %7 wrt %arg3 : tensor<f32>, tensor<2xf32>
    %9 = nn.sum %8 over 0 : tensor<2xf32>
    return %9 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
