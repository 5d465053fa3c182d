// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --scale=0.9 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.9 --examples=1 --nodes=1 --seed=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.9 --empty-rows --nodes=2 --seed=3 | FileCheck %s

/// Every nn op, compiled, gives what the interpreter gives; also for f64, for one
/// example of one row, and without rows.
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: activations.
// CHECK-DAG: equal: products.
// CHECK-DAG: equal: tables.
// CHECK-DAG: equal: reductions.
// CHECK-DAG: equal: rows.
// CHECK-DAG: equal: shapes.
// CHECK-DAG: equal: integer_shapes.
// CHECK-DAG: equal: losses.
// CHECK-DAG: equal: doubles.
// CHECK-DAG: equal: near_zero.
// CHECK-NOT: DIFFERENT
nn.param @W : tensor<4x3xf32>
nn.param @b : tensor<3xf32>
nn.param @E : tensor<7x4xf32>
nn.param @A : tensor<2x4x3xf32>
nn.param @D : tensor<4x3xf64>

func.func @activations(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.sigmoid %x : tensor<4xf32>
  %1 = nn.relu %x : tensor<4xf32>
  %2 = nn.leaky_relu %x slope 0.1 : tensor<4xf32>
  %3 = nn.gelu %x : tensor<4xf32>
  %4 = nn.gelu %x tanh : tensor<4xf32>
  %5 = math.tanh %x : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @products(%x: tensor<4xf32>, %rows: tensor<?x4xf32>, %m: tensor<2x4xf32>, %v: tensor<2x3xf32>)
    -> (tensor<3xf32>, tensor<?x3xf32>, tensor<2x3xf32>, tensor<2xf32>, tensor<f32>, tensor<2x3xf32>,
        tensor<2x4xf32>, tensor<2xf32>, tensor<4x3xf32>, tensor<3xf32>) {
  %W = nn.use @W : tensor<4x3xf32>
  %b = nn.use @b : tensor<3xf32>
  %A = nn.use @A : tensor<2x4x3xf32>
  %0 = nn.linear %x, %W, %b : tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %1 = nn.linear %rows, %W, %b : tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %2 = nn.linear %m, %W : tensor<2x4xf32>, tensor<4x3xf32>
  %3 = nn.matmul %m, %x : tensor<2x4xf32>, tensor<4xf32>
  %4 = nn.matmul %x, %x : tensor<4xf32>, tensor<4xf32>
  %5 = nn.matmul %m, %A batch_dims 1 : tensor<2x4xf32>, tensor<2x4x3xf32>
  %6 = nn.matmul %A, %v batch_dims 1 : tensor<2x4x3xf32>, tensor<2x3xf32>
  %7 = nn.matmul %m, %m batch_dims 1 : tensor<2x4xf32>, tensor<2x4xf32>
  %8 = nn.outer_sum %m, %v : tensor<2x4xf32>, tensor<2x3xf32>
  %9 = nn.matmul %x, %W : tensor<4xf32>, tensor<4x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<3xf32>, tensor<?x3xf32>, tensor<2x3xf32>, tensor<2xf32>, tensor<f32>, tensor<2x3xf32>,
      tensor<2x4xf32>, tensor<2xf32>, tensor<4x3xf32>, tensor<3xf32>
}

func.func @tables(%ids: tensor<?xi32>, %pair: tensor<2xi32>, %one: tensor<i32>, %x: tensor<2x2xf32>)
    -> (tensor<?x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2x5xf32>) {
  %E = nn.use @E : tensor<7x4xf32>
  %0 = nn.embed %ids, %E padding_id 0 : tensor<?xi32>, tensor<7x4xf32>
  %1 = nn.embed %pair, %E : tensor<2xi32>, tensor<7x4xf32>
  %2 = nn.embed %one, %E : tensor<i32>, tensor<7x4xf32>
  %3 = nn.pick %x, %pair : tensor<2x2xf32>, tensor<2xi32>
  %4 = nn.one_hot %pair, %3 size 5 : tensor<2xi32>, tensor<2xf32>
  return %0, %1, %2, %3, %4
    : tensor<?x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2x5xf32>
}

func.func @reductions(%x: tensor<2x3xf32>)
    -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2x3xf32>,
        tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = nn.sum %x over 0 : tensor<2x3xf32>
  %1 = nn.sum %x over 1 : tensor<2x3xf32>
  %2 = nn.mean %x over 1 : tensor<2x3xf32>
  %3 = nn.max %x over 0 : tensor<2x3xf32>
  %4 = nn.max %x over 1 : tensor<2x3xf32>
  %5 = nn.softmax %x over 0 : tensor<2x3xf32>
  %6 = nn.softmax %x over 1 : tensor<2x3xf32>
  %7 = nn.log_softmax %x over 1 : tensor<2x3xf32>
  %8 = nn.l2_normalize %x over 1 : tensor<2x3xf32>
  %9 = nn.max_grad %x, %4 over 1 : tensor<2x3xf32>, tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2x3xf32>,
      tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @rows(%x: tensor<?x3xf32>, %q: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<3xf32>) {
  %0 = nn.sum %x over 0 : tensor<?x3xf32>
  %1 = nn.mean %x over 0 : tensor<?x3xf32>
  %2 = nn.max %x over 0 : tensor<?x3xf32>
  %3 = nn.softmax %x over 0 : tensor<?x3xf32>
  %4 = nn.broadcast %q dims [1] like %x : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %p = arith.mulf %4, %x : tensor<?x3xf32>
  %5 = nn.sum %p over 1 : tensor<?x3xf32>
  %6 = nn.softmax %5 over 0 : tensor<?xf32>
  %7 = nn.broadcast %6 dims [0] like %x : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %8 = arith.mulf %7, %x : tensor<?x3xf32>
  %9 = nn.sum %8 over 0 : tensor<?x3xf32>
  return %0, %1, %2, %3, %6, %9
    : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<3xf32>
}

func.func @shapes(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>, %r: tensor<?x2x3xf32>)
    -> (tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x6xf32>, tensor<3x2xf32>,
        tensor<6xf32>, tensor<?x6xf32>, tensor<?x3xf32>, tensor<2x3x2xf32>) {
  %0 = nn.concat %a, %b over 1 : tensor<2x3xf32>, tensor<2x1xf32>
  %1, %2 = nn.split %a over 1 sizes [1, 2] : tensor<2x3xf32>
  %3 = nn.slice %a over 1 from 1 size 1 : tensor<2x3xf32>
  %4 = nn.reshape %3 : tensor<2x1xf32> -> tensor<2xf32>
  %5 = nn.pad %a over 1 low 2 high 1 : tensor<2x3xf32>
  %6 = nn.transpose %a perm [1, 0] : tensor<2x3xf32>
  %7 = nn.reshape %a : tensor<2x3xf32> -> tensor<6xf32>
  %8 = nn.reshape %r : tensor<?x2x3xf32> -> tensor<?x6xf32>
  %9 = nn.slice %r over 1 from 1 size 1 : tensor<?x2x3xf32>
  %10 = nn.reshape %9 : tensor<?x1x3xf32> -> tensor<?x3xf32>
  %11 = nn.broadcast %a dims [0, 1] : tensor<2x3xf32> -> tensor<2x3x2xf32>
  return %0, %1, %2, %4, %5, %6, %7, %8, %10, %11
    : tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x6xf32>, tensor<3x2xf32>,
      tensor<6xf32>, tensor<?x6xf32>, tensor<?x3xf32>, tensor<2x3x2xf32>
}

func.func @integer_shapes(%a: tensor<2x3xi32>, %b: tensor<2x1xi32>, %r: tensor<?x3xi32>, %w: tensor<4xi64>)
    -> (tensor<2x4xi32>, tensor<2x1xi32>, tensor<2x2xi32>, tensor<2x6xi32>, tensor<3x2xi32>, tensor<?x2xi32>,
        tensor<2xi64>) {
  %0 = nn.concat %a, %b over 1 : tensor<2x3xi32>, tensor<2x1xi32>
  %1, %2 = nn.split %a over 1 sizes [1, 2] : tensor<2x3xi32>
  %3 = nn.pad %a over 1 low 2 high 1 : tensor<2x3xi32>
  %4 = nn.transpose %a perm [1, 0] : tensor<2x3xi32>
  %5 = nn.slice %r over 1 from 1 size 2 : tensor<?x3xi32>
  %6 = nn.slice %w over 0 from 2 size 2 : tensor<4xi64>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<2x4xi32>, tensor<2x1xi32>, tensor<2x2xi32>, tensor<2x6xi32>, tensor<3x2xi32>, tensor<?x2xi32>,
      tensor<2xi64>
}

func.func @losses(%x: tensor<5xf32>, %y: tensor<5xf32>, %t: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %p = nn.softmax %y over 0 : tensor<5xf32>
  %lq = nn.log_softmax %x over 0 : tensor<5xf32>
  %0 = nn.cross_entropy %x, %t : tensor<5xf32>, tensor<i32>
  %1 = nn.cross_entropy %x, %t ignore_id 1 : tensor<5xf32>, tensor<i32>
  %2 = nn.cross_entropy %x, %p : tensor<5xf32>, tensor<5xf32>
  %3 = nn.kl_divergence %p, %lq : tensor<5xf32>, tensor<5xf32>
  %4 = nn.mse %x, %y : tensor<5xf32>, tensor<5xf32>
  %5 = nn.mse %a, %b : tensor<f32>, tensor<f32>
  %6 = nn.cosine_similarity %x, %y over 0 : tensor<5xf32>, tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

func.func @doubles(%x: tensor<?x4xf64>) -> (tensor<?x3xf64>, tensor<3xf64>) {
  %D = nn.use @D : tensor<4x3xf64>
  %0 = nn.linear %x, %D : tensor<?x4xf64>, tensor<4x3xf64>
  %1 = nn.sigmoid %0 : tensor<?x3xf64>
  %2 = nn.sum %1 over 0 : tensor<?x3xf64>
  return %1, %2 : tensor<?x3xf64>, tensor<3xf64>
}

/// exp(x) - 1 of numbers so small that 1 + x is 1; and of large ones.
func.func @near_zero(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %tiny = arith.constant dense<1.0e-20> : tensor<3xf64>
  %small = arith.constant dense<1.0e-9> : tensor<3xf64>
  %large = arith.constant dense<-900.0> : tensor<3xf64>
  %a = arith.mulf %x, %tiny : tensor<3xf64>
  %b = arith.mulf %x, %small : tensor<3xf64>
  %c = arith.mulf %x, %large : tensor<3xf64>
  %ea = math.expm1 %a : tensor<3xf64>
  %eb = math.expm1 %b : tensor<3xf64>
  %ec = math.expm1 %x : tensor<3xf64>
  %m = math.absf %c : tensor<3xf64>
  %n = arith.negf %m : tensor<3xf64>
  %ed = math.expm1 %n : tensor<3xf64>
  // Compared in relative terms.
  %ra = arith.divf %ea, %tiny : tensor<3xf64>
  %rb = arith.divf %eb, %small : tensor<3xf64>
  return %ra, %rb, %ec, %ed : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}
