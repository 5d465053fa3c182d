/// One case per constraint of a body for each row.
// RUN: cambium-opt %s --split-input-file --verify-diagnostics

// [NN-EACH-C2]
func.func @each_c2_yield_elsewhere(%x: tensor<f32>) {
  // expected-error @+1 {{'nn.yield' op expects parent op 'nn.each'}}
  nn.yield %x : tensor<f32>
}

// -----

// [NN-EACH-C3]
func.func @each_c3_row_is_no_tensor(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected a row to be a ranked tensor, but got 'f32'}}
  %y = nn.each rows(%r = %x : f32) -> (tensor<f32>) {
  }
  return
}

// -----

// [NN-EACH-C4]
func.func @each_c4_no_rows() {
  // expected-error @+1 {{'nn.each' op expected the rows of at least one operand}}
  "nn.each"() ({
    nn.yield
  }) : () -> ()
  return
}

// -----

// [NN-EACH-C5]
func.func @each_c5_operand_without_rows(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.each' op expected operands to hold rows (a first dimension '?'), but got 'tensor<4xf32>'}}
  "nn.each"(%x) ({
  ^bb0(%r: tensor<f32>):
    nn.yield
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

// [NN-EACH-C6]
func.func @each_c6_result_of_rows_of_rows_of_rows(%x: tensor<?x?x?xf32>) {
  // expected-error @+1 {{'nn.each' op expected results to hold rows of a static shape, or rows of such rows, but got 'tensor<?x?x?xf32>'}}
  %y = nn.each rows(%r = %x : tensor<?x?xf32>) -> (tensor<?x?xf32>) {
    nn.yield %r : tensor<?x?xf32>
  }
  return
}

// -----

// [NN-EACH-C7]
func.func @each_c7_arguments(%x: tensor<?xf32>) {
  // expected-error @+1 {{'nn.each' op expected a region argument per operand (1), but got 0}}
  "nn.each"(%x) ({
    nn.yield
  }) : (tensor<?xf32>) -> ()
  return
}

// -----

// [NN-EACH-C8]
func.func @each_c8_argument_type(%x: tensor<?x3xf32>) {
  // expected-error @+1 {{'nn.each' op expected region argument 0 to be a row of 'tensor<?x3xf32>', but got 'tensor<4xf32>'}}
  "nn.each"(%x) ({
  ^bb0(%r: tensor<4xf32>):
    nn.yield
  }) : (tensor<?x3xf32>) -> ()
  return
}

// -----

// [NN-EACH-C9]
func.func @each_c9_yield(%x: tensor<?x3xf32>) {
  // expected-error @+1 {{'nn.each' op expected the region to yield ('tensor<f32>'), but got ('tensor<3xf32>')}}
  %y = nn.each rows(%r = %x : tensor<3xf32>) -> (tensor<f32>) {
    // expected-note @+1 {{it is yielded here}}
    nn.yield %r : tensor<3xf32>
  }
  return
}

// -----

// [NN-EACH-C1]
func.func @each_c1_terminator(%x: tensor<?x3xf32>) {
  // expected-error @below {{'nn.each' op expects regions to end with 'nn.yield', found 'llvm.unreachable'}}
  // expected-note @below {{in custom textual format, the absence of terminator implies 'nn.yield'}}
  "nn.each"(%x) ({
  ^bb0(%r: tensor<3xf32>):
    llvm.unreachable
  }) : (tensor<?x3xf32>) -> ()
  return
}
