// A loop in a cell begins with a reshaped row and changes it: the copy of the
// level's rows had a size without a bound (random model 200101).
func.func @loss(%t: !tree.tree, %words: tensor<?x5xf32>) -> tensor<f32> {
  %one = arith.constant dense<0.5> : tensor<f32>
  %h = tree.fold %t nodes(%x = %words : tensor<5xf32>)
                    children(%hk : tensor<?x5xf32>) -> (tensor<5xf32>) {
    %go = arith.constant dense<true> : tensor<i1>
    %flat = nn.reshape %x : tensor<5xf32> -> tensor<1x5xf32>
    %f, %y, %c, %n = depth.iterate max 2 active(%go : tensor<i1>)
        carried(%a = %flat : tensor<1x5xf32>, %b = %x : tensor<5xf32>, %d = %one : tensor<f32>) {
      %more = arith.cmpf ogt, %d, %d : tensor<f32>
      depth.yield %more, %a, %b, %d : tensor<i1>, tensor<1x5xf32>, tensor<5xf32>, tensor<f32>
    }
    %s = nn.sum %hk over 0 : tensor<?x5xf32>
    %u = arith.addf %y, %s : tensor<5xf32>
    tree.yield %u : tensor<5xf32>
  }
  %r = tree.root %t, %h : tensor<?x5xf32>
  %l = nn.sum %r over 0 : tensor<5xf32>
  return %l : tensor<f32>
}
