// A loop in a loop whose iterations are computed again: what it begins with is copied,
// and the size of the copy was not known outside of the loop (random model 92179).
module {
  nn.param @p1 : tensor<6x2xf32> init <normal(0.000000e+00, 5.000000e-01)>
  nn.param @p7 : tensor<4x3xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<?x3xf32> {cambium.name = "vectors"}, %arg3: tensor<?xi32> {cambium.name = "places", cambium.rows = "others"}, %arg4: tensor<?xf32> {cambium.name = "others", cambium.rows = "others"}, %arg5: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f32> {
    %0 = nn.use @p1 : tensor<6x2xf32>
    %cst = arith.constant dense<5.000000e-01> : tensor<4x2xf32>
    %1 = nn.use @p7 : tensor<4x3xf32>
    %2 = nn.embed %arg3, %0 : tensor<?xi32>, tensor<6x2xf32>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<2xf32>
    %3 = nn.cosine_similarity %2, %2 over 0 eps 1.000000e-01 : tensor<?x2xf32>, tensor<?x2xf32>
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<f32>
    %4:4 = depth.iterate max 3 rematerialize carried(%arg6 = %3 : tensor<2xf32>, %arg7 = %3 : tensor<2xf32>, %arg8 = %cst_1 : tensor<f32>) {
      %cst_2 = arith.constant dense<5.000000e-01> : tensor<2x1xf32>
      %5:2 = depth.iterate 4 carried(%arg9 = %arg7 : tensor<2xf32>, %arg10 = %cst_2 : tensor<2x1xf32>) slices(%arg11 = %cst : tensor<4x2xf32>, %arg12 = %1 : tensor<4x3xf32>) {
        %7 = math.fma %cst_0, %arg7, %arg9 : tensor<2xf32>
        %8 = math.tanh %7 : tensor<2xf32>
        depth.yield %8, %arg10 : tensor<2xf32>, tensor<2x1xf32>
      }
      %cst_3 = arith.constant dense<3.500000e+00> : tensor<f32>
      %6 = arith.cmpf ogt, %arg8, %cst_3 : tensor<f32>
      depth.yield %6, %5#0, %arg7, %arg8 : tensor<i1>, tensor<2xf32>, tensor<2xf32>, tensor<f32>
    }
    return %4#2 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
