//===-- test/NN/IR/invalid.mlir - One case per error ===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

func.func @linear_inner(%x: tensor<?x3xf32>, %W: tensor<4x2xf32>) {
  // [NN-LINEAR-C2]
  // expected-error @below {{expected a weight with 3 rows, as many as 'tensor<?x3xf32>' has columns, but got 'tensor<4x2xf32>'}}
  %0 = nn.linear %x, %W : tensor<?x3xf32>, tensor<4x2xf32>
  return
}

// -----

func.func @linear_bias(%x: tensor<?x3xf32>, %W: tensor<3x2xf32>, %b: tensor<3xf32>) {
  // [NN-LINEAR-C3]
  // expected-error @below {{expected a bias of 2 elements, but got 'tensor<3xf32>'}}
  %0 = nn.linear %x, %W, %b : tensor<?x3xf32>, tensor<3x2xf32>, tensor<3xf32>
  return
}

// -----

func.func @linear_element(%x: tensor<?x3xf32>, %W: tensor<3x2xf64>) {
  // [NN-ELEMENT-C1]
  // expected-error @below {{expected element type 'f32', but got 'f64'}}
  %0 = nn.linear %x, %W : tensor<?x3xf32>, tensor<3x2xf64>
  return
}

// -----

func.func @linear_matrix(%x: tensor<?x3xf32>, %W: tensor<3xf32>) {
  // [NN-LINEAR-C1]
  // expected-error @below {{expected rows and a matrix of static shape}}
  %0 = nn.linear %x, %W : tensor<?x3xf32>, tensor<3xf32>
  return
}

// -----

func.func @matmul_inner(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // [NN-MATMUL-C3]
  // expected-error @below {{expected inner dimensions to be equal, but got 3 and 4}}
  %0 = nn.matmul %a, %b : tensor<2x3xf32>, tensor<4xf32>
  return
}

// -----

func.func @matmul_rank(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // [NN-MATMUL-C1]
  // expected-error @below {{expected vectors or matrices after 1 common dimensions}}
  %0 = nn.matmul %a, %b batch_dims 1 : tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @matmul_batch(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // [NN-MATMUL-C2]
  // expected-error @below {{expected the first 1 dimensions to be equal}}
  %0 = nn.matmul %a, %b batch_dims 1 : tensor<2x3xf32>, tensor<4x3xf32>
  return
}

// -----

func.func @outer_sum_rows(%a: tensor<?x3xf32>, %b: tensor<4x3xf32>) {
  // [NN-OUTER_SUM-C1]
  // expected-error @below {{expected operands with equal leading dimensions}}
  %0 = nn.outer_sum %a, %b : tensor<?x3xf32>, tensor<4x3xf32>
  return
}

// -----

func.func @embed_table(%a: tensor<?xi32>, %b: tensor<4xf32>) {
  // [NN-EMBED-C1]
  // expected-error @below {{expected a table of static shape and two dimensions}}
  %0 = nn.embed %a, %b : tensor<?xi32>, tensor<4xf32>
  return
}

// -----

func.func @embed_padding(%a: tensor<?xi32>, %b: tensor<4x2xf32>) {
  // [NN-EMBED-C2]
  // expected-error @below {{expected a padding id in [0, 4), but got 4}}
  %0 = nn.embed %a, %b padding_id 4 : tensor<?xi32>, tensor<4x2xf32>
  return
}

// -----

func.func @embed_grad_rows(%a: tensor<?xi32>, %b: tensor<4x2xf32>) {
  // [NN-EMBED_GRAD-C1]
  // expected-error @below {{expected one row per id}}
  %0 = nn.embed_grad %a, %b size 3 : tensor<?xi32>, tensor<4x2xf32>
  return
}

// -----

func.func @pick_ids(%a: tensor<3x2xf32>, %b: tensor<4xi32>) {
  // [NN-PICK-C1]
  // expected-error @below {{expected one id per row}}
  %0 = nn.pick %a, %b : tensor<3x2xf32>, tensor<4xi32>
  return
}

// -----

func.func @one_hot_values(%a: tensor<3xi32>, %b: tensor<4xf32>) {
  // [NN-ONE_HOT-C1]
  // expected-error @below {{expected one value per id}}
  %0 = nn.one_hot %a, %b size 2 : tensor<3xi32>, tensor<4xf32>
  return
}

// -----

func.func @one_hot_size(%a: tensor<3xi32>, %b: tensor<3xf32>) {
  // [NN-ONE_HOT-C2]
  // expected-error @below {{expected a positive size, but got 0}}
  %0 = nn.one_hot %a, %b size 0 : tensor<3xi32>, tensor<3xf32>
  return
}

// -----

func.func @sum_dim(%a: tensor<3xf32>) {
  // [NN-DIM-C1]
  // expected-error @below {{expected a dimension in [0, 1), but got 1}}
  %0 = nn.sum %a over 1 : tensor<3xf32>
  return
}

// -----

func.func @softmax_dim(%a: tensor<3xf32>) {
  // expected-error @below {{expected a dimension in [0, 1), but got -1}}
  %0 = nn.softmax %a over -1 : tensor<3xf32>
  return
}

// -----

func.func @max_grad_dy(%a: tensor<?x3xf32>, %b: tensor<4xf32>) {
  // [NN-MAX_GRAD-C1]
  // expected-error @below {{expected 'tensor<3xf32>' as second operand}}
  %0 = nn.max_grad %a, %b over 0 : tensor<?x3xf32>, tensor<4xf32>
  return
}

// -----

func.func @layer_norm_scale(%x: tensor<?x3xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>) {
  // [NN-LAYER_NORM-C2]
  // expected-error @below {{'nn.layer_norm' op expected a scale and a shift of type 'tensor<3xf32>', but got 'tensor<4xf32>'}}
  %0 = nn.layer_norm %x, %a, %b : tensor<?x3xf32>, tensor<3xf32>, tensor<4xf32>
  return
}

// -----

func.func @layer_norm_scalar(%x: tensor<f32>, %a: tensor<3xf32>) {
  // [NN-LAYER_NORM-C1]
  // expected-error @below {{'nn.layer_norm' op expected at least one dimension, but got 'tensor<f32>'}}
  %0 = nn.layer_norm %x, %a, %a : tensor<f32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @cosine_types(%a: tensor<3xf32>, %b: tensor<4xf32>) {
  // [NN-COSINE_SIMILARITY-C1]
  // expected-error @below {{expected operands of one type}}
  %0 = nn.cosine_similarity %a, %b over 0 : tensor<3xf32>, tensor<4xf32>
  return
}

// -----

func.func @concat_shapes(%a: tensor<3x2xf32>, %b: tensor<3x4xf32>) {
  // [NN-CONCAT-C2]
  // expected-error @below {{expected operands that differ in dimension 0 only}}
  %0 = nn.concat %a, %b over 0 : tensor<3x2xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @concat_rows(%a: tensor<?x2xf32>) {
  // [NN-CONCAT-C3]
  // expected-error @below {{expected a static dimension 0}}
  %0 = nn.concat %a, %a over 0 : tensor<?x2xf32>, tensor<?x2xf32>
  return
}

// -----

func.func @split_total(%a: tensor<3xf32>) {
  // [NN-SPLIT-C2]
  // expected-error @below {{expected sizes that add up to 3, but got 4}}
  %0:2 = nn.split %a over 0 sizes [2, 2] : tensor<3xf32>
  return
}

// -----

func.func @split_sizes(%a: tensor<3xf32>) {
  // [NN-SPLIT-C1]
  // expected-error @below {{expected positive sizes, but got 0}}
  %0:2 = nn.split %a over 0 sizes [3, 0] : tensor<3xf32>
  return
}

// -----

func.func @slice_range(%a: tensor<3xf32>) {
  // [NN-SLICE-C1]
  // expected-error @below {{expected a range within dimension 0 of 'tensor<3xf32>', but got 2 elements from 2 on}}
  %0 = nn.slice %a over 0 from 2 size 2 : tensor<3xf32>
  return
}

// -----

func.func @pad_negative(%a: tensor<3xf32>) {
  // [NN-PAD-C1]
  // expected-error @below {{expected a static dimension and no negative padding}}
  %0 = nn.pad %a over 0 low -1 high 0 : tensor<3xf32>
  return
}

// -----

func.func @transpose_perm(%a: tensor<3x2xf32>) {
  // [NN-TRANSPOSE-C1]
  // expected-error @below {{expected a permutation of 2 dimensions, but got [0, 0]}}
  %0 = nn.transpose %a perm [0, 0] : tensor<3x2xf32>
  return
}

// -----

func.func @reshape_elements(%a: tensor<3x2xf32>) {
  // [NN-RESHAPE-C1]
  // expected-error @below {{expected a shape with the rows and elements of 'tensor<3x2xf32>'}}
  %0 = nn.reshape %a : tensor<3x2xf32> -> tensor<5xf32>
  return
}

// -----

func.func @broadcast_dims(%a: tensor<3xf32>) {
  // [NN-BROADCAST-C1]
  // expected-error @below {{expected one entry of 'dims' per dimension}}
  %0 = nn.broadcast %a dims [] : tensor<3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_order(%a: tensor<3xf32>) {
  // [NN-BROADCAST-C3]
  // expected-error @below {{expected 'dims' to increase below rank 2}}
  %0 = nn.broadcast %a dims [2] : tensor<3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_size(%a: tensor<3xf32>) {
  // [NN-BROADCAST-C4]
  // expected-error @below {{expected dimension 0 of the result to be 3}}
  %0 = nn.broadcast %a dims [0] : tensor<3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_like(%a: tensor<3xf32>) {
  // [NN-BROADCAST-C5]
  // expected-error @below {{expected an operand after 'like' to give the rows}}
  %0 = nn.broadcast %a dims [1] : tensor<3xf32> -> tensor<?x3xf32>
  return
}

// -----

func.func @dropout_rate(%a: tensor<3xf32>) {
  // [NN-DROPOUT-C1]
  // expected-error @below {{expected a rate in [0, 1), but got 1}}
  %0 = nn.dropout %a rate 1.0 : tensor<3xf32>
  return
}

// -----

func.func @cross_entropy_target(%a: tensor<?x3xf32>, %b: tensor<?x2xf32>) {
  // [NN-CROSS_ENTROPY-C1]
  // expected-error @below {{expected an i32 class or a distribution per row}}
  %0 = nn.cross_entropy %a, %b : tensor<?x3xf32>, tensor<?x2xf32>
  return
}

// -----

func.func @cross_entropy_ignore(%a: tensor<3xf32>) {
  // [NN-CROSS_ENTROPY-C2]
  // expected-error @below {{expected i32 classes with 'ignore_id'}}
  %0 = nn.cross_entropy %a, %a ignore_id 0 : tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @kl_rank(%a: tensor<f32>) {
  // [NN-KL_DIVERGENCE-C1]
  // expected-error @below {{expected at least one dimension}}
  %0 = nn.kl_divergence %a, %a : tensor<f32>, tensor<f32>
  return
}

// -----

func.func @mse_types(%a: tensor<3xf32>, %b: tensor<f32>) {
  // [NN-LOSS-C1]
  // expected-error @below {{expected operands of one type}}
  %0 = nn.mse %a, %b : tensor<3xf32>, tensor<f32>
  return
}

// -----

// [NN-PARAM-C1]
// expected-error @below {{expected a static shape, but got 'tensor<?xf32>'}}
nn.param @rows : tensor<?xf32>

// -----

// [NN-PARAM-C2]
// expected-error @below {{initializer 'orthogonal' expected at least two dimensions}}
nn.param @v : tensor<3xf32> init #nn.init<orthogonal>

// -----

// [NN-PARAM-C11]
// expected-error @below {{expected a 'row_sparse' parameter to have rows, but got 'tensor<f32>'}}
nn.param @v : tensor<f32> row_sparse

// -----

// [NN-INIT-C1]
// expected-error @below {{expected an initializer}}
nn.param @v : tensor<3xf32> init #nn.init<random>

// -----

// [NN-INIT-C2]
// expected-error @below {{expected 2 numbers for 'uniform', but got 1}}
nn.param @v : tensor<3xf32> init #nn.init<uniform(1.0)>

// -----

// [NN-INIT-C3]
// expected-error @below {{expected the lower bound of 'uniform' not to exceed the upper one}}
nn.param @v : tensor<3xf32> init #nn.init<uniform(1.0, 0.0)>

// -----

// [NN-INIT-C4]
// expected-error @below {{expected a deviation that is not negative}}
nn.param @v : tensor<3xf32> init #nn.init<normal(0.0, -1.0)>

// -----

// expected-note @below {{the parameter is declared here}}
nn.param @W : tensor<3xf32>
func.func @wrong_type() {
  // [NN-USE-C2]
  // expected-error @below {{expected type 'tensor<3xf32>', but got 'tensor<4xf32>'}}
  %0 = nn.use @W : tensor<4xf32>
  return
}

// -----

func.func @no_parameter() {
  // [NN-USE-C1]
  // expected-error @below {{expected the name of an 'nn.param', but got 'nothing'}}
  %0 = nn.use @nothing : tensor<4xf32>
  return
}

// -----

func.func @attention_rank(%x: tensor<?xf32>) {
  // [NN-ATTENTION-C1]
  // expected-error @below {{'nn.attention' op expected rows of a static number of columns, but got 'tensor<?xf32>'}}
  %0 = nn.attention %x, %x, %x heads 1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @attention_elements(%x: tensor<?x4xf32>, %y: tensor<?x4xf64>) {
  // [NN-ATTENTION-C2]
  // expected-error @below {{'nn.attention' op expected operands of one element type, but got 'tensor<?x4xf32>', 'tensor<?x4xf64>' and 'tensor<?x4xf32>'}}
  %0 = nn.attention %x, %y, %x heads 1 : tensor<?x4xf32>, tensor<?x4xf64>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_columns(%x: tensor<?x4xf32>, %y: tensor<?x6xf32>) {
  // [NN-ATTENTION-C3]
  // expected-error @below {{'nn.attention' op expected queries and keys of the same number of columns, but got 'tensor<?x4xf32>' and 'tensor<?x6xf32>'}}
  %0 = nn.attention %x, %y, %x heads 1 : tensor<?x4xf32>, tensor<?x6xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_values(%x: tensor<?x4xf32>, %y: tensor<3x4xf32>) {
  // [NN-ATTENTION-C4]
  // expected-error @below {{'nn.attention' op expected a value per key, but got 'tensor<?x4xf32>' and 'tensor<3x4xf32>'}}
  %0 = nn.attention %x, %x, %y heads 1 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @attention_own_values(%x: tensor<?x4xf32>, %y: tensor<?x?x4xf32>) {
  // [NN-ATTENTION-C11]
  // expected-error @below {{'nn.attention' op expected rows as queries, each with keys and values of its own, without 'key_bias', 'within' and 'dropout', but got 'tensor<?x4xf32>', 'tensor<?x?x4xf32>' and 'tensor<?x4xf32>'}}
  %0 = nn.attention %x, %y, %x heads 1 : tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_own_dropout(%x: tensor<?x4xf32>, %y: tensor<?x?x4xf32>) {
  // [NN-ATTENTION-C11]
  // expected-error @below {{without 'key_bias', 'within' and 'dropout'}}
  %0 = nn.attention %x, %y, %y heads 1 dropout 0.1 : tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>
  return
}

// -----

func.func @attention_heads(%x: tensor<?x4xf32>) {
  // [NN-ATTENTION-C5]
  // expected-error @below {{'nn.attention' op expected a number of heads that divides the columns, but got 3 for 'tensor<?x4xf32>'}}
  %0 = nn.attention %x, %x, %x heads 3 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_no_columns(%x: tensor<?x0xf32>) {
  // [NN-ATTENTION-C5]
  // expected-error @below {{'nn.attention' op expected keys and values that have columns, but got 'tensor<?x0xf32>'}}
  %0 = nn.attention %x, %x, %x heads 1 : tensor<?x0xf32>, tensor<?x0xf32>, tensor<?x0xf32>
  return
}

// -----

func.func @attention_key_bias(%x: tensor<?x4xf32>, %b: tensor<?x3xf32>) {
  // [NN-ATTENTION-C6]
  // expected-error @below {{'nn.attention' op expected 'key_bias' of type 'tensor<?x2xf32>', but got 'tensor<?x3xf32>'}}
  %0 = nn.attention %x, %x, %x heads 2 key_bias(%b : tensor<?x3xf32>) : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_distances(%x: tensor<?x4xf32>, %b: tensor<2x6xf32>) {
  // [NN-ATTENTION-C7]
  // expected-error @below {{'nn.attention' op expected 'distance_bias' to have an odd number of columns and 2 rows, but got 'tensor<2x6xf32>'}}
  %0 = nn.attention %x, %x, %x heads 2 distance_bias(%b : tensor<2x6xf32>) : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_relative(%x: tensor<?x4xf32>, %b: tensor<5x4xf32>) {
  // [NN-ATTENTION-C7]
  // expected-error @below {{'nn.attention' op expected 'relative_keys' to have an odd number of rows and 2 columns, but got 'tensor<5x4xf32>'}}
  %0 = nn.attention %x, %x, %x heads 2 relative_keys(%b : tensor<5x4xf32>) : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_within(%x: tensor<?x4xf32>, %y: tensor<3x4xf32>, %g: tensor<?xi32>) {
  // [NN-ATTENTION-C8]
  // expected-error @below {{'nn.attention' op expected 'within' to have a number per query, and a key per query, but got 'tensor<?xi32>' for 'tensor<?x4xf32>' and 'tensor<3x4xf32>'}}
  %0 = nn.attention %x, %y, %y heads 2 within(%g : tensor<?xi32>) : tensor<?x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @attention_dropout(%x: tensor<?x4xf32>) {
  // [NN-ATTENTION-C9]
  // expected-error @below {{'nn.attention' op expected a 'dropout' in [0, 1), but got 1}}
  %0 = nn.attention %x, %x, %x heads 2 dropout 1.0 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @attention_scale(%x: tensor<?x4xf32>) {
  // [NN-ATTENTION-C14]
  // expected-error @below {{'nn.attention' op expected a finite 'scale' of 'f32', but got nan}}
  %0 = nn.attention %x, %x, %x heads 2 scale 0x7FF8000000000000 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @positions_scalar(%x: tensor<f32>) {
  // [NN-POSITIONS-C1]
  // expected-error @below {{'nn.positions' op expected rows, but got 'tensor<f32>'}}
  %0 = nn.positions %x limit 5 : tensor<f32>
  return
}

// -----

func.func @positions_limit(%x: tensor<?xf32>) {
  // [NN-POSITIONS-C2]
  // expected-error @below {{'nn.positions' op expected a limit in [1, 2^31), but got 0}}
  %0 = nn.positions %x limit 0 : tensor<?xf32>
  return
}

// -----

func.func @take_scalar(%x: tensor<f32>, %i: tensor<i32>) {
  // [NN-TAKE-C1]
  // expected-error @below {{'nn.take' op expected rows, but got 'tensor<f32>'}}
  %0 = nn.take %x, %i : tensor<f32>, tensor<i32>
  return
}

// -----

func.func @take_matrix(%x: tensor<?x4xf32>, %i: tensor<?x2xi32>) {
  // [NN-TAKE-C2]
  // expected-error @below {{'nn.take' op expected a number or a list of them, but got 'tensor<?x2xi32>'}}
  %0 = nn.take %x, %i : tensor<?x4xf32>, tensor<?x2xi32>
  return
}

// -----

func.func @pair_scores_numbers(%x: tensor<?xf32>) {
  // [NN-PAIR_SCORES-C1]
  // expected-error @below {{'nn.pair_scores' op expected rows of columns (tensor<?xN...>), but got 'tensor<?xf32>'}}
  %0 = nn.pair_scores %x, %x : tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @pair_scores_types(%x: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // [NN-PAIR_SCORES-C2]
  // expected-error @below {{'nn.pair_scores' op expected rows of one type, but got 'tensor<?x4xf32>' and 'tensor<?x5xf32>'}}
  %0 = nn.pair_scores %x, %y : tensor<?x4xf32>, tensor<?x5xf32>
  return
}

// -----

func.func @append_static(%x: tensor<?x4xf32>, %y: tensor<3x4xf32>) {
  // [NN-APPEND-C1]
  // expected-error @below {{'nn.append' op expected rows (a first dimension '?') of the example, but got 'tensor<3x4xf32>'}}
  %0 = nn.append %x, %y : tensor<?x4xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @append_types(%x: tensor<?x4xf32>, %y: tensor<?x5xf32>) {
  // [NN-APPEND-C2]
  // expected-error @below {{'nn.append' op expected rows of one type, but got 'tensor<?x4xf32>' and 'tensor<?x5xf32>'}}
  %0 = nn.append %x, %y : tensor<?x4xf32>, tensor<?x5xf32>
  return
}

// -----

func.func @expect_number_matrix(%x: tensor<?x4xf32>) {
  // [NN-EXPECT_NUMBER-C1]
  // expected-error @below {{'nn.expect_number' op expected a number, or one per row, but got 'tensor<?x4xf32>'}}
  nn.expect_number %x, "weight" : tensor<?x4xf32>
  return
}

// -----

// [NN-PARAM-C3]
// expected-error @below {{expected `%value = nn.param "name"` in a function, or `nn.param @name` in the module}}
nn.param "W" : tensor<3xf32>

// -----

func.func @no_function_of_its_own() {
  // [NN-PARAM-C4]
  // expected-error @below {{expected a name and a value in a function, or a symbol and no value in the module}}
  %0 = "nn.param"() {type = tensor<3xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @no_name() {
  // [NN-PARAM-C5]
  // expected-error @below {{expected a name, but got an empty one}}
  %0 = nn.param "" : tensor<3xf32>
  return
}

// -----

func.func @other_type() {
  // [NN-PARAM-C6]
  // expected-error @below {{expected a value of type 'tensor<3xf32>', but got 'tensor<4xf32>'}}
  %0 = "nn.param"() {local = "W", type = tensor<3xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @unknown_callee() {
  // [NN-CALL-C1]
  // expected-error @below {{expected the name of a function, but got 'nothing'}}
  nn.call @nothing() : () -> ()
  return
}

// -----

// expected-note @below {{'@one' stands here}}
func.func private @one(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @wrong_count() {
  // [NN-CALL-C2]
  // expected-error @below {{expected 1 operands and 1 results, but got 0 and 0}}
  nn.call @one() : () -> ()
  return
}

// -----

// [NN-SIZES-C1]
// expected-error @below {{expected 'both' to be a number, or computed from sizes before it}}
nn.sizes {both = 2 * hidden, hidden = 3}

// -----

// [NN-SIZES-C2]
// expected-error @below {{expected sizes, but got 1 : i64}}
"nn.sizes"() {sizes = [1]} : () -> ()

// -----

// [NN-SIZES-C3]
// expected-error @below {{expected 'hidden' to be at least 1, but got -3}}
nn.sizes {hidden = -3}

// -----

// [NN-SIZES-C3]
// expected-error @below {{expected 'hidden' to be at least 1, but got 0}}
nn.sizes {hidden = 0}

// -----

// [NN-SIZES-C4]
// expected-error @below {{expected one size 'hidden', but got two}}
nn.sizes {hidden = 3, hidden = 4}

// -----

// [NN-SIZES-C5]
// expected-error @below {{expected sizes that are different numbers, but 'hidden' and 'input' are both 3}}
nn.sizes {hidden = 3, input = 3}

// -----

func.func @given(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // [NN-GIVEN-C1]
  // expected-error @below {{expected a name and an i64 or f64 number or an initializer, but got "heads" = 4 : i32}}
  %y = nn.attention %x, %x, %x heads (#nn.given<"heads" = 4 : i32>) : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @constants() {
  // [NN-CONSTANT-C1]
  // expected-error @below {{expected a number, a tensor of rank 0, but got 'tensor<3xf32>'}}
  %0 = nn.constant "c" = 0.5 : tensor<3xf32>
  return
}

// -----

// [NN-SIZES-C11]
// expected-error @below {{expected 'nn.file_sizes' to be the sizes of a function's file, but got [3]}}
func.func private @sizes() attributes {nn.file_sizes = [3]}

// -----

// [NN-PARAM-C10]
// expected-error @below {{expected 0 to 2 leading dimensions that number slices of 'tensor<3x4xf32>', but got 3}}
nn.param @W : tensor<3x4xf32> slices 3

// -----

// [NN-PARAM-C10]
// expected-error @below {{expected 0 to 2 leading dimensions that number slices of 'tensor<3x4xf32>', but got -1}}
nn.param @W : tensor<3x4xf32> slices -1

// -----

// [NN-PARAM-C2]
// expected-error @below {{initializer 'orthogonal' expected at least two dimensions, but got 'tensor<4xf32>'}}
nn.param @W : tensor<3x4xf32> init #nn.init<orthogonal> slices 1

// -----

// expected-error @below {{failed to satisfy constraint: an initializer, or an #nn.given of one}}
nn.param @W : tensor<3x4xf32> init #nn.given<"init" = 4>

// -----

func.func @top_count(%a: tensor<?xf32>) {
  // [NN-TOP-C1]
  // expected-error @below {{expected a positive count, but got 0}}
  %0, %1 = nn.top %a count 0 over 0 : tensor<?xf32>
  return
}

// -----

func.func @sum_by_ids(%a: tensor<4x3xf32>, %i: tensor<3xi32>) {
  // [NN-SUM_BY-C1]
  // expected-error @below {{'nn.sum_by' op expected an id for each of 'tensor<4x3xf32>' over 0, but got 'tensor<3xi32>'}}
  %0 = nn.sum_by %a, %i over 0 size 5 : tensor<4x3xf32>, tensor<3xi32>
  return
}

// -----

func.func @sum_by_rows(%a: tensor<?x3xf32>, %i: tensor<?x3xi32>) {
  // [NN-SUM_BY-C2]
  // expected-error @below {{'nn.sum_by' op expected one id per row over rows, but got 'tensor<?x3xi32>'}}
  %0 = nn.sum_by %a, %i over 0 size 5 : tensor<?x3xf32>, tensor<?x3xi32>
  return
}

// -----

func.func @sum_by_size(%a: tensor<?xf32>, %i: tensor<?xi32>) {
  // [NN-SUM_BY-C3]
  // expected-error @below {{expected a positive size, but got 0}}
  %0 = nn.sum_by %a, %i over 0 size 0 : tensor<?xf32>, tensor<?xi32>
  return
}

// -----

func.func @pick_along_ids(%a: tensor<4x3xf32>, %i: tensor<3x2xi32>) {
  // [NN-PICK_ALONG-C1]
  // expected-error @below {{'nn.pick_along' op expected lists of ids for 'tensor<4x3xf32>' over 1, but got 'tensor<3x2xi32>'}}
  %0 = nn.pick_along %a, %i over 1 : tensor<4x3xf32>, tensor<3x2xi32>
  return
}

// -----

func.func @pick_along_rows(%a: tensor<?x3xf32>, %i: tensor<2xi32>) {
  // [NN-PICK_ALONG-C2]
  // expected-error @below {{expected dimensions of fixed length ('nn.take' takes rows), but got 'tensor<?x3xf32>' and 'tensor<2xi32>'}}
  %0 = nn.pick_along %a, %i over 0 : tensor<?x3xf32>, tensor<2xi32>
  return
}

// -----

func.func @window_rows(%a: tensor<f32>) {
  // [NN-WINDOW-C1]
  // expected-error @below {{'nn.window' op expected rows, but got 'tensor<f32>'}}
  %0 = nn.window %a before 1 after 1 : tensor<f32>
  return
}

// -----

func.func @window_numbers(%a: tensor<?xf32>) {
  // [NN-WINDOW-C2]
  // expected-error @below {{'nn.window' op expected numbers of rows from 0 on, but got -1 and 1}}
  %0 = nn.window %a before -1 after 1 : tensor<?xf32>
  return
}

// -----

func.func @random_type() {
  // [NN-RANDOM-C1]
  // expected-error @below {{expected elements of type i32, but got 'tensor<3xf32>'}}
  %0 = nn.random integer(0.0, 5.0) : tensor<3xf32>
  return
}

// -----

func.func @random_bounds() {
  // [NN-RANDOM-C2]
  // expected-error @below {{expected the lower bound not to exceed the upper one, but got 1.000000e+00 and 0.000000e+00}}
  %0 = nn.random uniform(1.0, 0.0) : tensor<3xf32>
  return
}

// -----

func.func @random_integers() {
  // [NN-RANDOM-C3]
  // expected-error @below {{expected whole numbers, the lower one first, that i32 holds, but got 5.000000e-01 and 3.000000e+00}}
  %0 = nn.random integer(0.5, 3.0) : tensor<3xi32>
  return
}

// -----

func.func @random_deviation() {
  // [NN-RANDOM-C4]
  // expected-error @below {{expected a deviation or scale that is not negative, but got -1.000000e+00}}
  %0 = nn.random normal(0.0, -1.0) : tensor<3xf32>
  return
}

// -----

func.func @random_rows() {
  // [NN-RANDOM-C5]
  // expected-error @below {{expected an operand after 'like' with the rows of 'tensor<?xf32>', and none where it has no rows}}
  %0 = nn.random normal(0.0, 1.0) : tensor<?xf32>
  return
}

// -----

/// Sums that 64 bits do not hold.
func.func @pad_overflow(%a: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // [NN-DIM-C2]
  // expected-error @below {{'nn.pad' op expected a dimension of fewer than 2^63 elements, but got 9223372036854775807 + 3 + 9223372036854775807}}
  %0 = nn.pad %a over 1 low 9223372036854775807 high 9223372036854775807 : tensor<?x3xf32>
  return %0 : tensor<?x1xf32>
}

// -----

func.func @split_overflow(%a: tensor<?x3xf32>) {
  // [NN-DIM-C2]
  // expected-error @below {{'nn.split' op expected a dimension of fewer than 2^63 elements}}
  %0:3 = nn.split %a over 1 sizes [9223372036854775807, 9223372036854775807, 5] : tensor<?x3xf32>
  return
}

// -----

func.func @window_overflow(%a: tensor<?x3xf32>) {
  // [NN-DIM-C2]
  // expected-error @below {{'nn.window' op expected a dimension of fewer than 2^63 elements, but got 9223372036854775807 + 1 + 9223372036854775807}}
  %0 = nn.window %a before 9223372036854775807 after 9223372036854775807 : tensor<?x3xf32>
  return
}

// -----

func.func @concat_overflow(%a: tensor<?x4611686018427387904xf32>) {
  // [NN-DIM-C2]
  // expected-error @below {{'nn.concat' op expected a dimension of fewer than 2^63 elements}}
  %0 = nn.concat %a, %a over 1 : tensor<?x4611686018427387904xf32>, tensor<?x4611686018427387904xf32>
  return
}

// -----

func.func @slice_overflow(%a: tensor<?x3xf32>) {
  // [NN-SLICE-C1]
  // expected-error @below {{expected a range within dimension 1 of 'tensor<?x3xf32>', but got 2 elements from 9223372036854775807 on}}
  %0 = nn.slice %a over 1 from 9223372036854775807 size 2 : tensor<?x3xf32>
  return
}

// -----

func.func @reshape_overflow(%a: tensor<?x0xf32>) {
  // [NN-RESHAPE-C1]
  // expected-error @below {{expected a shape with the rows and elements of 'tensor<?x0xf32>'}}
  %0 = nn.reshape %a : tensor<?x0xf32> -> tensor<?x4294967296x4294967296xf32>
  return
}

// -----

/// 2^32 would be class 0.
func.func @ignored(%x: tensor<?x3xf32>, %i: tensor<?xi32>) {
  // [NN-CROSS_ENTROPY-C4]
  // expected-error @below {{expected an 'ignore_id' that i32 holds, but got 4294967296}}
  %0 = nn.cross_entropy %x, %i ignore_id 4294967296 : tensor<?x3xf32>, tensor<?xi32>
  return
}
