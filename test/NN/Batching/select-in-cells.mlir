/// In the cell of a node: of its children, also where there are none.
// RUN: %limit cambium-difftest %s | FileCheck %s
// CHECK: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
nn.param @E : tensor<9x6xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<18x6xf32> init #nn.init<xavier_uniform>
func.func @loss(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<f32>, tensor<?x6xf32>) {
  %E = nn.use @E : tensor<9x6xf32>
  %W = nn.use @W : tensor<18x6xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<9x6xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<6xf32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
    %s = nn.sum %hk over 1 : tensor<?x6xf32>
    %best, %where = nn.top %s count 2 over 0 : tensor<?xf32>
    %two = nn.take %hk, %where : tensor<?x6xf32>, tensor<2xi32>
    %taken = nn.sum %two over 0 : tensor<2x6xf32>
    %columns, %i = nn.top %hk count 2 over 0 : tensor<?x6xf32>
    %e = math.exp %columns : tensor<2x6xf32>
    %es = nn.sum %e over 0 : tensor<2x6xf32>
    %places = nn.positions %hk limit 2 : tensor<?x6xf32>
    %by = nn.sum_by %hk, %places over 0 size 3 : tensor<?x6xf32>, tensor<?xi32>
    %bys = nn.log_sum_exp %by over 0 : tensor<3x6xf32>
    %w = nn.window %hk before 1 after 1 : tensor<?x6xf32>
    %f = nn.reshape %w : tensor<?x3x6xf32> -> tensor<?x18xf32>
    %c = nn.linear %f, %W : tensor<?x18xf32>, tensor<18x6xf32>
    %cs = nn.max %c over 0 : tensor<?x6xf32>
    %z = nn.log_sum_exp %hk over 0 : tensor<?x6xf32>
    %ez = math.exp %z : tensor<6xf32>
    %noise = nn.random uniform(-0.5, 0.5) like %hk : tensor<?x6xf32> -> tensor<?x6xf32>
    %noisy = arith.mulf %noise, %hk : tensor<?x6xf32>
    %ns = nn.sum %noisy over 0 : tensor<?x6xf32>
    %own = nn.random normal(0.0, 0.1) : tensor<6xf32>
    %y0 = arith.addf %taken, %es : tensor<6xf32>
    %y1 = arith.addf %bys, %cs : tensor<6xf32>
    %y2 = arith.addf %y0, %y1 : tensor<6xf32>
    %y3 = arith.addf %y2, %ez : tensor<6xf32>
    %y4 = arith.addf %y3, %ns : tensor<6xf32>
    %y5 = arith.addf %y4, %own : tensor<6xf32>
    %y = arith.addf %y5, %xj : tensor<6xf32>
    %t = math.tanh %y : tensor<6xf32>
    tree.yield %t : tensor<6xf32>
  }
  %m = nn.mean %h over 0 : tensor<?x6xf32>
  %mm = arith.mulf %m, %m : tensor<6xf32>
  %l = nn.sum %mm over 0 : tensor<6xf32>
  return %l, %h : tensor<f32>, tensor<?x6xf32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
