/// Rows of the example in the cell of a node: each node sees all of them. Compiled code against the
/// interpreter: values and gradients, trees and chains, up and down, leaves with a cell of their
/// own, charts.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --samples=4 --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=1 --samples=4 --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=12 --examples=3 --samples=4 --seed=5 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --function=down --empty-rows --seed=3 | FileCheck %s --check-prefix=EMPTY
// EMPTY-NOT: DIFFERENT
// EMPTY: equal: down.out0
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: up.out0
// CHECK-DAG: equal: down.out0
// CHECK-DAG: equal: behind.out0
// CHECK-DAG: equal: written.out0
// CHECK-DAG: equal: of_spans.out0
// CHECK-DAG: equal: loss: gradient of U
// CHECK-DAG: equal: loss: gradient of V
// CHECK-DAG: equal: loss_behind: gradient of V
// CHECK-DAG: equal: sequence_loss: gradient of U
// CHECK-DAG: equal: sequence_loss: gradient of V
// CHECK-NOT: DIFFERENT
nn.param @U : tensor<4x4xf32> init #nn.init<xavier_uniform>
nn.param @V : tensor<4x4xf32> init #nn.init<xavier_uniform>

!tree = !tree.tree
!x = tensor<4xf32>
!xs = tensor<?x4xf32>

func.func private @look(%Y: !xs, %q: !x) -> !x {
  %s = nn.matmul %Y, %q : !xs, !x
  %a = nn.softmax %s over 0 : tensor<?xf32>
  %v = nn.matmul %a, %Y : tensor<?xf32>, !xs
  return %v : !x
}

/// A node asks for words by the states of its children; additive scores, whose rows are copied.
func.func @up(%t: !tree {cambium.name = "tree"}, %x: !xs {cambium.name = "x"},
              %y: !xs {cambium.name = "y", cambium.rows = "marks"}) -> !xs {
  %U = nn.use @U : tensor<4x4xf32>
  %h = tree.fold %t nodes(%xj = %x : !x) children(%hk : !xs) -> (!x) {
    %s = nn.sum %hk over 0 : !xs
    %a = arith.addf %s, %xj : !x
    %q = nn.linear %a, %U : !x, tensor<4x4xf32>
    %v = func.call @look(%y, %q) : (!xs, !x) -> !x
    %qs = nn.broadcast %q dims [1] like %y : !x, !xs -> !xs
    %z = arith.addf %qs, %y : !xs
    %tz = math.tanh %z : !xs
    %m = nn.max %tz over 0 : !xs
    %k = nn.matmul %hk, %v : !xs, !x
    %n = nn.sum %k over 0 : tensor<?xf32>
    %ns = nn.broadcast %n dims [] : tensor<f32> -> !x
    %b = arith.addf %v, %m : !x
    %c = arith.addf %b, %ns : !x
    %y1 = math.tanh %c : !x
    tree.yield %y1 : !x
  } leaf {
    %v = func.call @look(%y, %xj) : (!xs, !x) -> !x
    tree.yield %v : !x
  }
  return %h : !xs
}

/// Rows of children, of which a leaf has none, meet rows from outside.
func.func @behind(%t: !tree {cambium.name = "tree"}, %x: !xs {cambium.name = "x"},
                  %y: !xs {cambium.name = "y", cambium.rows = "marks"},
                  %i: tensor<?xi32> {cambium.name = "i", cambium.rows = "marks"}) -> !xs {
  %h = tree.fold %t nodes(%xj = %x : !x) children(%hk : !xs) -> (!x) {
    %a = nn.append %hk, %y : !xs, !xs
    %l = func.call @look(%a, %xj) : (!xs, !x) -> !x
    %t1 = nn.take %hk, %i : !xs, tensor<?xi32>
    %ty = arith.addf %t1, %y : !xs
    %m = nn.max %ty over 0 : !xs
    %p = nn.pair_scores %y, %hk : !xs, !xs
    %e = nn.each rows(%pi = %p : tensor<?xf32>) -> (tensor<f32>) {
      %s = nn.sum %pi over 0 : tensor<?xf32>
      nn.yield %s : tensor<f32>
    }
    %n = nn.mean %e over 0 : tensor<?xf32>
    %ns = nn.broadcast %n dims [] : tensor<f32> -> !x
    %b = arith.addf %l, %m : !x
    %c = arith.addf %b, %ns : !x
    %z = math.tanh %c : !x
    tree.yield %z : !x
  }
  return %h : !xs
}

func.func @down(%t: !tree {cambium.name = "tree"}, %x: !xs {cambium.name = "x"},
                %y: !xs {cambium.name = "y", cambium.rows = "marks"}) -> !xs {
  %h = tree.unfold %t nodes(%xj = %x : !x) parent(%p : !x) -> (!x) {
    %q = arith.addf %p, %xj : !x
    %v = func.call @look(%y, %q) : (!xs, !x) -> !x
    %own = nn.each rows(%yi = %y : !x) -> (tensor<f32>) {
      %d = nn.matmul %yi, %q : !x, !x
      %th = math.tanh %d : tensor<f32>
      nn.yield %th : tensor<f32>
    }
    %m = nn.mean %own over 0 : tensor<?xf32>
    %ms = nn.broadcast %m dims [] : tensor<f32> -> !x
    %r = arith.addf %v, %ms : !x
    tree.yield %r : !x
  }
  return %h : !xs
}

/// A decoder: each word asks the source with the state behind the word before it.
func.func @written(%x: !xs {cambium.name = "x", cambium.rows = "words"},
                   %y: !xs {cambium.name = "y", cambium.rows = "source"}) -> !xs {
  %V = nn.use @V : tensor<4x4xf32>
  %c = tree.chain %x : !xs
  %h = tree.fold %c nodes(%xj = %x : !x) children(%hk : !xs) -> (!x) {
    %s = nn.sum %hk over 0 : !xs
    %q = nn.linear %s, %V : !x, tensor<4x4xf32>
    %v = func.call @look(%y, %q) : (!xs, !x) -> !x
    %a = arith.addf %v, %xj : !x
    %b = arith.addf %a, %q : !x
    %n = math.tanh %b : !x
    tree.yield %n : !x
  }
  return %h : !xs
}

/// A span sees the words of its sentence.
func.func @of_spans(%x: !xs {cambium.name = "x", cambium.rows = "words"}) -> !x {
  %t, %first, %last = tree.chart %x : !xs
  %xf = nn.take %x, %first : !xs, tensor<?xi32>
  %h = tree.fold %t nodes(%xj = %xf : !x) children(%hk : tensor<?x2x4xf32>) -> (!x) {
    %f = nn.sum %hk over 1 : tensor<?x2x4xf32>
    %m = nn.max %f over 0 : !xs
    %v = func.call @look(%x, %m) : (!xs, !x) -> !x
    tree.yield %v : !x
  } leaf {
    tree.yield %xj : !x
  }
  %r = tree.root %t, %h : !xs
  return %r : !x
}

func.func private @total(%z: !xs) -> tensor<f32> {
  %t = math.tanh %z : !xs
  %r = nn.sum %t over 1 : !xs
  %s = nn.sum %r over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

func.func @loss(%t: !tree {cambium.name = "tree"}, %x: !xs {cambium.name = "x"},
                %y: !xs {cambium.name = "y", cambium.rows = "marks"}) -> tensor<f32> {
  %V = nn.use @V : tensor<4x4xf32>
  %yv = nn.linear %y, %V : !xs, tensor<4x4xf32>
  %h = func.call @up(%t, %x, %yv) : (!tree, !xs, !xs) -> !xs
  %d = func.call @down(%t, %h, %yv) : (!tree, !xs, !xs) -> !xs
  %l = func.call @total(%d) : (!xs) -> tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>

func.func @loss_behind(%t: !tree {cambium.name = "tree"}, %x: !xs {cambium.name = "x"},
                       %y: !xs {cambium.name = "y", cambium.rows = "marks"},
                       %i: tensor<?xi32> {cambium.name = "i", cambium.rows = "marks"}) -> tensor<f32> {
  %V = nn.use @V : tensor<4x4xf32>
  %yv = nn.linear %y, %V : !xs, tensor<4x4xf32>
  %h = func.call @behind(%t, %x, %yv, %i) : (!tree, !xs, !xs, tensor<?xi32>) -> !xs
  %l = func.call @total(%h) : (!xs) -> tensor<f32>
  return %l : tensor<f32>
}
train.step @train_behind loss @loss_behind optimizer #train.optimizer<sgd>

func.func @sequence_loss(%x: !xs {cambium.name = "x", cambium.rows = "words"},
                         %y: !xs {cambium.name = "y", cambium.rows = "source"}) -> tensor<f32> {
  %U = nn.use @U : tensor<4x4xf32>
  %yu = nn.linear %y, %U : !xs, tensor<4x4xf32>
  %h = func.call @written(%x, %yu) : (!xs, !xs) -> !xs
  %s = func.call @of_spans(%h) : (!xs) -> !x
  %n = nn.sum %s over 0 : !x
  %l = func.call @total(%h) : (!xs) -> tensor<f32>
  %m = arith.addf %l, %n : tensor<f32>
  return %m : tensor<f32>
}
train.step @write loss @sequence_loss optimizer #train.optimizer<sgd>
