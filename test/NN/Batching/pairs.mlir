/// Scores of rows for rows of the same example, and of another kind; bodies that
/// take and yield rows of them. Compiled code against the interpreter: values,
/// gradients, second derivatives, examples without rows and of one row.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=1 --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=40 --examples=2 --samples=4 --seed=5 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --function=sums --empty-rows --seed=3 --num-threads=2 | FileCheck %s --check-prefix=EMPTY
// RUN: cambium-compare %s %t.so --function=others --empty-rows --seed=3 | FileCheck %s --check-prefix=EMPTY
// RUN: cambium-compare %s %t.so --function=sums --nodes=199 --examples=100 --seed=6 | FileCheck %s --check-prefix=MANY
// RUN: cambium-compare %s %t.so --function=heads --nodes=199 --examples=100 --seed=6 --num-threads=2 | FileCheck %s --check-prefix=HEADS
// 10,322 rows, of which each sees those of its example, a hundred and more.
// MANY: equal: sums.out0, 10322 numbers
// HEADS: equal: heads.out0, 100 numbers
// EMPTY-NOT: DIFFERENT
// EMPTY: equal: {{sums|others}}.out0
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: sums.out0
// CHECK-DAG: equal: others.out0
// CHECK-DAG: equal: in_sets.out0
// CHECK-DAG: equal: in_cells.out0
// CHECK-DAG: equal: heads.out0
// CHECK-DAG: equal: heads: gradient of U
// CHECK-DAG: equal: heads: gradient of V
// CHECK-DAG: equal: slope.out0
// CHECK-DAG: equal: slope: gradient of U
// CHECK-DAG: equal: slope: gradient of V
// CHECK-NOT: DIFFERENT
nn.param @U : tensor<4x5xf32> init #nn.init<xavier_uniform>
nn.param @V : tensor<4x5xf32> init #nn.init<xavier_uniform>

func.func private @scores(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %U = nn.use @U : tensor<4x5xf32>
  %V = nn.use @V : tensor<4x5xf32>
  %a = nn.linear %x, %U : tensor<?x4xf32>, tensor<4x5xf32>
  %b = nn.linear %x, %V : tensor<?x4xf32>, tensor<4x5xf32>
  %s = nn.pair_scores %a, %b : tensor<?x5xf32>, tensor<?x5xf32>
  return %s : tensor<?x?xf32>
}

func.func @sums(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<?xf32> {
  %s = func.call @scores(%x) : (tensor<?x4xf32>) -> tensor<?x?xf32>
  %y = nn.each rows(%r = %s : tensor<?xf32>) -> (tensor<f32>) {
    %t = math.tanh %r : tensor<?xf32>
    %n = nn.sum %t over 0 : tensor<?xf32>
    nn.yield %n : tensor<f32>
  }
  return %y : tensor<?xf32>
}

/// Rows of two kinds: as many scores for each word as there are marks. The
/// scores are changed row by row, with what is one per word.
func.func @others(%x: tensor<?x3xf32> {cambium.name = "x", cambium.rows = "words"},
                  %y: tensor<?x3xf32> {cambium.name = "y", cambium.rows = "marks"},
                  %by: tensor<?xf32> {cambium.name = "by", cambium.rows = "words"}) -> tensor<?xf32> {
  %s = nn.pair_scores %x, %y : tensor<?x3xf32>, tensor<?x3xf32>
  %t = nn.pair_scores %x, %y : tensor<?x3xf32>, tensor<?x3xf32>
  %z = nn.each rows(%si = %s : tensor<?xf32>, %ti = %t : tensor<?xf32>, %b = %by : tensor<f32>) -> (tensor<?xf32>) {
    %bs = nn.broadcast %b dims [] like %si : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %p = arith.mulf %ti, %bs : tensor<?xf32>
    %q = arith.addf %si, %p : tensor<?xf32>
    nn.yield %q : tensor<?xf32>
  }
  %m = nn.each rows(%r = %z : tensor<?xf32>) -> (tensor<f32>) {
    %n = nn.mean %r over 0 : tensor<?xf32>
    nn.yield %n : tensor<f32>
  }
  return %m : tensor<?xf32>
}

/// In a body for the members of a set, whose words meet each other.
func.func @in_sets(%x: tensor<?x?x4xf32> {cambium.name = "x", cambium.rows = "members"}) -> tensor<?xf32> {
  %y = nn.each rows(%w = %x : tensor<?x4xf32>) -> (tensor<f32>) {
    %s = func.call @scores(%w) : (tensor<?x4xf32>) -> tensor<?x?xf32>
    %z = nn.each rows(%r = %s : tensor<?xf32>) -> (tensor<f32>) {
      %n = nn.mean %r over 0 : tensor<?xf32>
      nn.yield %n : tensor<f32>
    }
    %m = nn.sum %z over 0 : tensor<?xf32>
    nn.yield %m : tensor<f32>
  }
  return %y : tensor<?xf32>
}

/// In the cell of a node, whose children meet each other.
func.func @in_cells(%t: !tree.tree {cambium.name = "tree"},
                    %x: tensor<?x4xf32> {cambium.name = "x"}) -> tensor<4xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<4xf32>) children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %s = func.call @scores(%hk) : (tensor<?x4xf32>) -> tensor<?x?xf32>
    %z = nn.each rows(%r = %s : tensor<?xf32>) -> (tensor<f32>) {
      %u = math.tanh %r : tensor<?xf32>
      %n = nn.mean %u over 0 : tensor<?xf32>
      nn.yield %n : tensor<f32>
    }
    %m = nn.matmul %z, %hk : tensor<?xf32>, tensor<?x4xf32>
    %a = arith.addf %m, %xj : tensor<4xf32>
    %y = math.tanh %a : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  %r = tree.root %t, %h : tensor<?x4xf32>
  return %r : tensor<4xf32>
}

/// The head of each word is one of the words.
func.func @heads(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<f32> {
  %s = func.call @scores(%x) : (tensor<?x4xf32>) -> tensor<?x?xf32>
  %i = nn.positions %x limit 100 : tensor<?x4xf32>
  %l = nn.each rows(%r = %s : tensor<?xf32>, %k = %i : tensor<i32>) -> (tensor<f32>) {
    %lk = nn.cross_entropy %r, %k : tensor<?xf32>, tensor<i32>
    nn.yield %lk : tensor<f32>
  }
  %m = nn.mean %l over 0 : tensor<?xf32>
  return %m : tensor<f32>
}
train.step @train loss @heads optimizer #train.optimizer<sgd>

/// The size of a gradient, whose own gradient is one of second order.
func.func @slope(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<f32> {
  %s = func.call @scores(%x) : (tensor<?x4xf32>) -> tensor<?x?xf32>
  %e = nn.each rows(%r = %s : tensor<?xf32>) -> (tensor<f32>) {
    %t = math.tanh %r : tensor<?xf32>
    %n = nn.mean %t over 0 : tensor<?xf32>
    nn.yield %n : tensor<f32>
  }
  %m = nn.sum %e over 0 : tensor<?xf32>
  %g = train.gradient %m wrt %x : tensor<f32>, tensor<?x4xf32>
  %q = arith.mulf %g, %g : tensor<?x4xf32>
  %u = nn.sum %q over 1 : tensor<?x4xf32>
  %y = nn.sum %u over 0 : tensor<?xf32>
  return %y : tensor<f32>
}
train.step @flatten loss @slope optimizer #train.optimizer<sgd>
