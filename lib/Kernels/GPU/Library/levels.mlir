// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a forest of measured trees, on GPUs.
//
// Each function is what a thread does in one iteration, whose number is the first argument. A part
// has so many segments, rows or levels that all parts have all of them.
!words = memref<?xi32>

/// Of part p: the first error of a segment and its row, and how many levels its rows have.
func.func @measure_part(%p: index, %parts: index, %segments: index, %rows: index,
    %errors: !words, %heights: !words, %sums: !words) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.ceildivui %segments, %parts : index
  %from = arith.muli %p, %size : index
  %first = arith.minsi %from, %segments : index
  %behind = arith.addi %first, %size : index
  %end = arith.minsi %behind, %segments : index
  %error:2 = scf.for %s = %first to %end step %c1
      iter_args(%code = %zero, %row = %zero) -> (i32, i32) {
    %code_at = arith.muli %s, %c2 : index
    %row_at = arith.addi %code_at, %c1 : index
    %c = memref.load %errors[%code_at] : !words
    %r = memref.load %errors[%row_at] : !words
    %was_good = arith.cmpi eq, %code, %zero : i32
    %first_code = arith.select %was_good, %c, %code : i32
    %first_row = arith.select %was_good, %r, %row : i32
    scf.yield %first_code, %first_row : i32, i32
  }
  %row_size = arith.ceildivui %rows, %parts : index
  %row_from = arith.muli %p, %row_size : index
  %row_first = arith.minsi %row_from, %rows : index
  %row_behind = arith.addi %row_first, %row_size : index
  %row_end = arith.minsi %row_behind, %rows : index
  %levels = scf.for %u = %row_first to %row_end step %c1 iter_args(%levels = %zero) -> (i32) {
    %h = memref.load %heights[%u] : !words
    %above = arith.addi %h, %one : i32
    %most = arith.maxsi %levels, %above : i32
    scf.yield %most : i32
  }
  %at = arith.muli %p, %c3 : index
  %at1 = arith.addi %at, %c1 : index
  %at2 = arith.addi %at, %c2 : index
  memref.store %error#0, %sums[%at] : !words
  memref.store %error#1, %sums[%at1] : !words
  memref.store %levels, %sums[%at2] : !words
  return
}

/// Of all parts, into %counts: the first error and its row; if there is none, the numbers of edges
/// and levels. A segment has one node without a parent.
func.func @measure_all(%i: index, %parts: index, %segments: index, %rows: index, %sums: !words,
    %counts: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %all:3 = scf.for %p = %c0 to %parts step %c1
      iter_args(%code = %zero, %row = %zero, %levels = %zero) -> (i32, i32, i32) {
    %at = arith.muli %p, %c3 : index
    %at1 = arith.addi %at, %c1 : index
    %at2 = arith.addi %at, %c2 : index
    %c = memref.load %sums[%at] : !words
    %r = memref.load %sums[%at1] : !words
    %l = memref.load %sums[%at2] : !words
    %was_good = arith.cmpi eq, %code, %zero : i32
    %first_code = arith.select %was_good, %c, %code : i32
    %first_row = arith.select %was_good, %r, %row : i32
    %most = arith.maxsi %levels, %l : i32
    scf.yield %first_code, %first_row, %most : i32, i32, i32
  }
  %edges = arith.subi %rows, %segments : index
  %word = arith.index_cast %edges : index to i32
  memref.store %all#0, %counts[%c0] : !words
  memref.store %all#1, %counts[%c1] : !words
  memref.store %word, %counts[%c2] : !words
  memref.store %all#2, %counts[%c3] : !words
  return
}

/// Level l begins behind the rows, which stand in the order of their heights, that are lower.
func.func @begin_level(%l: index, %rows: index, %heights: !words, %order: !words,
    %level_nodes: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %level = arith.index_cast %l : index to i32
  // Those before %low are lower; those from %high on are not.
  %found:2 = scf.while (%low = %c0, %high = %rows) : (index, index) -> (index, index) {
    %open = arith.cmpi slt, %low, %high : index
    scf.condition(%open) %low, %high : index, index
  } do {
  ^bb0(%low: index, %high: index):
    %both = arith.addi %low, %high : index
    %middle = arith.shrui %both, %c1 : index
    %row = memref.load %order[%middle] : !words
    %u = arith.index_cast %row : i32 to index
    %h = memref.load %heights[%u] : !words
    %below = arith.cmpi slt, %h, %level : i32
    %next = arith.addi %middle, %c1 : index
    %a = arith.select %below, %next, %low : index
    %b = arith.select %below, %high, %middle : index
    scf.yield %a, %b : index, index
  }
  %word = arith.index_cast %found#0 : index to i32
  memref.store %word, %level_nodes[%l] : !words
  return
}

/// The number of row %order[n] as a node.
func.func @number_node(%n: index, %order: !words, %user_to_node: !words) {
  %row = memref.load %order[%n] : !words
  %u = arith.index_cast %row : i32 to index
  %node = arith.index_cast %n : index to i32
  memref.store %node, %user_to_node[%u] : !words
  return
}

/// Of part p: the edges below its nodes and below its rows, and its nodes that have a parent.
func.func @sum_edges(%p: index, %parts: index, %rows: index, %children: !words, %above: !words,
    %node_to_user: !words, %sums: !words) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %size = arith.ceildivui %rows, %parts : index
  %from = arith.muli %p, %size : index
  %first = arith.minsi %from, %rows : index
  %behind = arith.addi %first, %size : index
  %end = arith.minsi %behind, %rows : index
  %all:3 = scf.for %n = %first to %end step %c1
      iter_args(%edges = %zero, %user_edges = %zero, %links = %zero) -> (i32, i32, i32) {
    %row = memref.load %node_to_user[%n] : !words
    %u = arith.index_cast %row : i32 to index
    %k = memref.load %children[%u] : !words
    %e = arith.addi %edges, %k : i32
    %user_k = memref.load %children[%n] : !words
    %f = arith.addi %user_edges, %user_k : i32
    %parent = memref.load %above[%u] : !words
    %has_parent = arith.cmpi sge, %parent, %zero : i32
    %link = arith.extui %has_parent : i1 to i32
    %m = arith.addi %links, %link : i32
    scf.yield %e, %f, %m : i32, i32, i32
  }
  %at = arith.muli %p, %c3 : index
  %at1 = arith.addi %at, %c1 : index
  %at2 = arith.addi %at, %c2 : index
  memref.store %all#0, %sums[%at] : !words
  memref.store %all#1, %sums[%at1] : !words
  memref.store %all#2, %sums[%at2] : !words
  return
}

/// Of the nodes and rows of part p, behind those of earlier parts: the first edge to a child, in
/// the order of nodes and of rows, and the first one to a parent. The last part writes the ends.
func.func @place_edges(%p: index, %parts: index, %rows: index, %children: !words, %above: !words,
    %node_to_user: !words, %sums: !words, %child_offsets: !words, %firsts: !words,
    %parent_offsets: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %before:3 = scf.for %q = %c0 to %p step %c1
      iter_args(%edges = %zero, %user_edges = %zero, %links = %zero) -> (i32, i32, i32) {
    %at = arith.muli %q, %c3 : index
    %at1 = arith.addi %at, %c1 : index
    %at2 = arith.addi %at, %c2 : index
    %x = memref.load %sums[%at] : !words
    %y = memref.load %sums[%at1] : !words
    %z = memref.load %sums[%at2] : !words
    %e = arith.addi %edges, %x : i32
    %f = arith.addi %user_edges, %y : i32
    %m = arith.addi %links, %z : i32
    scf.yield %e, %f, %m : i32, i32, i32
  }
  %size = arith.ceildivui %rows, %parts : index
  %from = arith.muli %p, %size : index
  %first = arith.minsi %from, %rows : index
  %behind = arith.addi %first, %size : index
  %end = arith.minsi %behind, %rows : index
  %all:3 = scf.for %n = %first to %end step %c1
      iter_args(%edge = %before#0, %user_edge = %before#1, %link = %before#2)
      -> (i32, i32, i32) {
    memref.store %edge, %child_offsets[%n] : !words
    memref.store %user_edge, %firsts[%n] : !words
    memref.store %link, %parent_offsets[%n] : !words
    %row = memref.load %node_to_user[%n] : !words
    %u = arith.index_cast %row : i32 to index
    %k = memref.load %children[%u] : !words
    %e = arith.addi %edge, %k : i32
    %user_k = memref.load %children[%n] : !words
    %f = arith.addi %user_edge, %user_k : i32
    %parent = memref.load %above[%u] : !words
    %has_parent = arith.cmpi sge, %parent, %zero : i32
    %one = arith.extui %has_parent : i1 to i32
    %m = arith.addi %link, %one : i32
    scf.yield %e, %f, %m : i32, i32, i32
  }
  %next = arith.addi %p, %c1 : index
  %is_last = arith.cmpi eq, %next, %parts : index
  scf.if %is_last {
    memref.store %all#0, %child_offsets[%rows] : !words
    memref.store %all#2, %parent_offsets[%rows] : !words
  }
  return
}

/// The edge from row u to its parent: behind those of its siblings in earlier rows.
func.func @link_parent(%u: index, %above: !words, %numbers: !words, %firsts: !words,
    %child_offsets: !words, %child_nodes: !words, %edge_parents: !words, %parent_offsets: !words,
    %parent_edges: !words, %user_to_node: !words, %edge_to_user: !words) {
  %zero = arith.constant 0 : i32
  %parent = memref.load %above[%u] : !words
  %has_parent = arith.cmpi sge, %parent, %zero : i32
  scf.if %has_parent {
    %at = arith.index_cast %parent : i32 to index
    %k = memref.load %numbers[%u] : !words
    %parent_node = memref.load %user_to_node[%at] : !words
    %a = arith.index_cast %parent_node : i32 to index
    %first = memref.load %child_offsets[%a] : !words
    %edge = arith.addi %first, %k : i32
    %e = arith.index_cast %edge : i32 to index
    %node = memref.load %user_to_node[%u] : !words
    memref.store %node, %child_nodes[%e] : !words
    memref.store %parent_node, %edge_parents[%e] : !words
    %user_first = memref.load %firsts[%at] : !words
    %user_edge = arith.addi %user_first, %k : i32
    memref.store %user_edge, %edge_to_user[%e] : !words
    %n = arith.index_cast %node : i32 to index
    %link = memref.load %parent_offsets[%n] : !words
    %l = arith.index_cast %link : i32 to index
    memref.store %edge, %parent_edges[%l] : !words
  }
  return
}

/// The node of the root of segment s.
func.func @place_root(%s: index, %tops: !words, %user_to_node: !words, %roots: !words) {
  %top = memref.load %tops[%s] : !words
  %t = arith.index_cast %top : i32 to index
  %root = memref.load %user_to_node[%t] : !words
  memref.store %root, %roots[%s] : !words
  return
}

/// The most nodes and edges of a level of part p.
func.func @widest_of_part(%p: index, %parts: index, %levels: index, %level_nodes: !words,
    %child_offsets: !words, %sums: !words) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %size = arith.ceildivui %levels, %parts : index
  %from = arith.muli %p, %size : index
  %first = arith.minsi %from, %levels : index
  %behind = arith.addi %first, %size : index
  %end = arith.minsi %behind, %levels : index
  %most:2 = scf.for %l = %first to %end step %c1
      iter_args(%nodes = %zero, %edges = %zero) -> (i32, i32) {
    %next = arith.addi %l, %c1 : index
    %nb = memref.load %level_nodes[%l] : !words
    %ne = memref.load %level_nodes[%next] : !words
    %b = arith.index_cast %nb : i32 to index
    %e = arith.index_cast %ne : i32 to index
    %eb = memref.load %child_offsets[%b] : !words
    %ee = memref.load %child_offsets[%e] : !words
    %own_nodes = arith.subi %ne, %nb : i32
    %own_edges = arith.subi %ee, %eb : i32
    %n = arith.maxsi %nodes, %own_nodes : i32
    %m = arith.maxsi %edges, %own_edges : i32
    scf.yield %n, %m : i32, i32
  }
  %at = arith.muli %p, %c2 : index
  %at1 = arith.addi %at, %c1 : index
  memref.store %most#0, %sums[%at] : !words
  memref.store %most#1, %sums[%at1] : !words
  return
}

/// Of all parts, into %counts.
func.func @widest_of_all(%i: index, %parts: index, %sums: !words, %counts: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %most:2 = scf.for %p = %c0 to %parts step %c1
      iter_args(%nodes = %zero, %edges = %zero) -> (i32, i32) {
    %at = arith.muli %p, %c2 : index
    %at1 = arith.addi %at, %c1 : index
    %x = memref.load %sums[%at] : !words
    %y = memref.load %sums[%at1] : !words
    %n = arith.maxsi %nodes, %x : i32
    %m = arith.maxsi %edges, %y : i32
    scf.yield %n, %m : i32, i32
  }
  memref.store %most#0, %counts[%c4] : !words
  memref.store %most#1, %counts[%c5] : !words
  return
}
