// RUN: cambium-opt %s --kernels-share-loops --split-input-file | FileCheck %s

/// The same with other memory, whatever its strides: one function.
// CHECK-LABEL: func.func private @copies
// CHECK: call @[[COPY:loops[_0-9]*]](%{{.*}}, %{{.*}}) : (memref<4x3xf32>, memref<4x3xf32, strided<[?, 1], offset: ?>>) -> ()
// CHECK: call @[[COPY]]
/// Other sizes: left alone.
// CHECK: linalg.copy
// CHECK: return
// CHECK: func.func private @[[COPY]]
// CHECK-SAME: no_inline
// CHECK-NEXT: linalg.copy ins(%{{.*}} : memref<4x3xf32>) outs(%{{.*}} : memref<4x3xf32, strided<[?, 1], offset: ?>>)
func.func private @copies(%x: memref<4x3xf32>, %y: memref<4x3xf32, strided<[6, 1]>>,
                  %z: memref<4x3xf32, strided<[6, 1], offset: 3>>,
                  %v: memref<5x3xf32>, %w: memref<5x3xf32>) {
  linalg.copy ins(%x : memref<4x3xf32>) outs(%y : memref<4x3xf32, strided<[6, 1]>>)
  linalg.copy ins(%x : memref<4x3xf32>) outs(%z : memref<4x3xf32, strided<[6, 1], offset: 3>>)
  linalg.copy ins(%v : memref<5x3xf32>) outs(%w : memref<5x3xf32>)
  return
}

// -----

/// What a body uses from around it is an argument, but a constant is copied, and
/// another constant makes it another function.
// CHECK-LABEL: func.func private @bodies
// CHECK-SAME: %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %[[A:.*]]: f32, %[[B:.*]]: f32
// CHECK: call @[[SCALE:loops[_0-9]*]](%{{.*}}, %[[A]]) : (memref<4xf32>, f32) -> ()
// CHECK: call @[[SCALE]](%{{.*}}, %[[B]]) : (memref<4xf32>, f32) -> ()
// CHECK: linalg.generic
// CHECK: return
// CHECK: func.func private @[[SCALE]]
// CHECK: arith.constant 2.0
#id = affine_map<(i) -> (i)>
func.func private @bodies(%x: memref<4xf32>, %y: memref<4xf32>, %a: f32, %b: f32) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<4xf32>) {
  ^bb0(%v: f32):
    %s = arith.mulf %v, %a : f32
    %t = arith.addf %s, %two : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%y : memref<4xf32>) {
  ^bb0(%v: f32):
    %s = arith.mulf %v, %b : f32
    %t = arith.addf %s, %two : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%y : memref<4xf32>) {
  ^bb0(%v: f32):
    %s = arith.mulf %v, %b : f32
    %t = arith.addf %s, %three : f32
    linalg.yield %t : f32
  }
  return
}

// -----

/// A number that is added is an argument where places differ in it, as keys of dropout do.
/// One that all add stays, and another one by which words are shifted makes another function.
// CHECK-LABEL: func.func private @keys
// CHECK-DAG: %[[A:.*]] = arith.constant 11 : i64
// CHECK-DAG: %[[B:.*]] = arith.constant 12 : i64
// CHECK: call @[[MIX:loops[_0-9]*]](%{{.*}}, %[[A]]) : (memref<4xi64>, i64) -> ()
// CHECK: call @[[MIX]](%{{.*}}, %[[B]]) : (memref<4xi64>, i64) -> ()
// CHECK: linalg.generic
// CHECK: return
// CHECK: func.func private @[[MIX]](%{{.*}}: memref<4xi64>, %[[KEY:.*]]: i64)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant 30 : i64
// CHECK: arith.addi %{{.*}}, %[[KEY]]
// CHECK: arith.addi %{{.*}}, %[[ONE]]
// CHECK: arith.shrui %{{.*}}, %[[SHIFT]]
#id = affine_map<(i) -> (i)>
func.func private @keys(%x: memref<4xi64>) {
  %a = arith.constant 11 : i64
  %b = arith.constant 12 : i64
  %one = arith.constant 1 : i64
  %s30 = arith.constant 30 : i64
  %s31 = arith.constant 31 : i64
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<4xi64>) {
  ^bb0(%v: i64):
    %k = arith.addi %v, %a : i64
    %n = arith.addi %k, %one : i64
    %t = arith.shrui %n, %s30 : i64
    linalg.yield %t : i64
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<4xi64>) {
  ^bb0(%v: i64):
    %k = arith.addi %v, %b : i64
    %n = arith.addi %k, %one : i64
    %t = arith.shrui %n, %s30 : i64
    linalg.yield %t : i64
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<4xi64>) {
  ^bb0(%v: i64):
    %k = arith.addi %v, %b : i64
    %n = arith.addi %k, %one : i64
    %t = arith.shrui %n, %s31 : i64
    linalg.yield %t : i64
  }
  return
}

// -----

/// Gathers of rows. The copy of a row in another loop is not worth a call, and what
/// asks the runtime stays in the entry.
// CHECK-LABEL: func.func @gathers
// CHECK: call @[[GATHER:loops[_0-9]*]]
// CHECK: call @[[GATHER]]
// CHECK: scf.for
// CHECK: rt.alloc
// CHECK: linalg.copy
// CHECK: func.func private @[[GATHER]]
// CHECK: scf.for
// CHECK: linalg.copy
func.func @gathers(%x: memref<?x3xf32>, %y: memref<?x3xf32>, %ids: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %j = arith.index_cast %id : i32 to index
    %from = memref.subview %x[%j, 0] [1, 3] [1, 1] : memref<?x3xf32> to memref<3xf32, strided<[1], offset: ?>>
    %to = memref.subview %y[%i, 0] [1, 3] [1, 1] : memref<?x3xf32> to memref<3xf32, strided<[1], offset: ?>>
    linalg.copy ins(%from : memref<3xf32, strided<[1], offset: ?>>) outs(%to : memref<3xf32, strided<[1], offset: ?>>)
  }
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %j = arith.index_cast %id : i32 to index
    %from = memref.subview %y[%j, 0] [1, 3] [1, 1] : memref<?x3xf32> to memref<3xf32, strided<[1], offset: ?>>
    %to = memref.subview %x[%i, 0] [1, 3] [1, 1] : memref<?x3xf32> to memref<3xf32, strided<[1], offset: ?>>
    linalg.copy ins(%from : memref<3xf32, strided<[1], offset: ?>>) outs(%to : memref<3xf32, strided<[1], offset: ?>>)
  }
  scf.for %i = %c0 to %n step %c1 {
    %m = rt.alloc(%i) : memref<?xf32>
    %row = memref.subview %x[%i, 0] [1, 3] [1, 1] : memref<?x3xf32> to memref<3xf32, strided<[1], offset: ?>>
    linalg.copy ins(%row : memref<3xf32, strided<[1], offset: ?>>) outs(%row : memref<3xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

/// A scalar in memory has no strides.
// CHECK-LABEL: func.func private @scalars
// CHECK-COUNT-2: call @loops{{.*}} : (memref<f32, strided<[], offset: ?>>, memref<f32>) -> ()
func.func private @scalars(%x: memref<f32, strided<[], offset: 3>>, %y: memref<f32>) {
  linalg.copy ins(%x : memref<f32, strided<[], offset: 3>>) outs(%y : memref<f32>)
  linalg.copy ins(%x : memref<f32, strided<[], offset: 3>>) outs(%y : memref<f32>)
  return
}

// -----

/// Whole loops over levels, with the products in them, in two entries; what is in them is
/// shared with others too. The parameter and the level's rows are arguments.
// CHECK-LABEL: func.func @predict
// CHECK: call @[[LEVELS:loops[_0-9]*]](%{{.*}}) : ({{.*}}) -> ()
// CHECK-NOT: scf.for
// CHECK: return
// CHECK-LABEL: func.func @loss
// CHECK: call @[[LEVELS]]
// CHECK: call @[[ROWS:loops[_0-9]*]](%{{.*}}) : (memref<?x3xf32>, memref<?x3xf32>) -> ()
// CHECK-NOT: scf.for
// CHECK: return
// CHECK: func.func private @[[LEVELS]](
// CHECK: scf.for
// CHECK: func.call @product
// CHECK: func.call @[[ROWS]]
// CHECK: func.func private @[[ROWS]](
// CHECK: linalg.exp
func.func private @product(memref<?x3xf32>, memref<3x3xf32>, memref<?x3xf32>)
func.func @predict(%x: memref<?x3xf32>, %y: memref<?x3xf32> {rt.as = #rt.output<name = "y">}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = rt.param @w : memref<3x3xf32>
  scf.for %i = %c0 to %n step %c1 {
    func.call @product(%x, %w, %y) : (memref<?x3xf32>, memref<3x3xf32>, memref<?x3xf32>) -> ()
    linalg.exp ins(%x : memref<?x3xf32>) outs(%y : memref<?x3xf32>)
  }
  return
}
func.func @loss(%x: memref<?x3xf32>, %y: memref<?x3xf32> {rt.as = #rt.output<name = "y">}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = rt.param @w : memref<3x3xf32>
  scf.for %i = %c0 to %n step %c1 {
    func.call @product(%y, %w, %x) : (memref<?x3xf32>, memref<3x3xf32>, memref<?x3xf32>) -> ()
    linalg.exp ins(%y : memref<?x3xf32>) outs(%x : memref<?x3xf32>)
  }
  linalg.exp ins(%y : memref<?x3xf32>) outs(%x : memref<?x3xf32>)
  return
}
nn.param @w : tensor<3x3xf32>

// -----

/// An entry keeps no loop that another function can do, though there is one of a kind:
/// not the one that may fail, and not the one that reads the tree.
// CHECK-LABEL: func.func @once
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.constant
// CHECK-NEXT: call @loops
// CHECK-NEXT: call @loops
// CHECK-NEXT: scf.for
// CHECK-NEXT: rt.forest_size
// CHECK: scf.for
// CHECK-NEXT: rt.alloc
/// Other functions than entries keep theirs.
// CHECK-LABEL: func.func private @helper
// CHECK: scf.for
// CHECK: linalg.copy
// CHECK: return
func.func @once(%f: !ragged.forest, %x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  scf.for %i = %c0 to %n step %c1 {
    func.call @helper(%x, %y, %i) : (memref<4xf32>, memref<4xf32>, index) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %m = rt.forest_size %f num_nodes
    func.call @helper(%x, %y, %m) : (memref<4xf32>, memref<4xf32>, index) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %m = rt.alloc(%i) : memref<?xf32>
    linalg.copy ins(%m : memref<?xf32>) outs(%m : memref<?xf32>)
  }
  return
}
func.func private @helper(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// -----

/// An entry keeps no loop that computes numbers, either: one function for both,
/// the second of which gets what the first one gives.
// CHECK-LABEL: func.func @numbers
// CHECK: %[[ONE:.*]] = call @[[SUM:loops[_0-9]*]](%{{.*}}, %{{.*}}) : (index, memref<?xi64>) -> i64
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[ONE]]
// CHECK: %[[TWO:.*]] = call @[[SUM]](%[[COUNT]], %{{.*}})
// CHECK: memref.store %[[TWO]]
// CHECK: func.func private @[[SUM]]
// CHECK: %[[ALL:.*]] = scf.for
// CHECK: return %[[ALL]]
func.func @numbers(%n: index, %x: memref<?xi64>, %y: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %a = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (i64) {
    %v = memref.load %x[%i] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  %m = arith.index_cast %a : i64 to index
  %b = scf.for %i = %zero to %m step %one iter_args(%s = %none) -> (i64) {
    %v = memref.load %x[%i] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  memref.store %b, %y[] : memref<i64>
  return
}

// -----

/// One loop's number of iterations is what another one gives.
// CHECK-LABEL: func.func @direct
// CHECK: %[[ONE:.*]] = call @[[FIRST:loops[_0-9]*]](
// CHECK: call @[[FIRST]](%[[ONE]], %{{.*}})
func.func @direct(%n: index, %x: memref<?xi64>, %y: memref<index>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (index) {
    %v = memref.load %x[%i] : memref<?xi64>
    %w = arith.index_cast %v : i64 to index
    %t = arith.maxsi %s, %w : index
    scf.yield %t : index
  }
  %b = scf.for %i = %zero to %a step %one iter_args(%s = %zero) -> (index) {
    %v = memref.load %x[%i] : memref<?xi64>
    %w = arith.index_cast %v : i64 to index
    %t = arith.maxsi %s, %w : index
    scf.yield %t : index
  }
  memref.store %b, %y[] : memref<index>
  return
}

// -----

/// Dropout has a key at each place, which is an argument; what all of them have is a constant.
// CHECK-LABEL: func.func @keys
// CHECK: call @[[DROP:loops[_0-9]*]](%{{.*}}, %{{.*}}, %c11_i64{{[_0-9]*}})
// CHECK: call @[[DROP]](%{{.*}}, %{{.*}}, %c12_i64{{[_0-9]*}})
// CHECK: func.func private @[[DROP]](%{{.*}}: memref<?xi64>, %{{.*}}: memref<?xi64>, %[[KEY:.*]]: i64)
// CHECK: %[[FACTOR:.*]] = arith.constant 7 : i64
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[KEY]] : i64
// CHECK: arith.muli %[[SUM]], %[[FACTOR]] : i64
// CHECK-NOT: func.func private @loops
#id = affine_map<(d0) -> (d0)>
func.func @keys(%x: memref<?xi64>, %y: memref<?xi64>, %z: memref<?xi64>) {
  %factor = arith.constant 7 : i64
  %first = arith.constant 11 : i64
  %second = arith.constant 12 : i64
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xi64>) outs(%y : memref<?xi64>) {
  ^bb0(%in: i64, %out: i64):
    %sum = arith.addi %in, %first : i64
    %product = arith.muli %sum, %factor : i64
    linalg.yield %product : i64
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xi64>) outs(%z : memref<?xi64>) {
  ^bb0(%in: i64, %out: i64):
    %sum = arith.addi %in, %second : i64
    %product = arith.muli %sum, %factor : i64
    linalg.yield %product : i64
  }
  return
}

// -----

/// What an entry keeps has a call for each vector: one iteration of it does far more.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for
// CHECK: rt.alloc
// CHECK-NEXT: func.call @[[COPY:loops[_0-9]*]](
// CHECK-NEXT: func.call @[[COPY]](
// CHECK-NEXT: }
func.func @kept(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = rt.alloc(%i) : memref<?xf32>
    linalg.copy ins(%x : memref<?xf32>) outs(%m : memref<?xf32>)
    linalg.copy ins(%m : memref<?xf32>) outs(%y : memref<?xf32>)
  }
  return
}

// -----

/// The update and the sum of memory without gaps are the same for all shapes that are rows of as
/// many elements as a reduction works on at once, here 16.
// CHECK-LABEL: func.func private @shapes
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0, 1]] : memref<4x8xf32> into memref<32xf32>
// CHECK: %[[ROWS:.*]] = memref.expand_shape %[[FLAT]] {{\[}}[0, 1]] output_shape [2, 16]
// CHECK: memref.cast %[[ROWS]] : memref<2x16xf32> to memref<?x16xf32>
// CHECK: call @[[UPDATE:loops[_0-9]*]](%{{.*}}, %[[RATE:.*]]) : (memref<?x16xf32>, f32) -> ()
// CHECK: memref.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [1, 16]
// CHECK: call @[[UPDATE]](%{{.*}}, %[[RATE]]) : (memref<?x16xf32>, f32) -> ()
// CHECK: call @[[SUM:loops[_0-9]*]](%{{.*}}, %[[TOTAL:.*]]) : (memref<?x16xf32>, memref<f64>) -> ()
// CHECK: call @[[SUM]](%{{.*}}, %[[TOTAL]]) : (memref<?x16xf32>, memref<f64>) -> ()
// CHECK: return
// CHECK: func.func private @[[UPDATE]](%{{.*}}: memref<?x16xf32>, %{{.*}}: f32)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]{{.*}} outs(%{{.*}} : memref<?x16xf32>)
// CHECK: func.func private @[[SUM]](
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]{{.*}} ins(%{{.*}} : memref<?x16xf32>) outs(%{{.*}} : memref<f64>)
#id = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i) -> ()>
#none2 = affine_map<(i, j) -> ()>
func.func private @shapes(%x: memref<4x8xf32>, %y: memref<16xf32>, %a: f32, %s: memref<f64>) {
  linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%x : memref<4x8xf32>) {
  ^bb0(%v: f32):
    %t = arith.mulf %v, %a : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%y : memref<16xf32>) {
  ^bb0(%v: f32):
    %t = arith.mulf %v, %a : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id2, #none2], iterator_types = ["reduction", "reduction"]} ins(%x : memref<4x8xf32>) outs(%s : memref<f64>) {
  ^bb0(%v: f32, %sum: f64):
    %w = arith.extf %v : f32 to f64
    %t = arith.addf %sum, %w : f64
    linalg.yield %t : f64
  }
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%y : memref<16xf32>) outs(%s : memref<f64>) {
  ^bb0(%v: f32, %sum: f64):
    %w = arith.extf %v : f32 to f64
    %t = arith.addf %sum, %w : f64
    linalg.yield %t : f64
  }
  return
}

// -----

/// No rows: what is left behind the last one, memory with gaps, another order, a sum for each
/// row, a number of the iteration.
// CHECK-LABEL: func.func private @negative_shapes
// CHECK-NOT: memref.expand_shape
// CHECK-NOT: call @loops
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
func.func private @negative_shapes(%x: memref<4x5xf32>, %y: memref<4x16xf32, strided<[32, 1]>>, %z: memref<16x4xf32>, %w: memref<4x16xf32>, %r: memref<4xf32>, %n: memref<4x16xi64>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%x : memref<4x5xf32>) {
  ^bb0(%v: f32):
    %t = arith.mulf %v, %v : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%y : memref<4x16xf32, strided<[32, 1]>>) {
  ^bb0(%v: f32):
    %t = arith.mulf %v, %v : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%z : memref<16x4xf32>) outs(%w : memref<4x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%w : memref<4x16xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %t = arith.addf %sum, %v : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%n : memref<4x16xi64>) {
  ^bb0(%v: i64):
    %i = linalg.index 0 : index
    %t = arith.index_cast %i : index to i64
    linalg.yield %t : i64
  }
  return
}

// -----

/// Memory that is read at places which are computed keeps its shape.
// CHECK-LABEL: func.func private @lookups
// CHECK-NOT: memref.expand_shape
// CHECK: call @[[LOOKUP:loops[_0-9]*]](%{{.*}}) : (memref<32xi32>, memref<32xf32>, memref<32x1xf32>) -> ()
// CHECK: call @[[LOOKUP]]
// CHECK: return
// CHECK: func.func private @[[LOOKUP]](
// CHECK: memref.load %{{.*}} : memref<32x1xf32>
#all = affine_map<(i) -> (i)>
func.func private @lookups(%ids: memref<32xi32>, %x: memref<32xf32>, %y: memref<32xf32>, %table: memref<32x1xf32>) {
  %zero = arith.constant 0 : index
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%ids : memref<32xi32>) outs(%x : memref<32xf32>) {
  ^bb0(%id: i32, %v: f32):
    %i = arith.index_cast %id : i32 to index
    %t = memref.load %table[%i, %zero] : memref<32x1xf32>
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%ids : memref<32xi32>) outs(%y : memref<32xf32>) {
  ^bb0(%id: i32, %v: f32):
    %i = arith.index_cast %id : i32 to index
    %t = memref.load %table[%i, %zero] : memref<32x1xf32>
    linalg.yield %t : f32
  }
  return
}
