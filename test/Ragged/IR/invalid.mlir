//===-- test/Ragged/IR/invalid.mlir - One case per error ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cambium-opt %s  --split-input-file --verify-diagnostics

func.func @expand(%r: !ragged.rows, %x: tensor<3xf32>) {
  // [RAGGED-ROWS-C1]
  // expected-error @below {{'ragged.expand' op expected rows (a first dimension '?'), but got 'tensor<3xf32>'}}
  %0 = ragged.expand %x, %r : tensor<3xf32>
  return
}

// -----

func.func @softmax(%r: !ragged.rows, %x: tensor<f32>) {
  // [RAGGED-ROWS-C1]
  // expected-error @below {{'ragged.softmax' op expected rows (a first dimension '?'), but got 'tensor<f32>'}}
  %0 = ragged.softmax %x, %r : tensor<f32>
  return
}

// -----

func.func @max_grad(%r: !ragged.rows, %x: tensor<?x3xf32>, %dy: tensor<?xf32>) {
  // [RAGGED-MAX_GRAD-C1]
  // expected-error @below {{'ragged.max_grad' op expected operands of one type, but got 'tensor<?x3xf32>' and 'tensor<?xf32>'}}
  %0 = ragged.max_grad %x, %dy, %r : tensor<?x3xf32>, tensor<?xf32>
  return
}

// -----

func.func @gather(%x: tensor<f32>, %i: tensor<?xi32>) {
  // [RAGGED-GATHER-C1]
  // expected-error @below {{'ragged.gather' op expected rows and a row of indices, but got 'tensor<f32>' and 'tensor<?xi32>'}}
  %0 = ragged.gather %x, %i : tensor<f32>, tensor<?xi32>
  return
}

// -----

func.func @gather_index(%x: tensor<?x3xf32>, %i: tensor<?x2xi32>) {
  // [RAGGED-GATHER-C1]
  // expected-error @below {{'ragged.gather' op expected rows and a row of indices, but got 'tensor<?x3xf32>' and 'tensor<?x2xi32>'}}
  %0 = ragged.gather %x, %i : tensor<?x3xf32>, tensor<?x2xi32>
  return
}

// -----

func.func @distinct(%i: tensor<?x2xi32>) {
  // [RAGGED-DISTINCT-C1]
  // expected-error @below {{'ragged.distinct' op expected a row of ids and a positive limit, but got 'tensor<?x2xi32>' and 9}}
  %0, %1 = ragged.distinct %i limit 9 : tensor<?x2xi32>
  return
}

// -----

func.func @distinct_limit(%i: tensor<?xi32>) {
  // [RAGGED-DISTINCT-C1]
  // expected-error @below {{'ragged.distinct' op expected a row of ids and a positive limit, but got 'tensor<?xi32>' and 0}}
  %0, %1 = ragged.distinct %i limit 0 : tensor<?xi32>
  return
}

// -----

func.func @distinct_of_none() {
  // [RAGGED-DISTINCT-C2]
  // expected-error @below {{'ragged.distinct' op expected ids, but got none}}
  // expected-error @below {{'ragged.distinct' op failed to infer returned types}}
  %0 = "ragged.distinct"() <{limit = 9 : i64}> : () -> tensor<?xi32>
  return
}

// -----

func.func @distinct_rows(%i: tensor<4xi32>) {
  // [RAGGED-ROWS-C1]
  // expected-error @below {{'ragged.distinct' op expected rows (a first dimension '?'), but got 'tensor<4xi32>'}}
  %0, %1 = ragged.distinct %i limit 9 : tensor<4xi32>
  return
}

// -----

func.func @to_slots(%r: !ragged.rows, %x: tensor<?x3xf32>) {
  // [RAGGED-TO_SLOTS-C1]
  // expected-error @below {{'ragged.to_slots' op expected a positive arity, but got 0}}
  %0 = ragged.to_slots %x, %r arity 0 : tensor<?x3xf32>
  return
}

// -----

func.func @from_slots(%r: !ragged.rows, %x: tensor<?xf32>) {
  // [RAGGED-FROM_SLOTS-C1]
  // expected-error @below {{'ragged.from_slots' op expected rows of slots, but got 'tensor<?xf32>'}}
  %0 = ragged.from_slots %x, %r : tensor<?xf32>
  return
}

// -----

func.func @broadcast(%n: index, %x: tensor<3xf32>) {
  // [RAGGED-BROADCAST-C1]
  // expected-error @below {{'ragged.broadcast' op expected the result to hold rows of 'tensor<3xf32>', but got 'tensor<?x4xf32>'}}
  %0 = ragged.broadcast %x, %n : tensor<3xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @levels_part(%f: !ragged.forest) {
  // [RAGGED-LEVELS-C1]
  // expected-error @below {{'ragged.levels' op expected the part 'all' or 'inner', but got 'leaves'}}
  %0 = ragged.levels up leaves %f num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>):
    ragged.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @levels_counts(%f: !ragged.forest) {
  // [RAGGED-LEVELS-C2]
  // expected-error @below {{'ragged.levels' op expected at least 2 results, but got 1}}
  %0 = ragged.levels up all %f num_recurrent 1 num_node_yields 1 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>):
    ragged.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @levels_no_base(%f: !ragged.forest) {
  // [RAGGED-LEVELS-C3]
  // expected-error @below {{'ragged.levels' op expected 1 'base' operands, but got 0}}
  %0 = ragged.levels up inner %f num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>):
    ragged.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @levels_base_type(%f: !ragged.forest, %b: tensor<?x3xf32>) {
  // [RAGGED-LEVELS-C4]
  // expected-error @below {{'ragged.levels' op expected a base of type 'tensor<?xf32>', but got 'tensor<?x3xf32>'}}
  %0 = ragged.levels up inner %f base(%b : tensor<?x3xf32>) num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>):
    ragged.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @levels_operand(%f: !ragged.forest, %x: tensor<3xf32>) {
  // [RAGGED-LEVELS-C5]
  // expected-error @below {{'ragged.levels' op expected operands to hold rows, but got 'tensor<3xf32>'}}
  %0 = ragged.levels up all %f nodes(%x : tensor<3xf32>) num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %xl: tensor<3xf32>, %h: tensor<?xf32>):
    ragged.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @levels_result(%f: !ragged.forest) {
  // [RAGGED-LEVELS-C7]
  // expected-error @below {{'ragged.levels' op expected results to hold rows, but got 'tensor<3xf32>'}}
  %0 = ragged.levels up all %f num_recurrent 1 num_node_yields 0 -> (tensor<3xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<3xf32>):
    ragged.yield %h : tensor<3xf32>
  }
  return
}

// -----

func.func @levels_arguments(%f: !ragged.forest, %x: tensor<?x3xf32>) {
  // [RAGGED-LEVELS-C8]
  // expected-error @below {{'ragged.levels' op expected region arguments of types ('!ragged.rows', 'tensor<?x3xf32>', 'tensor<?xf32>'), but got ('!ragged.rows', 'tensor<?xf32>')}}
  %0 = ragged.levels up all %f nodes(%x : tensor<?x3xf32>) num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>):
    ragged.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @levels_yield(%f: !ragged.forest) {
  // [RAGGED-LEVELS-C9]
  // expected-error @below {{'ragged.levels' op expected to yield ('tensor<?xf32>'), but got ('tensor<?xf32>', 'tensor<?xf32>')}}
  %0 = ragged.levels up all %f num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>):
    // expected-note @below {{it is yielded here}}
    ragged.yield %h, %h : tensor<?xf32>, tensor<?xf32>
  }
  return
}

// -----

func.func @levels_shared_type(%f: !ragged.forest, %s: tensor<2xf32>) {
  // [RAGGED-LEVELS-C6]
  // expected-error @below {{'ragged.levels' op expected the last results to be of types ('tensor<2xf32>'), but got ('tensor<3xf32>')}}
  %0:2 = ragged.levels up all %f shared(%s : tensor<2xf32>) num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>, tensor<3xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>, %sl: tensor<2xf32>):
    ragged.yield %h, %sl : tensor<?xf32>, tensor<2xf32>
  }
  return
}

// -----

func.func @levels_shared_count(%f: !ragged.forest, %s: tensor<2xf32>) {
  // [RAGGED-LEVELS-C2]
  // expected-error @below {{'ragged.levels' op expected at least 2 results, but got 1}}
  %0 = ragged.levels up all %f shared(%s : tensor<2xf32>) num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>, %sl: tensor<2xf32>):
    ragged.yield %h : tensor<?xf32>
  }
  return
}

// -----

func.func @levels_shared_argument(%f: !ragged.forest, %s: tensor<2xf32>) {
  // [RAGGED-LEVELS-C8]
  // expected-error @below {{'ragged.levels' op expected region arguments of types ('!ragged.rows', 'tensor<?xf32>', 'tensor<2xf32>'), but got ('!ragged.rows', 'tensor<?xf32>')}}
  %0:2 = ragged.levels up all %f shared(%s : tensor<2xf32>) num_recurrent 1 num_node_yields 0 -> (tensor<?xf32>, tensor<2xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?xf32>):
    ragged.yield %h, %s : tensor<?xf32>, tensor<2xf32>
  }
  return
}

// -----

func.func @put_rows_type(%x: tensor<?x3xf32>, %all: tensor<?x4xf32>, %ids: tensor<?xi32>) {
  // [RAGGED-PUT_ROWS-C1]
  // expected-error @below {{'ragged.put_rows' op expected rows of one type, but got 'tensor<?x3xf32>' and 'tensor<?x4xf32>'}}
  %0 = ragged.put_rows %x, %all, %ids : tensor<?x3xf32>, tensor<?x4xf32>, tensor<?xi32>
  return
}

// -----

func.func @iterate_max(%x: tensor<?xf32>, %go: tensor<?xi1>) {
  // [RAGGED-ITERATE-C2]
  // expected-error @below {{'ragged.iterate' op expected a positive maximum of iterations, but got 0}}
  %y, %n = ragged.iterate max 0 init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
    ragged.yield %go, %xa : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @iterate_nothing(%go: tensor<?xi1>) {
  // [RAGGED-ITERATE-C3]
  // expected-error @below {{'ragged.iterate' op expected at least one 'init' operand}}
  %n = "ragged.iterate"() <{max = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%ids: tensor<?xi32>):
    ragged.yield %go : tensor<?xi1>
  }) : () -> tensor<?xi32>
  return
}

// -----

func.func @iterate_active(%x: tensor<?xf32>, %go: tensor<?xi1>, %on: tensor<i1>) {
  // [RAGGED-ITERATE-C5]
  // expected-error @below {{'ragged.iterate' op expected 'active' to be of type 'tensor<?xi1>', but got 'tensor<i1>'}}
  %y, %n = ragged.iterate max 2 active(%on : tensor<i1>) init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
    ragged.yield %go, %xa : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @iterate_no_rows(%x: tensor<3xf32>, %go: tensor<?xi1>) {
  // [RAGGED-ITERATE-C4]
  // expected-error @below {{'ragged.iterate' op expected 'init' operands to hold rows, but got 'tensor<3xf32>'}}
  %y, %n = ragged.iterate max 2 init(%x : tensor<3xf32>) -> (tensor<3xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<3xf32>):
    ragged.yield %go, %xa : tensor<?xi1>, tensor<3xf32>
  }
  return
}

// -----

func.func @iterate_states(%x: tensor<?xf32>, %go: tensor<?xi1>) {
  // [RAGGED-ITERATE-C1]
  // expected-error @below {{'ragged.iterate' op expected results of types ('tensor<?xf32>', 'tensor<?xi32>'), then the records, but got ('tensor<?xf64>', 'tensor<?xi32>')}}
  %y, %n = ragged.iterate max 2 init(%x : tensor<?xf32>) -> (tensor<?xf64>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
    ragged.yield %go, %xa : tensor<?xi1>, tensor<?xf32>
  }
  return
}

// -----

func.func @iterate_arguments(%x: tensor<?xf32>, %s: tensor<?x2xf32>, %go: tensor<?xi1>) {
  // [RAGGED-ITERATE-C6]
  // expected-error @below {{'ragged.iterate' op expected region arguments of types ('tensor<?xi32>', 'tensor<?xf32>', 'tensor<?x2xf32>'), but got ('tensor<?xi32>', 'tensor<?xf32>')}}
  %y, %n, %t = ragged.iterate max 2 init(%x : tensor<?xf32>) shared(%s : tensor<?x2xf32>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?x2xf32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
    ragged.yield %go, %xa, %s : tensor<?xi1>, tensor<?xf32>, tensor<?x2xf32>
  }
  return
}

// -----

func.func @iterate_yield(%x: tensor<?xf32>) {
  // [RAGGED-ITERATE-C7]
  // expected-error @below {{'ragged.iterate' op expected to yield ('tensor<?xi1>', 'tensor<?xf32>'), but got ('tensor<?xf32>')}}
  %y, %n = ragged.iterate max 2 init(%x : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  ^bb0(%ids: tensor<?xi32>, %xa: tensor<?xf32>):
    // expected-note @below {{it is yielded here}}
    ragged.yield %xa : tensor<?xf32>
  }
  return
}

// -----

func.func @attention_grad_results(%q: tensor<?x8xf32>, %l: tensor<?x2xf32>, %rows: !ragged.rows) {
  // [RAGGED-ATTENTION_GRAD-C1]
  // expected-error @below {{'ragged.attention_grad' op expected results of types ('tensor<?x8xf32>', 'tensor<?x8xf32>', 'tensor<?x8xf32>'), but got ('tensor<?x8xf32>')}}
  %d = ragged.attention_grad %q, %q, %q, %l, %q, %rows, %rows heads 2 scale 0.5
    : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x2xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @repeat_count(%x: tensor<?xf32>) {
  // [RAGGED-REPEAT-C1]
  // expected-error @below {{'ragged.repeat' op expected a positive number of iterations, but got 0}}
  %y = ragged.repeat 0 init(%x : tensor<?xf32>) {
  ^bb0(%t: index, %xt: tensor<?xf32>):
    ragged.yield %xt : tensor<?xf32>
  }
  return
}

// -----

func.func @repeat_arguments(%x: tensor<?xf32>) {
  // [RAGGED-REPEAT-C2]
  // expected-error @below {{'ragged.repeat' op expected region arguments of types ('index', 'tensor<?xf32>'), but got ('tensor<?xf32>')}}
  %y = ragged.repeat 2 init(%x : tensor<?xf32>) {
  ^bb0(%xt: tensor<?xf32>):
    ragged.yield %xt : tensor<?xf32>
  }
  return
}

// -----

func.func @repeat_yield(%x: tensor<?xf32>, %a: tensor<?xf64>) {
  // [RAGGED-REPEAT-C3]
  // expected-error @below {{'ragged.repeat' op expected to yield ('tensor<?xf32>'), but got ('tensor<?xf64>')}}
  %y = ragged.repeat 2 init(%x : tensor<?xf32>) {
  ^bb0(%t: index, %xt: tensor<?xf32>):
    // expected-note @below {{it is yielded here}}
    ragged.yield %a : tensor<?xf64>
  }
  return
}

// -----

func.func @iteration(%ids: tensor<?xi32>) {
  // [RAGGED-ITERATION-C1]
  // expected-error @below {{'ragged.iteration' op expected the first argument of the region of a 'ragged.iterate' or a 'ragged.levels'}}
  %t = ragged.iteration %ids : tensor<?xi32>
  return
}

// -----

func.func @slice(%x: tensor<?x4xf32>, %t: index) {
  // [RAGGED-SLICE-C1]
  // expected-error @below {{'ragged.slice' op expected an array of slices, but got 'tensor<?x4xf32>'}}
  %y = ragged.slice %x, %t : tensor<?x4xf32>
  return
}

// -----

func.func @add_slice(%s: tensor<4xf32>, %x: tensor<3x5xf32>, %t: index) {
  // [RAGGED-ADDSLICE-C1]
  // expected-error @below {{'ragged.add_slice' op expected a slice of the array, but got 'tensor<4xf32>' and 'tensor<3x5xf32>'}}
  %y = ragged.add_slice %s, %x, %t : tensor<4xf32>, tensor<3x5xf32>
  return
}

// -----

func.func @top(%x: tensor<?xf32>, %rows: !ragged.rows) {
  // [RAGGED-TOP-C1]
  // expected-error @below {{'ragged.top' op expected rows of columns and a positive count, but got 'tensor<?xf32>'}}
  %v, %n = ragged.top %x, %rows count 5 : tensor<?xf32>
  return
}

// -----

func.func @pick(%x: tensor<?x4xf32>, %n: tensor<?x5x3xi32>, %rows: !ragged.rows) {
  // [RAGGED-PICK-C1]
  // expected-error @below {{'ragged.pick' op expected rows of columns and lists of numbers, but got 'tensor<?x4xf32>', 'tensor<?x5x3xi32>'}}
  %y = ragged.pick %x, %n, %rows : tensor<?x4xf32>, tensor<?x5x3xi32>
  return
}

// -----

func.func @spread(%x: tensor<?x4x2xf32>, %n: tensor<?x5xi32>, %rows: !ragged.rows) {
  // [RAGGED-SPREAD-C1]
  // expected-error @below {{'ragged.spread' op expected lists of rows and their numbers, but got 'tensor<?x4x2xf32>', 'tensor<?x5xi32>'}}
  %y = ragged.spread %x, %n, %rows : tensor<?x4x2xf32>, tensor<?x5xi32>
  return
}

// -----

func.func @sum_by(%x: tensor<?x4xf32>, %n: tensor<?x5xi32>, %rows: !ragged.rows) {
  // [RAGGED-SUM_BY-C1]
  // expected-error @below {{'ragged.sum_by' op expected rows, an id per row and a positive size, but got 'tensor<?x4xf32>', 'tensor<?x5xi32>'}}
  %y = ragged.sum_by %x, %n, %rows size 3 : tensor<?x4xf32>, tensor<?x5xi32>
  return
}

// -----

func.func @look_up(%x: tensor<?xf32>, %n: tensor<?xi32>, %rows: !ragged.rows) {
  // [RAGGED-LOOK_UP-C1]
  // expected-error @below {{'ragged.look_up' op expected a table per segment and an id per row, but got 'tensor<?xf32>', 'tensor<?xi32>'}}
  %y = ragged.look_up %x, %n, %rows : tensor<?xf32>, tensor<?xi32>
  return
}

// -----

func.func @around(%x: tensor<4xf32>, %rows: !ragged.rows) {
  // [RAGGED-AROUND-C1]
  // expected-error @below {{'ragged.around' op expected rows, and numbers of them from 0 on, but got 'tensor<4xf32>'}}
  %y = ragged.around %x, %rows before 1 after 1 : tensor<4xf32>
  return
}

// -----

func.func @sum_around(%x: tensor<?x3xf32>, %rows: !ragged.rows) {
  // [RAGGED-SUM_AROUND-C1]
  // expected-error @below {{'ragged.sum_around' op expected a window per row, and its row in it, but got 'tensor<?x3xf32>'}}
  %y = ragged.sum_around %x, %rows before 3 : tensor<?x3xf32>
  return
}

// -----

func.func @pair_scores(%x: tensor<?x3xf32>, %y: tensor<?x4xf32>, %rows: !ragged.rows) {
  // [RAGGED-PAIR_SCORES-C1]
  // expected-error @below {{'ragged.pair_scores' op expected rows of columns of one type, but got 'tensor<?x3xf32>' and 'tensor<?x4xf32>'}}
  %s = ragged.pair_scores %x, %y, %rows of %rows, %rows : tensor<?x3xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @pair_sum(%w: tensor<?x2xf32>, %y: tensor<?x4xf32>, %rows: !ragged.rows) {
  // [RAGGED-PAIR_SUM-C1]
  // expected-error @below {{'ragged.pair_sum' op expected a number per pair and rows of columns, but got 'tensor<?x2xf32>' and 'tensor<?x4xf32>'}}
  %s = ragged.pair_sum %w, %y, %rows of %rows, %rows : tensor<?x2xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @max_spanning(%s: tensor<?x2xf32>, %rows: !ragged.rows) {
  // [RAGGED-MAX_SPANNING-C1]
  // expected-error @below {{'ragged.max_spanning' op expected a number per pair, but got 'tensor<?x2xf32>'}}
  %p = ragged.max_spanning %s, %rows of %rows : tensor<?x2xf32>
  return
}

// -----

func.func @levels_of_cuts(%f: !ragged.forest) {
  // [RAGGED-LEVELS-C8]
  // expected-error @below {{'ragged.levels' op expected region arguments of types ('!ragged.rows', 'tensor<?x2x3xf32>'), but got ('!ragged.rows', 'tensor<?x3xf32>')}}
  %0 = ragged.levels up all %f cuts num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?x3xf32>):
    ragged.yield %h : tensor<?x3xf32>
  }
  return
}

// -----

func.func @messages_of_cuts(%f: !ragged.forest) {
  // [RAGGED-LEVELS-C10]
  // expected-error @below {{'ragged.levels' op expected messages with a row for each side of a cut, but got 'tensor<?x3xf32>'}}
  %0 = ragged.levels down all %f cuts num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%e: !ragged.rows, %h: tensor<?x3xf32>):
    ragged.yield %h : tensor<?x3xf32>
  }
  return
}

// -----

func.func @to_cuts(%x: tensor<3xf32>) {
  // [RAGGED-TO_CUTS-C1]
  // expected-error @below {{'ragged.to_cuts' op expected rows of edges, but got 'tensor<3xf32>'}}
  %y = ragged.to_cuts %x : tensor<3xf32>
  return
}

// -----

func.func @from_cuts(%x: tensor<?x3xf32>) {
  // [RAGGED-FROM_CUTS-C1]
  // expected-error @below {{'ragged.from_cuts' op expected rows of two sides, but got 'tensor<?x3xf32>'}}
  %y = ragged.from_cuts %x : tensor<?x3xf32>
  return
}
