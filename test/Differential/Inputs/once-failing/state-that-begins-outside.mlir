// A loop in a loop, one of whose states begins with rows from outside of both and is not
// read: it was recorded as rows of edges, which a loop has not (random model 2024).
module {
  nn.import "../../../../models/common/layers.mlir"
  nn.param @p0 : tensor<8x2xf32> init <normal(0.000000e+00, 5.000000e-01)>
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<2xf32> {cambium.name = "target"}) -> tensor<f32> {
    %0 = nn.use @p0 : tensor<8x2xf32>
    %cst = arith.constant dense<5.000000e-01> : tensor<3x2xf32>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<3xf32>
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<2x3xf32>
    %cst_2 = arith.constant dense<5.000000e-01> : tensor<6x4xf32>
    %1 = nn.embed %arg1, %0 : tensor<?xi32>, tensor<8x2xf32>
    %2:3 = tree.fold %arg0 nodes(%arg3 = %arg1 : tensor<i32>) children(%arg4: tensor<?x3xf32>, %arg5: tensor<?x2x2xf32>, %arg6: tensor<?x2xf32>) -> (tensor<3xf32>, tensor<2x2xf32>, tensor<2xf32>) {
      %cst_3 = arith.constant dense<5.000000e-01> : tensor<3xf32>
      %cst_4 = arith.constant dense<5.000000e-01> : tensor<2xf32>
      %cst_5 = arith.constant dense<5.000000e-01> : tensor<2x2xf32>
      tree.yield %cst_3, %cst_5, %cst_4 : tensor<3xf32>, tensor<2x2xf32>, tensor<2xf32>
    }
    %3:2 = tree.unfold %arg0 nodes(%arg3 = %2#0 : tensor<3xf32>, %arg4 = %2#1 : tensor<2x2xf32>, %arg5 = %arg1 : tensor<i32>) parent(%arg6: tensor<2x2xf32>, %arg7: tensor<f32>) -> (tensor<2x2xf32>, tensor<f32>) {
      tree.yield %arg4, %arg7 : tensor<2x2xf32>, tensor<f32>
    }
    %4:3 = depth.iterate max 3 carried(%arg3 = %2#0 : tensor<?x3xf32>, %arg4 = %arg1 : tensor<?xi32>) slices(%arg5 = %cst_0 : tensor<3xf32>) {
      %cst_3 = arith.constant dense<5.000000e-01> : tensor<3xf32>
      %8:3 = depth.iterate 3 carried(%arg6 = %3#0 : tensor<?x2x2xf32>, %arg7 = %1 : tensor<?x2xf32>, %arg8 = %cst_3 : tensor<3xf32>) slices(%arg9 = %cst : tensor<3x2xf32>, %arg10 = %cst : tensor<3x2xf32>) {
        %12 = nn.linear %arg7, %cst_1 : tensor<?x2xf32>, tensor<2x3xf32>
        %13 = nn.concat %12, %12 over 1 : tensor<?x3xf32>, tensor<?x3xf32>
        %14 = nn.linear %13, %cst_2 : tensor<?x6xf32>, tensor<6x4xf32>
        %15 = nn.reshape %14 : tensor<?x4xf32> -> tensor<?x2x2xf32>
        %cst_4 = arith.constant dense<5.000000e-01> : tensor<3xf32>
        depth.yield %15, %arg7, %cst_4 : tensor<?x2x2xf32>, tensor<?x2xf32>, tensor<3xf32>
      }
      %9 = nn.reshape %8#0 : tensor<?x2x2xf32> -> tensor<?x4xf32>
      %10 = nn.call @dense(%9) in "densem4_3_1" : (tensor<?x4xf32>) -> tensor<?x3xf32>
      %11 = arith.cmpi sgt, %arg4, %arg1 : tensor<?xi32>
      depth.yield %11, %10, %arg4 : tensor<?xi1>, tensor<?x3xf32>, tensor<?xi32>
    }
    %5 = nn.matmul %3#1, %4#0 : tensor<?xf32>, tensor<?x3xf32>
    %6 = nn.call @dense_one(%5) in "dense_onem3_2_1" : (tensor<3xf32>) -> tensor<2xf32>
    %7 = nn.mse %arg2, %6 : tensor<2xf32>, tensor<2xf32>
    return %7 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
