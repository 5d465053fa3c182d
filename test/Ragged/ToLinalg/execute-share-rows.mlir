// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compile %s --compile-to=batched -o %t.mlir
// RUN: FileCheck %s --check-prefix=SHARED --input-file=%t.mlir
// RUN: cambium-compare %s %t.so --all --scale=0.3 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.3 --trees=chain --seed=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.3 --trees=star --nodes=40 --seed=3 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.3 --trees=single --examples=1 --seed=4 | FileCheck %s

/// Few words, so that most rows of a batch are equal: words of the leaves, of the
/// other nodes, and of all nodes at once; with the gradients of all of it. Two sentences
/// have their words in common.
// SHARED-COUNT-5: ragged.distinct %{{[a-z0-9]*}} limit 7
// SHARED-LABEL: func.func @pair
// SHARED: ragged.distinct %{{[a-z0-9]*}}, %{{[a-z0-9]*}} limit 7
// SHARED-NOT: ragged.distinct
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: encode.
// CHECK-DAG: equal: loss
// CHECK-DAG: equal: loss: gradient of E
// CHECK-DAG: equal: loss: gradient of F
// CHECK-DAG: equal: loss: gradient of W
// CHECK-DAG: equal: pair
// CHECK-DAG: equal: pair: gradient of E
// CHECK-DAG: equal: pair: gradient of W
// CHECK-NOT: DIFFERENT
nn.param @E : tensor<7x65xf32>
nn.param @F : tensor<7x65xf32>
nn.param @W : tensor<65x66xf32>
nn.param @V : tensor<66x66xf32>
train.step @step loss @loss optimizer #train.optimizer<sgd>
train.step @pairs loss @pair optimizer #train.optimizer<sgd>

func.func @encode(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"})
    -> tensor<?x66xf32> {
  %E = nn.use @E : tensor<7x65xf32>
  %W = nn.use @W : tensor<65x66xf32>
  %V = nn.use @V : tensor<66x66xf32>
  %x = nn.embed %words, %E padding_id 0 : tensor<?xi32>, tensor<7x65xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<65xf32>) children(%hk : tensor<?x66xf32>) -> (tensor<66xf32>) {
    %w = nn.linear %xj, %W : tensor<65xf32>, tensor<65x66xf32>
    %s = nn.sum %hk over 0 : tensor<?x66xf32>
    %u = nn.linear %s, %V : tensor<66xf32>, tensor<66x66xf32>
    %a = arith.addf %w, %u : tensor<66xf32>
    %y = math.tanh %a : tensor<66xf32>
    tree.yield %y : tensor<66xf32>
  }
  return %h : tensor<?x66xf32>
}

func.func @loss(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h = func.call @encode(%tree, %words) : (!tree.tree, tensor<?xi32>) -> tensor<?x66xf32>
  %F = nn.use @F : tensor<7x65xf32>
  %W = nn.use @W : tensor<65x66xf32>
  %f = nn.embed %words, %F : tensor<?xi32>, tensor<7x65xf32>
  %g = nn.linear %f, %W : tensor<?x65xf32>, tensor<65x66xf32>
  %q = arith.mulf %h, %g : tensor<?x66xf32>
  %r = nn.sum %q over 1 : tensor<?x66xf32>
  %s = nn.sum %r over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

func.func private @bag(%words: tensor<?xi32>) -> tensor<66xf32> {
  %E = nn.use @E : tensor<7x65xf32>
  %W = nn.use @W : tensor<65x66xf32>
  %x = nn.embed %words, %E padding_id 0 : tensor<?xi32>, tensor<7x65xf32>
  %y = nn.linear %x, %W : tensor<?x65xf32>, tensor<65x66xf32>
  %t = math.tanh %y : tensor<?x66xf32>
  %s = nn.sum %t over 0 : tensor<?x66xf32>
  return %s : tensor<66xf32>
}

func.func @pair(%a: tensor<?xi32> {cambium.name = "a"}, %b: tensor<?xi32> {cambium.name = "b"}) -> tensor<f32> {
  %s = func.call @bag(%a) : (tensor<?xi32>) -> tensor<66xf32>
  %t = func.call @bag(%b) : (tensor<?xi32>) -> tensor<66xf32>
  %d = arith.mulf %s, %t : tensor<66xf32>
  %l = nn.sum %d over 0 : tensor<66xf32>
  return %l : tensor<f32>
}
