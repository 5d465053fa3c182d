/// Biases per key and per distance, relative keys and values, groups, dropout, and causal
/// attention of the last rows of a sequence: values and gradients of the compiled
/// code against the interpreter's, with few rows, none, and more than a tile.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --empty-rows --seed=3 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=150 --examples=3 --samples=4 --seed=4 | FileCheck %s
// RUN: %limit cambium-difftest %s | FileCheck %s --check-prefix=SAME
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: encode.out0
// CHECK-DAG: equal: loss: gradient of W_q
// CHECK-DAG: equal: loss: gradient of W_k
// CHECK-DAG: equal: loss: gradient of W_b
// CHECK-DAG: equal: loss: gradient of T
// CHECK-DAG: equal: loss: gradient of R_k
// CHECK-DAG: equal: loss: gradient of R_v
// CHECK-NOT: DIFFERENT
nn.param @W_q : tensor<6x8xf32> init #nn.init<xavier_uniform>
nn.param @W_k : tensor<6x8xf32> init #nn.init<xavier_uniform>
nn.param @W_b : tensor<6x2xf32> init #nn.init<xavier_uniform>
nn.param @T : tensor<2x7xf32> init #nn.init<normal(0.0, 1.0)>
nn.param @R_k : tensor<5x4xf32> init #nn.init<normal(0.0, 1.0)>
nn.param @R_v : tensor<3x4xf32> init #nn.init<normal(0.0, 1.0)>
func.func @encode(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "x"}, %group: tensor<?xi32> {cambium.name = "group", cambium.rows = "x"}, %last: tensor<?x6xf32> {cambium.name = "last"}) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %W_q = nn.use @W_q : tensor<6x8xf32>
  %W_k = nn.use @W_k : tensor<6x8xf32>
  %W_b = nn.use @W_b : tensor<6x2xf32>
  %T = nn.use @T : tensor<2x7xf32>
  %R_k = nn.use @R_k : tensor<5x4xf32>
  %R_v = nn.use @R_v : tensor<3x4xf32>
  %q = nn.linear %x, %W_q : tensor<?x6xf32>, tensor<6x8xf32>
  %k = nn.linear %x, %W_k : tensor<?x6xf32>, tensor<6x8xf32>
  %b = nn.linear %x, %W_b : tensor<?x6xf32>, tensor<6x2xf32>
  %y0 = nn.attention %q, %k, %k heads 2 key_bias(%b : tensor<?x2xf32>) distance_bias(%T : tensor<2x7xf32>)
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  %y1 = nn.attention %y0, %k, %y0 heads 2 causal relative_keys(%R_k : tensor<5x4xf32>) relative_values(%R_v : tensor<3x4xf32>) dropout 0.25
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  %y2 = nn.attention %y1, %k, %y1 heads 2 relative_values(%R_v : tensor<3x4xf32>) within(%group : tensor<?xi32>) dropout 0.25
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  %p = nn.linear %last, %W_q : tensor<?x6xf32>, tensor<6x8xf32>
  %all = nn.append %y2, %p : tensor<?x8xf32>, tensor<?x8xf32>
  %z = nn.attention %p, %all, %all heads 2 causal distance_bias(%T : tensor<2x7xf32>)
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %y2, %z : tensor<?x8xf32>, tensor<?x8xf32>
}
func.func @loss(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "x"}, %group: tensor<?xi32> {cambium.name = "group", cambium.rows = "x"}, %last: tensor<?x6xf32> {cambium.name = "last"}) -> tensor<f32> {
  %y, %z = call @encode(%x, %group, %last) : (tensor<?x6xf32>, tensor<?xi32>, tensor<?x6xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
  %t = math.tanh %y : tensor<?x8xf32>
  %s = nn.sum %t over 0 : tensor<?x8xf32>
  %u = math.tanh %z : tensor<?x8xf32>
  %v = nn.sum %u over 0 : tensor<?x8xf32>
  %w = arith.addf %s, %v : tensor<8xf32>
  %l = nn.sum %w over 0 : tensor<8xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
