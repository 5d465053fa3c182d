//===-- test/NN/Transforms/nn-instantiate-modules-sizes.mlir - Given sizes ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --nn-instantiate-modules | FileCheck %s
// RUN: cambium-opt %s --nn-instantiate-modules=sizes=hidden=3,heads=2,tau=0.5,layers=2 | FileCheck %s --check-prefix=GIVEN
// RUN: cambium-compile %s --compile-to=input --size hidden=3 --size heads=2 --size tau=0.5 --size layers=2 | FileCheck %s --check-prefix=GIVEN
// RUN: not cambium-compile %s --compile-to=input --size width=3 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not cambium-compile %s --compile-to=input --size hidden 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not cambium-compile %s --compile-to=input --size heads=2.5 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not cambium-compile %s --compile-to=input --size both=3 2>&1 | FileCheck %s --check-prefix=COMPUTED
// RUN: not cambium-compile %s --compile-to=input --size heads=5 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not cambium-compile %s --compile-to=input --size hidden=-5 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not cambium-compile %s --compile-to=input --size hidden=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: echo 'nn.sizes {hidden = 8, rest = hidden + -3}' > %t.mlir
// RUN: not cambium-compile %t.mlir --compile-to=input --size hidden=3 2>&1 | FileCheck %s --check-prefix=REST
// RUN: not cambium-compile %s --compile-to=input --size hidden=nan 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: not cambium-compile %s --compile-to=input --size hidden=3 --size hidden=4 2>&1 | FileCheck %s --check-prefix=TWICE

// [NN-SIZES-C10]
// UNKNOWN: error: --size: expected one of hidden, tau, heads, layers to be given, but got 'width'
// COMPUTED: error: --size: expected one of hidden, tau, heads, layers to be given, but got 'both'
// [NN-SIZES-C3]
// NEGATIVE: error: --size: expected 'hidden' as a whole number from 1, but got -5
// ZERO: error: --size: expected 'hidden' as a whole number from 1, but got 0
// REST: error: expected size 'rest' to be at least 1, but got 0
// NAN: error: --size: expected 'hidden' as a whole number from 1, but got 0x7FF8000000000000
// [NN-SIZES-C9]
// FORM: error: --size: expected name=number, but got 'hidden'
// [NN-SIZES-C12]
// TWICE: error: --size: expected each name once, but got 'hidden=4' beside another number
// [NN-GIVEN-C2]
// WHOLE: error: 'nn.attention' op expected a whole number for 'heads', but got 2.5
/// What is not right at other numbers is an error at the op.
// RESULT: error: 'nn.attention' op {{.*}}heads

/// From outside: sizes and what follows from them, counts and constants.
// CHECK: nn.param @W : tensor<8x16xf32>
// CHECK: nn.param @layer.W : tensor<12x16x16xf32> slices 1
// CHECK: arith.constant dense<1.000000e-03> : tensor<f32>
// CHECK: nn.attention {{.*}} heads 4
// GIVEN: nn.param @W : tensor<3x6xf32>
// GIVEN: nn.param @layer.W : tensor<2x6x6xf32> slices 1
// GIVEN: arith.constant dense<0.000000e+00> : tensor<6xf32>
// GIVEN: arith.constant dense<5.000000e-01> : tensor<f32>
// GIVEN: nn.attention {{.*}} heads 2
// GIVEN: depth.iterate 2 carried({{.*}}) slices(
nn.sizes {hidden = 8, both = 2 * hidden}
#heads = #nn.given<"heads" = 4>
#layers = #nn.given<"layers" = 12>
func.func @predict(%x: tensor<?x8xf32>) -> (tensor<?x16xf32>, tensor<f32>) {
  %W = nn.param "W" : tensor<8x16xf32>
  %b = arith.constant dense<0.0> : tensor<16xf32>
  %tau = nn.constant "tau" = 0.001 : tensor<f32>
  %y = nn.linear %x, %W, %b : tensor<?x8xf32>, tensor<8x16xf32>, tensor<16xf32>
  %z = nn.attention %y, %y, %y heads #heads : tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x16xf32>
  %u = depth.iterate #layers stacked "layer" carried(%a = %z : tensor<?x16xf32>) {
    %V = nn.param "W" : tensor<16x16xf32>
    %c = nn.linear %a, %V : tensor<?x16xf32>, tensor<16x16xf32>
    depth.yield %c : tensor<?x16xf32>
  }
  return %u, %tau : tensor<?x16xf32>, tensor<f32>
}
