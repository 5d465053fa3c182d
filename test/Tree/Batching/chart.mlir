/// Folds over the spans of a sequence: compiled code against the interpreter,
/// and gradients, those of gradients too (marginals in a loss), against it and
/// finite differences.
// RUN: %limit cambium-compile %s -o %t.so
// RUN: %limit cambium-compare %s %t.so --all --nodes=5 --examples=4 --samples=4 --seed=2 | FileCheck %s
// RUN: %limit cambium-compare %s %t.so --all --nodes=1 --samples=2 --seed=4 | FileCheck %s
// RUN: %limit cambium-compare %s %t.so --all --nodes=2 --samples=2 --seed=6 --num-threads=2 | FileCheck %s
// RUN: %limit cambium-compare %s %t.so --function=soft --nodes=60 --examples=2 --samples=2 --seed=3 | FileCheck %s --check-prefix=LONG
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: inside.out0
// CHECK-DAG: equal: best_spans.out0
// CHECK-DAG: equal: marginals.out0
// CHECK-DAG: equal: both_ways.out0
// CHECK-DAG: equal: in_sets.out0
// CHECK-DAG: equal: soft: gradient of U
// CHECK-DAG: equal: soft: gradient of q
// CHECK-DAG: equal: expected: gradient of A
// CHECK-NOT: DIFFERENT
// LONG-NOT: DIFFERENT
// LONG: equal: soft.out0
nn.param @A : tensor<4x3xf32> init #nn.init<xavier_uniform>
nn.param @B : tensor<4x3xf32> init #nn.init<xavier_uniform>
nn.param @U : tensor<8x4xf32> init #nn.init<xavier_uniform>
nn.param @b : tensor<4xf32> init #nn.init<normal(0.0, 0.1)>
nn.param @q : tensor<4xf32> init #nn.init<normal(0.0, 0.5)>

/// A score of each span: the product of what is made of its ends.
func.func private @scores(%x: tensor<?x4xf32>, %first: tensor<?xi32>, %last: tensor<?xi32>) -> tensor<?xf32> {
  %A = nn.use @A : tensor<4x3xf32>
  %B = nn.use @B : tensor<4x3xf32>
  %a = nn.linear %x, %A : tensor<?x4xf32>, tensor<4x3xf32>
  %b = nn.linear %x, %B : tensor<?x4xf32>, tensor<4x3xf32>
  %ai = nn.take %a, %first : tensor<?x3xf32>, tensor<?xi32>
  %bj = nn.take %b, %last : tensor<?x3xf32>, tensor<?xi32>
  %p = arith.mulf %ai, %bj : tensor<?x3xf32>
  %s = nn.sum %p over 1 : tensor<?x3xf32>
  return %s : tensor<?xf32>
}

/// log of the sum over all binary trees of the exponentials of their scores.
func.func @inside(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<f32> {
  %t, %i, %j = tree.chart %x : tensor<?x4xf32>
  %s = func.call @scores(%x, %i, %j) : (tensor<?x4xf32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xf32>
  %z = tree.fold %t nodes(%sj = %s : tensor<f32>) children(%zk : tensor<?x2xf32>) -> (tensor<f32>) {
    %both = nn.sum %zk over 1 : tensor<?x2xf32>
    %l = nn.log_sum_exp %both over 0 : tensor<?xf32>
    %zj = arith.addf %l, %sj : tensor<f32>
    tree.yield %zj : tensor<f32>
  } leaf {
    tree.yield %sj : tensor<f32>
  }
  %r = tree.root %t, %z : tensor<?xf32>
  return %r : tensor<f32>
}

/// The spans of the best tree are the gradient of its score.
func.func @best_spans(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<?x4xf32> {
  %t, %i, %j = tree.chart %x : tensor<?x4xf32>
  %s = func.call @scores(%x, %i, %j) : (tensor<?x4xf32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xf32>
  %b = tree.fold %t nodes(%sj = %s : tensor<f32>) children(%bk : tensor<?x2xf32>) -> (tensor<f32>) {
    %both = nn.sum %bk over 1 : tensor<?x2xf32>
    %m = nn.max %both over 0 : tensor<?xf32>
    %bj = arith.addf %m, %sj : tensor<f32>
    tree.yield %bj : tensor<f32>
  } leaf {
    tree.yield %sj : tensor<f32>
  }
  %r = tree.root %t, %b : tensor<?xf32>
  %g = train.gradient %r wrt %x : tensor<f32>, tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

/// Marginals of the spans that a word begins, weighted by what stands at their ends.
func.func @marginals(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<?x4xf32> {
  %z = func.call @inside(%x) : (tensor<?x4xf32>) -> tensor<f32>
  %g = train.gradient %z wrt %x : tensor<f32>, tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

/// A loss of marginals: a gradient of a gradient.
func.func @expected(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<f32> {
  %m = func.call @marginals(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %mm = arith.mulf %m, %m : tensor<?x4xf32>
  %c = nn.sum %mm over 1 : tensor<?x4xf32>
  %l = nn.sum %c over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

/// The soft choice of Maillard et al. 2017: a span is the mean of what its cuts give,
/// weighted by the softmax of their scores.
func.func @soft(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<f32> {
  %t, %i, %j = tree.chart %x : tensor<?x4xf32>
  %leaves = nn.take %x, %i : tensor<?x4xf32>, tensor<?xi32>
  %U = nn.use @U : tensor<8x4xf32>
  %b = nn.use @b : tensor<4xf32>
  %q = nn.use @q : tensor<4xf32>
  %h = tree.fold %t nodes(%xj = %leaves : tensor<4xf32>) children(%hk : tensor<?x2x4xf32>) -> (tensor<4xf32>) {
    %hh = nn.reshape %hk : tensor<?x2x4xf32> -> tensor<?x8xf32>
    %a = nn.linear %hh, %U, %b : tensor<?x8xf32>, tensor<8x4xf32>, tensor<4xf32>
    %c = math.tanh %a : tensor<?x4xf32>
    %e = nn.matmul %c, %q : tensor<?x4xf32>, tensor<4xf32>
    %w = nn.softmax %e over 0 : tensor<?xf32>
    %m = nn.matmul %w, %c : tensor<?xf32>, tensor<?x4xf32>
    tree.yield %m : tensor<4xf32>
  } leaf {
    tree.yield %xj : tensor<4xf32>
  }
  %r = tree.root %t, %h : tensor<?x4xf32>
  %l = nn.sum %r over 0 : tensor<4xf32>
  return %l : tensor<f32>
}

/// The chart is a graph as others are: in how many trees' ways a span is reached from
/// above, and the sum of what all children have.
func.func @both_ways(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<f32> {
  %t, %i, %j = tree.chart %x : tensor<?x4xf32>
  %s = func.call @scores(%x, %i, %j) : (tensor<?x4xf32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xf32>
  %d = tree.unfold %t nodes(%sj = %s : tensor<f32>) parent(%p : tensor<f32>) -> (tensor<f32>) {
    %c = math.tanh %p : tensor<f32>
    %dj = arith.addf %c, %sj : tensor<f32>
    tree.yield %dj : tensor<f32>
  }
  %u = tree.fold %t nodes(%dj = %d : tensor<f32>) children(%uk : tensor<?xf32>) -> (tensor<f32>) {
    %m = nn.mean %uk over 0 : tensor<?xf32>
    %uj = arith.addf %m, %dj : tensor<f32>
    tree.yield %uj : tensor<f32>
  } leaf {
    tree.yield %dj : tensor<f32>
  }
  %y = nn.mean %u over 0 : tensor<?xf32>
  return %y : tensor<f32>
}

/// A chart for each member of a set.
func.func @in_sets(%x: tensor<?x?x4xf32> {cambium.name = "x", cambium.rows = "members"}) -> tensor<?xf32> {
  %y = nn.each rows(%w = %x : tensor<?x4xf32>) -> (tensor<f32>) {
    %z = func.call @inside(%w) : (tensor<?x4xf32>) -> tensor<f32>
    nn.yield %z : tensor<f32>
  }
  return %y : tensor<?xf32>
}
train.step @train loss @soft optimizer #train.optimizer<sgd>
train.step @train2 loss @expected optimizer #train.optimizer<sgd>
