/// The greatest elements, sums by id and log-sum-exp, over rows and over other
/// dimensions: values and gradients of the compiled code against the
/// interpreter's, and of that against finite differences; of no rows too, with
/// fewer rows than are asked for, and with ids that are left out.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --empty-rows --seed=3 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=100 --examples=3 --samples=4 --seed=4 | FileCheck %s
// RUN: %limit cambium-difftest %s | FileCheck %s --check-prefix=SAME
// SAME: compared {{[1-9][0-9]*}} values {{.*}}, {{[1-9][0-9]*}} derivatives
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: select.best
// CHECK-DAG: equal: select.places
// CHECK-DAG: equal: select.columns
// CHECK-DAG: equal: select.of_rows
// CHECK-DAG: equal: select.taken
// CHECK-DAG: equal: select.sums
// CHECK-DAG: equal: select.own_sums
// CHECK-DAG: equal: select.log
// CHECK-DAG: equal: loss: gradient of W
// CHECK-DAG: equal: loss: gradient of V
// CHECK-NOT: DIFFERENT
nn.param @W : tensor<6x4xf32> init #nn.init<xavier_uniform>
nn.param @V : tensor<3x5x4xf32> init #nn.init<normal(0.0, 1.0)>
func.func @select(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "words"},
                  %ids: tensor<?xi32> {cambium.name = "ids", cambium.rows = "words"},
                  %own: tensor<5xi32> {cambium.name = "own"})
    -> (tensor<4xf32> {cambium.name = "best"}, tensor<4xi32> {cambium.name = "places"},
        tensor<3x4xf32> {cambium.name = "columns"}, tensor<?x2xf32> {cambium.name = "of_rows"},
        tensor<4x4xf32> {cambium.name = "taken"}, tensor<7x4xf32> {cambium.name = "sums"},
        tensor<3x2x4xf32> {cambium.name = "own_sums"}, tensor<4xf32> {cambium.name = "log"}) {
  %W = nn.use @W : tensor<6x4xf32>
  %V = nn.use @V : tensor<3x5x4xf32>
  %h = nn.linear %x, %W : tensor<?x6xf32>, tensor<6x4xf32>
  %s = nn.sum %h over 1 : tensor<?x4xf32>
  // Numbers that are rows, and columns of rows.
  %best, %places = nn.top %s count 4 over 0 : tensor<?xf32>
  %columns, %i = nn.top %h count 3 over 0 : tensor<?x4xf32>
  %of_rows, %j = nn.top %h count 2 over 1 : tensor<?x4xf32>
  %taken = nn.take %h, %places : tensor<?x4xf32>, tensor<4xi32>
  %sums = nn.sum_by %h, %ids over 0 size 7 : tensor<?x4xf32>, tensor<?xi32>
  // A value of the example, of three dimensions, with shared ids and own ones.
  %m = nn.mean %h over 0 : tensor<?x4xf32>
  %ms = nn.broadcast %m dims [2] : tensor<4xf32> -> tensor<3x5x4xf32>
  %v = arith.mulf %V, %ms : tensor<3x5x4xf32>
  %vt, %k = nn.top %v count 2 over 1 : tensor<3x5x4xf32>
  %idss = nn.broadcast %own dims [1] : tensor<5xi32> -> tensor<3x5xi32>
  %shared = nn.sum_by %v, %idss over 1 size 2 : tensor<3x5x4xf32>, tensor<3x5xi32>
  %own_sums = arith.addf %vt, %shared : tensor<3x2x4xf32>
  %log = nn.log_sum_exp %h over 0 : tensor<?x4xf32>
  return %best, %places, %columns, %of_rows, %taken, %sums, %own_sums, %log
    : tensor<4xf32>, tensor<4xi32>, tensor<3x4xf32>, tensor<?x2xf32>, tensor<4x4xf32>,
      tensor<7x4xf32>, tensor<3x2x4xf32>, tensor<4xf32>
}
func.func private @squares(%x: tensor<4xf32>) -> tensor<f32> {
  // What is missing is minus infinity.
  %e = math.exp %x : tensor<4xf32>
  %s = arith.mulf %e, %e : tensor<4xf32>
  %l = nn.sum %s over 0 : tensor<4xf32>
  return %l : tensor<f32>
}
func.func @loss(%x: tensor<?x6xf32> {cambium.name = "x", cambium.rows = "words"},
                %ids: tensor<?xi32> {cambium.name = "ids", cambium.rows = "words"},
                %own: tensor<5xi32> {cambium.name = "own"}) -> tensor<f32> {
  %b, %p, %c, %r, %t, %s, %o, %g = call @select(%x, %ids, %own) : (tensor<?x6xf32>, tensor<?xi32>, tensor<5xi32>)
    -> (tensor<4xf32>, tensor<4xi32>, tensor<3x4xf32>, tensor<?x2xf32>, tensor<4x4xf32>,
        tensor<7x4xf32>, tensor<3x2x4xf32>, tensor<4xf32>)
  %lb = call @squares(%b) : (tensor<4xf32>) -> tensor<f32>
  %lg = call @squares(%g) : (tensor<4xf32>) -> tensor<f32>
  %c0 = nn.log_sum_exp %c over 0 : tensor<3x4xf32>
  %lc = call @squares(%c0) : (tensor<4xf32>) -> tensor<f32>
  %rs = nn.sum %r over 0 : tensor<?x2xf32>
  %rq = arith.mulf %rs, %rs : tensor<2xf32>
  %lr = nn.sum %rq over 0 : tensor<2xf32>
  %tt = arith.mulf %t, %t : tensor<4x4xf32>
  %t0 = nn.log_sum_exp %tt over 1 : tensor<4x4xf32>
  %lt = nn.sum %t0 over 0 : tensor<4xf32>
  %s0 = math.tanh %s : tensor<7x4xf32>
  %s1 = nn.reshape %s0 : tensor<7x4xf32> -> tensor<28xf32>
  %ls = nn.log_sum_exp %s1 over 0 : tensor<28xf32>
  %oo = arith.mulf %o, %o : tensor<3x2x4xf32>
  %o0 = nn.reshape %oo : tensor<3x2x4xf32> -> tensor<24xf32>
  %lo = nn.sum %o0 over 0 : tensor<24xf32>
  %l0 = arith.addf %lb, %lg : tensor<f32>
  %l1 = arith.addf %l0, %lc : tensor<f32>
  %l2 = arith.addf %l1, %lr : tensor<f32>
  %l3 = arith.addf %l2, %lt : tensor<f32>
  %l4 = arith.addf %l3, %ls : tensor<f32>
  %l = arith.addf %l4, %lo : tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>
