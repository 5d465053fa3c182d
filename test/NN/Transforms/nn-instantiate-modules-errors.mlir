//===-- test/NN/Transforms/nn-instantiate-modules-errors.mlir - What is refused ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --nn-instantiate-modules --split-input-file --verify-diagnostics

func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-PARAM-C8]
  // expected-note @below {{it is declared here}}
  %W = nn.param "W" : tensor<3xf32>
  // expected-error @below {{expected another name, since 'a.W' is declared already (calls in other scopes make others)}}
  %V = nn.param "W" : tensor<3xf32>
  %y = arith.addf %W, %V : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @two_of_a_name(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.call @cell(%x) in "a" : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

nn.sizes {width = 3}
func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-PARAM-C7]
  // expected-error @below {{expected 'a.W' to be 'tensor<3xf32>' in every call of one scope, but got 'tensor<4xf32>'}}
  // expected-note @below {{it is declared here}}
  %W = nn.param "W" : tensor<3xf32>
  %y = arith.addf %x, %W : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @other_sizes(%x: tensor<3xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.call @cell(%x) in "a" : (tensor<3xf32>) -> tensor<3xf32>
  %w = nn.call @cell(%z) in "a" : (tensor<4xf32>) -> tensor<4xf32>
  return %w : tensor<4xf32>
}

// -----

func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-PARAM-C12]
  // expected-error @below {{expected 'a.W' to have one initializer in every call of one scope, but got #nn.init<constant(2.000000e+00)> behind #nn.init<constant(1.000000e+00)>}}
  %W = nn.param "W" : tensor<3xf32> init #nn.given<"init" = #nn.init<zeros>>
  %y = arith.addf %x, %W : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @other_initializers(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-note @below {{it is called here first}}
  %y = nn.call @cell(%x) in "a" with {init = #nn.init<constant(1.0)>} : (tensor<3xf32>) -> tensor<3xf32>
  %z = nn.call @cell(%y) in "a" with {init = #nn.init<constant(2.0)>} : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

// expected-note @below {{it stands here}}
nn.param @W : tensor<3xf32>
func.func @same_as_global() -> tensor<3xf32> {
  // [NN-PARAM-C9]
  // expected-error @below {{expected another name, since the module has '@W'}}
  %W = nn.param "W" : tensor<3xf32>
  return %W : tensor<3xf32>
}

// -----

func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @not_a_number(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-CALL-C3]
  // expected-error @below {{expected numbers, initializers and a group behind 'with', but got "five"}}
  %y = nn.call @cell(%x) with {heads = "five"} : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

nn.sizes {width = 3}
// expected-note @below {{'@cell' stands here}}
func.func private @cell(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @two_widths(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // [NN-CALL-C4]
  // expected-error @below {{expected operand 1 to fit 'tensor<3xf32>', but got 'tensor<5xf32>'}}
  // expected-note @below {{size 'width' is 4 by what stands before}}
  %z = nn.call @cell(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// expected-note @below {{'@cell' stands here}}
func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @no_size(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected operand 0 to fit 'tensor<3xf32>', but got 'tensor<4xf32>'}}
  %z = nn.call @cell(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

nn.sizes {width = 3}
func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @half(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-CALL-C5]
  // expected-error @below {{expected a whole number for size 'width', but got 2.500000e+00}}
  %z = nn.call @cell(%x) with {width = 2.5} : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

nn.sizes {width = 8, part = 5}
func.func private @cell(%x: tensor<?x8xf32>) -> tensor<?x5xf32> {
  // expected-error @below {{'nn.slice' op}}
  %y = nn.slice %x over 1 from 0 size 5 : tensor<?x8xf32>
  return %y : tensor<?x5xf32>
}
func.func @too_wide(%x: tensor<?x4xf32>) -> tensor<?x5xf32> {
  // [NN-CALL-C6]
  // expected-error @below {{expected sizes that '@cell' can have, but got width = 4, part = 5}}
  %z = nn.call @cell(%x) : (tensor<?x4xf32>) -> tensor<?x5xf32>
  return %z : tensor<?x5xf32>
}

// -----

func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32>
func.func @no_body(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-CALL-C7]
  // expected-error @below {{expected a function of one block, but got '@cell'}}
  %z = nn.call @cell(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

// expected-note @below {{it stands here}}
func.func private @a(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = nn.call @b(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
func.func private @b(%x: tensor<3xf32>) -> tensor<3xf32> {
  %W = nn.param "W" : tensor<3xf32>
  // [NN-CALL-C8]
  // expected-error @below {{expected no recursion, but '@a' calls itself}}
  %z = nn.call @a(%x) in "s" : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
// An instance of @b in an instance of @a.
func.func @recursion(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = nn.call @a(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

// expected-note @below {{the function stands here}}
func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  %W = nn.param "W" : tensor<3xf32>
  return %W : tensor<3xf32>
}
func.func @plain_call(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-CALL-C10]
  // expected-error @below {{expected 'nn.call' for a function that declares parameters, but got 'func.call'}}
  %z = call @cell(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @unknown_number(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-CALL-C11]
  // expected-error @below {{expected the names of numbers of '@cell' behind 'with', but got 'heads'}}
  %z = nn.call @cell(%x) with {heads = 4} : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

nn.sizes {width = 3, both = 2 * width}
func.func private @cell(%x: tensor<3xf32>, %y: tensor<6xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @not_twice(%x: tensor<4xf32>, %y: tensor<7xf32>) -> tensor<4xf32> {
  // [NN-SIZES-C6]
  // expected-error @below {{expected size 'both' to follow from others and be 8, but got 7}}
  %z = nn.call @cell(%x, %y) : (tensor<4xf32>, tensor<7xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

nn.sizes {width = 2}
func.func private @cell(%x: tensor<2xf32>) -> tensor<2xf32> {
  // [NN-SIZES-C7]
  // expected-error @below {{expected a constant of one number where a size changes, but got 'tensor<2xf32>'}}
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %c : tensor<2xf32>
}
func.func @constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = nn.call @cell(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

nn.sizes {width = 2}
// [NN-SIZES-C8]
// expected-error @below {{expected one 'nn.sizes' in a file, but got two}}
nn.sizes {height = 3}

// -----

func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-GIVEN-C2]
  // expected-error @below {{expected an initializer for 'init', but got 4}}
  %b = nn.param "b" : tensor<3xf32> init #nn.given<"init" = #nn.init<zeros>>
  %y = arith.addf %x, %b : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func private @around(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.call @cell(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @number_for_initializer(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = nn.call @around(%x) with {init = 4} : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

func.func private @cell(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-PARAM-C13]
  // expected-error @below {{expected 'a.W' to have one group in every call of one scope, but got 'default' behind 'slow'}}
  %W = nn.param "W" : tensor<3xf32>
  %y = arith.addf %x, %W : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @other_groups(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-note @below {{it is called here first}}
  %y = nn.call @cell(%x) in "a" with {group = "slow"} : (tensor<3xf32>) -> tensor<3xf32>
  %z = nn.call @cell(%y) in "a" : (tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

func.func private @same(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @group_of_nothing(%x: tensor<3xf32>) -> tensor<3xf32> {
  // [NN-CALL-C12]
  // expected-error @below {{expected a function that declares parameters for the group "slow", but got '@same'}}
  %y = nn.call @same(%x) with {group = "slow"} : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
