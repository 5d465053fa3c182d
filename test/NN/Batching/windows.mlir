/// Convolutions over words as products with windows, and second derivatives
/// through them: values and gradients against the interpreter, for no rows, for
/// one, and for many.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --empty-rows --seed=3 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=100 --examples=3 --samples=4 --seed=4 | FileCheck %s
// RUN: %limit cambium-difftest %s | FileCheck %s --check-prefix=SAME
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: features.out0
// CHECK-DAG: equal: features.out1
// CHECK-DAG: equal: loss: gradient of K
// CHECK-NOT: DIFFERENT
nn.param @K : tensor<24x5xf32> init #nn.init<xavier_uniform>
func.func @features(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "w"}, %ids: tensor<?xi32> {cambium.name = "ids", cambium.rows = "w"}) -> (tensor<5xf32>, tensor<?x3xi32>) {
  %K = nn.use @K : tensor<24x5xf32>
  %w = nn.window %x before 2 after 1 : tensor<?x6xf32>
  %f = nn.reshape %w : tensor<?x4x6xf32> -> tensor<?x24xf32>
  %c = nn.linear %f, %K : tensor<?x24xf32>, tensor<24x5xf32>
  %t = math.tanh %c : tensor<?x5xf32>
  %m = nn.max %t over 0 : tensor<?x5xf32>
  %i = nn.window %ids before 0 after 2 : tensor<?xi32>
  return %m, %i : tensor<5xf32>, tensor<?x3xi32>
}
func.func @loss(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "w"}, %ids: tensor<?xi32> {cambium.name = "ids", cambium.rows = "w"}) -> tensor<f32> {
  %y, %i = call @features(%x, %ids) : (tensor<?x6xf32>, tensor<?xi32>) -> (tensor<5xf32>, tensor<?x3xi32>)
  %yy = arith.mulf %y, %y : tensor<5xf32>
  %s = nn.sum %yy over 0 : tensor<5xf32>
  %g = train.gradient %s wrt %x : tensor<f32>, tensor<?x6xf32>
  %gg = arith.mulf %g, %g : tensor<?x6xf32>
  %g1 = nn.sum %gg over 1 : tensor<?x6xf32>
  %g0 = nn.sum %g1 over 0 : tensor<?xf32>
  %l = arith.addf %s, %g0 : tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
