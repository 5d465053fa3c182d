// A condition that folds to a constant: rows of i1 were refused (random model 5010).
module {
  nn.param @p0 : tensor<7x8xf64> init <normal(0.000000e+00, 5.000000e-01)>
  nn.param @p2 : tensor<1x8xf64> init <uniform(-5.000000e-01, 5.000000e-01)>
  nn.param @p5 : tensor<8x2xf64> init <uniform(-5.000000e-01, 5.000000e-01)>
  func.func @loss(%arg0: tensor<?xi32> {cambium.name = "words"}, %arg1: tensor<?xi32> {cambium.name = "heads"}, %arg2: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f64> {
    %0 = nn.use @p0 : tensor<7x8xf64>
    %1 = nn.use @p2 : tensor<1x8xf64>
    %2 = nn.use @p5 : tensor<8x2xf64>
    %3 = tree.from_parents %arg1 : tensor<?xi32>
    %4 = nn.embed %arg0, %0 : tensor<?xi32>, tensor<7x8xf64>
    %5 = nn.sum %4 over 1 : tensor<?x8xf64>
    %6:2 = tree.fold %3 nodes(%arg3 = %5 : tensor<f64>, %arg4 = %4 : tensor<8xf64>) children(%arg5: tensor<?x17xf64>, %arg6: tensor<?x8xf64>) -> (tensor<17xf64>, tensor<8xf64>) {
      %cst = arith.constant dense<5.000000e-01> : tensor<f64>
      %10 = arith.cmpf ogt, %cst, %cst : tensor<f64>
      %11 = arith.select %10, %cst, %arg3 : tensor<i1>, tensor<f64>
      %cst_0 = arith.constant dense<5.000000e-01> : tensor<17xf64>
      %12 = nn.reshape %11 : tensor<f64> -> tensor<1xf64>
      %13 = nn.linear %12, %1 : tensor<1xf64>, tensor<1x8xf64>
      tree.yield %cst_0, %13 : tensor<17xf64>, tensor<8xf64>
    }
    %7 = nn.linear %6#1, %2 : tensor<?x8xf64>, tensor<8x2xf64>
    %8 = nn.cross_entropy %7, %arg2 : tensor<?x2xf64>, tensor<?xi32>
    %9 = nn.sum %8 over 0 : tensor<?xf64>
    return %9 : tensor<f64>
  }
  train.step @train loss @loss optimizer <sgd>
}
