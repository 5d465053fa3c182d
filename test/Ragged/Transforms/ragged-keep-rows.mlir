//===-- test/Ragged/Transforms/ragged-keep-rows.mlir - Rows are kept between calls ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-keep-rows=most=1 | FileCheck %s
// RUN: cambium-opt %s --ragged-keep-rows=most=1 --remarks-filter=ragged-keep-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cambium-opt %s --ragged-keep-rows | FileCheck %s --check-prefix=NONE --implicit-check-not=rt.kept

nn.param @E : tensor<100x64xf32>
nn.param @W : tensor<64x65xf32>
nn.param @V : tensor<64x65xf32>

/// What is not marked as claimed and written is computed.
// REMARK: [Passed] ragged-keep-rows{{.*}}Function=predict{{.*}}Bytes=26496{{.*}}MultiplyAdds=4160{{.*}}Ops=2{{.*}}Table=0
// NONE-LABEL: func.func @predict
// CHECK-LABEL: func.func @predict
// CHECK-SAME: %[[WORDS:arg[0-9]+]]: tensor<?xi32>
// CHECK: %[[D:.*]], %[[P:.*]] = ragged.distinct %[[WORDS]] limit 100
// CHECK-DAG: %[[MARKS:.*]] = rt.kept marks from 0 : memref<100xi32>
// CHECK-DAG: %[[ROWS:.*]] = rt.kept rows from 0 : memref<100x65xf32>
// CHECK: %[[FOUND:.*]]:3 = scf.for
// CHECK: %[[ID:.*]] = tensor.extract %[[D]]
// CHECK: %[[MARK:.*]] = memref.atomic_rmw ori %{{.*}}, %[[MARKS]]
// CHECK: arith.cmpi eq, %[[MARK]], %c3_i32
// CHECK: %[[MISSING:.*]] = tensor.extract_slice %[[FOUND]]#0
/// What is missing is looked up and computed as it was.
// CHECK: %[[X:.*]] = nn.embed %[[MISSING]]
// CHECK: %[[Y:.*]] = nn.linear %[[X]]
// CHECK: %[[T:.*]] = math.tanh %[[Y]]
/// Who marks a row first writes it, and then says that it is there.
// CHECK: rt.for_each
// CHECK: %[[MINE:.*]] = memref.atomic_rmw ori %c1_i32{{.*}}, %[[MARKS]]
// CHECK: scf.if
// CHECK: bufferization.materialize_in_destination
// CHECK-NEXT: arith.constant 2
// CHECK: memref.atomic_rmw ori %{{.*}}, %[[MARKS]]
/// All rows, where they were gathered: what was computed here, and what is kept.
// CHECK: %[[KEPT:.*]] = bufferization.to_tensor %[[ROWS]]
// CHECK: %[[ALL:.*]] = rt.for_each
// CHECK: tensor.extract %[[P]]
// CHECK: tensor.extract %[[FOUND]]#1
// CHECK: tensor.extract_slice %[[T]]
// CHECK: tensor.extract %[[WORDS]]
// CHECK: tensor.extract_slice %[[KEPT]]
// CHECK-NOT: ragged.gather
// CHECK: return %[[ALL]]
func.func @predict(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                   %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 100>})
    -> (tensor<?x65xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %E = nn.use @E : tensor<100x64xf32>
  %W = nn.use @W : tensor<64x65xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x65xf32>
  %t = math.tanh %y : tensor<?x65xf32>
  %all = ragged.gather %t, %places : tensor<?x65xf32>, tensor<?xi32>
  return %all : tensor<?x65xf32>
}

/// What computes the same has the same table, what reads another parameter another one,
/// which begins behind the line of the caches that the one before ends in.
// REMARK: [Passed] ragged-keep-rows{{.*}}Function=same{{.*}}Table=0
// REMARK: [Passed] ragged-keep-rows{{.*}}Function=other{{.*}}Table=1
// CHECK-LABEL: func.func @same
// CHECK: rt.kept marks from 0 :
// CHECK: rt.kept rows from 0 : memref<100x65xf32>
// CHECK-LABEL: func.func @other
// CHECK: rt.kept marks from 448 :
// CHECK: rt.kept rows from 26048 : memref<100x65xf32>
func.func @same(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 100>})
    -> (tensor<?x65xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %W = nn.use @W : tensor<64x65xf32>
  %E = nn.use @E : tensor<100x64xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x65xf32>
  %t = math.tanh %y : tensor<?x65xf32>
  %all = ragged.gather %t, %places : tensor<?x65xf32>, tensor<?xi32>
  return %all : tensor<?x65xf32>
}
func.func @other(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                 %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 100>})
    -> (tensor<?x65xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %V = nn.use @V : tensor<64x65xf32>
  %E = nn.use @E : tensor<100x64xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %V : tensor<?x64xf32>, tensor<64x65xf32>
  %t = math.tanh %y : tensor<?x65xf32>
  %all = ragged.gather %t, %places : tensor<?x65xf32>, tensor<?xi32>
  return %all : tensor<?x65xf32>
}

/// What an input reaches is computed in every call, from rows of distinct ids that are
/// kept.
// CHECK-LABEL: func.func @input
// CHECK: rt.kept marks from 0 :
// CHECK: %[[ALL:.*]] = rt.for_each
// CHECK: nn.linear %[[ALL]]
func.func @input(%n: !ragged.rows {rt.as = #rt.rows<name = "words">},
                 %words: tensor<?xi32> {rt.as = #rt.input<name = "words", space = 0, limit = 100>},
                 %U: tensor<65x65xf32> {rt.as = #rt.input<name = "U", space = -2>})
    -> (tensor<?x65xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %E = nn.use @E : tensor<100x64xf32>
  %W = nn.use @W : tensor<64x65xf32>
  %distinct, %places = ragged.distinct %words limit 100 : tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x65xf32>
  %t = math.tanh %y : tensor<?x65xf32>
  %u = nn.linear %t, %U : tensor<?x65xf32>, tensor<65x65xf32>
  %all = ragged.gather %u, %places : tensor<?x65xf32>, tensor<?xi32>
  return %all : tensor<?x65xf32>
}

/// Two arrays of ids with their distinct ids in common: each has its rows at once.
// CHECK-LABEL: func.func @two
// CHECK: %{{.*}}, %[[P:.*]]:2 = ragged.distinct
// CHECK: rt.kept rows from 0 :
// CHECK: %[[A:.*]] = rt.for_each
// CHECK: tensor.extract %[[P]]#0
// CHECK: %[[B:.*]] = rt.for_each
// CHECK: tensor.extract %[[P]]#1
// CHECK-NOT: ragged.gather
// CHECK: return
func.func @two(%m: !ragged.rows {rt.as = #rt.rows<name = "a">}, %n: !ragged.rows {rt.as = #rt.rows<name = "b">},
               %a: tensor<?xi32> {rt.as = #rt.input<name = "a", space = 0, limit = 100>},
               %b: tensor<?xi32> {rt.as = #rt.input<name = "b", space = 1, limit = 100>})
    -> (tensor<?x65xf32> {rt.as = #rt.output<name = "y", space = 0>},
        tensor<?x65xf32> {rt.as = #rt.output<name = "z", space = 1>}) {
  %E = nn.use @E : tensor<100x64xf32>
  %W = nn.use @W : tensor<64x65xf32>
  %distinct, %places:2 = ragged.distinct %a, %b limit 100 : tensor<?xi32>, tensor<?xi32>
  %x = nn.embed %distinct, %E : tensor<?xi32>, tensor<100x64xf32>
  %y = nn.linear %x, %W : tensor<?x64xf32>, tensor<64x65xf32>
  %t = math.tanh %y : tensor<?x65xf32>
  %of_a = ragged.gather %t, %places#0 : tensor<?x65xf32>, tensor<?xi32>
  %of_b = ragged.gather %t, %places#1 : tensor<?x65xf32>, tensor<?xi32>
  return %of_a, %of_b : tensor<?x65xf32>, tensor<?x65xf32>
}
