/// Rows of the example in the body for one of other rows: each row sees all of them. Compiled code
/// against the interpreter: values, gradients, second derivatives, examples without rows.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --samples=4 --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=1 --samples=4 --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=12 --examples=2 --samples=2 --seed=5 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --function=attend --empty-rows --seed=3 --num-threads=2 | FileCheck %s --check-prefix=EMPTY
// RUN: cambium-compare %s %t.so --function=changed --empty-rows --seed=3 | FileCheck %s --check-prefix=EMPTY
// RUN: cambium-compare %s %t.so --function=nested --empty-rows --seed=3 | FileCheck %s --check-prefix=EMPTY
// EMPTY-NOT: DIFFERENT
// EMPTY: equal: {{attend|changed|nested}}.out0
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: attend.out0
// CHECK-DAG: equal: changed.out0
// CHECK-DAG: equal: nested.out0
// CHECK-DAG: equal: chosen.out0
// CHECK-DAG: equal: own_lists.out0
// CHECK-DAG: equal: drawn.out0
// CHECK-DAG: equal: of_members.out0
// CHECK-DAG: equal: own_keys.out0
// CHECK-DAG: equal: loss: gradient of U
// CHECK-DAG: equal: loss: gradient of V
// CHECK-DAG: equal: slope: gradient of U
// CHECK-NOT: DIFFERENT
nn.param @U : tensor<4x4xf32> init #nn.init<xavier_uniform>
nn.param @V : tensor<4x4xf32> init #nn.init<xavier_uniform>

/// softmax(Y q) Y: both products meet the rows where they stand.
func.func private @look(%Y: tensor<?x4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {
  %s = nn.matmul %Y, %q : tensor<?x4xf32>, tensor<4xf32>
  %a = nn.softmax %s over 0 : tensor<?xf32>
  %v = nn.matmul %a, %Y : tensor<?xf32>, tensor<?x4xf32>
  return %v : tensor<4xf32>
}

/// Words see marks.
func.func @attend(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"},
                  %y: tensor<?x4xf32> {cambium.name = "y", cambium.rows = "marks"}) -> tensor<?x4xf32> {
  %U = nn.use @U : tensor<4x4xf32>
  %z = nn.each rows(%xi = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %q = nn.linear %xi, %U : tensor<4xf32>, tensor<4x4xf32>
    %v = func.call @look(%y, %q) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  return %z : tensor<?x4xf32>
}

/// What a word makes of each mark, row by row: the rows are copied to pairs. Scores of pairs meet
/// the rows that they are scores of, and what is yielded for each mark is a row of the word.
func.func @changed(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"},
                   %y: tensor<?x4xf32> {cambium.name = "y", cambium.rows = "marks"}) -> tensor<?xf32> {
  %V = nn.use @V : tensor<4x4xf32>
  %s = nn.pair_scores %x, %y : tensor<?x4xf32>, tensor<?x4xf32>
  %r = nn.each rows(%xi = %x : tensor<4xf32>, %si = %s : tensor<?xf32>) -> (tensor<?x4xf32>) {
    %xs = nn.broadcast %xi dims [1] like %y : tensor<4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
    %p = arith.addf %xs, %y : tensor<?x4xf32>
    %t = math.tanh %p : tensor<?x4xf32>
    %l = nn.linear %t, %V : tensor<?x4xf32>, tensor<4x4xf32>
    %ss = nn.broadcast %si dims [0] like %y : tensor<?xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
    %m = arith.mulf %l, %ss : tensor<?x4xf32>
    nn.yield %m : tensor<?x4xf32>
  }
  %n = nn.each rows(%ri = %r : tensor<?x4xf32>, %si = %s : tensor<?xf32>) -> (tensor<f32>) {
    %a = nn.softmax %si over 0 : tensor<?xf32>
    %v = nn.matmul %a, %ri : tensor<?xf32>, tensor<?x4xf32>
    %w = nn.sum %v over 0 : tensor<4xf32>
    nn.yield %w : tensor<f32>
  }
  return %n : tensor<?xf32>
}

/// Each word sees the marks, and each of these the words again.
func.func @nested(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"},
                  %y: tensor<?x4xf32> {cambium.name = "y", cambium.rows = "marks"}) -> tensor<?x4xf32> {
  %z = nn.each rows(%xi = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %u = nn.each rows(%yj = %y : tensor<4xf32>) -> (tensor<4xf32>) {
      %q = arith.addf %xi, %yj : tensor<4xf32>
      %v = func.call @look(%x, %q) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<4xf32>
      nn.yield %v : tensor<4xf32>
    }
    %v = func.call @look(%u, %xi) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  return %z : tensor<?x4xf32>
}

/// The two words that are most like a word, and the words around them.
func.func @chosen(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<?x4xf32> {
  %z = nn.each rows(%xi = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %s = nn.matmul %x, %xi : tensor<?x4xf32>, tensor<4xf32>
    %best, %places = nn.top %s count 2 over 0 : tensor<?xf32>
    %w = nn.window %x before 1 after 0 : tensor<?x4xf32>
    %f = nn.reshape %w : tensor<?x2x4xf32> -> tensor<?x8xf32>
    %t = nn.take %f, %places : tensor<?x8xf32>, tensor<2xi32>
    %r = nn.reshape %t : tensor<2x8xf32> -> tensor<4x4xf32>
    %m = nn.mean %r over 0 : tensor<4x4xf32>
    nn.yield %m : tensor<4xf32>
  }
  return %z : tensor<?x4xf32>
}

/// A list of words for each mention.
func.func @own_lists(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"},
                     %lists: tensor<?x?xi32> {cambium.name = "lists", cambium.rows = "mentions"}) -> tensor<?x4xf32> {
  %z = nn.each rows(%list = %lists : tensor<?xi32>) -> (tensor<4xf32>) {
    %mine = nn.take %x, %list : tensor<?x4xf32>, tensor<?xi32>
    %m = nn.mean %mine over 0 : tensor<?x4xf32>
    %all = nn.mean %x over 0 : tensor<?x4xf32>
    %d = arith.subf %m, %all : tensor<4xf32>
    nn.yield %d : tensor<4xf32>
  }
  return %z : tensor<?x4xf32>
}

/// Each pair draws by its own key.
func.func @drawn(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<?xf32> {
  %z = nn.each rows(%xi = %x : tensor<4xf32>) -> (tensor<f32>) {
    %d = nn.random normal(0.0, 1.0) like %x : tensor<?x4xf32> -> tensor<?x4xf32>
    %a = arith.mulf %x, %d : tensor<?x4xf32>
    %s = nn.matmul %a, %xi : tensor<?x4xf32>, tensor<4xf32>
    %m = nn.max %s over 0 : tensor<?xf32>
    nn.yield %m : tensor<f32>
  }
  return %z : tensor<?xf32>
}

/// The members of a set see one another, and each of their words sees all members.
func.func @of_members(%w: tensor<?x?x4xf32> {cambium.name = "w", cambium.rows = "members"}) -> tensor<?x4xf32> {
  %f = nn.each rows(%wi = %w : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %m = nn.mean %wi over 0 : tensor<?x4xf32>
    nn.yield %m : tensor<4xf32>
  }
  %z = nn.each rows(%wi = %w : tensor<?x4xf32>, %fi = %f : tensor<4xf32>) -> (tensor<4xf32>) {
    %u = nn.each rows(%wij = %wi : tensor<4xf32>) -> (tensor<4xf32>) {
      %v = func.call @look(%f, %wij) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<4xf32>
      nn.yield %v : tensor<4xf32>
    }
    %v = func.call @look(%u, %fi) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  return %z : tensor<?x4xf32>
}

/// Keys that each word has made of the marks.
func.func @own_keys(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"},
                    %y: tensor<?x4xf32> {cambium.name = "y", cambium.rows = "marks"}) -> tensor<?x4xf32> {
  %k = nn.each rows(%xi = %x : tensor<4xf32>) -> (tensor<?x4xf32>) {
    %xs = nn.broadcast %xi dims [1] like %y : tensor<4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
    %p = arith.mulf %xs, %y : tensor<?x4xf32>
    nn.yield %p : tensor<?x4xf32>
  }
  %v = nn.each rows(%xi = %x : tensor<4xf32>) -> (tensor<?x4xf32>) {
    %t = math.tanh %y : tensor<?x4xf32>
    nn.yield %t : tensor<?x4xf32>
  }
  %z = nn.attention %x, %k, %v heads 2 : tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>
  return %z : tensor<?x4xf32>
}

func.func private @total(%z: tensor<?x4xf32>) -> tensor<f32> {
  %t = math.tanh %z : tensor<?x4xf32>
  %r = nn.sum %t over 1 : tensor<?x4xf32>
  %s = nn.sum %r over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

func.func @loss(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"},
                %y: tensor<?x4xf32> {cambium.name = "y", cambium.rows = "marks"}) -> tensor<f32> {
  %V = nn.use @V : tensor<4x4xf32>
  %yv = nn.linear %y, %V : tensor<?x4xf32>, tensor<4x4xf32>
  %xv = nn.linear %x, %V : tensor<?x4xf32>, tensor<4x4xf32>
  %a = func.call @attend(%x, %yv) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %n = func.call @nested(%a, %yv) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %k = func.call @own_keys(%n, %yv) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = func.call @chosen(%xv) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %kc = arith.addf %k, %c : tensor<?x4xf32>
  %s = func.call @total(%kc) : (tensor<?x4xf32>) -> tensor<f32>
  %r = func.call @changed(%xv, %yv) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?xf32>
  %m = nn.mean %r over 0 : tensor<?xf32>
  %l = arith.addf %s, %m : tensor<f32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>

/// The size of a gradient, whose own gradient is one of second order.
func.func @slope(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"},
                 %y: tensor<?x4xf32> {cambium.name = "y", cambium.rows = "marks"}) -> tensor<f32> {
  %a = func.call @attend(%x, %y) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = func.call @changed(%a, %y) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?xf32>
  %t = math.tanh %r : tensor<?xf32>
  %m = nn.sum %t over 0 : tensor<?xf32>
  %g = train.gradient %m wrt %y : tensor<f32>, tensor<?x4xf32>
  %q = arith.mulf %g, %g : tensor<?x4xf32>
  %u = nn.sum %q over 1 : tensor<?x4xf32>
  %z = nn.sum %u over 0 : tensor<?xf32>
  return %z : tensor<f32>
}
train.step @flatten loss @slope optimizer #train.optimizer<sgd>
