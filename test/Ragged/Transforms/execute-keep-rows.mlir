// RUN: cambium-compile %s --keep-rows=1 -o %t.so
// RUN: cambium-compile %s --keep-rows=1 --compile-to=linalg -o %t.mlir
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// RUN: cambium-compare %s %t.so --all --scale=0.3 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.3 --examples=40 --num-threads=2 --seed=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.3 --trees=star --nodes=40 --seed=3 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.3 --trees=single --examples=1 --seed=4 | FileCheck %s
// RUN: cambium-compare %s %t.so --function=rows --empty-rows --examples=1 --nodes=1 --seed=3 | FileCheck %s --check-prefix=ROWS

/// Each function is called twice. Its first call keeps rows, also those of a function
/// that computes the same; the second one reads them. Steps keep nothing.
// KEPT-LABEL: func.func @step.accumulate(
// KEPT-NOT: rt.kept
// KEPT-LABEL: func.func @encode(
// KEPT-DAG: rt.kept marks from 0 : memref<7xi32>
// KEPT-DAG: rt.kept rows from 0 : memref<7x66xf32>
// KEPT-LABEL: func.func @loss(
// KEPT: rt.kept
// KEPT-LABEL: func.func @rows(
// KEPT-DAG: rt.kept rows from {{[1-9][0-9]+}} : memref<7xf64>
// KEPT-DAG: rt.kept rows from {{[1-9][0-9]+}} : memref<7x2x33xf64>
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: encode.
// CHECK-DAG: equal: rows.
// CHECK-DAG: equal: loss
// CHECK-DAG: equal: loss: gradient of E
// CHECK-DAG: equal: loss: gradient of W
// CHECK-NOT: DIFFERENT
// ROWS-NOT: DIFFERENT
// ROWS: equal: rows.
nn.param @E : tensor<7x65xf32>
nn.param @W : tensor<65x66xf32>
nn.param @V : tensor<66x66xf32>
nn.param @F : tensor<7x66xf64>
nn.param @U : tensor<66x66xf64>
train.step @step loss @loss optimizer #train.optimizer<sgd>

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
  %q = arith.mulf %h, %h : tensor<?x66xf32>
  %r = nn.sum %q over 1 : tensor<?x66xf32>
  %s = nn.sum %r over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

/// Rows of two shapes, of another type.
func.func @rows(%words: tensor<?xi32> {cambium.name = "words"}, %x: tensor<?xf64> {cambium.rows = "words"})
    -> (tensor<?x2x33xf64>, tensor<?xf64>) {
  %F = nn.use @F : tensor<7x66xf64>
  %U = nn.use @U : tensor<66x66xf64>
  %f = nn.embed %words, %F : tensor<?xi32>, tensor<7x66xf64>
  %g = nn.linear %f, %U : tensor<?x66xf64>, tensor<66x66xf64>
  %s = nn.sum %g over 1 : tensor<?x66xf64>
  %r = nn.reshape %g : tensor<?x66xf64> -> tensor<?x2x33xf64>
  %y = math.tanh %r : tensor<?x2x33xf64>
  %z = arith.mulf %s, %x : tensor<?xf64>
  return %y, %z : tensor<?x2x33xf64>, tensor<?xf64>
}
