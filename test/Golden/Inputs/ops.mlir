// The cases of the golden file of the ops; written by make_golden.py.
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @sigmoid(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.sigmoid %x : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @relu(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.relu %x : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @leaky_relu(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.leaky_relu %x slope 0.1 : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @gelu(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.gelu %x : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @gelu_tanh(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.gelu %x tanh : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @linear(%x: tensor<?x4xf32> {cambium.name = "x"}, %w: tensor<4x2xf32> {cambium.name = "w"}, %b: tensor<2xf32> {cambium.name = "b"}, %dy: tensor<?x2xf32> {cambium.name = "dy"})
    -> (tensor<?x2xf32>, tensor<?x4xf32>, tensor<4x2xf32>, tensor<2xf32>) {
  %y = nn.linear %x, %w, %b : tensor<?x4xf32>, tensor<4x2xf32>, tensor<2xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx, %dw, %db = train.gradient %s0 wrt %x, %w, %b : tensor<f32>, tensor<?x4xf32>, tensor<4x2xf32>, tensor<2xf32>
  return %y, %dx, %dw, %db : tensor<?x2xf32>, tensor<?x4xf32>, tensor<4x2xf32>, tensor<2xf32>
}

func.func @linear_one_row(%x: tensor<4xf32> {cambium.name = "x"}, %w: tensor<4x2xf32> {cambium.name = "w"}, %dy: tensor<2xf32> {cambium.name = "dy"})
    -> (tensor<2xf32>, tensor<4xf32>, tensor<4x2xf32>) {
  %y = nn.linear %x, %w : tensor<4xf32>, tensor<4x2xf32>
  %s1 = arith.mulf %y, %dy : tensor<2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<2xf32>
  %dx, %dw = train.gradient %s0 wrt %x, %w : tensor<f32>, tensor<4xf32>, tensor<4x2xf32>
  return %y, %dx, %dw : tensor<2xf32>, tensor<4xf32>, tensor<4x2xf32>
}

func.func @linear_three_dims(%x: tensor<?x2x4xf32> {cambium.name = "x"}, %w: tensor<4x2xf32> {cambium.name = "w"}, %dy: tensor<?x2x2xf32> {cambium.name = "dy"})
    -> (tensor<?x2x2xf32>, tensor<?x2x4xf32>, tensor<4x2xf32>) {
  %y = nn.linear %x, %w : tensor<?x2x4xf32>, tensor<4x2xf32>
  %s3 = arith.mulf %y, %dy : tensor<?x2x2xf32>
  %s2 = nn.sum %s3 over 2 : tensor<?x2x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx, %dw = train.gradient %s0 wrt %x, %w : tensor<f32>, tensor<?x2x4xf32>, tensor<4x2xf32>
  return %y, %dx, %dw : tensor<?x2x2xf32>, tensor<?x2x4xf32>, tensor<4x2xf32>
}

func.func @matmul_matrices(%a: tensor<2x3xf32> {cambium.name = "a"}, %b: tensor<3x4xf32> {cambium.name = "b"}, %dy: tensor<2x4xf32> {cambium.name = "dy"})
    -> (tensor<2x4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) {
  %y = nn.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<2x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<2x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<2xf32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<2x3xf32>, tensor<3x4xf32>
  return %y, %da, %db : tensor<2x4xf32>, tensor<2x3xf32>, tensor<3x4xf32>
}

func.func @matmul_vector_matrix(%a: tensor<?xf32> {cambium.name = "a"}, %b: tensor<?x4xf32> {cambium.name = "b"}, %dy: tensor<4xf32> {cambium.name = "dy"})
    -> (tensor<4xf32>, tensor<?xf32>, tensor<?x4xf32>) {
  %y = nn.matmul %a, %b : tensor<?xf32>, tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<4xf32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<?xf32>, tensor<?x4xf32>
  return %y, %da, %db : tensor<4xf32>, tensor<?xf32>, tensor<?x4xf32>
}

func.func @matmul_matrix_vector(%a: tensor<?x4xf32> {cambium.name = "a"}, %b: tensor<4xf32> {cambium.name = "b"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>, tensor<4xf32>) {
  %y = nn.matmul %a, %b : tensor<?x4xf32>, tensor<4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<?x4xf32>, tensor<4xf32>
  return %y, %da, %db : tensor<?xf32>, tensor<?x4xf32>, tensor<4xf32>
}

func.func @matmul_vectors(%a: tensor<4xf32> {cambium.name = "a"}, %b: tensor<4xf32> {cambium.name = "b"}, %dy: tensor<f32> {cambium.name = "dy"})
    -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %y = nn.matmul %a, %b : tensor<4xf32>, tensor<4xf32>
  %s0 = arith.mulf %y, %dy : tensor<f32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<4xf32>, tensor<4xf32>
  return %y, %da, %db : tensor<f32>, tensor<4xf32>, tensor<4xf32>
}

func.func @matmul_batch(%a: tensor<?x2x3xf32> {cambium.name = "a"}, %b: tensor<?x3xf32> {cambium.name = "b"}, %dy: tensor<?x2xf32> {cambium.name = "dy"})
    -> (tensor<?x2xf32>, tensor<?x2x3xf32>, tensor<?x3xf32>) {
  %y = nn.matmul %a, %b batch_dims 1 : tensor<?x2x3xf32>, tensor<?x3xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<?x2x3xf32>, tensor<?x3xf32>
  return %y, %da, %db : tensor<?x2xf32>, tensor<?x2x3xf32>, tensor<?x3xf32>
}

func.func @outer_sum(%x: tensor<?x2xf32> {cambium.name = "x"}, %z: tensor<?x3xf32> {cambium.name = "z"}, %dy: tensor<2x3xf32> {cambium.name = "dy"})
    -> (tensor<2x3xf32>, tensor<?x2xf32>, tensor<?x3xf32>) {
  %y = nn.outer_sum %x, %z : tensor<?x2xf32>, tensor<?x3xf32>
  %s2 = arith.mulf %y, %dy : tensor<2x3xf32>
  %s1 = nn.sum %s2 over 1 : tensor<2x3xf32>
  %s0 = nn.sum %s1 over 0 : tensor<2xf32>
  %dx, %dz = train.gradient %s0 wrt %x, %z : tensor<f32>, tensor<?x2xf32>, tensor<?x3xf32>
  return %y, %dx, %dz : tensor<2x3xf32>, tensor<?x2xf32>, tensor<?x3xf32>
}

func.func @embed(%ids: tensor<?xi32> {cambium.name = "ids"}, %table: tensor<5x2xf32> {cambium.name = "table"}, %dy: tensor<?x2xf32> {cambium.name = "dy"})
    -> (tensor<?x2xf32>, tensor<5x2xf32>) {
  %y = nn.embed %ids, %table : tensor<?xi32>, tensor<5x2xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dtable = train.gradient %s0 wrt %table : tensor<f32>, tensor<5x2xf32>
  return %y, %dtable : tensor<?x2xf32>, tensor<5x2xf32>
}

func.func @embed_padding(%ids: tensor<6xi32> {cambium.name = "ids"}, %table: tensor<3x2xf32> {cambium.name = "table"}, %dy: tensor<6x2xf32> {cambium.name = "dy"})
    -> (tensor<6x2xf32>, tensor<3x2xf32>) {
  %y = nn.embed %ids, %table padding_id 1 : tensor<6xi32>, tensor<3x2xf32>
  %s2 = arith.mulf %y, %dy : tensor<6x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<6x2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<6xf32>
  %dtable = train.gradient %s0 wrt %table : tensor<f32>, tensor<3x2xf32>
  return %y, %dtable : tensor<6x2xf32>, tensor<3x2xf32>
}

func.func @embed_frozen(%ids: tensor<?xi32> {cambium.name = "ids"}, %table: tensor<5x2xf32> {cambium.name = "table"}, %dy: tensor<?x2xf32> {cambium.name = "dy"})
    -> (tensor<?x2xf32>, tensor<5x2xf32>) {
  %y = nn.embed %ids, %table frozen : tensor<?xi32>, tensor<5x2xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dtable = train.gradient %s0 wrt %table : tensor<f32>, tensor<5x2xf32>
  return %y, %dtable : tensor<?x2xf32>, tensor<5x2xf32>
}

func.func @embed_grad(%ids: tensor<6xi32> {cambium.name = "ids"}, %rows: tensor<6x2xf32> {cambium.name = "rows"}, %dy: tensor<4x2xf32> {cambium.name = "dy"})
    -> (tensor<4x2xf32>, tensor<6x2xf32>) {
  %y = nn.embed_grad %ids, %rows size 4 padding_id 0 : tensor<6xi32>, tensor<6x2xf32>
  %s2 = arith.mulf %y, %dy : tensor<4x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<4x2xf32>
  %s0 = nn.sum %s1 over 0 : tensor<4xf32>
  %drows = train.gradient %s0 wrt %rows : tensor<f32>, tensor<6x2xf32>
  return %y, %drows : tensor<4x2xf32>, tensor<6x2xf32>
}

func.func @pick(%x: tensor<?x4xf32> {cambium.name = "x"}, %ids: tensor<?xi32> {cambium.name = "ids"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>) {
  %y = nn.pick %x, %ids : tensor<?x4xf32>, tensor<?xi32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?xf32>, tensor<?x4xf32>
}

func.func @one_hot(%ids: tensor<?xi32> {cambium.name = "ids"}, %values: tensor<?xf32> {cambium.name = "values"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?xf32>) {
  %y = nn.one_hot %ids, %values size 4 : tensor<?xi32>, tensor<?xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dvalues = train.gradient %s0 wrt %values : tensor<f32>, tensor<?xf32>
  return %y, %dvalues : tensor<?x4xf32>, tensor<?xf32>
}

func.func @sum_over_0(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<4xf32> {cambium.name = "dy"})
    -> (tensor<4xf32>, tensor<?x4xf32>) {
  %y = nn.sum %x over 0 : tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<4xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<4xf32>, tensor<?x4xf32>
}

func.func @sum_over_1(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>) {
  %y = nn.sum %x over 1 : tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?xf32>, tensor<?x4xf32>
}

func.func @mean_over_0(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<4xf32> {cambium.name = "dy"})
    -> (tensor<4xf32>, tensor<?x4xf32>) {
  %y = nn.mean %x over 0 : tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<4xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<4xf32>, tensor<?x4xf32>
}

func.func @mean_over_1(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>) {
  %y = nn.mean %x over 1 : tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?xf32>, tensor<?x4xf32>
}

func.func @max_over_0(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<4xf32> {cambium.name = "dy"})
    -> (tensor<4xf32>, tensor<?x4xf32>) {
  %y = nn.max %x over 0 : tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<4xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<4xf32>, tensor<?x4xf32>
}

func.func @max_over_1(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>) {
  %y = nn.max %x over 1 : tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?xf32>, tensor<?x4xf32>
}

func.func @softmax_over_0(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.softmax %x over 0 : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @softmax_over_1(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.softmax %x over 1 : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @log_softmax_over_0(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.log_softmax %x over 0 : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @log_softmax_over_1(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.log_softmax %x over 1 : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @l2_normalize_over_0(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.l2_normalize %x over 0 : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @l2_normalize_over_1(%x: tensor<?x4xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.l2_normalize %x over 1 : tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @sum_middle(%x: tensor<?x2x3xf32> {cambium.name = "x"}, %dy: tensor<?x3xf32> {cambium.name = "dy"})
    -> (tensor<?x3xf32>, tensor<?x2x3xf32>) {
  %y = nn.sum %x over 1 : tensor<?x2x3xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x3xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x3xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x2x3xf32>
  return %y, %dx : tensor<?x3xf32>, tensor<?x2x3xf32>
}

func.func @max_grad(%x0: tensor<?x4xf32> {cambium.name = "x0"}, %dy_in: tensor<4xf32> {cambium.name = "dy_in"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<4xf32>) {
  %y = nn.max_grad %x0, %dy_in over 0 : tensor<?x4xf32>, tensor<4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %ddy_in = train.gradient %s0 wrt %dy_in : tensor<f32>, tensor<4xf32>
  return %y, %ddy_in : tensor<?x4xf32>, tensor<4xf32>
}

func.func @layer_norm(%x: tensor<?x4xf32> {cambium.name = "x"}, %scale: tensor<4xf32> {cambium.name = "scale"}, %shift: tensor<4xf32> {cambium.name = "shift"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %y = nn.layer_norm %x, %scale, %shift : tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx, %dscale, %dshift = train.gradient %s0 wrt %x, %scale, %shift : tensor<f32>, tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y, %dx, %dscale, %dshift : tensor<?x4xf32>, tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @cosine_similarity_over_1(%a: tensor<?x4xf32> {cambium.name = "a"}, %b: tensor<?x4xf32> {cambium.name = "b"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.cosine_similarity %a, %b over 1 : tensor<?x4xf32>, tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %y, %da, %db : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @cosine_similarity_over_0(%a: tensor<4xf32> {cambium.name = "a"}, %b: tensor<4xf32> {cambium.name = "b"}, %dy: tensor<f32> {cambium.name = "dy"})
    -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %y = nn.cosine_similarity %a, %b over 0 : tensor<4xf32>, tensor<4xf32>
  %s0 = arith.mulf %y, %dy : tensor<f32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<4xf32>, tensor<4xf32>
  return %y, %da, %db : tensor<f32>, tensor<4xf32>, tensor<4xf32>
}

func.func @broadcast_rows(%x: tensor<4xf32> {cambium.name = "x"}, %like0: tensor<?x2xf32> {cambium.name = "like0"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<4xf32>) {
  %y = nn.broadcast %x dims [1] like %like0 : tensor<4xf32>, tensor<?x2xf32> -> tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<4xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<4xf32>
}

func.func @broadcast_columns(%x: tensor<?xf32> {cambium.name = "x"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?xf32>) {
  %y = nn.broadcast %x dims [0] : tensor<?xf32> -> tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?xf32>
  return %y, %dx : tensor<?x4xf32>, tensor<?xf32>
}

func.func @broadcast_middle(%x: tensor<2x3xf32> {cambium.name = "x"}, %dy: tensor<2x4x3xf32> {cambium.name = "dy"})
    -> (tensor<2x4x3xf32>, tensor<2x3xf32>) {
  %y = nn.broadcast %x dims [0, 2] : tensor<2x3xf32> -> tensor<2x4x3xf32>
  %s3 = arith.mulf %y, %dy : tensor<2x4x3xf32>
  %s2 = nn.sum %s3 over 2 : tensor<2x4x3xf32>
  %s1 = nn.sum %s2 over 1 : tensor<2x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<2xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<2x3xf32>
  return %y, %dx : tensor<2x4x3xf32>, tensor<2x3xf32>
}

func.func @concat(%a: tensor<?x2xf32> {cambium.name = "a"}, %b: tensor<?x3xf32> {cambium.name = "b"}, %dy: tensor<?x5xf32> {cambium.name = "dy"})
    -> (tensor<?x5xf32>, tensor<?x2xf32>, tensor<?x3xf32>) {
  %y = nn.concat %a, %b over 1 : tensor<?x2xf32>, tensor<?x3xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x5xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x5xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<?x2xf32>, tensor<?x3xf32>
  return %y, %da, %db : tensor<?x5xf32>, tensor<?x2xf32>, tensor<?x3xf32>
}

func.func @split(%x: tensor<?x5xf32> {cambium.name = "x"}, %dy: tensor<?x5xf32> {cambium.name = "dy"})
    -> (tensor<?x5xf32>, tensor<?x5xf32>) {
  %l, %r = nn.split %x over 1 sizes [2, 3] : tensor<?x5xf32>
  %y = nn.concat %r, %l over 1 : tensor<?x3xf32>, tensor<?x2xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x5xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x5xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x5xf32>
  return %y, %dx : tensor<?x5xf32>, tensor<?x5xf32>
}

func.func @slice(%x: tensor<?x5xf32> {cambium.name = "x"}, %dy: tensor<?x3xf32> {cambium.name = "dy"})
    -> (tensor<?x3xf32>, tensor<?x5xf32>) {
  %y = nn.slice %x over 1 from 1 size 3 : tensor<?x5xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x3xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x3xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x5xf32>
  return %y, %dx : tensor<?x3xf32>, tensor<?x5xf32>
}

func.func @pad(%x: tensor<?x2xf32> {cambium.name = "x"}, %dy: tensor<?x5xf32> {cambium.name = "dy"})
    -> (tensor<?x5xf32>, tensor<?x2xf32>) {
  %y = nn.pad %x over 1 low 1 high 2 : tensor<?x2xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x5xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x5xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x2xf32>
  return %y, %dx : tensor<?x5xf32>, tensor<?x2xf32>
}

func.func @reshape(%x: tensor<?x2x3xf32> {cambium.name = "x"}, %dy: tensor<?x6xf32> {cambium.name = "dy"})
    -> (tensor<?x6xf32>, tensor<?x2x3xf32>) {
  %y = nn.reshape %x : tensor<?x2x3xf32> -> tensor<?x6xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x6xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x6xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x2x3xf32>
  return %y, %dx : tensor<?x6xf32>, tensor<?x2x3xf32>
}

func.func @transpose(%x: tensor<?x2x3xf32> {cambium.name = "x"}, %dy: tensor<?x3x2xf32> {cambium.name = "dy"})
    -> (tensor<?x3x2xf32>, tensor<?x2x3xf32>) {
  %y = nn.transpose %x perm [0, 2, 1] : tensor<?x2x3xf32>
  %s3 = arith.mulf %y, %dy : tensor<?x3x2xf32>
  %s2 = nn.sum %s3 over 2 : tensor<?x3x2xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x3xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x2x3xf32>
  return %y, %dx : tensor<?x3x2xf32>, tensor<?x2x3xf32>
}

func.func @cross_entropy(%x: tensor<?x4xf32> {cambium.name = "x"}, %ids: tensor<?xi32> {cambium.name = "ids"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>) {
  %y = nn.cross_entropy %x, %ids : tensor<?x4xf32>, tensor<?xi32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<?x4xf32>
  return %y, %dx : tensor<?xf32>, tensor<?x4xf32>
}

func.func @cross_entropy_ignore(%x: tensor<6x3xf32> {cambium.name = "x"}, %ids: tensor<6xi32> {cambium.name = "ids"}, %dy: tensor<6xf32> {cambium.name = "dy"})
    -> (tensor<6xf32>, tensor<6x3xf32>) {
  %y = nn.cross_entropy %x, %ids ignore_id 1 : tensor<6x3xf32>, tensor<6xi32>
  %s1 = arith.mulf %y, %dy : tensor<6xf32>
  %s0 = nn.sum %s1 over 0 : tensor<6xf32>
  %dx = train.gradient %s0 wrt %x : tensor<f32>, tensor<6x3xf32>
  return %y, %dx : tensor<6xf32>, tensor<6x3xf32>
}

func.func @cross_entropy_soft(%x: tensor<?x4xf32> {cambium.name = "x"}, %p: tensor<?x4xf32> {cambium.name = "p"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.cross_entropy %x, %p : tensor<?x4xf32>, tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dx, %dp = train.gradient %s0 wrt %x, %p : tensor<f32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %y, %dx, %dp : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @kl_divergence(%p: tensor<?x4xf32> {cambium.name = "p"}, %logq: tensor<?x4xf32> {cambium.name = "logq"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.kl_divergence %p, %logq : tensor<?x4xf32>, tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dp, %dlogq = train.gradient %s0 wrt %p, %logq : tensor<f32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %y, %dp, %dlogq : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @mse(%a: tensor<?x4xf32> {cambium.name = "a"}, %b: tensor<?x4xf32> {cambium.name = "b"}, %dy: tensor<?xf32> {cambium.name = "dy"})
    -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %y = nn.mse %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
  %s1 = arith.mulf %y, %dy : tensor<?xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<?x4xf32>, tensor<?x4xf32>
  return %y, %da, %db : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @mse_scalars(%a: tensor<f32> {cambium.name = "a"}, %b: tensor<f32> {cambium.name = "b"}, %dy: tensor<f32> {cambium.name = "dy"})
    -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %y = nn.mse %a, %b : tensor<f32>, tensor<f32>
  %s0 = arith.mulf %y, %dy : tensor<f32>
  %da, %db = train.gradient %s0 wrt %a, %b : tensor<f32>, tensor<f32>, tensor<f32>
  return %y, %da, %db : tensor<f32>, tensor<f32>, tensor<f32>
}

func.func @attention(%q: tensor<?x6xf32> {cambium.name = "q"}, %k: tensor<?x6xf32> {cambium.name = "k"}, %v: tensor<?x4xf32> {cambium.name = "v"}, %dy: tensor<?x4xf32> {cambium.name = "dy"})
    -> (tensor<?x4xf32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x4xf32>) {
  %y = nn.attention %q, %k, %v heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x4xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x4xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x4xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dq, %dk, %dv = train.gradient %s0 wrt %q, %k, %v : tensor<f32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x4xf32>
  return %y, %dq, %dk, %dv : tensor<?x4xf32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x4xf32>
}

func.func @attention_causal(%q: tensor<?x3xf32> {cambium.name = "q"}, %k: tensor<?x3xf32> {cambium.name = "k"}, %v: tensor<?x3xf32> {cambium.name = "v"}, %dy: tensor<?x3xf32> {cambium.name = "dy"})
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.attention %q, %k, %v heads 1 scale 0.25 causal : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
  %s2 = arith.mulf %y, %dy : tensor<?x3xf32>
  %s1 = nn.sum %s2 over 1 : tensor<?x3xf32>
  %s0 = nn.sum %s1 over 0 : tensor<?xf32>
  %dq, %dk, %dv = train.gradient %s0 wrt %q, %k, %v : tensor<f32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
  return %y, %dq, %dk, %dv : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

func.func @dropout(%tree: !tree.tree {cambium.name = "tree"},
                   %x: tensor<?x4xf32> {cambium.name = "x"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %rows = nn.dropout %x rate 0.5 : tensor<?x4xf32>
  %nodes = tree.fold %tree nodes(%xj = %x : tensor<4xf32>) children(%hk : tensor<?x4xf32>)
           -> (tensor<4xf32>) {
    %y = nn.dropout %xj rate 0.25 : tensor<4xf32>
    %k = nn.dropout %hk rate 0.25 : tensor<?x4xf32>
    %s = nn.sum %k over 0 : tensor<?x4xf32>
    %h = arith.addf %y, %s : tensor<4xf32>
    tree.yield %h : tensor<4xf32>
  }
  return %rows, %nodes : tensor<?x4xf32>, tensor<?x4xf32>
}
