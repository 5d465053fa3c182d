/// What is drawn is the same in the interpreter and in compiled code, whatever
/// the batch; and with `training` it is zero outside of training.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --empty-rows --seed=3 --num-threads=2 | FileCheck %s
// RUN: %limit cambium-difftest %s | FileCheck %s --check-prefix=SAME
// RUN: cambium-opt --cambium-to-batched --cambium-batched-to-gradient %s | FileCheck %s --check-prefix=OUTSIDE
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: draw.out0
// CHECK-DAG: equal: draw.out1
// CHECK-DAG: equal: draw.out2
// CHECK-DAG: equal: draw.out3
// CHECK-DAG: equal: loss: gradient of W
// CHECK-NOT: DIFFERENT
// OUTSIDE-LABEL: func.func @outside
// OUTSIDE-NOT: nn.random
// OUTSIDE: func.func
nn.param @W : tensor<6x4xf32> init #nn.init<xavier_uniform>
func.func @outside(%x: tensor<?x6xf32> {cambium.name = "x"}) -> (tensor<?x6xf32>, tensor<i32>) {
  %n = nn.random normal(0.0, 1.0) training like %x : tensor<?x6xf32> -> tensor<?x6xf32>
  %k = nn.random integer(0.0, 500.0) training : tensor<i32>
  return %n, %k : tensor<?x6xf32>, tensor<i32>
}
func.func @draw(%x: tensor<?x6xf32> {cambium.name = "x"}) -> (tensor<?x6xf32>, tensor<?x4xf32>, tensor<5xf32>, tensor<7xi32>) {
  %u = nn.random uniform(-2.0, 1.0) like %x : tensor<?x6xf32> -> tensor<?x6xf32>
  %n = nn.random normal(1.0, 2.0) like %x : tensor<?x6xf32> -> tensor<?x4xf32>
  %g = nn.random gumbel(0.5, 2.0) : tensor<5xf32>
  %i = nn.random integer(-3.0, 1000000.0) : tensor<7xi32>
  return %u, %n, %g, %i : tensor<?x6xf32>, tensor<?x4xf32>, tensor<5xf32>, tensor<7xi32>
}
func.func @loss(%x: tensor<?x6xf32> {cambium.name = "x"}) -> tensor<f32> {
  %W = nn.use @W : tensor<6x4xf32>
  %n = nn.random normal(0.0, 1.0) training like %x : tensor<?x6xf32> -> tensor<?x6xf32>
  %xn = arith.addf %x, %n : tensor<?x6xf32>
  %h = nn.linear %xn, %W : tensor<?x6xf32>, tensor<6x4xf32>
  %t = math.tanh %h : tensor<?x4xf32>
  %m = nn.sum %t over 0 : tensor<?x4xf32>
  %g = nn.random gumbel(0.0, 1.0) : tensor<4xf32>
  %mg = arith.addf %m, %g : tensor<4xf32>
  %l = nn.log_sum_exp %mg over 0 : tensor<4xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
