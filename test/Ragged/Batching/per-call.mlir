/// A value per call is a value as a parameter is: what it meets alone is computed
/// once. Values and gradients are those of the interpreter.
// RUN: cambium-opt --cambium-to-batched %s | FileCheck %s --check-prefix=ONCE
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --examples=5 --num-threads=2 | FileCheck %s
// RUN: %limit cambium-difftest %s | FileCheck %s --check-prefix=SAME
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: scale.out0
// CHECK-DAG: equal: alone.out0
// CHECK-DAG: equal: loss: gradient of W
// CHECK-NOT: DIFFERENT
nn.param @W : tensor<6x4xf32> init #nn.init<xavier_uniform>
nn.param @T : tensor<3x4xf32> init #nn.init<xavier_uniform>

// ONCE-LABEL: func.func @scale(%{{.*}}: tensor<f32> {rt.as = #rt.input<name = "rho", space = -2{{.*}}>}, %{{.*}}: tensor<i32> {rt.as = #rt.input<name = "task", space = -2{{.*}}limit = 3>}, %{{.*}}: tensor<?x6xf32>
// ONCE: arith.mulf %{{.*}}, %{{.*}} : tensor<6x4xf32>
// ONCE: nn.embed %{{.*}} : tensor<i32>, tensor<3x4xf32>
// ONCE: nn.linear %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x6xf32>, tensor<6x4xf32>, tensor<4xf32>
func.func @scale(%rho: tensor<f32> {cambium.name = "rho", cambium.per = "call"},
                 %task: tensor<i32> {cambium.name = "task", cambium.per = "call"},
                 %x: tensor<6xf32> {cambium.name = "x"}) -> tensor<4xf32> {
  %W = nn.use @W : tensor<6x4xf32>
  %T = nn.use @T : tensor<3x4xf32>
  %rs = nn.broadcast %rho dims [] : tensor<f32> -> tensor<6x4xf32>
  %Wr = arith.mulf %W, %rs : tensor<6x4xf32>
  %t = nn.embed %task, %T : tensor<i32>, tensor<3x4xf32>
  %y = nn.linear %x, %Wr, %t : tensor<6xf32>, tensor<6x4xf32>, tensor<4xf32>
  return %y : tensor<4xf32>
}

/// Nothing says how many examples there are but the call.
func.func @alone(%rho: tensor<f32> {cambium.name = "rho", cambium.per = "call"}) -> tensor<4xf32> {
  %n = nn.random normal(0.0, 1.0) : tensor<4xf32>
  %rs = nn.broadcast %rho dims [] : tensor<f32> -> tensor<4xf32>
  %y = arith.mulf %n, %rs : tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @loss(%rho: tensor<f32> {cambium.name = "rho", cambium.per = "call"},
                %task: tensor<i32> {cambium.name = "task", cambium.per = "call"},
                %x: tensor<6xf32> {cambium.name = "x"}) -> tensor<f32> {
  %y = call @scale(%rho, %task, %x) : (tensor<f32>, tensor<i32>, tensor<6xf32>) -> tensor<4xf32>
  %yy = arith.mulf %y, %y : tensor<4xf32>
  %s = nn.sum %yy over 0 : tensor<4xf32>
  // The gradient with respect to it is each example's own.
  %g = train.gradient %s wrt %rho : tensor<f32>, tensor<f32>
  %gg = arith.mulf %g, %g : tensor<f32>
  %l = arith.addf %s, %gg : tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
