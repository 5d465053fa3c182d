// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of an arithmetic expression, by the simplest recursive network:
// h = tanh([x; h_1; h_2] W + b) at every node (Socher et al. 2011), V at the root.
nn.sizes {tokens = 103, hidden = 64, both = 2 * hidden, all = 3 * hidden, values = 100}
!h = tensor<64xf32>
!scores = tensor<100xf32>

func.func @predict(%tree: !tree.tree {cambium.name = "tree"},
                   %tokens: tensor<?xi32> {cambium.name = "tokens"}) -> !scores {
  %E = nn.param "E" : tensor<103x64xf32> init <normal(0.0, 0.3)>
  %xs = nn.embed %tokens, %E : tensor<?xi32>, tensor<103x64xf32>
  %h = tree.fold %tree nodes(%x = %xs : !h) children(%hk : tensor<2x64xf32>) -> (!h) {
    %both = nn.reshape %hk : tensor<2x64xf32> -> tensor<128xf32>
    %in = nn.concat %x, %both over 0 : !h, tensor<128xf32>
    %W = nn.param "W" : tensor<192x64xf32> init <xavier_uniform>
    %b = nn.param "b" : !h
    %a = nn.linear %in, %W, %b : tensor<192xf32>, tensor<192x64xf32>, !h
    %hj = math.tanh %a : !h
    tree.yield %hj : !h
  }
  %root = tree.root %tree, %h : tensor<?x64xf32>
  %V = nn.param "V" : tensor<64x100xf32> init <xavier_uniform>
  %y = nn.linear %root, %V : !h, tensor<64x100xf32>
  return %y : !scores
}
func.func @loss(%tree: !tree.tree {cambium.name = "tree"},
                %tokens: tensor<?xi32> {cambium.name = "tokens"},
                %value: tensor<i32> {cambium.name = "value"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %tokens) : (!tree.tree, tensor<?xi32>) -> !scores
  %l = nn.cross_entropy %y, %value : !scores, tensor<i32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<adam>
