/// Rows by number, and rows behind others: values and gradients of the compiled
/// code against the interpreter's, also of no rows, with numbers outside of the
/// rows, and with attention to a cache and to new tokens.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --empty-rows --seed=3 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=70 --examples=3 --samples=4 --seed=4 | FileCheck %s
// RUN: %limit cambium-difftest %s | FileCheck %s --check-prefix=SAME
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: encode.out0
// CHECK-DAG: equal: encode.out1
// CHECK-DAG: equal: encode.out2
// CHECK-DAG: equal: loss: gradient of W
// CHECK-NOT: DIFFERENT
nn.param @W : tensor<6x4xf32> init #nn.init<xavier_uniform>
nn.param @table : tensor<9x6xf32> init #nn.init<xavier_uniform>
func.func @encode(%x: tensor<?x6xf32> {cambium.name = "x"}, %cache: tensor<?x4xf32> {cambium.name = "cache"}, %places: tensor<?xi32> {cambium.name = "places"}) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<?x4xf32>) {
  %W = nn.use @W : tensor<6x4xf32>
  %T = nn.use @table : tensor<9x6xf32>
  %h = nn.linear %x, %W : tensor<?x6xf32>, tensor<6x4xf32>
  // Of no rows, of the first, of the last, and behind the last.
  %e = nn.embed %places, %T : tensor<?xi32>, tensor<9x6xf32>
  %some = nn.take %h, %places : tensor<?x4xf32>, tensor<?xi32>
  %f = nn.linear %e, %W : tensor<?x6xf32>, tensor<6x4xf32>
  %taken = arith.addf %some, %f : tensor<?x4xf32>
  %first_number = arith.constant dense<-3> : tensor<i32>
  %last_number = arith.constant dense<2147483647> : tensor<i32>
  %first = nn.take %h, %first_number : tensor<?x4xf32>, tensor<i32>
  %last = nn.take %h, %last_number : tensor<?x4xf32>, tensor<i32>
  %ends = arith.mulf %first, %last : tensor<4xf32>
  %tanh = math.tanh %h : tensor<?x4xf32>
  %keys = nn.append %cache, %h : tensor<?x4xf32>, tensor<?x4xf32>
  %values = nn.append %cache, %tanh : tensor<?x4xf32>, tensor<?x4xf32>
  %y = nn.attention %h, %keys, %values heads 2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %taken, %ends, %y : tensor<?x4xf32>, tensor<4xf32>, tensor<?x4xf32>
}
func.func @loss(%x: tensor<?x6xf32> {cambium.name = "x"}, %cache: tensor<?x4xf32> {cambium.name = "cache"}, %places: tensor<?xi32> {cambium.name = "places"}) -> tensor<f32> {
  %t, %e, %y = call @encode(%x, %cache, %places) : (tensor<?x6xf32>, tensor<?x4xf32>, tensor<?xi32>) -> (tensor<?x4xf32>, tensor<4xf32>, tensor<?x4xf32>)
  %ts = nn.sum %t over 0 : tensor<?x4xf32>
  %tt = math.tanh %y : tensor<?x4xf32>
  %ys = nn.sum %tt over 0 : tensor<?x4xf32>
  %s0 = arith.addf %ts, %e : tensor<4xf32>
  %s1 = arith.mulf %s0, %s0 : tensor<4xf32>
  %s = arith.addf %s1, %ys : tensor<4xf32>
  %l = nn.sum %s over 0 : tensor<4xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
