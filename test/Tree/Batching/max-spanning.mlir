/// Trees of greatest score over the words of an example: compiled code against
/// the interpreter, with scores of real numbers, and with whole ones, among
/// which many trees are as good (the same one is chosen). The scores that were
/// chosen have gradients, and so has what a fold over the tree makes of them.
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 --scale=1.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=1 --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --nodes=40 --examples=3 --samples=4 --seed=5 --num-threads=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --function=ties --nodes=60 --examples=20 --seed=6 | FileCheck %s --check-prefix=TIES
// RUN: cambium-compare %s %t.so --function=heads --empty-rows --seed=3 --num-threads=2 | FileCheck %s --check-prefix=EMPTY
// EMPTY-NOT: DIFFERENT
// EMPTY: equal: heads.out0
// TIES-NOT: DIFFERENT
// TIES: equal: ties.out0
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: heads.out0
// CHECK-DAG: equal: ties.out0
// CHECK-DAG: equal: not_finite.out0
// CHECK-DAG: equal: in_sets.out0
// CHECK-DAG: equal: unified.out0
// CHECK-DAG: equal: unified: gradient of U
// CHECK-DAG: equal: unified: gradient of V
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

func.func @heads(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<?xi32> {
  %s = func.call @scores(%x) : (tensor<?x4xf32>) -> tensor<?x?xf32>
  %p = tree.max_spanning %s : tensor<?x?xf32>
  return %p : tensor<?xi32>
}

func.func @ties(%i: tensor<?xi32> {cambium.name = "i", cambium.rows = "words"}) -> tensor<?xi32> {
  %T = arith.constant dense<[[0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [0.0, 2.0, -1.0], [-1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<5x3xf32>
  %R = arith.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %x = nn.embed %i, %T : tensor<?xi32>, tensor<5x3xf32>
  %y = nn.linear %x, %R : tensor<?x3xf32>, tensor<3x3xf32>
  %s = nn.pair_scores %x, %y : tensor<?x3xf32>, tensor<?x3xf32>
  %p = tree.max_spanning %s : tensor<?x?xf32>
  return %p : tensor<?xi32>
}

/// Infinities of both signs, and what is no number.
func.func @not_finite(%i: tensor<?xi32> {cambium.name = "i", cambium.rows = "words"}) -> tensor<?xi32> {
  %T = arith.constant dense<[[0.0], [1.0], [0x7F800000], [0xFF800000], [0x7FC00000], [2.0]]> : tensor<6x1xf32>
  %x = nn.embed %i, %T : tensor<?xi32>, tensor<6x1xf32>
  %s = nn.pair_scores %x, %x : tensor<?x1xf32>, tensor<?x1xf32>
  %p = tree.max_spanning %s : tensor<?x?xf32>
  return %p : tensor<?xi32>
}

/// A tree for each member of a set.
func.func @in_sets(%x: tensor<?x?x4xf32> {cambium.name = "x", cambium.rows = "members"}) -> tensor<?xf32> {
  %y = nn.each rows(%w = %x : tensor<?x4xf32>) -> (tensor<f32>) {
    %p = func.call @heads(%w) : (tensor<?x4xf32>) -> tensor<?xi32>
    %f = arith.sitofp %p : tensor<?xi32> to tensor<?xf32>
    %m = nn.sum %f over 0 : tensor<?xf32>
    nn.yield %m : tensor<f32>
  }
  return %y : tensor<?xf32>
}

/// A fold over the chosen tree: each child counts by the softmax of its scores at
/// the parent that was chosen (A. Simoulin's thesis, equation 5.5).
func.func @unified(%x: tensor<?x4xf32> {cambium.name = "x", cambium.rows = "words"}) -> tensor<f32> {
  %s = func.call @scores(%x) : (tensor<?x4xf32>) -> tensor<?x?xf32>
  %p = tree.max_spanning %s : tensor<?x?xf32>
  %w = nn.each rows(%si = %s : tensor<?xf32>, %pi = %p : tensor<i32>) -> (tensor<f32>) {
    %a = nn.softmax %si over 0 : tensor<?xf32>
    %c = nn.take %a, %pi : tensor<?xf32>, tensor<i32>
    nn.yield %c : tensor<f32>
  }
  %t = tree.from_parents %p : tensor<?xi32>
  %e = tree.child_rows %t, %w : tensor<?xf32>
  %h = tree.fold %t nodes(%xj = %x : tensor<4xf32>) edges(%ek = %e : tensor<?xf32>)
       children(%hk : tensor<?x4xf32>) -> (tensor<4xf32>) {
    %m = nn.matmul %ek, %hk : tensor<?xf32>, tensor<?x4xf32>
    %a = arith.addf %m, %xj : tensor<4xf32>
    %y = math.tanh %a : tensor<4xf32>
    tree.yield %y : tensor<4xf32>
  }
  %r = tree.root %t, %h : tensor<?x4xf32>
  %l = nn.sum %r over 0 : tensor<4xf32>
  return %l : tensor<f32>
}
train.step @train loss @unified optimizer #train.optimizer<sgd>
