//===-- test/Ragged/Transforms/ragged-count-operations.mlir - Products ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s --ragged-count-operations --cse | FileCheck %s
// RUN: cambium-opt %s --ragged-count-operations --remarks-filter=ragged-count-operations -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v3 weights=int8" --ragged-count-operations | FileCheck %s --check-prefix=INT8
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v3 math=bf16" --ragged-count-operations | FileCheck %s --check-prefix=BF16
// Products alone count, row by row; bytes are those of parameters read whole.

nn.param @W : tensor<4x3xf32>
nn.param @E : tensor<10x4xf32> row_sparse

// CHECK-LABEL: func.func @rows.operations
// CHECK-SAME: -> (tensor<f64> {rt.as = #rt.output<name = "operations", space = -2>}, tensor<f64> {rt.as = #rt.output<name = "bytes", space = -2>}, tensor<1x3xf64> {rt.as = #rt.output<name = "loops", space = -2>})
// CHECK: %[[ROWS:.*]] = tensor.dim %arg1
// CHECK: %[[I64:.*]] = arith.index_cast %[[ROWS]]
// CHECK: %[[F64:.*]] = arith.sitofp %[[I64]]
// CHECK: %[[EACH:.*]] = arith.constant 2.400000e+01 : f64
// CHECK: %[[ALL:.*]] = arith.mulf %[[F64]], %[[EACH]]
// CHECK: %[[BYTES:.*]] = arith.constant 4.800000e+01 : f64
// CHECK: %[[ONCE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK: tensor.from_elements %{{.*}}, %[[BYTES]], %[[ONCE]] : tensor<1x3xf64>
func.func @rows(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                %ids: tensor<?xi32> {rt.as = #rt.input<name = "ids", space = 0>})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %E = nn.use @E : tensor<10x4xf32>
  %W = nn.use @W : tensor<4x3xf32>
  %x = nn.embed %ids, %E : tensor<?xi32>, tensor<10x4xf32>
  %y = nn.linear %x, %W : tensor<?x4xf32>, tensor<4x3xf32>
  %z = nn.sigmoid %y : tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// Products read words in place of a large parameter: of 256 x 70 f32 (71,680 bytes) five panels
// of 16 words, with four elements of a column in each and two more rows, or with two elements.
// A value that something else reads counts, too. A step reads values.
nn.param @P : tensor<256x70xf32>
// INT8-LABEL: func.func @words.operations
// INT8: arith.constant 2.112000e+04 : f64
// INT8-LABEL: func.func @both.operations
// INT8: arith.constant 9.280000e+04 : f64
// INT8-LABEL: func.func @train.accumulate.operations
// INT8: arith.constant 7.168000e+04 : f64
// BF16-LABEL: func.func @words.operations
// BF16: arith.constant 4.096000e+04 : f64
// CHECK-LABEL: func.func @words.operations
// CHECK: arith.constant 7.168000e+04 : f64
func.func @words(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                 %x: tensor<?x256xf32> {rt.as = #rt.input<name = "x", space = 0>})
    -> (tensor<?x70xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %P = nn.use @P : tensor<256x70xf32>
  %y = nn.linear %x, %P : tensor<?x256xf32>, tensor<256x70xf32>
  return %y : tensor<?x70xf32>
}
func.func @both(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                %x: tensor<?x256xf32> {rt.as = #rt.input<name = "x", space = 0>})
    -> (tensor<?x70xf32> {rt.as = #rt.output<name = "y", space = 0>},
        tensor<256x70xf32> {rt.as = #rt.output<name = "z", space = -2>}) {
  %P = nn.use @P : tensor<256x70xf32>
  %y = nn.linear %x, %P : tensor<?x256xf32>, tensor<256x70xf32>
  %z = nn.sigmoid %P : tensor<256x70xf32>
  return %y, %z : tensor<?x70xf32>, tensor<256x70xf32>
}
rt.training "train" accumulate @train.accumulate apply @train.apply every 1
  groups ["default"] optimizers {default = #train.optimizer<sgd>}
func.func @train.accumulate(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                            %x: tensor<?x256xf32> {rt.as = #rt.input<name = "x", space = 0>})
    -> (tensor<?x70xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %P = nn.use @P : tensor<256x70xf32>
  %y = nn.linear %x, %P : tensor<?x256xf32>, tensor<256x70xf32>
  return %y : tensor<?x70xf32>
}
func.func @train.apply() {
  return
}

// All levels together have the nodes of the forest, or its edges; a loop repeats. Weights are read
// at each level, those of the loop inside five times: 36 bytes each.
// CHECK-LABEL: func.func @levels.operations
// CHECK: ragged.edges %arg1 all
// CHECK: %[[EDGES:.*]] = ragged.num_rows
// CHECK: arith.index_cast %[[EDGES]]
// CHECK: arith.constant 1.800000e+01
// CHECK: %[[NODES:.*]] = ragged.num_nodes %arg1 all
// CHECK: arith.index_cast %[[NODES]]
// CHECK: arith.constant 9.000000e+01
// CHECK: %[[U:.*]] = arith.constant 3.600000e+01
// CHECK: %[[LEVELS:.*]] = ragged.levels up inner %arg1 shared(%{{.*}} : tensor<f64>)
// CHECK: arith.addf
// CHECK: %[[TIMES:.*]] = tensor.extract %[[LEVELS]]
// CHECK: %[[N:.*]] = arith.constant 5.000000e+00 : f64
// CHECK: %[[FIVE:.*]] = arith.mulf %[[TIMES]], %[[N]] : f64
// CHECK: tensor.from_elements {{.*}}, %[[U]], %[[TIMES]], %{{.*}}, %[[U]], %[[FIVE]] : tensor<3x3xf64>
func.func @levels(%rows: !ragged.rows {rt.as = #rt.rows<name = "tree">},
                  %forest: !ragged.forest {rt.as = #rt.forest<name = "tree", space = 0>},
                  %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>},
                  %U: tensor<3x3xf32> {rt.as = #rt.input<name = "U">})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %h = ragged.levels up all %forest nodes(%x : tensor<?x3xf32>)
         num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %hk: tensor<?x3xf32>):
    %a = nn.linear %hk, %U : tensor<?x3xf32>, tensor<3x3xf32>
    %s = ragged.reduce sum %a, %edges : tensor<?x3xf32>
    %b = arith.addf %s, %xl : tensor<?x3xf32>
    %r = ragged.repeat 5 init(%xl : tensor<?x3xf32>) {
    ^bb0(%t: index, %xt: tensor<?x3xf32>):
      %n = nn.linear %xt, %U : tensor<?x3xf32>, tensor<3x3xf32>
      ragged.yield %n : tensor<?x3xf32>
    }
    %y = arith.addf %b, %r : tensor<?x3xf32>
    ragged.yield %y : tensor<?x3xf32>
  }
  return %h : tensor<?x3xf32>
}

// Five layers of a stack are read once, as a whole: 180 bytes. What is the same in all iterations is
// read five times.
// CHECK-LABEL: func.func @layers.operations
// CHECK-DAG: %[[STACK:.*]] = arith.constant 1.800000e+02
// CHECK-DAG: %[[SAME:.*]] = arith.constant 3.600000e+01
// CHECK-DAG: %[[TIMES:.*]] = arith.constant 5.000000e+00
// CHECK: tensor.from_elements %{{.*}}, %[[STACK]], %{{.*}}, %{{.*}}, %[[SAME]], %[[TIMES]] : tensor<2x3xf64>
func.func @layers(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                  %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>},
                  %U: tensor<3x3xf32> {rt.as = #rt.input<name = "U">},
                  %W: tensor<5x3x3xf32> {rt.as = #rt.input<name = "W">})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %y = ragged.repeat 5 init(%x : tensor<?x3xf32>) {
  ^bb0(%t: index, %xt: tensor<?x3xf32>):
    %w = ragged.slice %W, %t : tensor<5x3x3xf32>
    %a = nn.linear %xt, %w : tensor<?x3xf32>, tensor<3x3xf32>
    %b = nn.linear %a, %U : tensor<?x3xf32>, tensor<3x3xf32>
    ragged.yield %b : tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}

// What an iteration has recorded has as many rows as are taken of it.
// CHECK-LABEL: func.func @recorded.operations
// CHECK: %[[ROWS:.*]] = tensor.dim %arg1
// CHECK: arith.index_cast %[[ROWS]]
func.func @recorded(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                    %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>},
                    %U: tensor<3x3xf32> {rt.as = #rt.input<name = "U">})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %all = arith.muli %n, %c2 : index
  %tape = tensor.empty(%all) : tensor<?x3xf32>
  %one = tensor.extract_slice %tape[%n, 0] [%n, 3] [1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
  %y = nn.linear %one, %U : tensor<?x3xf32>, tensor<3x3xf32>
  return %y : tensor<?x3xf32>
}

// Each query with each key of its segment: 2 (8 + 6), half of it if causal.
// CHECK-LABEL: func.func @attention.operations
// CHECK: %[[ONES:.*]] = ragged.broadcast
// CHECK: %[[SIZES:.*]] = ragged.reduce sum %[[ONES]], %arg0
// CHECK: %[[OF:.*]] = ragged.expand %[[SIZES]], %arg0
// CHECK: nn.sum %[[OF]] over 0
// CHECK: arith.constant 2.800000e+01
// CHECK: arith.constant 1.400000e+01
func.func @attention(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                     %q: tensor<?x8xf32> {rt.as = #rt.input<name = "q", space = 0>},
                     %v: tensor<?x6xf32> {rt.as = #rt.input<name = "v", space = 0>})
    -> (tensor<?x6xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %y, %l = ragged.attention %q, %q, %v, %rows, %rows heads 2 scale 0.5
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
  %z, %m = ragged.attention %q, %q, %y, %rows, %rows heads 2 scale 0.5 causal
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>
  return %z : tensor<?x6xf32>
}

// As if no row stopped: 5 times 18 operations for each row, in a loop that is executed 5
// times. Those of active rows with all of their sentence: those of all rows, 5 times.
// CHECK-LABEL: func.func @iterate.operations
// CHECK: arith.constant 9.000000e+01
// CHECK: %[[SIZES:.*]] = ragged.reduce sum %{{.*}}, %arg0
// CHECK: ragged.expand %[[SIZES]], %arg0
// CHECK: arith.constant 6.000000e+01
// CHECK: arith.constant 5.000000e+00
// REMARK: remark: {{.*}}Function=iterate{{.*}}no more operations are done than are counted: as if no row stopped, and each number of rows were the largest
func.func @iterate(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                   %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>},
                   %U: tensor<3x3xf32> {rt.as = #rt.input<name = "U">})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %y, %m = ragged.iterate max 5 init(%x : tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
    %a = nn.linear %xa, %U : tensor<?x3xf32>, tensor<3x3xf32>
    %active = ragged.group %ids, %rows : tensor<?xi32>
    %c, %l = ragged.attention %a, %x, %x, %active, %rows heads 1 scale 0.5
      : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
    %g = arith.cmpi slt, %ids, %ids : tensor<?xi32>
    ragged.yield %g, %c : tensor<?xi1>, tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}

// The recursion over what a loop has executed: as if each row had done all 5 iterations.
// CHECK-LABEL: func.func @executed.operations
// CHECK: %[[MOST:.*]] = arith.constant dense<5> : tensor<i32>
// CHECK: %[[STEPS:.*]] = ragged.broadcast %[[MOST]]
// CHECK: %[[FOREST:.*]] = ragged.iterations %[[STEPS]] max 5
// CHECK: ragged.num_nodes %[[FOREST]] inner
// CHECK: ragged.levels up inner %[[FOREST]]
func.func @executed(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                    %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>},
                    %U: tensor<3x3xf32> {rt.as = #rt.input<name = "U">})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %y, %steps, %record = ragged.iterate max 5 init(%x : tensor<?x3xf32>)
      -> (tensor<?x3xf32>, tensor<?xi32>, tensor<?x3xf32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?x3xf32>):
    %a = arith.addf %xa, %xa : tensor<?x3xf32>
    %g = arith.cmpi slt, %ids, %ids : tensor<?xi32>
    ragged.yield %g, %a, %xa : tensor<?xi1>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  %forest = ragged.iterations %steps max 5 : tensor<?xi32>
  %down = ragged.levels down inner %forest nodes(%record : tensor<?x3xf32>)
      num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %p: tensor<?x3xf32>):
    %a = nn.linear %xl, %U : tensor<?x3xf32>, tensor<3x3xf32>
    %b = arith.addf %a, %p : tensor<?x3xf32>
    ragged.yield %b : tensor<?x3xf32>
  }
  %z = ragged.sum_parents %down, %forest leaves : tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// A number of rows that is computed is the largest there can be.
// CHECK-LABEL: func.func @counted.operations
// CHECK: %[[LIMIT:.*]] = arith.constant dense<5> : tensor<i32>
// CHECK: %[[COUNTS:.*]] = ragged.broadcast %[[LIMIT]]
// CHECK: %[[ROWS:.*]] = ragged.of_counts %[[COUNTS]] limit 5
// CHECK: ragged.num_rows %[[ROWS]]
// REMARK: remark: {{.*}}Function=counted{{.*}}no more operations are done than are counted
func.func @counted(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                   %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>},
                   %U: tensor<3x3xf32> {rt.as = #rt.input<name = "U">})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %a = nn.linear %x, %U : tensor<?x3xf32>, tensor<3x3xf32>
  %s = nn.sum %a over 1 : tensor<?x3xf32>
  %counts = arith.fptosi %s : tensor<?xf32> to tensor<?xi32>
  %each = ragged.of_counts %counts limit 5 : tensor<?xi32>
  %e = ragged.expand %a, %each : tensor<?x3xf32>
  %b = nn.linear %e, %U : tensor<?x3xf32>, tensor<3x3xf32>
  %y = ragged.reduce sum %b, %each : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// How many numbers are distinct is known only when they are computed.
// CHECK-NOT: func.func @distinct.operations
// REMARK: remark: {{.*}}Function=distinct{{.*}}operations are not counted: how many rows there are depends on what is computed
func.func @distinct(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                    %x: tensor<?x3xf32> {rt.as = #rt.input<name = "x", space = 0>},
                    %E: tensor<9x3xf32> {rt.as = #rt.input<name = "E">},
                    %U: tensor<3x3xf32> {rt.as = #rt.input<name = "U">})
    -> (tensor<?x3xf32> {rt.as = #rt.output<name = "y", space = 0>}) {
  %a = nn.linear %x, %U : tensor<?x3xf32>, tensor<3x3xf32>
  %s = nn.sum %a over 1 : tensor<?x3xf32>
  %ids = arith.fptosi %s : tensor<?xf32> to tensor<?xi32>
  %distinct, %places = ragged.distinct %ids limit 9 : tensor<?xi32>
  %e = nn.embed %distinct, %E : tensor<?xi32>, tensor<9x3xf32>
  %b = nn.linear %e, %U : tensor<?x3xf32>, tensor<3x3xf32>
  %y = ragged.gather %b, %places : tensor<?x3xf32>, tensor<?xi32>
  return %y : tensor<?x3xf32>
}
