// A condition per node in the order of the user (random model 5345).
module {
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<?xi32> {cambium.name = "labels"}) -> (tensor<f32>, tensor<?x8xf32>) {
    %0:2 = tree.fold %arg0 nodes(%arg3 = %arg1 : tensor<i32>) children(%arg4: tensor<?x12xf32>, %arg5: tensor<?x8xf32>) -> (tensor<12xf32>, tensor<8xf32>) {
      %cst_0 = arith.constant dense<5.000000e-01> : tensor<12xf32>
      %cst_1 = arith.constant dense<5.000000e-01> : tensor<8xf32>
      tree.yield %cst_0, %cst_1 : tensor<12xf32>, tensor<8xf32>
    }
    %1 = arith.addf %0#1, %0#1 : tensor<?x8xf32>
    %2 = arith.cmpf ogt, %0#1, %0#1 : tensor<?x8xf32>
    %3 = arith.select %2, %0#1, %1 : tensor<?x8xi1>, tensor<?x8xf32>
    %cst = arith.constant dense<5.000000e-01> : tensor<f32>
    return %cst, %3 : tensor<f32>, tensor<?x8xf32>
  }
  train.step @train loss @loss optimizer <sgd>
}
