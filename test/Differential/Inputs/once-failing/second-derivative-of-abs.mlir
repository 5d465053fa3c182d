// The second derivative of an absolute value was refused (random model 5101).
module {
  nn.param @p0 : tensor<5x12xf32> init <normal(0.000000e+00, 5.000000e-01)>
  nn.param @p4 : tensor<24x25xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  nn.param @p6 : tensor<25x1xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  nn.param @p9 : tensor<12x3xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<12xf32> {cambium.name = "query"}, %arg3: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
    %0 = nn.use @p0 : tensor<5x12xf32>
    %1 = nn.use @p4 : tensor<24x25xf32>
    %2 = nn.use @p6 : tensor<25x1xf32>
    %3 = nn.use @p9 : tensor<12x3xf32>
    %4 = nn.embed %arg1, %0 : tensor<?xi32>, tensor<5x12xf32>
    %5:2 = tree.fold %arg0 nodes(%arg4 = %arg1 : tensor<i32>) children(%arg5: tensor<2x12xf32>, %arg6: tensor<2x12xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
      tree.yield %arg2, %arg2 : tensor<12xf32>, tensor<12xf32>
    }
    %6 = nn.slice %4 over 1 from 2 size 2 : tensor<?x12xf32>
    %7:3 = tree.unfold %arg0 nodes(%arg4 = %6 : tensor<2xf32>, %arg5 = %5#1 : tensor<12xf32>) parent(%arg6: tensor<5x5xf32>, %arg7: tensor<f32>, %arg8: tensor<12xf32>) -> (tensor<5x5xf32>, tensor<f32>, tensor<12xf32>) {
      %13 = nn.concat %arg8, %arg2 over 0 : tensor<12xf32>, tensor<12xf32>
      %14 = math.absf %13 : tensor<24xf32>
      %15 = nn.linear %14, %1 : tensor<24xf32>, tensor<24x25xf32>
      %16 = nn.linear %15, %2 : tensor<25xf32>, tensor<25x1xf32>
      %17 = nn.reshape %16 : tensor<1xf32> -> tensor<f32>
      tree.yield %arg6, %17, %arg5 : tensor<5x5xf32>, tensor<f32>, tensor<12xf32>
    }
    %8 = nn.matmul %7#1, %7#2 : tensor<?xf32>, tensor<?x12xf32>
    %9 = nn.linear %8, %3 : tensor<12xf32>, tensor<12x3xf32>
    %10 = nn.cross_entropy %9, %arg3 : tensor<3xf32>, tensor<i32>
    %11 = train.gradient %10 wrt %arg2 : tensor<f32>, tensor<12xf32>
    %12 = nn.sum %11 over 0 : tensor<12xf32>
    return %12 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
