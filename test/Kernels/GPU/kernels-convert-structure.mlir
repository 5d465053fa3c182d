// RUN: cambium-opt %s --split-input-file --verify-diagnostics --kernels-convert-structure | FileCheck %s

/// A thread per segment counts the ids below its first row.
// CHECK-LABEL: func.func @group
// CHECK-DAG: %[[SEGMENTS:.*]] = rt.rows_size %{{.*}} num_segments
// CHECK-DAG: %[[FIRSTS:.*]] = rt.rows_offsets
// CHECK: %[[LENGTH:.*]] = arith.addi %[[SEGMENTS]]
// CHECK: %[[OFFSETS:.*]] = rt.alloc(%[[LENGTH]]) : memref<?xi32>
// CHECK: rt.parallel %[[LENGTH]] grain 1 unit thread
// CHECK: memref.load %[[FIRSTS]]
// CHECK: scf.while
// CHECK: memref.store %{{.*}}, %[[OFFSETS]]
// CHECK-NOT: rt.group
// CHECK: memref.load %[[OFFSETS]]
func.func @group(%rows: !ragged.rows {rt.as = #rt.rows<name = "x">}, %ids: memref<?xi32> {rt.as = #rt.input<name = "ids">}, %n: index) -> i32 {
  %active = rt.group %rows, %ids, %n : memref<?xi32>
  %offsets = rt.rows_offsets %active : memref<?xi32>
  %first = memref.load %offsets[%n] : memref<?xi32>
  return %first : i32
}

// -----

/// In a loop there is one memory, for all iterations. A group of a group has
/// the segments of the first.
// CHECK-LABEL: func.func @in_loop
// CHECK: %[[SEGMENTS:.*]] = rt.rows_size %{{.*}} num_segments
// CHECK: rt.alloc
// CHECK: rt.alloc
// CHECK: scf.for
// CHECK-NOT: rt.alloc
// CHECK: rt.parallel
// CHECK: rt.parallel
// CHECK: memref.store %[[SEGMENTS]]
func.func @in_loop(%rows: !ragged.rows {rt.as = #rt.rows<name = "x">}, %ids: memref<?xi32> {rt.as = #rt.input<name = "ids">}, %out: memref<index>, %a: index, %b: index) {
  scf.for %i = %a to %b step %a {
    %active = rt.group %rows, %ids, %i : memref<?xi32>
    %fewer = rt.group %active, %ids, %i : memref<?xi32>
    %n = rt.rows_size %fewer num_segments
    memref.store %n, %out[] : memref<index>
  }
  return
}

// -----

/// A partition that the entry has made is what it was made of.
// CHECK-LABEL: func.func @made
// CHECK-SAME: %[[OFFSETS:[^:]*]]: memref<?xi32>
// CHECK-NOT: rt.make_rows
// CHECK: return %[[OFFSETS]]
func.func @made(%offsets: memref<?xi32> {rt.as = #rt.input<name = "offsets">}, %n: index) -> memref<?xi32> {
  %rows = rt.make_rows %n, %n, %offsets : memref<?xi32>
  %again = rt.rows_offsets %rows : memref<?xi32>
  return %again : memref<?xi32>
}

// -----

/// Threads make parts of an iteration; sizes have the bounds that the host knows.
// CHECK-LABEL: func.func @iterations
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[NODES:.*]] = arith.muli %[[N]], %c6
// CHECK: %[[EDGES:.*]] = arith.muli %[[N]], %c5
// CHECK-COUNT-4: rt.parallel
// CHECK-NOT: rt.iterations
// CHECK: rt.at_most %{{.*}}, %[[NODES]]
// CHECK: rt.at_most %{{.*}}, %[[EDGES]]
// CHECK: %[[LEVELS:.*]] = rt.at_most
// CHECK: return %[[LEVELS]], %[[N]]
func.func @iterations(%steps: memref<?xi32> {rt.as = #rt.input<name = "steps">}, %n: index) -> (index, index) {
  %forest = rt.iterations %steps, %n max 5 : memref<?xi32>
  %levels = rt.forest_size %forest num_levels
  %trees = rt.forest_size %forest num_trees
  return %levels, %trees : index, index
}

// -----

/// What is no tree ends the entry. Trees are measured each by a thread; parts look for the first
/// error, and one thread among the parts. Then nodes are sorted by their heights, and each thread
/// has a level, a node, a part, a row and a tree.
// CHECK-LABEL: func.func @from_parents
// CHECK-SAME: %[[ROWS:[^:]*]]: !ragged.rows
// CHECK-DAG: %[[TREES:.*]] = rt.rows_size %[[ROWS]] num_segments
// CHECK-DAG: %[[NODES:.*]] = rt.rows_size %[[ROWS]] num_rows
// CHECK: rt.parallel %[[TREES]] grain 1 unit thread
// CHECK: rt.parallel %c256{{.*}} grain 1 unit thread
// CHECK: rt.parallel %c1{{.*}} grain 1 unit thread
// CHECK: rt.fail_if %{{.*}}, 1, "from_parents: expected at least one row in each segment, but got none before" row %{{.*}} stop
// CHECK: rt.fail_if %{{.*}}, 3, "from_parents: expected as parent -1 or a row of the segment, but got another" row %{{.*}} stop
// CHECK: rt.for_each %{{.*}} of %[[NODES]]
// CHECK: scf.while
// CHECK-COUNT-2: rt.for_each %{{.*}} of %[[NODES]]
// CHECK: rt.parallel %{{.*}} grain 1 unit thread
// CHECK: rt.parallel %[[NODES]] grain 1 unit thread
// CHECK-COUNT-2: rt.parallel %c256{{.*}} grain 1 unit thread
// CHECK: rt.parallel %[[NODES]] grain 1 unit thread
// CHECK: rt.parallel %[[TREES]] grain 1 unit thread
// CHECK: rt.parallel %c256{{.*}} grain 1 unit thread
// CHECK: rt.parallel %c1{{.*}} grain 1 unit thread
// CHECK-NOT: rt.from_parents
/// Numbers of edges have a bound, too: memory may depend on them.
// CHECK: %[[PART:.*]] = memref.subview
// CHECK: %[[EDGE:.*]] = memref.load %[[PART]]
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[EDGE]]
// CHECK: %[[MOST:.*]] = rt.at_most %[[NUMBER]]
// CHECK: rt.alloc(%[[MOST]])
func.func @from_parents(%rows: !ragged.rows {rt.as = #rt.rows<name = "x">}, %parents: memref<?xi32> {rt.as = #rt.input<name = "parents">}, %n: index) -> memref<?xi32> {
  %forest = rt.from_parents %rows, %parents arity 2 : memref<?xi32>
  %offsets = rt.forest_index %forest child_offsets : memref<?xi32>
  %part = memref.subview %offsets[0] [%n] [1] : memref<?xi32> to memref<?xi32, strided<[1]>>
  %edge = memref.load %part[%n] : memref<?xi32, strided<[1]>>
  %edges = arith.index_cast %edge : i32 to index
  %x = rt.alloc(%edges) : memref<?xf32>
  %children = rt.forest_index %forest child_nodes : memref<?xi32>
  return %children : memref<?xi32>
}

// -----

/// A chain of the rows of an argument is the host's, one of others is not.
// CHECK-LABEL: func.func @chains
// CHECK: rt.chain
// CHECK-NOT: rt.chain
// CHECK: rt.fail_if %{{.*}}, 1, "chain: expected at least one row in each segment, but got none before"
func.func @chains(%rows: !ragged.rows {rt.as = #rt.rows<name = "x">}, %ids: memref<?xi32> {rt.as = #rt.input<name = "ids">}, %n: index) -> (index, index) {
  %chain = rt.chain %rows
  %levels = rt.forest_size %chain num_levels
  %active = rt.group %rows, %ids, %n : memref<?xi32>
  %other = rt.chain %active reversed
  %more = rt.forest_size %other num_levels
  return %levels, %more : index, index
}

// -----

func.func @unbounded(%steps: memref<?xi32> {rt.as = #rt.input<name = "steps">}, %a: index, %b: index) {
  scf.for %i = %a to %b step %a {
    %n = memref.load %steps[%i] : memref<?xi32>
    %count = arith.index_cast %n : i32 to index
    // expected-error @below {{expected rows whose number has a bound outside of loops}}
    %forest = rt.iterations %steps, %count max 5 : memref<?xi32>
  }
  return
}
