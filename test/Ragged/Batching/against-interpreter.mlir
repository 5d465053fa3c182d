//===-- test/Ragged/Batching/against-interpreter.mlir - A batch is its examples ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --scale=0.5 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.5 --trees=star --seed=2 | FileCheck %s
// RUN: cambium-compare %s %t.so --all --scale=0.5 --trees=chain --seed=3 --num-threads=2 | FileCheck %s

/// Batching decides by what is unit, per example and rows: each product, reduction,
/// expansion and recursion in every combination, compiled for a batch, gives what the
/// interpreter gives for its examples one by one.
// CHECK-NOT: DIFFERENT
// CHECK-DAG: equal: rows.out7
// CHECK-DAG: equal: products.out10
// CHECK-DAG: equal: edges.out2
// CHECK-DAG: equal: seq.out1
// CHECK-DAG: equal: attentive.out1
// CHECK-DAG: equal: gradients.out2
nn.param @W : tensor<3x3xf32> init #nn.init<uniform(-0.5, 0.5)>
nn.param @v : tensor<3xf32> init #nn.init<uniform(-0.5, 0.5)>
nn.param @M : tensor<4x3xf32> init #nn.init<uniform(-0.5, 0.5)>
func.func @rows(%x: tensor<?x3xf32> {cambium.name = "x"}, %q: tensor<3xf32> {cambium.name = "q"}, %A: tensor<3x3xf32> {cambium.name = "A"}, %s: tensor<?xf32> {cambium.name = "s"})
   -> (tensor<?xf32>, tensor<?x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<?x3xf32>, tensor<3x3xf32>, tensor<?x3xf32>) {
  %W = nn.use @W : tensor<3x3xf32>
  %v = nn.use @v : tensor<3xf32>
  %d = nn.matmul %x, %q : tensor<?x3xf32>, tensor<3xf32>
  %ls = nn.log_softmax %d over 0 : tensor<?xf32>
  %n = nn.l2_normalize %x over 0 : tensor<?x3xf32>
  %xx = arith.mulf %x, %n : tensor<?x3xf32>
  %dd = arith.mulf %d, %ls : tensor<?xf32>
  %c = nn.cosine_similarity %d, %dd over 0 : tensor<?xf32>, tensor<?xf32>
  %ds = arith.addf %d, %s : tensor<?xf32>
  %m = nn.mse %d, %ds : tensor<?xf32>, tensor<?xf32>
  %p = nn.softmax %s over 0 : tensor<?xf32>
  %kl = nn.kl_divergence %p, %ls : tensor<?xf32>, tensor<?xf32>
  %lin = nn.linear %x, %W, %q : tensor<?x3xf32>, tensor<3x3xf32>, tensor<3xf32>
  %linA = nn.linear %lin, %W, %v : tensor<?x3xf32>, tensor<3x3xf32>, tensor<3xf32>
  %os = nn.outer_sum %x, %lin : tensor<?x3xf32>, tensor<?x3xf32>
  %qb = nn.broadcast %q dims [1] like %x : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %vb = nn.broadcast %v dims [1] like %x : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %b0 = arith.addf %qb, %vb : tensor<?x3xf32>
  %b = nn.layer_norm %b0, %v, %v : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  return %ls, %n, %c, %m, %kl, %linA, %os, %b : tensor<?xf32>, tensor<?x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<?x3xf32>, tensor<3x3xf32>, tensor<?x3xf32>
}
func.func @products(%x: tensor<3xf32>, %A: tensor<3x4xf32>, %B: tensor<4x3xf32>, %T: tensor<2x3x4xf32>, %S: tensor<2x4xf32>, %k: tensor<5x3xf32>)
   -> (tensor<4xf32>, tensor<4xf32>, tensor<3x3xf32>, tensor<f32>, tensor<f32>, tensor<3x3xf32>, tensor<4x4xf32>, tensor<2x3xf32>, tensor<5x4xf32>, tensor<3x3xf32>, tensor<2x3x3xf32>) {
  %v = nn.use @v : tensor<3xf32>
  %M = nn.use @M : tensor<4x3xf32>
  %0 = nn.matmul %x, %A : tensor<3xf32>, tensor<3x4xf32>
  %1 = nn.matmul %M, %x : tensor<4x3xf32>, tensor<3xf32>
  %2 = nn.matmul %A, %M : tensor<3x4xf32>, tensor<4x3xf32>
  %3 = nn.matmul %x, %v : tensor<3xf32>, tensor<3xf32>
  %4 = nn.matmul %v, %x : tensor<3xf32>, tensor<3xf32>
  %5 = nn.matmul %A, %B : tensor<3x4xf32>, tensor<4x3xf32>
  %6 = nn.matmul %M, %A : tensor<4x3xf32>, tensor<3x4xf32>
  %7 = nn.matmul %T, %S batch_dims 1 : tensor<2x3x4xf32>, tensor<2x4xf32>
  %8 = nn.linear %k, %A : tensor<5x3xf32>, tensor<3x4xf32>
  %9 = nn.outer_sum %x, %x : tensor<3xf32>, tensor<3xf32>
  %10 = nn.linear %T, %M, %x : tensor<2x3x4xf32>, tensor<4x3xf32>, tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<4xf32>, tensor<4xf32>, tensor<3x3xf32>, tensor<f32>, tensor<f32>, tensor<3x3xf32>, tensor<4x4xf32>, tensor<2x3xf32>, tensor<5x4xf32>, tensor<3x3xf32>, tensor<2x3x3xf32>
}
func.func @edges(%t: !tree.tree, %e: tensor<?x3xf32>, %q: tensor<3xf32>, %x: tensor<?x3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %W = nn.use @W : tensor<3x3xf32>
  %v = nn.use @v : tensor<3xf32>
  %qe = nn.broadcast %q dims [1] like %e : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %ve = nn.broadcast %v dims [1] like %e : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %e1 = arith.addf %e, %qe : tensor<?x3xf32>
  %e2 = arith.mulf %e1, %ve : tensor<?x3xf32>
  %cx = tree.child_rows %t, %x : tensor<?x3xf32>
  %e3 = arith.addf %e2, %cx : tensor<?x3xf32>
  %h = tree.fold %t nodes(%xj = %x : tensor<3xf32>) edges(%w = %e3 : tensor<?x3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %wl = nn.linear %w, %W : tensor<?x3xf32>, tensor<3x3xf32>
    %wt = math.tanh %wl : tensor<?x3xf32>
    %p = arith.mulf %wt, %hk : tensor<?x3xf32>
    %s = nn.max %p over 0 : tensor<?x3xf32>
    %sq = arith.addf %s, %q : tensor<3xf32>
    %y = arith.addf %sq, %xj : tensor<3xf32>
    %ty = math.tanh %y : tensor<3xf32>
    tree.yield %ty : tensor<3xf32>
  }
  %h2 = tree.fold %t nodes(%xj = %h : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.mean %hk over 0 : tensor<?x3xf32>
    %y = arith.addf %s, %xj : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %u = tree.unfold %t nodes(%xj = %h2 : tensor<3xf32>) parent(%p : tensor<3xf32>) -> (tensor<3xf32>) {
    %pl = nn.linear %p, %W : tensor<3xf32>, tensor<3x3xf32>
    %pd = nn.dropout %pl rate 0.4 : tensor<3xf32>
    %xl = nn.linear %xj, %W, %q : tensor<3xf32>, tensor<3x3xf32>, tensor<3xf32>
    %y = arith.addf %pd, %xl : tensor<3xf32>
    %ty = math.tanh %y : tensor<3xf32>
    tree.yield %ty : tensor<3xf32>
  }
  %r = tree.root %t, %u : tensor<?x3xf32>
  %hd = nn.dropout %h rate 0.3 : tensor<?x3xf32>
  return %r, %u, %hd : tensor<3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
func.func @seq(%x: tensor<?x3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  %W = nn.use @W : tensor<3x3xf32>
  %f = tree.chain %x : tensor<?x3xf32>
  %b = tree.chain %x reversed : tensor<?x3xf32>
  %hf = tree.fold %f nodes(%xj = %x : tensor<3xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %l = nn.linear %s, %W : tensor<3xf32>, tensor<3x3xf32>
    %y = arith.addf %l, %xj : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %hb = tree.fold %b nodes(%xj = %x : tensor<3xf32>, %hj = %hf : tensor<3xf32>) children(%hk : tensor<1x3xf32>) -> (tensor<3xf32>) {
    %s = nn.sum %hk over 0 : tensor<1x3xf32>
    %l = nn.linear %s, %W : tensor<3xf32>, tensor<3x3xf32>
    %y = arith.addf %l, %xj : tensor<3xf32>
    %z = arith.mulf %y, %hj : tensor<3xf32>
    tree.yield %z : tensor<3xf32>
  }
  %r = tree.root %b, %hb : tensor<?x3xf32>
  %sum = arith.addf %hf, %hb : tensor<?x3xf32>
  return %r, %sum : tensor<3xf32>, tensor<?x3xf32>
}
func.func @attentive(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}, %q: tensor<3xf32> {cambium.name = "query"}) -> (tensor<3xf32>, tensor<?x3xf32>) {
  %E = nn.use @E : tensor<10x4xf32>
  %W = nn.use @W4 : tensor<4x3xf32>
  %U = nn.use @U : tensor<3x3xf32>
  %b = nn.use @b : tensor<3xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<10x4xf32>
  %xd = nn.dropout %x rate 0.2 : tensor<?x4xf32>
  %h = tree.fold %tree nodes(%xj = %xd : tensor<4xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %s = nn.matmul %hk, %q : tensor<?x3xf32>, tensor<3xf32>
    %a = nn.softmax %s over 0 : tensor<?xf32>
    %hs = nn.matmul %a, %hk : tensor<?xf32>, tensor<?x3xf32>
    %l = nn.linear %xj, %W, %b : tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>
    %u = nn.linear %hk, %U : tensor<?x3xf32>, tensor<3x3xf32>
    %lb = nn.broadcast %l dims [1] like %hk : tensor<3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
    %f = arith.addf %lb, %u : tensor<?x3xf32>
    %fs = nn.sigmoid %f : tensor<?x3xf32>
    %fsd = nn.dropout %fs rate 0.5 : tensor<?x3xf32>
    %fh = arith.mulf %fsd, %hk : tensor<?x3xf32>
    %t = nn.sum %fh over 0 : tensor<?x3xf32>
    %r = arith.addf %t, %hs : tensor<3xf32>
    %r2 = arith.addf %r, %b : tensor<3xf32>
    %rd = nn.dropout %r2 rate 0.3 : tensor<3xf32>
    tree.yield %rd : tensor<3xf32>
  }
  %d = tree.unfold %tree nodes(%hj = %h : tensor<3xf32>) parent(%p : tensor<3xf32>) -> (tensor<3xf32>) {
    %z = arith.addf %hj, %p : tensor<3xf32>
    %y = math.tanh %z : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }
  %root = tree.root %tree, %h : tensor<?x3xf32>
  return %root, %d : tensor<3xf32>, tensor<?x3xf32>
}
nn.param @W4 : tensor<4x3xf32>
nn.param @U : tensor<3x3xf32>
nn.param @b : tensor<3xf32>
nn.param @E : tensor<10x4xf32>
func.func @gradients(%tree: !tree.tree {cambium.name = "tree"}, %words: tensor<?xi32> {cambium.name = "words"}, %y: tensor<f32> {cambium.name = "y"}) -> (tensor<f32>, tensor<?x3xf32>, tensor<3xf32>) {
  %E = nn.use @E : tensor<10x4xf32>
  %W = nn.use @W4 : tensor<4x3xf32>
  %U = nn.use @U : tensor<3x3xf32>
  %b = nn.use @b : tensor<3xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<10x4xf32>
  %h = tree.fold %tree nodes(%xj = %x : tensor<4xf32>) children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {
    %hs = nn.sum %hk over 0 : tensor<?x3xf32>
    %a = nn.linear %xj, %W, %b : tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>
    %c = nn.linear %hs, %U : tensor<3xf32>, tensor<3x3xf32>
    %s = arith.addf %a, %c : tensor<3xf32>
    %t = math.tanh %s : tensor<3xf32>
    tree.yield %t : tensor<3xf32>
  }
  %r = tree.root %tree, %h : tensor<?x3xf32>
  %hm = nn.mean %h over 0 : tensor<?x3xf32>
  %rm = arith.mulf %r, %hm : tensor<3xf32>
  %s = nn.sum %rm over 0 : tensor<3xf32>
  %l = nn.mse %s, %y : tensor<f32>, tensor<f32>
  %g, %gb = train.gradient %l wrt %h, %b : tensor<f32>, tensor<?x3xf32>, tensor<3xf32>
  %gg = arith.mulf %gb, %gb : tensor<3xf32>
  %gs = nn.sum %gg over 0 : tensor<3xf32>
  %ll = arith.addf %l, %gs : tensor<f32>
  return %ll, %g, %gb : tensor<f32>, tensor<?x3xf32>, tensor<3xf32>
}
