//===-- test/NN/IR/ops.mlir - Every op, printed as it is read ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s | cambium-opt | FileCheck %s
// RUN: cambium-opt %s --mlir-print-op-generic | cambium-opt | FileCheck %s

// CHECK: nn.param @W : tensor<300x150xf32> init <uniform(-1.000000e-01, 1.000000e-01)>
nn.param @W : tensor<300x150xf32> init #nn.init<uniform(-0.1, 0.1)>
// CHECK: nn.param @layers : tensor<12x4x4xf32> init <orthogonal(1.000000e+00)> slices 1
nn.param @layers : tensor<12x4x4xf32> init #nn.init<orthogonal> slices 1
// CHECK: nn.param @given : tensor<4x4xf32> init #nn.given<"init" = #nn.init<orthogonal(1.000000e+00)>> no_decay
nn.param @given : tensor<4x4xf32> init #nn.given<"init" = #nn.init<orthogonal>> no_decay
// CHECK: nn.param @b : tensor<150xf32> group "biases" no_decay
nn.param @b : tensor<150xf32> group "biases" no_decay
// CHECK: nn.param @E : tensor<400x300xf32> init <file("glove.safetensors", "vectors")> frozen
nn.param @E : tensor<400x300xf32> init #nn.init<file("glove.safetensors", "vectors")> frozen
// CHECK: init <xavier_uniform(1.000000e+00)>
nn.param @p0 : tensor<3x3xf32> init #nn.init<xavier_uniform>
// CHECK: init <xavier_normal(2.000000e+00)>
nn.param @p1 : tensor<3x3xf32> init #nn.init<xavier_normal(2.0)>
// CHECK: init <orthogonal(1.000000e+00)>
nn.param @p2 : tensor<3x3xf32> init #nn.init<orthogonal>
// CHECK: init <sinusoidal(1.000000e+00)>
nn.param @places : tensor<512x96xf32> init #nn.init<sinusoidal> frozen
// CHECK: init <truncated_normal(0.000000e+00, 2.000000e-02)>
nn.param @p3 : tensor<3x3xf64> init #nn.init<truncated_normal(0.0, 0.02)>
// CHECK: init <normal(0.000000e+00, 1.000000e+00)>
nn.param @p4 : tensor<3xf32> init #nn.init<normal(0.0, 1.0)>
// CHECK: init <constant(1.000000e+00)>
nn.param @p5 : tensor<3xf32> init #nn.init<constant(1.0)>
// CHECK: init <zeros>
nn.param @p6 : tensor<3xf32> init #nn.init<zeros>

// CHECK-LABEL: @parameters
func.func @parameters() -> tensor<300x150xf32> {
  // CHECK: nn.use @W : tensor<300x150xf32>
  %W = nn.use @W : tensor<300x150xf32>
  return %W : tensor<300x150xf32>
}

// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<150xf32>) {
  // CHECK: nn.sigmoid %{{.*}} : tensor<150xf32>
  %0 = nn.sigmoid %x : tensor<150xf32>
  // CHECK: nn.relu
  %1 = nn.relu %x : tensor<150xf32>
  // CHECK: nn.leaky_relu %{{.*}} slope 2.000000e-01
  %2 = nn.leaky_relu %x slope 0.2 : tensor<150xf32>
  // CHECK: nn.gelu %{{.*}} : tensor<150xf32>
  %3 = nn.gelu %x : tensor<150xf32>
  // CHECK: nn.gelu %{{.*}} tanh : tensor<150xf32>
  %4 = nn.gelu %x tanh : tensor<150xf32>
  return
}

// CHECK-LABEL: @products
func.func @products(%x: tensor<?x300xf32>, %W: tensor<300x150xf32>, %b: tensor<150xf32>,
                    %y: tensor<?x150xf32>, %A: tensor<?x5x3xf32>, %v: tensor<?x3xf32>) {
  // CHECK: nn.linear %{{.*}}, %{{.*}} : tensor<?x300xf32>, tensor<300x150xf32>
  %0 = nn.linear %x, %W : tensor<?x300xf32>, tensor<300x150xf32>
  // CHECK: nn.linear %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x300xf32>, tensor<300x150xf32>, tensor<150xf32>
  %1 = nn.linear %x, %W, %b : tensor<?x300xf32>, tensor<300x150xf32>, tensor<150xf32>
  // CHECK: nn.matmul %{{.*}}, %{{.*}} batch_dims 1 : tensor<?x5x3xf32>, tensor<?x3xf32>
  %2 = nn.matmul %A, %v batch_dims 1 : tensor<?x5x3xf32>, tensor<?x3xf32>
  // CHECK: nn.outer_sum %{{.*}}, %{{.*}} : tensor<?x300xf32>, tensor<?x150xf32>
  %3 = nn.outer_sum %x, %y : tensor<?x300xf32>, tensor<?x150xf32>
  return
}

// CHECK-LABEL: @tables
func.func @tables(%ids: tensor<?xi32>, %E: tensor<400x300xf32>, %rows: tensor<?x300xf32>,
                  %x: tensor<5xf32>, %id: tensor<i32>, %one: tensor<f32>) {
  // CHECK: nn.embed %{{.*}}, %{{.*}} padding_id 0
  %0 = nn.embed %ids, %E padding_id 0 : tensor<?xi32>, tensor<400x300xf32>
  // CHECK: nn.embed_grad %{{.*}}, %{{.*}} size 400
  %1 = nn.embed_grad %ids, %rows size 400 : tensor<?xi32>, tensor<?x300xf32>
  // CHECK: nn.pick
  %2 = nn.pick %x, %id : tensor<5xf32>, tensor<i32>
  // CHECK: nn.one_hot %{{.*}}, %{{.*}} size 5
  %3 = nn.one_hot %id, %one size 5 : tensor<i32>, tensor<f32>
  return
}

// CHECK-LABEL: @by_number
func.func @by_number(%x: tensor<?x64xf32>, %s: tensor<?xf32>, %ids: tensor<?xi32>,
                     %y: tensor<9x64xf32>, %i: tensor<5xi32>, %go: tensor<?xi1>) {
  // CHECK: nn.log_sum_exp %{{.*}} over 1 : tensor<?x64xf32>
  %0 = nn.log_sum_exp %x over 1 : tensor<?x64xf32>
  // CHECK: nn.top %{{.*}} count 5 over 0 : tensor<?xf32>
  %1, %2 = nn.top %s count 5 over 0 : tensor<?xf32>
  // CHECK: nn.sum_by %{{.*}}, %{{.*}} over 0 size 7 : tensor<?x64xf32>, tensor<?xi32>
  %3 = nn.sum_by %x, %ids over 0 size 7 : tensor<?x64xf32>, tensor<?xi32>
  // CHECK: nn.pick_along %{{.*}}, %{{.*}} over 0 : tensor<9x64xf32>, tensor<5xi32>
  %4 = nn.pick_along %y, %i over 0 : tensor<9x64xf32>, tensor<5xi32>
  // CHECK: nn.window %{{.*}} before 2 after 0 : tensor<?xi32>
  %5 = nn.window %ids before 2 after 0 : tensor<?xi32>
  // CHECK: nn.random normal(0.000000e+00, 1.000000e+00) training like %{{.*}} : tensor<?xi32> -> tensor<?x3xf32>
  %6 = nn.random normal(0.0, 1.0) training like %ids : tensor<?xi32> -> tensor<?x3xf32>
  // CHECK: nn.random integer(0.000000e+00, 5.000000e+00) : tensor<i32>
  %7 = nn.random integer(0.0, 5.0) : tensor<i32>
  // CHECK: nn.broadcast %{{.*}} dims [0] : tensor<?xi1> -> tensor<?x2xi1>
  %8 = nn.broadcast %go dims [0] : tensor<?xi1> -> tensor<?x2xi1>
  return
}

// CHECK-LABEL: @over_a_dimension
func.func @over_a_dimension(%x: tensor<?x64xf32>, %dy: tensor<64xf32>) {
  // CHECK: nn.sum %{{.*}} over 0 : tensor<?x64xf32>
  %0 = nn.sum %x over 0 : tensor<?x64xf32>
  // CHECK: nn.mean %{{.*}} over 1
  %1 = nn.mean %x over 1 : tensor<?x64xf32>
  // CHECK: nn.max %{{.*}} over 0
  %2 = nn.max %x over 0 : tensor<?x64xf32>
  // CHECK: nn.max_grad %{{.*}}, %{{.*}} over 0
  %3 = nn.max_grad %x, %dy over 0 : tensor<?x64xf32>, tensor<64xf32>
  // CHECK: nn.softmax %{{.*}} over 0
  %4 = nn.softmax %x over 0 : tensor<?x64xf32>
  // CHECK: nn.log_softmax %{{.*}} over 1
  %5 = nn.log_softmax %x over 1 : tensor<?x64xf32>
  // CHECK: nn.l2_normalize %{{.*}} over 1
  %6 = nn.l2_normalize %x over 1 : tensor<?x64xf32>
  // CHECK: nn.layer_norm %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  %n = nn.layer_norm %x, %dy, %dy : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  // CHECK: nn.layer_norm %{{.*}} eps {{[0-9]}}
  %n1 = nn.layer_norm %x, %dy, %dy eps 1.0e-12 : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
  // CHECK: nn.cosine_similarity %{{.*}}, %{{.*}} over 1
  %7 = nn.cosine_similarity %x, %x over 1 : tensor<?x64xf32>, tensor<?x64xf32>
  return
}

// CHECK-LABEL: @shapes
func.func @shapes(%q: tensor<64xf32>, %x: tensor<?x64xf32>, %h: tensor<2x150xf32>) {
  // CHECK: nn.broadcast %{{.*}} dims [1] like %{{.*}} : tensor<64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
  %0 = nn.broadcast %q dims [1] like %x : tensor<64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
  // CHECK: nn.concat %{{.*}}, %{{.*}} over 0
  %1 = nn.concat %q, %q over 0 : tensor<64xf32>, tensor<64xf32>
  // CHECK: nn.split %{{.*}} over 0 sizes [60, 4]
  %2:2 = nn.split %q over 0 sizes [60, 4] : tensor<64xf32>
  // CHECK: nn.slice %{{.*}} over 0 from 1 size 1
  %3 = nn.slice %h over 0 from 1 size 1 : tensor<2x150xf32>
  // CHECK: nn.pad %{{.*}} over 0 low 1 high 2
  %4 = nn.pad %q over 0 low 1 high 2 : tensor<64xf32>
  // CHECK: nn.reshape %{{.*}} : tensor<2x150xf32> -> tensor<300xf32>
  %5 = nn.reshape %h : tensor<2x150xf32> -> tensor<300xf32>
  // CHECK: nn.transpose %{{.*}} perm [1, 0]
  %6 = nn.transpose %h perm [1, 0] : tensor<2x150xf32>
  return
}

/// What moves elements moves numbers of classes and of rows, too.
// CHECK-LABEL: @integer_shapes
func.func @integer_shapes(%x: tensor<4xi32>, %y: tensor<2x3xi64>, %r: tensor<?x4xi32>) {
  // CHECK: nn.concat {{.*}} : tensor<4xi32>, tensor<4xi32>
  %0 = nn.concat %x, %x over 0 : tensor<4xi32>, tensor<4xi32>
  // CHECK: nn.split {{.*}} : tensor<4xi32>
  %1:2 = nn.split %x over 0 sizes [1, 3] : tensor<4xi32>
  // CHECK: nn.slice {{.*}} : tensor<?x4xi32>
  %2 = nn.slice %r over 1 from 1 size 2 : tensor<?x4xi32>
  // CHECK: nn.pad {{.*}} : tensor<4xi32>
  %3 = nn.pad %x over 0 low 1 high 2 : tensor<4xi32>
  // CHECK: nn.transpose {{.*}} : tensor<2x3xi64>
  %4 = nn.transpose %y perm [1, 0] : tensor<2x3xi64>
  return
}

// CHECK-LABEL: @losses
func.func @losses(%x: tensor<5xf32>, %label: tensor<i32>, %p: tensor<5xf32>, %y: tensor<f32>) {
  // CHECK: nn.dropout %{{.*}} rate 2.000000e-01
  %0 = nn.dropout %x rate 0.2 : tensor<5xf32>
  // CHECK: nn.cross_entropy %{{.*}}, %{{.*}} ignore_id 4 : tensor<5xf32>, tensor<i32>
  %1 = nn.cross_entropy %x, %label ignore_id 4 : tensor<5xf32>, tensor<i32>
  // CHECK: nn.cross_entropy %{{.*}}, %{{.*}} : tensor<5xf32>, tensor<5xf32>
  %2 = nn.cross_entropy %x, %p : tensor<5xf32>, tensor<5xf32>
  // CHECK: nn.kl_divergence
  %3 = nn.kl_divergence %p, %x : tensor<5xf32>, tensor<5xf32>
  // CHECK: nn.mse
  %4 = nn.mse %y, %y : tensor<f32>, tensor<f32>
  return
}

// CHECK-LABEL: func @rows
func.func @rows(%x: tensor<?x6xf32>, %i: tensor<?xi32>, %first: tensor<i32>) -> tensor<?x6xf32> {
  // CHECK: nn.pair_scores %{{.*}}, %{{.*}} : tensor<?x6xf32>, tensor<?x6xf32>
  %p = nn.pair_scores %x, %x : tensor<?x6xf32>, tensor<?x6xf32>
  // CHECK: nn.take %{{.*}}, %{{.*}} : tensor<?x6xf32>, tensor<?xi32>
  %0 = nn.take %x, %i : tensor<?x6xf32>, tensor<?xi32>
  // CHECK: %{{.*}} = nn.take %{{.*}}, %{{.*}} : tensor<?x6xf32>, tensor<i32>
  %1 = nn.take %x, %first : tensor<?x6xf32>, tensor<i32>
  // CHECK: nn.append %{{.*}}, %{{.*}} : tensor<?x6xf32>, tensor<?x6xf32>
  %2 = nn.append %x, %0 : tensor<?x6xf32>, tensor<?x6xf32>
  // CHECK: nn.expect_number %{{.*}}, "weight" : tensor<?xf32>
  %sums = nn.sum %2 over 1 : tensor<?x6xf32>
  nn.expect_number %sums, "weight" : tensor<?xf32>
  return %2 : tensor<?x6xf32>
}

// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<?x6xf32>, %k: tensor<3x6xf32>, %v: tensor<3x4xf32>, %ok: tensor<?x?x6xf32>, %ov: tensor<?x?x4xf32>, %b: tensor<?x2xf32>, %t: tensor<2x7xf32>, %r: tensor<5x3xf32>) -> tensor<?x4xf32> {
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}} heads 2 : tensor<?x6xf32>, tensor<3x6xf32>, tensor<3x4xf32>
  %0 = nn.attention %q, %k, %v heads 2 : tensor<?x6xf32>, tensor<3x6xf32>, tensor<3x4xf32>
  // CHECK: nn.positions %{{.*}} limit 512 : tensor<?x6xf32>
  %place = nn.positions %q limit 512 : tensor<?x6xf32>
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}} heads 2 causal key_bias(%{{.*}} : tensor<?x2xf32>) distance_bias(%{{.*}} : tensor<2x7xf32>) relative_keys(%{{.*}} : tensor<5x3xf32>) relative_values(%{{.*}} : tensor<5x3xf32>) within(%{{.*}} : tensor<?xi32>) dropout 1.000000e-01 id 3 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  %terms = nn.attention %q, %q, %q heads 2 causal key_bias(%b : tensor<?x2xf32>) distance_bias(%t : tensor<2x7xf32>)
    relative_keys(%r : tensor<5x3xf32>) relative_values(%r : tensor<5x3xf32>) within(%place : tensor<?xi32>) dropout 0.1 id 3
    : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}} heads 1 scale 2.500000e-01 causal
  %1 = nn.attention %q, %q, %q heads 1 scale 0.25 causal : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}} heads 2 : tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x4xf32>
  %own = nn.attention %q, %ok, %ov heads 2 : tensor<?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK: nn.sizes {hidden = 5, input = 7, both = 2 * hidden, square = hidden * hidden, all = input + both, more = 3 * hidden * input + 2}
nn.sizes {hidden = 5, input = 7, both = 2 * hidden, square = hidden * hidden, all = input + both, more = 3 * hidden * input + 2}

#rate = #nn.given<"rate" = 0.1>
// CHECK-LABEL: func.func private @module
func.func private @module(%x: tensor<?x5xf32>) -> tensor<?x7xf32> {
  // CHECK: nn.param "W" : tensor<5x7xf32> init <xavier_uniform(1.000000e+00)> group "g" no_decay
  %W = nn.param "W" : tensor<5x7xf32> init #nn.init<xavier_uniform> group "g" no_decay
  // CHECK: nn.constant "tau" = 1.000000e-03 : tensor<f32>
  %tau = nn.constant "tau" = 0.001 : tensor<f32>
  // CHECK: nn.attention {{.*}} heads (#nn.given<"heads" = 5 : i64>) causal dropout (#nn.given<"rate" = 1.000000e-01 : f64>)
  %a = nn.attention %x, %x, %x heads (#nn.given<"heads" = 5>) causal dropout #rate
    : tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>
  %y = nn.linear %a, %W : tensor<?x5xf32>, tensor<5x7xf32>
  return %y : tensor<?x7xf32>
}

// CHECK-LABEL: func.func @modules
func.func @modules(%x: tensor<?x5xf32>) -> tensor<?x7xf32> {
  // CHECK: nn.call @module(%{{.*}}) in "first" with {heads = 1 : i64} : (tensor<?x5xf32>) -> tensor<?x7xf32>
  %y = nn.call @module(%x) in "first" with {heads = 1} : (tensor<?x5xf32>) -> tensor<?x7xf32>
  // CHECK: nn.call @module(%{{.*}}) : (tensor<?x5xf32>) -> tensor<?x7xf32>
  %z = nn.call @module(%x) : (tensor<?x5xf32>) -> tensor<?x7xf32>
  return %z : tensor<?x7xf32>
}

// CHECK: nn.import "layers.mlir"
nn.import "layers.mlir"
// CHECK: func.func private @sizes() attributes {nn.file_sizes = [#nn.size<"hidden" = 5>, #nn.size<"both" = 10, [<2, "hidden">]>], nn.term = #nn.size_term<2, "hidden">}
func.func private @sizes() attributes {nn.file_sizes = [#nn.size<"hidden" = 5>, #nn.size<"both" = 10, [<2, "hidden">]>], nn.term = #nn.size_term<2, "hidden">}
