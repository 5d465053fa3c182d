// RUN: cambium-opt %s --split-input-file --verify-diagnostics | FileCheck %s

/// What the user calls arguments, their rows and results.
// CHECK-LABEL: func.func @named
// CHECK-SAME: cambium.name = "words", cambium.rows = "tokens"
// CHECK-SAME: cambium.name = "score"
func.func @named(%x: tensor<?x3xf32> {cambium.name = "words", cambium.rows = "tokens"})
    -> (tensor<?x3xf32> {cambium.name = "score"}) {
  return %x : tensor<?x3xf32>
}

// -----

// [NN-NAME-C1]
// expected-error @below {{expected 'cambium.name', 'cambium.rows' or 'cambium.per', but got 'cambium.nmae'}}
func.func @misspelled(%x: tensor<3xf32> {cambium.nmae = "x"}) {
  return
}

// -----

// [NN-NAME-C1]
// expected-error @below {{expected 'cambium.name', but got 'cambium.rows'}}
func.func @rows_of_result(%x: tensor<?x3xf32>) -> (tensor<?x3xf32> {cambium.rows = "x"}) {
  return %x : tensor<?x3xf32>
}

// -----

// [NN-NAME-C2]
// expected-error @below {{expected a name as 'cambium.name', but got 3 : i64}}
func.func @number(%x: tensor<3xf32> {cambium.name = 3 : i64}) {
  return
}

// -----

// [NN-NAME-C3]
// expected-error @below {{expected 'cambium.name' on an argument or a result of a function}}
func.func @op(%x: tensor<3xf32>) attributes {cambium.name = "x"} {
  return
}

// -----

// [NN-NAME-C4]
// expected-error @below {{expected "call" as 'cambium.per', but got "batch"}}
func.func @per_batch(%x: tensor<3xf32> {cambium.per = "batch"}) {
  return
}

// -----

// [NN-NAME-C5]
// expected-error @below {{expected a tensor of static shape to be one per call, but got 'tensor<?xf32>'}}
func.func @rows_per_call(%x: tensor<?xf32> {cambium.per = "call"}) {
  return
}
