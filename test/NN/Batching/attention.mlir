/// Self-attention, causal attention and attention to other rows: values and gradients of the
/// compiled code against the interpreter's, also with no keys, and with more
/// queries and keys than a tile holds.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --empty-rows --seed=3 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=150 --examples=3 --samples=4 --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=150 --examples=3 --samples=4 --seed=5 --num-threads=2 | FileCheck %s
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: encode.out0
// CHECK-DAG: equal: loss: gradient of W_q
// CHECK-DAG: equal: loss: gradient of W_k
// CHECK-DAG: equal: loss: gradient of W_v
// CHECK-DAG: equal: loss: gradient of W_m
// CHECK-NOT: DIFFERENT
nn.param @W_q : tensor<6x8xf32> init #nn.init<xavier_uniform>
nn.param @W_k : tensor<6x8xf32> init #nn.init<xavier_uniform>
nn.param @W_v : tensor<6x4xf32> init #nn.init<xavier_uniform>
nn.param @W_m : tensor<3x4xf32> init #nn.init<xavier_uniform>
func.func @encode(%x: tensor<?x6xf32> {cambium.name = "x"}, %memory: tensor<?x3xf32> {cambium.name = "memory"}) -> tensor<?x4xf32> {
  %W_q = nn.use @W_q : tensor<6x8xf32>
  %W_k = nn.use @W_k : tensor<6x8xf32>
  %W_v = nn.use @W_v : tensor<6x4xf32>
  %W_m = nn.use @W_m : tensor<3x4xf32>
  %q = nn.linear %x, %W_q : tensor<?x6xf32>, tensor<6x8xf32>
  %k = nn.linear %x, %W_k : tensor<?x6xf32>, tensor<6x8xf32>
  %v = nn.linear %x, %W_v : tensor<?x6xf32>, tensor<6x4xf32>
  %y = nn.attention %q, %k, %v heads 2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>
  %z = nn.attention %y, %v, %y heads 1 scale 0.7 causal : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  %m = nn.linear %memory, %W_m : tensor<?x3xf32>, tensor<3x4xf32>
  %c = nn.attention %z, %m, %m heads 4 scale 1.5 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  %r = arith.addf %c, %z : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func @loss(%x: tensor<?x6xf32> {cambium.name = "x"}, %memory: tensor<?x3xf32> {cambium.name = "memory"}) -> tensor<f32> {
  %y = call @encode(%x, %memory) : (tensor<?x6xf32>, tensor<?x3xf32>) -> tensor<?x4xf32>
  %t = math.tanh %y : tensor<?x4xf32>
  %s = nn.sum %t over 0 : tensor<?x4xf32>
  %l = nn.sum %s over 0 : tensor<4xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
