// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --scale=0.9 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.9 --trees=chain --seed=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.9 --trees=star --nodes=40 --seed=3 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.9 --trees=comb --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.9 --trees=single --examples=3 --seed=5 | FileCheck %s

/// Recursions over trees of any shape, forests of leaves among them, with the
/// gradients of all parameters.
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: any_arity.
// CHECK-DAG: equal: slots.
// CHECK-DAG: equal: both_ways.
// CHECK-DAG: equal: sequence.
// CHECK-DAG: equal: any_loss: gradient of W
// CHECK-DAG: equal: any_loss: gradient of E
// CHECK-DAG: equal: slots_loss: gradient of U
// CHECK-DAG: equal: both_loss: gradient of V
// CHECK-DAG: equal: sequence_loss: gradient of V
// CHECK-NOT: DIFFERENT
nn.param @E : tensor<9x4xf32>
nn.param @W : tensor<4x3xf32>
nn.param @V : tensor<3x3xf32>
nn.param @U : tensor<6x3xf32>
nn.param @b : tensor<3xf32>
nn.param @a : tensor<3xf32>
train.step @any_step loss @any_loss optimizer #train.optimizer<sgd>
train.step @slots_step loss @slots_loss optimizer #train.optimizer<sgd>
train.step @both_step loss @both_loss optimizer #train.optimizer<sgd>
train.step @sequence_step loss @sequence_loss optimizer #train.optimizer<sgd>

/// Attention, maximum and mean over any number of children, and edge inputs.
func.func @any_arity(%tree: !tree.tree, %words: tensor<?xi32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  %E = nn.use @E : tensor<9x4xf32>
  %W = nn.use @W : tensor<4x3xf32>
  %V = nn.use @V : tensor<3x3xf32>
  %b = nn.use @b : tensor<3xf32>
  %q = nn.use @a : tensor<3xf32>
  %x = nn.embed %words, %E padding_id 0 : tensor<?xi32>, tensor<9x4xf32>
  %wx = nn.linear %x, %W, %b : tensor<?x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  %edge = tree.child_rows %tree, %wx : tensor<?x3xf32>
  %h = tree.fold %tree nodes(%xj = %wx : tensor<3xf32>) edges(%ek = %edge : tensor<?x3xf32>)
                 children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %qs = nn.broadcast %q dims [1] like %hk : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %prod = arith.mulf %qs, %hk : tensor<?x3xf32>
    %score = nn.sum %prod over 1 : tensor<?x3xf32>
    %alpha = nn.softmax %score over 0 : tensor<?xf32>
    %as = nn.broadcast %alpha dims [0] like %hk : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %weighted = arith.mulf %as, %hk : tensor<?x3xf32>
    %att = nn.sum %weighted over 0 : tensor<?x3xf32>
    %eh = arith.mulf %ek, %hk : tensor<?x3xf32>
    %mean = nn.mean %eh over 0 : tensor<?x3xf32>
    %max = nn.max %hk over 0 : tensor<?x3xf32>
    %s0 = arith.addf %att, %mean : tensor<3xf32>
    %s1 = arith.addf %s0, %max : tensor<3xf32>
    %s2 = nn.linear %s1, %V : tensor<3xf32>, tensor<3x3xf32>
    %s3 = arith.addf %s2, %xj : tensor<3xf32>
    %y = math.tanh %s3 : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %r = tree.root %tree, %h : tensor<?x3xf32>
  return %r, %h : tensor<3xf32>, tensor<?x3xf32>
}
func.func @any_loss(%tree: !tree.tree, %words: tensor<?xi32>, %label: tensor<i32>) -> tensor<f32> {
  %r, %h = call @any_arity(%tree, %words) : (!tree.tree, tensor<?xi32>) -> (tensor<3xf32>, tensor<?x3xf32>)
  %l = nn.cross_entropy %r, %label : tensor<3xf32>, tensor<i32>
  return %l : tensor<f32>
}

/// Two ordered children; one is looked at alone; leaves have a cell of their own.
func.func @slots(%tree: !tree.tree, %x: tensor<?x4xf32>) -> tensor<3xf32> {
  %W = nn.use @W : tensor<4x3xf32>
  %U = nn.use @U : tensor<6x3xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<4xf32>) children(%hk : tensor<2x3xf32>) -> (tensor<3xf32>) {
    %flat = nn.reshape %hk : tensor<2x3xf32> -> tensor<6xf32>
    %a = nn.linear %flat, %U : tensor<6xf32>, tensor<6x3xf32>
    %l = nn.slice %hk over 0 from 1 size 1 : tensor<2x3xf32>
    %l1 = nn.reshape %l : tensor<1x3xf32> -> tensor<3xf32>
    %g = nn.sigmoid %a : tensor<3xf32>
    %gl = arith.mulf %g, %l1 : tensor<3xf32>
    %s = nn.linear %xj, %W : tensor<4xf32>, tensor<4x3xf32>
    %y = arith.addf %gl, %s : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  } leaf {
    %s = nn.linear %xj, %W : tensor<4xf32>, tensor<4x3xf32>
    %y = math.tanh %s : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %r = tree.root %tree, %h : tensor<?x3xf32>
  return %r : tensor<3xf32>
}
func.func @slots_loss(%tree: !tree.tree, %x: tensor<?x4xf32>, %y: tensor<3xf32>) -> tensor<f32> {
  %r = call @slots(%tree, %x) : (!tree.tree, tensor<?x4xf32>) -> tensor<3xf32>
  %l = nn.mse %r, %y : tensor<3xf32>, tensor<3xf32>
  return %l : tensor<f32>
}

/// Up, then down.
func.func @both_ways(%tree: !tree.tree, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %V = nn.use @V : tensor<3x3xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %t = arith.addf %s, %xj : tensor<3xf32>
    %u = nn.linear %t, %V : tensor<3xf32>, tensor<3x3xf32>
    %y = math.tanh %u : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %d = tree.unfold %tree nodes(%hj = %h : tensor<3xf32>) parent(%p : tensor<3xf32>) -> (tensor<3xf32>) {
    %u = nn.linear %p, %V : tensor<3xf32>, tensor<3x3xf32>
    %s = arith.addf %u, %hj : tensor<3xf32>
    %y = nn.sigmoid %s : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  return %d : tensor<?x3xf32>
}
func.func @both_loss(%tree: !tree.tree, %x: tensor<?x3xf32>) -> tensor<f32> {
  %d = call @both_ways(%tree, %x) : (!tree.tree, tensor<?x3xf32>) -> tensor<?x3xf32>
  %sq = arith.mulf %d, %d : tensor<?x3xf32>
  %s = nn.sum %sq over 0 : tensor<?x3xf32>
  %m = nn.mean %s over 0 : tensor<3xf32>
  return %m : tensor<f32>
}

/// A sequence in both directions.
func.func @sequence(%x: tensor<?x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %V = nn.use @V : tensor<3x3xf32>
  %t = tree.chain %x : tensor<?x3xf32>
  %u = tree.chain %x reversed : tensor<?x3xf32>
  %h = tree.fold %t nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<1x3xf32>) -> (tensor<3xf32>) {
    %p = nn.reshape %hk : tensor<1x3xf32> -> tensor<3xf32>
    %s = nn.linear %p, %V : tensor<3xf32>, tensor<3x3xf32>
    %y = arith.addf %s, %xj : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %g = tree.fold %u nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<1x3xf32>) -> (tensor<3xf32>) {
    %p = nn.reshape %hk : tensor<1x3xf32> -> tensor<3xf32>
    %y = arith.addf %p, %xj : tensor<3xf32>
    %z = math.tanh %y : tensor<3xf32>
    tree.yield %z : tensor<3xf32>
  }
  %hr = tree.root %t, %h : tensor<?x3xf32>
  %gr = tree.root %u, %g : tensor<?x3xf32>
  return %hr, %gr : tensor<3xf32>, tensor<3xf32>
}
func.func @sequence_loss(%x: tensor<?x3xf32>) -> tensor<f32> {
  %a, %b = call @sequence(%x) : (tensor<?x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %d = nn.dropout %a rate 0.4 : tensor<3xf32>
  %l = nn.cosine_similarity %d, %b over 0 : tensor<3xf32>, tensor<3xf32>
  return %l : tensor<f32>
}
