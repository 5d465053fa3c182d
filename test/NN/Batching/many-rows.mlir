/// 10,000 rows that have 100 rows each, which see one another: the loss of a set, and that after a
/// step down its gradient, against sums that a script makes; and how much memory it takes.
// RUN: rm -rf %t && mkdir %t
// RUN: cambium-compile %s -o %t/many.so
// RUN: python3 %S/Inputs/check-many-rows %t/many.so %t | FileCheck %s
// CHECK: equal: loss of 10000 rows with 100 rows each
// CHECK: equal: loss after a step
// CHECK: memory: {{[0-9]+}} bytes per row

nn.param @w : tensor<1x1xf32> init #nn.init<constant(0.5)>

/// The mean over members of sum_i sum_j softmax_j(w r_i r_j) r_j.
func.func @loss(%rows: tensor<?x?xf32> {cambium.name = "numbers", cambium.rows = "members"})
    -> tensor<f32> {
  %w = nn.use @w : tensor<1x1xf32>
  %sums = nn.each rows(%r = %rows : tensor<?xf32>) -> (tensor<1xf32>) {
    %x = nn.reshape %r : tensor<?xf32> -> tensor<?x1xf32>
    %q = nn.linear %x, %w : tensor<?x1xf32>, tensor<1x1xf32>
    %a = nn.attention %q, %x, %x heads 1 scale 1.0 : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>
    %s = nn.sum %a over 0 : tensor<?x1xf32>
    nn.yield %s : tensor<1xf32>
  }
  %mean = nn.mean %sums over 0 : tensor<?x1xf32>
  %l = nn.sum %mean over 0 : tensor<1xf32>
  return %l : tensor<f32>
}

func.func @predict(%r: tensor<?xf32> {cambium.name = "numbers"}) -> tensor<f32> {
  %s = nn.sum %r over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<sgd>
