//===-- test/NN/Transforms/nn-import-files.mlir - Functions of other files ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --nn-import-files | FileCheck %s
// RUN: cambium-opt %s --cambium-to-input | FileCheck %s --check-prefix=INPUT
// RUN: cambium-compile %s --compile-to=input | FileCheck %s --check-prefix=INPUT
/// Relative to a folder that is given, for a model that comes from standard input.
// RUN: cambium-compile - --compile-to=input -I%S < %s | FileCheck %s --check-prefix=INPUT

/// A file that two others import is read once; each function has its file's sizes.
// CHECK-NOT: nn.import
// CHECK: func.func @predict
// CHECK: func.func private @dense
// CHECK-SAME: attributes {nn.file_sizes = [#nn.size<"in" = 300>, #nn.size<"out" = 150>]}
// CHECK: func.func private @feed
// CHECK-SAME: nn.file_sizes = [#nn.size<"hidden" = 128>, #nn.size<"inner" = 512, [<4, "hidden">]>]
nn.import "Inputs/import/layers.mlir"
nn.import "Inputs/import/feed.mlir"

/// Behind the phase's passes, no function is left but those of the surface.
// INPUT-NOT: func.func private
// INPUT: nn.param @feed.up.W : tensor<6x24xf32>
// INPUT: nn.param @feed.up.b : tensor<24xf32> no_decay
// INPUT: nn.param @feed.down.W : tensor<24x6xf32>
// INPUT: nn.param @V.W : tensor<6x2xf32>
// INPUT: func.func @predict
// INPUT-NOT: nn.call
func.func @predict(%x: tensor<?x6xf32>) -> tensor<?x2xf32> {
  %h = nn.call @feed(%x) in "feed" : (tensor<?x6xf32>) -> tensor<?x6xf32>
  %y = nn.call @dense(%h) in "V" : (tensor<?x6xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
