/// Sets: a function of each member, recurrent and by its tree, then a loss over
/// the members of the set. Compiled code against the interpreter: values and
/// gradients, with members that have no words, and with sets of one.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --function=scaled --empty-rows --seed=3 --num-threads=2 | FileCheck %s --check-prefix=EMPTY
// RUN: cambium-compare %s %t.so --function=drawn --empty-rows --seed=3 | FileCheck %s --check-prefix=EMPTY
// RUN: cambium-compare %s %t.so --all --nodes=1 --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=40 --examples=2 --samples=4 --seed=5 --num-threads=2 | FileCheck %s
// EMPTY-NOT: DIFFERENT
// EMPTY: equal: {{scaled|drawn}}.out0
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: encode.out0
// CHECK-DAG: equal: scaled.out0
// CHECK-DAG: equal: drawn.out0
// CHECK-DAG: equal: contrast.out0
// CHECK-DAG: equal: contrast: gradient of E
// CHECK-DAG: equal: contrast: gradient of U
// CHECK-DAG: equal: contrast: gradient of s
// CHECK-NOT: DIFFERENT
nn.param @E : tensor<20x6xf32> init #nn.init<normal(0.0, 0.5)>
nn.param @U : tensor<6x6xf32> init #nn.init<xavier_uniform>
nn.param @s : tensor<f32> init #nn.init<constant(1.0)>

func.func private @member(%w: tensor<?xi32>) -> tensor<6xf32> {
  %E = nn.use @E : tensor<20x6xf32>
  %U = nn.use @U : tensor<6x6xf32>
  %x = nn.embed %w, %E : tensor<?xi32>, tensor<20x6xf32>
  %t = tree.chain %w : tensor<?xi32>
  %h = tree.fold %t nodes(%xt = %x : tensor<6xf32>) children(%hk : tensor<?x6xf32>) -> (tensor<6xf32>) {
    %before = nn.sum %hk over 0 : tensor<?x6xf32>
    %u = nn.linear %before, %U : tensor<6xf32>, tensor<6x6xf32>
    %a = arith.addf %u, %xt : tensor<6xf32>
    %y = math.tanh %a : tensor<6xf32>
    tree.yield %y : tensor<6xf32>
  }
  %m = nn.mean %h over 0 : tensor<?x6xf32>
  return %m : tensor<6xf32>
}

func.func @encode(%words: tensor<?x?xi32> {cambium.name = "words", cambium.rows = "sentences"}) -> tensor<?x6xf32> {
  %f = nn.each rows(%w = %words : tensor<?xi32>) -> (tensor<6xf32>) {
    %m = func.call @member(%w) : (tensor<?xi32>) -> tensor<6xf32>
    nn.yield %m : tensor<6xf32>
  }
  return %f : tensor<?x6xf32>
}

/// What is one per set, and what is one per member, beside rows of members.
func.func @scaled(%x: tensor<?x?x3xf32> {cambium.name = "x", cambium.rows = "members"},
                  %by: tensor<?xf32> {cambium.name = "by", cambium.rows = "members"},
                  %all: tensor<f32> {cambium.name = "all"}) -> tensor<?xf32> {
  %y = nn.each rows(%xs = %x : tensor<?x3xf32>, %b = %by : tensor<f32>) -> (tensor<f32>) {
    %n = nn.sum %xs over 0 : tensor<?x3xf32>
    %m = nn.max %n over 0 : tensor<3xf32>
    %z = arith.mulf %m, %b : tensor<f32>
    %r = arith.addf %z, %all : tensor<f32>
    nn.yield %r : tensor<f32>
  }
  return %y : tensor<?xf32>
}

/// Each word of each member draws by its own key.
func.func @drawn(%x: tensor<?x?x3xf32> {cambium.name = "x"}) -> tensor<?xf32> {
  %y = nn.each rows(%xs = %x : tensor<?x3xf32>) -> (tensor<f32>) {
    %d = nn.random normal(0.0, 1.0) like %xs : tensor<?x3xf32> -> tensor<?x3xf32>
    %a = arith.addf %xs, %d : tensor<?x3xf32>
    %n = nn.sum %a over 0 : tensor<?x3xf32>
    %m = nn.sum %n over 0 : tensor<3xf32>
    nn.yield %m : tensor<f32>
  }
  return %y : tensor<?xf32>
}

/// The part of a softmax over the members of the set that lies on those of the
/// same kind.
func.func @contrast(%words: tensor<?x?xi32> {cambium.name = "words", cambium.rows = "sentences"},
                    %kinds: tensor<?xi32> {cambium.name = "kinds", cambium.rows = "sentences"}) -> tensor<f32> {
  %f = func.call @encode(%words) : (tensor<?x?xi32>) -> tensor<?x6xf32>
  %s = nn.use @s : tensor<f32>
  %ss = nn.broadcast %s dims [] like %f : tensor<f32>, tensor<?x6xf32> -> tensor<?x6xf32>
  %q = arith.mulf %f, %ss : tensor<?x6xf32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %ones = nn.broadcast %one dims [] like %kinds : tensor<f32>, tensor<?xi32> -> tensor<?xf32>
  %k = nn.one_hot %kinds, %ones size 2 : tensor<?xi32>, tensor<?xf32>
  %p = nn.attention %q, %f, %k heads 1 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x2xf32>
  %own = nn.pick %p, %kinds : tensor<?x2xf32>, tensor<?xi32>
  %l = math.log %own : tensor<?xf32>
  %m = nn.mean %l over 0 : tensor<?xf32>
  %n = arith.negf %m : tensor<f32>
  return %n : tensor<f32>
}
train.step @train loss @contrast optimizer #train.optimizer<sgd>
