/// Rows made in the cell of a node, which level by level are of another number:
/// those of children behind one another, and runs of them.
// RUN: %limit cambium-difftest %s | FileCheck %s
// CHECK: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
nn.param @E : tensor<9x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<6x4xf32> init #nn.init<xavier_uniform>
func.func @loss(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<9x6xf32>
  %W = nn.use @W : tensor<6x4xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<9x6xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<6xf32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
    %twice = nn.append %hk, %hk : tensor<?x6xf32>, tensor<?x6xf32>
    %places = nn.positions %twice limit 3 : tensor<?x6xf32>
    %k = nn.linear %hk, %W : tensor<?x6xf32>, tensor<6x4xf32>
    %keys = nn.append %k, %k : tensor<?x4xf32>, tensor<?x4xf32>
    %a = nn.attention %keys, %keys, %twice heads 2 within(%places : tensor<?xi32>) dropout 0.3 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x6xf32>
    %s = nn.sum %a over 0 : tensor<?x6xf32>
    %y = arith.addf %s, %xj : tensor<6xf32>
    %t = math.tanh %y : tensor<6xf32>
    tree.yield %t : tensor<6xf32>
  }
  %m = nn.mean %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
