/// What cannot be batched: each error stands at the op, with where the rows come
/// from.
// RUN: cambium-opt %s --cambium-to-batched --split-input-file --verify-diagnostics

// [NN-EACH-C10]
func.func @each_c10_in_a_loop_that_stops(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y, %n = depth.iterate max 3 masked carried(%h = %x : tensor<?x3xf32>) {
    // expected-error @+1 {{'nn.each' op expected to stand outside of loops whose rows stop}}
    %z = nn.each rows(%r = %h : tensor<3xf32>) -> (tensor<3xf32>) {
      nn.yield %r : tensor<3xf32>
    }
    %s = nn.sum %z over 1 : tensor<?x3xf32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %zeros = nn.broadcast %zero dims [] like %s : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %go = arith.cmpf ogt, %s, %zeros : tensor<?xf32>
    depth.yield %go, %z : tensor<?xi1>, tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}

// -----

// [NN-EACH-C11]
// expected-note @+1 {{they come from here}}
func.func @each_c11_a_tree_from_outside(%t: !tree.tree, %x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @+1 {{'nn.each' op expected the body for one row to use no trees, and no rows that have rows, from outside, but got '!tree.tree'}}
  %z = nn.each rows(%r = %y : tensor<3xf32>) -> (tensor<3xf32>) {
    %s = tree.root %t, %x : tensor<?x3xf32>
    nn.yield %s : tensor<3xf32>
  }
  return %z : tensor<?x3xf32>
}

// -----

// [NN-EACH-C11]
// expected-note @+1 {{they come from here}}
func.func @each_c11_rows_of_rows_from_outside(%words: tensor<?x?xf32>, %y: tensor<?x3xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'nn.each' op expected the body for one row to use no trees, and no rows that have rows, from outside, but got 'tensor<?x?xf32>'}}
  %z = nn.each rows(%r = %y : tensor<3xf32>) -> (tensor<f32>) {
    %m = nn.each rows(%w = %words : tensor<?xf32>) -> (tensor<f32>) {
      %n = nn.sum %w over 0 : tensor<?xf32>
      nn.yield %n : tensor<f32>
    }
    %s = nn.sum %m over 0 : tensor<?xf32>
    nn.yield %s : tensor<f32>
  }
  return %z : tensor<?xf32>
}

// -----

// [NN-EACH-C13]
func.func @each_c13_rows_of_rows_as_result(%words: tensor<?x?xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{'func.return' op expected results whose rows have no rows, but got 'tensor<?x?xi32>'}}
  return %words : tensor<?x?xi32>
}

// -----

// [TREE-SPACES-C3]
// expected-note @+1 {{they come from here}}
func.func @spaces_c3_rows_of_rows_elsewhere(%words: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'nn.sum' op expected rows without rows, but got 'tensor<?x?xf32>' (a body for each of them is 'nn.each')}}
  %s = nn.sum %words over 1 : tensor<?x?xf32>
  return %s : tensor<?xf32>
}

// -----

// [NN-EACH-C14]
func.func @each_c14_yields_other_rows(%words: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'nn.each' op expected the region to yield rows of the row at hand, but got rows}}
  %y = nn.each rows(%w = %words : tensor<?xf32>) -> (tensor<?xf32>) {
    %a = nn.append %w, %w : tensor<?xf32>, tensor<?xf32>
    nn.yield %a : tensor<?xf32>
  }
  %s = nn.each rows(%r = %y : tensor<?xf32>) -> (tensor<f32>) {
    %m = nn.sum %r over 0 : tensor<?xf32>
    nn.yield %m : tensor<f32>
  }
  return %s : tensor<?xf32>
}

// -----

// [TREE-SPACES-C1]
// expected-note @+3 {{the rows of one row of argument 1 come from here}}
// expected-note @+1 {{the rows 'words' of argument 0 come from here}}
func.func @spaces_c1_pairs_and_others(%x: tensor<?x3xf32> {cambium.rows = "words"},
                                      %given: tensor<?x?xf32> {cambium.rows = "words"}) -> tensor<?xf32> {
  %s = nn.pair_scores %x, %x : tensor<?x3xf32>, tensor<?x3xf32>
  %y = nn.each rows(%a = %s : tensor<?xf32>, %b = %given : tensor<?xf32>) -> (tensor<f32>) {
    // expected-error @+1 {{'arith.addf' op expected rows of one space, but got the rows 'words' of argument 0 and the rows of one row of argument 1}}
    %c = arith.addf %a, %b : tensor<?xf32>
    %m = nn.sum %c over 0 : tensor<?xf32>
    nn.yield %m : tensor<f32>
  }
  return %y : tensor<?xf32>
}
