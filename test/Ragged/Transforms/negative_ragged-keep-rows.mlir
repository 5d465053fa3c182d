//===-- test/Ragged/Transforms/negative_ragged-keep-rows.mlir - What is computed in every call ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-keep-rows=most=1 --split-input-file | FileCheck %s --implicit-check-not=rt.kept
// RUN: cambium-opt %s --ragged-keep-rows=most=1 --split-input-file --remarks-filter=ragged-keep-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// More than the tables may have.
// REMARK: [Missed] ragged-keep-rows{{.*}}Reason="a table has 1280064 bytes, but 1048576 are left"
// CHECK-LABEL: func.func @large
nn.param @E : tensor<5000x64xf32>
nn.param @W : tensor<64x63xf32>
nn.param @V : tensor<64x64xf32>
func.func @large(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                 %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 5000>})
    -> (tensor<?x63xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %E = nn.use @E : tensor<5000x64xf32>
  %W = nn.use @W : tensor<64x63xf32>
  %V = nn.use @V : tensor<64x64xf32>
  %distinct, %places = ragged.distinct %words limit 5000 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<5000x64xf32>
  %v = nn.linear %x, %V : tensor<?x64xf32>, tensor<64x64xf32>
  %y = nn.linear %v, %W : tensor<?x64xf32>, tensor<64x63xf32>
  %all = ragged.gather %y, %places : tensor<?x63xf32>, tensor<?xi32>
  return %all : tensor<?x63xf32>
}

// -----

/// A weight that is given with the call.
// REMARK: [Missed] ragged-keep-rows{{.*}}Reason="an id and parameters alone give 0 multiply-adds"
// CHECK-LABEL: func.func @input
nn.param @E : tensor<100x64xf32>
func.func @input(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                 %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 100>},
                 %W: tensor<64x64xf32> {rt.as = #rt.input<name = "W", space = -2>})
    -> (tensor<?x64xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %E = nn.use @E : tensor<100x64xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %all = ragged.gather %y, %places : tensor<?x64xf32>, tensor<?xi32>
  return %all : tensor<?x64xf32>
}

// -----

/// A training step, between whose calls parameters change, and a function that is no
/// entry.
// REMARK-NOT: ragged-keep-rows
// CHECK-LABEL: func.func @s.accumulate
// CHECK-LABEL: func.func private @helper
nn.param @E : tensor<100x64xf32>
nn.param @W : tensor<64x64xf32>
rt.training "s" accumulate @s.accumulate apply @s.apply every 1
  groups ["default"] optimizers {default = #train.optimizer<sgd>}
func.func @s.accumulate(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                        %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 100>})
    -> (tensor<?x64xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %E = nn.use @E : tensor<100x64xf32>
  %W = nn.use @W : tensor<64x64xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %all = ragged.gather %y, %places : tensor<?x64xf32>, tensor<?xi32>
  return %all : tensor<?x64xf32>
}
func.func @s.apply() {
  return
}
func.func private @helper(%words: tensor<?xi32>) -> tensor<?x64xf32> {
  %E = nn.use @E : tensor<100x64xf32>
  %W = nn.use @W : tensor<64x64xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %all = ragged.gather %y, %places : tensor<?x64xf32>, tensor<?xi32>
  return %all : tensor<?x64xf32>
}

// -----

/// On a GPU.
// CHECK-LABEL: func.func @gpu
rt.target #rt.processor<triple = "nvptx64-nvidia-cuda", cpu = "sm_80", features = "", flags = []>
nn.param @E : tensor<100x64xf32>
nn.param @W : tensor<64x64xf32>
func.func @gpu(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
               %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 100>})
    -> (tensor<?x64xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %E = nn.use @E : tensor<100x64xf32>
  %W = nn.use @W : tensor<64x64xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x64xf32>
  %all = ragged.gather %y, %places : tensor<?x64xf32>, tensor<?xi32>
  return %all : tensor<?x64xf32>
}
