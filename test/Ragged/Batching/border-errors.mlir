// RUN: cambium-opt %s --ragged-verify-input --split-input-file --verify-diagnostics

/// What the loader of modules would refuse, and what is no part of a model.

// expected-note @below {{the other one}}
func.func @inputs(%x: tensor<3xf32> {cambium.name = "x"},
                  // expected-error @below {{expected an input to have a name of its own, but got 'x' twice}}
                  %y: tensor<3xf32> {cambium.name = "x"}) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

func.func @outputs(%x: tensor<3xf32>) -> (tensor<3xf32> {cambium.name = "y"}, tensor<3xf32> {cambium.name = "y"}) {
  // expected-error @below {{expected an output to have a name of its own, but got 'y' twice}}
  // expected-note @below {{the other one}}
  return %x, %x : tensor<3xf32>, tensor<3xf32>
}

// -----

/// The name that an argument has by itself may be taken.
// expected-note @below {{the other one}}
func.func @default(%x: tensor<3xf32> {cambium.name = "arg1"},
                   // expected-error @below {{expected an input to have a name of its own, but got 'arg1' twice}}
                   %y: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// expected-error @below {{expected a name as 'cambium.name', but got ""}}
func.func @empty(%x: tensor<3xf32> {cambium.name = ""}) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// expected-error @below {{expected the name of a tree argument to be UTF-8 without zeros}}
func.func @encoding(%x: !tree.tree {cambium.name = "\FF"}, %y: tensor<3xf32>) -> tensor<3xf32> {
  return %y : tensor<3xf32>
}

// -----

// expected-error @below {{expected the name of a function to be UTF-8 without zeros}}
func.func @"a\00b"(%y: tensor<3xf32>) -> tensor<3xf32> {
  return %y : tensor<3xf32>
}

// -----

// expected-error @below {{expected an input to have at most 16 dimensions, but got 'tensor<?x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>'}}
func.func @rank(%x: tensor<?x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<f32> {
  %y = arith.constant dense<0.0> : tensor<f32>
  return %y : tensor<f32>
}

// -----

// expected-error @below {{expected a parameter with 'row_sparse' to have 1 to 2147483647 rows, as many as ids can name, but got 'tensor<3000000000x2xf32>'}}
nn.param @words : tensor<3000000000x2xf32> row_sparse

// -----

// expected-error @below {{expected a parameter to fit into memory, but got 'tensor<1000000000x1000000000xf32>'}}
nn.param @large : tensor<1000000000x1000000000xf32>

// -----

// expected-error @below {{expected a name that is free in checkpoints (without '#', and not '__metadata__'), but got 'w#m'}}
nn.param @"w#m" : tensor<3xf32>

// -----

module {
  // expected-error @below {{expected functions, parameters and training steps in a model, but got this}}
  module {
  }
}

// -----

// expected-error @below {{expected functions, parameters and training steps in a model, but got this}}
llvm.func @initialize()

// -----

// expected-error @below {{expected a model without attributes of LLVM, but got 'llvm.module_asm'}}
module attributes {llvm.module_asm = [".globl evil"]} {
}

// -----

/// Private functions have no border.
func.func private @inner(%x: tensor<3xf32> {cambium.name = "x"}, %y: tensor<3xf32> {cambium.name = "x"}) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// expected-error @below {{expected a parameter to have a name, but got ""}}
nn.param @"" : tensor<3xf32>

// -----

/// Shifts by more than the width, say, mean nothing.
func.func @shift(%x: tensor<3xi32>) -> tensor<3xi32> {
  // [NN-ELEMENTWISE-C2]
  // expected-error @below {{'arith.shli' op expected an operation of the language (docs/SemanticsNN.md)}}
  %y = arith.shli %x, %x : tensor<3xi32>
  return %y : tensor<3xi32>
}

// -----

func.func @flags(%x: tensor<?xf32>,
                 // expected-error @below {{expected an input to be of f32, f64, i32 or i64, but got 'tensor<?xi1>'}}
                 %some: tensor<?xi1>) -> tensor<?xf32> {
  %y = arith.select %some, %x, %x : tensor<?xi1>, tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @constant(%x: tensor<3xf32>) -> tensor<f32> {
  // expected-error @below {{expected a constant to fit into memory, but got 'tensor<4294967296x4294967296xf32>'}}
  %c = arith.constant dense<1.0> : tensor<4294967296x4294967296xf32>
  %s = nn.sum %c over 0 : tensor<4294967296x4294967296xf32>
  %t = nn.sum %s over 0 : tensor<4294967296xf32>
  return %t : tensor<f32>
}

// -----

/// Batched, a loss has a row per example, which the verifier lets pass.
// expected-note @below {{the function is defined here}}
func.func @loss(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// [TRAIN-STEP-C5]
// expected-error @below {{'train.step' op expected a function whose first result is a scalar loss, but got '(tensor<?xf32>) -> tensor<?xf32>'}}
train.step @train loss @loss optimizer #train.optimizer<sgd>
