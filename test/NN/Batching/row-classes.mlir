/// Classes that are rows of the example: which of the words is meant.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=100 --examples=3 --samples=4 --seed=4 --num-threads=2 | FileCheck %s
// RUN: %limit cambium-difftest %s | FileCheck %s --check-prefix=SAME
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: choose.out0
// CHECK-DAG: equal: choose.out1
// CHECK-DAG: equal: choose.out2
// CHECK-DAG: equal: choose.out3
// CHECK-DAG: equal: loss: gradient of W
// CHECK-NOT: DIFFERENT
nn.param @W : tensor<6x4xf32> init #nn.init<xavier_uniform>
nn.param @q : tensor<4xf32> init #nn.init<normal(0.0, 1.0)>
func.func @choose(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "w"}, %d: tensor<?xf32> {cambium.name = "target", cambium.rows = "w"}) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %W = nn.use @W : tensor<6x4xf32>
  %q = nn.use @q : tensor<4xf32>
  %h = nn.linear %x, %W : tensor<?x6xf32>, tensor<6x4xf32>
  %s = nn.matmul %h, %q : tensor<?x4xf32>, tensor<4xf32>
  // Of the rows, the one whose first number is greatest.
  %first = nn.slice %x over 1 from 0 size 1 : tensor<?x6xf32>
  %numbers = nn.reshape %first : tensor<?x1xf32> -> tensor<?xf32>
  %v, %w = nn.top %numbers count 1 over 0 : tensor<?xf32>
  %i = nn.reshape %w : tensor<1xi32> -> tensor<i32>
  %picked = nn.pick %s, %i : tensor<?xf32>, tensor<i32>
  // A chain has no fewer than one row.
  %chain = tree.chain %s : tensor<?xf32>
  %last = tree.root %chain, %s : tensor<?xf32>
  %a = arith.addf %picked, %last : tensor<f32>
  %b = nn.cross_entropy %s, %i : tensor<?xf32>, tensor<i32>
  %c = nn.cross_entropy %s, %d : tensor<?xf32>, tensor<?xf32>
  %none = arith.constant dense<-7> : tensor<i32>
  %e = nn.cross_entropy %s, %none ignore_id -7 : tensor<?xf32>, tensor<i32>
  return %a, %b, %c, %e : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @loss(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "w"}, %d: tensor<?xf32> {cambium.name = "target", cambium.rows = "w"}) -> tensor<f32> {
  %a, %b, %c, %e = call @choose(%x, %d) : (tensor<?x6xf32>, tensor<?xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
  %l0 = arith.addf %a, %b : tensor<f32>
  %l1 = arith.addf %c, %e : tensor<f32>
  %l = arith.addf %l0, %l1 : tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
