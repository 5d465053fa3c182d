// Two products that were merged are differentiated: the cotangents of both begin
// with the same part, and both are kept for gradients of weights. One was made
// in the memory in which the other one was put (random model 400540).
nn.param @a : tensor<3x5xf32> init <uniform(-0.5, 0.5)>
nn.param @b : tensor<51x5xf32> init <uniform(-0.5, 0.5)>
nn.param @c : tensor<51x17xf32> init <uniform(-0.5, 0.5)>
nn.param @D : tensor<3x17xf32> init <uniform(-0.5, 0.5)>
func.func @loss(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xf32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x17xf32>, tensor<?x5xf32>) {
  %a = nn.use @a : tensor<3x5xf32>
  %b = nn.use @b : tensor<51x5xf32>
  %c = nn.use @c : tensor<51x17xf32>
  %D = nn.use @D : tensor<3x17xf32>
  %f, %g, %h = tree.fold %tree nodes(%xx = %words : tensor<f32>) children(%fk : tensor<3x5xf32>, %gk : tensor<3x17xf32>, %hk : tensor<3x17xf32>) -> (tensor<5xf32>, tensor<17xf32>, tensor<17xf32>) {
    %first = nn.slice %hk over 0 from 0 size 1 : tensor<3x17xf32>
    %some = nn.slice %first over 1 from 0 size 3 : tensor<1x17xf32>
    %row = nn.reshape %some : tensor<1x3xf32> -> tensor<3xf32>
    %e = math.exp %row : tensor<3xf32>
    %ae = nn.linear %e, %a : tensor<3xf32>, tensor<3x5xf32>
    %flat = nn.reshape %gk : tensor<3x17xf32> -> tensor<51xf32>
    %bg = nn.linear %flat, %b : tensor<51xf32>, tensor<51x5xf32>
    %ab = arith.addf %ae, %bg : tensor<5xf32>
    %fy = math.tanh %ab : tensor<5xf32>
    %cg = nn.linear %flat, %c : tensor<51xf32>, tensor<51x17xf32>
    %gy = math.tanh %cg : tensor<17xf32>
    %de = nn.linear %e, %D : tensor<3xf32>, tensor<3x17xf32>
    %slot = nn.slice %fk over 0 from 0 size 1 : tensor<3x5xf32>
    %slots = nn.reshape %slot : tensor<1x5xf32> -> tensor<5xf32>
    %one = nn.sum %slots over 0 : tensor<5xf32>
    %ones = nn.broadcast %one dims [] : tensor<f32> -> tensor<17xf32>
    %sum = arith.addf %de, %ones : tensor<17xf32>
    %hy = math.tanh %sum : tensor<17xf32>
    tree.yield %fy, %gy, %hy : tensor<5xf32>, tensor<17xf32>, tensor<17xf32>
  }
  %r = tree.root %tree, %g : tensor<?x17xf32>
  %s = tree.root %tree, %f : tensor<?x5xf32>
  %l1 = nn.sum %r over 0 : tensor<17xf32>
  %l2 = nn.sum %s over 0 : tensor<5xf32>
  %l = arith.addf %l1, %l2 : tensor<f32>
  return %l, %g, %f : tensor<f32>, tensor<?x17xf32>, tensor<?x5xf32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
