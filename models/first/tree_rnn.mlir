// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of an arithmetic expression, by the simplest recursive network:
// h = tanh([x; h_1; h_2] W + b) at every node (Socher et al. 2011), V at the root.
nn.param @E : tensor<103x64xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @W : tensor<192x64xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<64xf32>
nn.param @V : tensor<64x100xf32> init #nn.init<xavier_uniform>

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %tokens: tensor<?xi32> {cambium.name = "tokens"}) -> tensor<100xf32> {
  %E = nn.use @E : tensor<103x64xf32>
  %W = nn.use @W : tensor<192x64xf32>
  %b = nn.use @b : tensor<64xf32>
  %V = nn.use @V : tensor<64x100xf32>
  %xs = nn.embed %tokens, %E : tensor<?xi32>, tensor<103x64xf32>
  %h = tree.fold %tree nodes(%x = %xs : tensor<64xf32>)
                 children(%hk : tensor<2x64xf32>) -> (tensor<64xf32>) {
    %both = nn.reshape %hk : tensor<2x64xf32> -> tensor<128xf32>
    %in = nn.concat %x, %both over 0 : tensor<64xf32>, tensor<128xf32>
    %a = nn.linear %in, %W, %b : tensor<192xf32>, tensor<192x64xf32>, tensor<64xf32>
    %hj = math.tanh %a : tensor<64xf32>
    tree.yield %hj : tensor<64xf32>
  }
  %root = tree.root %tree, %h : tensor<?x64xf32>
  %scores = nn.linear %root, %V : tensor<64xf32>, tensor<64x100xf32>
  return %scores : tensor<100xf32>
}
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %tokens: tensor<?xi32> {cambium.name = "tokens"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = call @predict(%tree, %tokens) : (!tree.tree, tensor<?xi32>) -> tensor<100xf32>
  %l = nn.cross_entropy %y, %value : tensor<100xf32>, tensor<i32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<adam>
