// cambium-difftest --seed=910002
// compile: the compiler refuses '/tmp/difftest-a06c5d.mlir'
module {
  nn.import "/work/main/models/common/layers.mlir"
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<f32> {cambium.name = "query"}, %arg3: tensor<?xi32> {cambium.name = "places", cambium.rows = "others"}, %arg4: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f32> {
    %cst = arith.constant dense<5.000000e-01> : tensor<4x16xf32>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<16x3xf32>
    %0 = nn.embed %arg3, %cst : tensor<?xi32>, tensor<4x16xf32>
    %1:2 = nn.split %0 over 1 sizes [11, 5] : tensor<?x16xf32>
    %2:2 = tree.fold %arg0 nodes(%arg5 = %arg1 : tensor<i32>) children(%arg6: tensor<?x4xf32>, %arg7: tensor<?x16xf32>) -> (tensor<4xf32>, tensor<16xf32>) {
      %6 = math.sinh %1#1 : tensor<?x5xf32>
      %7 = nn.sum %6 over 0 : tensor<?x5xf32>
      %8 = nn.call @dense_one(%7) in "dense_onem5_4_0" : (tensor<5xf32>) -> tensor<4xf32>
      %9 = nn.sum %arg6 over 0 : tensor<?x4xf32>
      %10 = arith.addf %8, %9 : tensor<4xf32>
      %cst_1 = arith.constant dense<5.000000e-01> : tensor<16xf32>
      tree.yield %10, %cst_1 : tensor<4xf32>, tensor<16xf32>
    }
    %3 = nn.linear %2#1, %cst_0 : tensor<?x16xf32>, tensor<16x3xf32>
    %4 = nn.cross_entropy %3, %arg4 : tensor<?x3xf32>, tensor<?xi32>
    %5 = nn.sum %4 over 0 : tensor<?xf32>
    return %5 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
