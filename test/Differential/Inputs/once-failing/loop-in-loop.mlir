// Sizes of what a loop with early exit passes on, within another loop (random model 70064).
module {
  nn.import "../../../../models/common/layers.mlir"
  nn.param @p0 : tensor<5x7xf32> init <normal(0.000000e+00, 5.000000e-01)>
  nn.param @p5 : tensor<4x7x7xf32> init <uniform(-5.000000e-01, 5.000000e-01)>
  func.func @loss(%arg0: !tree.tree {cambium.name = "tree"}, %arg1: tensor<?xi32> {cambium.name = "words"}, %arg2: tensor<?xi32> {cambium.name = "places", cambium.rows = "others"}, %arg3: tensor<?x1xf32> {cambium.name = "others", cambium.rows = "others"}, %arg4: tensor<?xi32> {cambium.name = "labels"}) -> tensor<f32> {
    %0 = nn.use @p0 : tensor<5x7xf32>
    %cst = arith.constant dense<5.000000e-01> : tensor<2x1xf32>
    %1 = nn.use @p5 : tensor<4x7x7xf32>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<4x2x2xf32>
    %2 = nn.embed %arg1, %0 : tensor<?xi32>, tensor<5x7xf32>
    %3 = tree.fold %arg0 nodes(%arg5 = %arg1 : tensor<i32>) children(%arg6: tensor<2x1x2xf32>) -> (tensor<1x2xf32>) {
      %cst_1 = arith.constant dense<5.000000e-01> : tensor<1x2xf32>
      tree.yield %cst_1 : tensor<1x2xf32>
    }
    %two = arith.constant dense<2> : tensor<i32>
    %twos = nn.broadcast %two dims [] like %arg1 : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
    %4 = arith.cmpi sgt, %arg1, %twos : tensor<?xi32>
    %5:4 = depth.iterate max 2 active(%4 : tensor<?xi1>) carried(%arg5 = %3 : tensor<?x1x2xf32>, %arg6 = %3 : tensor<?x1x2xf32>, %arg7 = %arg1 : tensor<?xi32>) slices(%arg8 = %cst : tensor<2x1xf32>) {
      %states:2, %steps, %remainder = depth.ponder max 4 combine convex remainder none epsilon 1.000000e-02 compact carried(%arg9 = %2 : tensor<?x7xf32>, %arg10 = %3 : tensor<?x1x2xf32>) slices(%arg11 = %1 : tensor<4x7x7xf32>, %arg12 = %cst_0 : tensor<4x2x2xf32>) {
        %12 = nn.reshape %arg10 : tensor<?x1x2xf32> -> tensor<?x2xf32>
        %13 = nn.linear %12, %arg12 : tensor<?x2xf32>, tensor<2x2xf32>
        %14 = nn.attention %12, %13, %12 heads 2 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
        %15 = nn.reshape %14 : tensor<?x2xf32> -> tensor<?x1x2xf32>
        %16 = nn.call @dense(%arg9) in "densem7_1_2" : (tensor<?x7xf32>) -> tensor<?x1xf32>
        %17 = nn.reshape %16 : tensor<?x1xf32> -> tensor<?xf32>
        depth.yield %17, %arg9, %15 : tensor<?xf32>, tensor<?x7xf32>, tensor<?x1x2xf32>
      }
      %11 = arith.cmpi sgt, %arg7, %twos : tensor<?xi32>
      depth.yield %11, %arg5, %states#1, %arg7 : tensor<?xi1>, tensor<?x1x2xf32>, tensor<?x1x2xf32>, tensor<?xi32>
    }
    %6:3 = tree.unfold %arg0 nodes(%arg5 = %5#1 : tensor<1x2xf32>, %arg6 = %3 : tensor<1x2xf32>) parent(%arg7: tensor<7xf32>, %arg8: tensor<1xf32>, %arg9: tensor<7x7xf32>) -> (tensor<7xf32>, tensor<1xf32>, tensor<7x7xf32>) {
      %11 = nn.reshape %arg5 : tensor<1x2xf32> -> tensor<2xf32>
      %12 = nn.call @dense_one(%11) in "dense_onem2_49_2" : (tensor<2xf32>) -> tensor<49xf32>
      %13 = nn.reshape %12 : tensor<49xf32> -> tensor<7x7xf32>
      tree.yield %arg7, %arg8, %13 : tensor<7xf32>, tensor<1xf32>, tensor<7x7xf32>
    }
    %7 = nn.reshape %6#2 : tensor<?x7x7xf32> -> tensor<?x49xf32>
    %8 = nn.call @dense(%7) in "densem49_3_2" : (tensor<?x49xf32>) -> tensor<?x3xf32>
    %9 = nn.cross_entropy %8, %arg4 : tensor<?x3xf32>, tensor<?xi32>
    %10 = nn.mean %9 over 0 : tensor<?xf32>
    return %10 : tensor<f32>
  }
  train.step @train loss @loss optimizer <sgd>
}
