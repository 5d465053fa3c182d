//===-- test/Ragged/IR/ops.mlir - Every op, printed as it is read ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s

nn.param @E : tensor<9x4xf32>
nn.param @W : tensor<4xf32>

// CHECK-LABEL: @structure
func.func @structure(%rows: !ragged.rows, %f: !ragged.forest, %p: tensor<?xi32>) {
  // CHECK: ragged.num_rows %arg0
  %0 = ragged.num_rows %rows
  // CHECK: ragged.num_segments %arg0
  %1 = ragged.num_segments %rows
  // CHECK: ragged.num_nodes %arg1 inner
  %2 = ragged.num_nodes %f inner
  // CHECK: ragged.edges %arg1 leaves
  %3 = ragged.edges %f leaves
  // CHECK: ragged.index %arg1 children : tensor<?xi32>
  %4 = ragged.index %f children : tensor<?xi32>
  // CHECK: ragged.chain %arg0 reversed
  %5 = ragged.chain %rows reversed
  // CHECK: ragged.chart %arg0
  %chart = ragged.chart %rows
  // CHECK: ragged.spans %arg0
  %spans = ragged.spans %rows
  // CHECK: ragged.span_ends %{{.*}} of %arg0 : tensor<?xi32>
  %first = ragged.span_ends %spans of %rows : tensor<?xi32>
  // CHECK: ragged.span_ends %{{.*}} of %arg0 last : tensor<?xi32>
  %last = ragged.span_ends %spans of %rows last : tensor<?xi32>
  // CHECK: ragged.edges %{{.*}} inner cuts
  %cuts = ragged.edges %chart inner cuts
  // CHECK: ragged.window %{{.*}}, %{{.*}}, %{{.*}} cuts
  %window = ragged.window %chart, %0, %1 cuts
  // CHECK: ragged.levels up all %{{.*}} cuts num_recurrent 1
  %sums = ragged.levels up all %chart cuts num_recurrent 1 num_node_yields 0 -> (tensor<?x4xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?x2x4xf32>):
    %both = nn.sum %h over 1 : tensor<?x2x4xf32>
    %sum = ragged.reduce sum %both, %e : tensor<?x4xf32>
    ragged.yield %sum : tensor<?x4xf32>
  }
  // CHECK: ragged.to_cuts %{{.*}} : tensor<?x4xf32>
  %sides = ragged.to_cuts %sums : tensor<?x4xf32>
  // CHECK: ragged.from_cuts %{{.*}} : tensor<?x2x4xf32>
  %whole = ragged.from_cuts %sides : tensor<?x2x4xf32>
  // CHECK: ragged.from_parents %arg0, %arg2 : tensor<?xi32>
  %6 = ragged.from_parents %rows, %p : tensor<?xi32>
  // CHECK: ragged.from_parents %arg0, %arg2 arity 2 : tensor<?xi32>
  %binary = ragged.from_parents %rows, %p arity 2 : tensor<?xi32>
  return
}

// CHECK-LABEL: @across_rows
func.func @across_rows(%rows: !ragged.rows, %f: !ragged.forest, %x: tensor<?x4xf32>,
                       %b: tensor<4xf32>, %n: index, %i: tensor<?xi32>) {
  // CHECK: ragged.broadcast %{{.*}}, %{{.*}} : tensor<4xf32> -> tensor<?x4xf32>
  %0 = ragged.broadcast %b, %n : tensor<4xf32> -> tensor<?x4xf32>
  // CHECK: ragged.expand %{{.*}}, %arg0 : tensor<?x4xf32>
  %1 = ragged.expand %x, %rows : tensor<?x4xf32>
  // CHECK: ragged.reduce mean %{{.*}}, %arg0 : tensor<?x4xf32>
  %2 = ragged.reduce mean %x, %rows : tensor<?x4xf32>
  // CHECK: ragged.max_grad %{{.*}}, %{{.*}}, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>
  %3 = ragged.max_grad %x, %x, %rows : tensor<?x4xf32>, tensor<?x4xf32>
  // CHECK: ragged.softmax %{{.*}}, %arg0 : tensor<?x4xf32>
  %4 = ragged.softmax %x, %rows : tensor<?x4xf32>
  // CHECK: ragged.gather %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<?xi32>
  %5 = ragged.gather %x, %i : tensor<?x4xf32>, tensor<?xi32>
  // CHECK: %{{.*}}, %{{.*}} = ragged.distinct %{{.*}} limit 9 : tensor<?xi32>
  %distinct, %places = ragged.distinct %i limit 9 : tensor<?xi32>
  // CHECK: %{{.*}}, %{{.*}}:2 = ragged.distinct %{{.*}}, %{{.*}} limit 9 : tensor<?xi32>, tensor<?xi32>
  %all, %both:2 = ragged.distinct %i, %distinct limit 9 : tensor<?xi32>, tensor<?xi32>
  // CHECK: ragged.scatter_sum %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<?xi32>
  %6 = ragged.scatter_sum %x, %i, %n : tensor<?x4xf32>, tensor<?xi32>
  // CHECK: ragged.permute %{{.*}}, %arg1 nodes_to_levels : tensor<?x4xf32>
  %7 = ragged.permute %x, %f nodes_to_levels : tensor<?x4xf32>
  // CHECK: ragged.part %{{.*}}, %arg1 leaves : tensor<?x4xf32>
  %8 = ragged.part %x, %f leaves : tensor<?x4xf32>
  // CHECK: ragged.join %{{.*}}, %{{.*}}, %arg1 : tensor<?x4xf32>
  %9 = ragged.join %8, %x, %f : tensor<?x4xf32>
  // CHECK: ragged.to_slots %{{.*}}, %arg0 arity 2 : tensor<?x4xf32>
  %10 = ragged.to_slots %x, %rows arity 2 : tensor<?x4xf32>
  // CHECK: ragged.from_slots %{{.*}}, %arg0 : tensor<?x2x4xf32>
  %11 = ragged.from_slots %10, %rows : tensor<?x2x4xf32>
  // CHECK: ragged.sum_parents %{{.*}}, %arg1 inner : tensor<?x4xf32>
  %12 = ragged.sum_parents %x, %f inner : tensor<?x4xf32>
  return
}

// CHECK-LABEL: @by_number
func.func @by_number(%x: tensor<?x4xf32>, %ids: tensor<?xi32>, %n: tensor<?x5xi32>, %rows: !ragged.rows) {
  // CHECK: ragged.top %{{.*}}, %{{.*}} count 2 : tensor<?x4xf32>
  %0, %1 = ragged.top %x, %rows count 2 : tensor<?x4xf32>
  // CHECK: ragged.pick %{{.*}}, %{{.*}}, %{{.*}} nearest : tensor<?x4xf32>, tensor<?x5xi32>
  %2 = ragged.pick %x, %n, %rows nearest : tensor<?x4xf32>, tensor<?x5xi32>
  // CHECK: ragged.spread %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x2x4xf32>, tensor<?x2x4xi32>
  %3 = ragged.spread %0, %1, %rows : tensor<?x2x4xf32>, tensor<?x2x4xi32>
  // CHECK: ragged.sum_by %{{.*}}, %{{.*}}, %{{.*}} size 3 : tensor<?x4xf32>, tensor<?xi32>
  %4 = ragged.sum_by %x, %ids, %rows size 3 : tensor<?x4xf32>, tensor<?xi32>
  // CHECK: ragged.look_up %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x3x4xf32>, tensor<?xi32>
  %5 = ragged.look_up %4, %ids, %rows : tensor<?x3x4xf32>, tensor<?xi32>
  // CHECK: ragged.around %{{.*}}, %{{.*}} before 2 after 0 : tensor<?x4xf32>
  %6 = ragged.around %x, %rows before 2 after 0 : tensor<?x4xf32>
  // CHECK: ragged.sum_around %{{.*}}, %{{.*}} before 2 : tensor<?x3x4xf32>
  %7 = ragged.sum_around %6, %rows before 2 : tensor<?x3x4xf32>
  // CHECK: ragged.row_numbers %{{.*}} in %{{.*}} checked "a row" ignored -1 : tensor<?xi32>
  %8 = ragged.row_numbers %ids in %rows checked "a row" ignored -1 : tensor<?xi32>
  return
}

// CHECK-LABEL: @keys
func.func @keys(%rows: !ragged.rows, %i: tensor<?xi32>) -> tensor<?xi64> {
  // CHECK: ragged.example_keys : tensor<?xi64>
  %k = ragged.example_keys : tensor<?xi64>
  // CHECK: ragged.keys %{{.*}}, %arg0 : tensor<?xi64>
  %r = ragged.keys %k, %rows : tensor<?xi64>
  // CHECK: ragged.mix_keys %{{.*}}, %arg1 : tensor<?xi64>, tensor<?xi32>
  %m = ragged.mix_keys %r, %i : tensor<?xi64>, tensor<?xi32>
  return %m : tensor<?xi64>
}

// CHECK-LABEL: @levels
func.func @levels(%f: !ragged.forest, %x: tensor<?x4xf32>, %e: tensor<?x4xf32>,
                  %h0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK: ragged.levels up inner %arg0 nodes(%arg1 : tensor<?x4xf32>) edges(%arg2 : tensor<?x4xf32>) base(%arg3 : tensor<?x4xf32>)
  %h = ragged.levels up inner %f nodes(%x : tensor<?x4xf32>) edges(%e : tensor<?x4xf32>)
      base(%h0 : tensor<?x4xf32>)
      num_recurrent 1 num_node_yields 0 -> (tensor<?x4xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x4xf32>, %el: tensor<?x4xf32>, %hk: tensor<?x4xf32>):
    %m = arith.mulf %el, %hk : tensor<?x4xf32>
    %s = ragged.reduce sum %m, %edges : tensor<?x4xf32>
    %y = arith.addf %s, %xl : tensor<?x4xf32>
    // CHECK: ragged.yield %{{.*}} : tensor<?x4xf32>
    ragged.yield %y : tensor<?x4xf32>
  }
  return %h : tensor<?x4xf32>
}

// CHECK-LABEL: @training
func.func @training(%g: tensor<4xf32>, %ids: tensor<?xi32>, %rows: tensor<?x4xf32>) {
  // CHECK: ragged.accumulate @W, %{{.*}} : tensor<4xf32>
  ragged.accumulate @W, %g : tensor<4xf32>
  // CHECK: ragged.accumulate_rows @E, %{{.*}}, %{{.*}} padding_id 0 : tensor<?xi32>, tensor<?x4xf32>
  ragged.accumulate_rows @E, %ids, %rows padding_id 0 : tensor<?xi32>, tensor<?x4xf32>
  return
}

// CHECK-LABEL: @attention
func.func @attention(%q: tensor<?x8xf32>, %v: tensor<?x6xf32>, %queries: !ragged.rows, %keys: !ragged.rows) {
  // CHECK: ragged.attention %arg0, %arg0, %arg1, %arg2, %arg3 heads 2 scale 5.000000e-01 causal : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
  %y, %l = ragged.attention %q, %q, %v, %queries, %keys heads 2 scale 0.5 causal
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
  // CHECK: ragged.attention_grad %arg0, %arg0, %arg1, %{{.*}}, %{{.*}}, %arg2, %arg3 heads 2 scale 5.000000e-01 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>, tensor<?x2xf32>, tensor<?x6xf32> -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
  %dq, %dk, %dv = ragged.attention_grad %q, %q, %v, %l, %y, %queries, %keys heads 2 scale 0.5
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>, tensor<?x2xf32>, tensor<?x6xf32>
    -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
  return
}

// CHECK-LABEL: @row_numbers
func.func @row_numbers(%x: tensor<?x8xf32>, %i: tensor<?xi32>, %n: index, %a: !ragged.rows, %b: !ragged.rows) {
  // CHECK: %[[ALL:.*]] = ragged.append %arg3, %arg4
  %all = ragged.append %a, %b
  // CHECK: ragged.row_numbers %arg1 in %arg3 of %[[ALL]] : tensor<?xi32>
  %0 = ragged.row_numbers %i in %a of %all : tensor<?xi32>
  // CHECK: ragged.row_numbers %arg1 in %arg3 : tensor<?xi32>
  %1 = ragged.row_numbers %i in %a : tensor<?xi32>
  // CHECK: ragged.places %arg3 in %[[ALL]] : tensor<?xi32>
  %2 = ragged.places %a in %all : tensor<?xi32>
  // CHECK: ragged.places %arg4 in %[[ALL]] end : tensor<?xi32>
  %3 = ragged.places %b in %all end : tensor<?xi32>
  // CHECK: ragged.gather %arg0, %{{.*}} or_zero : tensor<?x8xf32>, tensor<?xi32>
  %4 = ragged.gather %x, %0 or_zero : tensor<?x8xf32>, tensor<?xi32>
  // CHECK: ragged.scatter_sum %{{.*}}, %{{.*}}, %arg2 or_zero : tensor<?x8xf32>, tensor<?xi32>
  %5 = ragged.scatter_sum %4, %0, %n or_zero : tensor<?x8xf32>, tensor<?xi32>
  return
}

// CHECK-LABEL: @of_counts
func.func @of_counts(%counts: tensor<?xi32>, %table: tensor<?x5xi32>) -> tensor<?xi32> {
  // CHECK: %[[ROWS:.*]] = ragged.of_counts %arg0 limit 5 : tensor<?xi32>
  %rows = ragged.of_counts %counts limit 5 : tensor<?xi32>
  // CHECK: ragged.positions %[[ROWS]] limit 5 : tensor<?xi32>
  %i = ragged.positions %rows limit 5 : tensor<?xi32>
  // CHECK: ragged.look_up %arg1, %{{.*}}, %[[ROWS]] : tensor<?x5xi32>, tensor<?xi32>
  %y = ragged.look_up %table, %i, %rows : tensor<?x5xi32>, tensor<?xi32>
  return %y : tensor<?xi32>
}

// CHECK-LABEL: @attention_terms
func.func @attention_terms(%q: tensor<?x8xf32>, %b: tensor<?x2xf32>, %t: tensor<2x7xf32>, %r: tensor<5x4xf32>, %ids: tensor<?xi32>, %keys: tensor<?xi64>, %rows: !ragged.rows) {
  // CHECK: %[[RUNS:.*]] = ragged.runs %arg4, %arg6 : tensor<?xi32>
  %runs = ragged.runs %ids, %rows : tensor<?xi32>
  // CHECK: ragged.attention %arg0, %arg0, %arg0, %[[RUNS]], %[[RUNS]] heads 2 scale 5.000000e-01 causal key_bias(%arg1 : tensor<?x2xf32>) distance_bias(%arg2 : tensor<2x7xf32>) relative_keys(%arg3 : tensor<5x4xf32>) relative_values(%arg3 : tensor<5x4xf32>) dropout 1.000000e-01 random(%arg5 : tensor<?xi64>) id 3
  %y, %l = ragged.attention %q, %q, %q, %runs, %runs heads 2 scale 0.5 causal key_bias(%b : tensor<?x2xf32>) distance_bias(%t : tensor<2x7xf32>)
    relative_keys(%r : tensor<5x4xf32>) relative_values(%r : tensor<5x4xf32>) dropout 0.1 random(%keys : tensor<?xi64>) id 3
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return
}

// CHECK-LABEL: @pairs
func.func @pairs(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %rows: !ragged.rows, %others: !ragged.rows) {
  // CHECK: %[[PAIRS:.*]] = ragged.pairs %arg2, %arg3
  %pairs = ragged.pairs %rows, %others
  // CHECK: %[[S:.*]] = ragged.pair_scores %arg0, %arg1, %[[PAIRS]] of %arg2, %arg3 : tensor<?x8xf32>, tensor<?x8xf32>
  %s = ragged.pair_scores %x, %y, %pairs of %rows, %others : tensor<?x8xf32>, tensor<?x8xf32>
  // CHECK: ragged.pair_sum %[[S]], %arg1, %[[PAIRS]] of %arg2, %arg3 : tensor<?xf32>, tensor<?x8xf32>
  %0 = ragged.pair_sum %s, %y, %pairs of %rows, %others : tensor<?xf32>, tensor<?x8xf32>
  // CHECK: ragged.pair_sum %[[S]], %arg0, %[[PAIRS]] of %arg2, %arg3 transposed : tensor<?xf32>, tensor<?x8xf32>
  %1 = ragged.pair_sum %s, %x, %pairs of %rows, %others transposed : tensor<?xf32>, tensor<?x8xf32>
  // CHECK: ragged.max_spanning %[[S]], %arg2 of %[[PAIRS]] : tensor<?xf32>
  %2 = ragged.max_spanning %s, %rows of %pairs : tensor<?xf32>
  // CHECK: ragged.max_spanning %[[S]], %arg2 of %[[PAIRS]] checked "expected n" : tensor<?xf32>
  %3 = ragged.max_spanning %s, %rows of %pairs checked "expected n" : tensor<?xf32>
  return
}
