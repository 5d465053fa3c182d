// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups, lists of rows, and the forests of iterations, on GPUs.
//
// Each function is what a thread does in one iteration, whose number is the first argument.
!words = memref<?xi32>

/// Segment s begins behind the ids, which ascend, that are below its first row.
func.func @group_rows(%s: index, %ids: !words, %count: index, %firsts: !words,
                      %offsets: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.load %firsts[%s] : !words
  // Those before %low are below; those from %high on are not.
  %found:2 = scf.while (%low = %c0, %high = %count) : (index, index) -> (index, index) {
    %open = arith.cmpi slt, %low, %high : index
    scf.condition(%open) %low, %high : index, index
  } do {
  ^bb0(%low: index, %high: index):
    %both = arith.addi %low, %high : index
    %middle = arith.shrui %both, %c1 : index
    %id = memref.load %ids[%middle] : !words
    %below = arith.cmpi slt, %id, %first : i32
    %next = arith.addi %middle, %c1 : index
    %l = arith.select %below, %next, %low : index
    %h = arith.select %below, %high, %middle : index
    scf.yield %l, %h : index, index
  }
  %word = arith.index_cast %found#0 : index to i32
  memref.store %word, %offsets[%s] : !words
  return
}

/// Links row r to the next one with the same key, behind the last one there is %count; and
/// says whether there is none before. Ends early where equal keys are near.
func.func @link_equal(%r: index, %count: index, %keys: !words, %next: !words,
                      %is_first: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %key = memref.load %keys[%r] : !words
  %before:2 = scf.while (%at = %r, %goes_on = %one) : (index, i32) -> (index, i32) {
    %is_inside = arith.cmpi sgt, %at, %c0 : index
    %is_other = arith.cmpi ne, %goes_on, %none : i32
    %more = arith.andi %is_inside, %is_other : i1
    scf.condition(%more) %at, %goes_on : index, i32
  } do {
  ^bb0(%at: index, %goes_on: i32):
    %j = arith.subi %at, %c1 : index
    %other = memref.load %keys[%j] : !words
    %is_other = arith.cmpi ne, %other, %key : i32
    %word = arith.extui %is_other : i1 to i32
    scf.yield %j, %word : index, i32
  }
  memref.store %before#1, %is_first[%r] : !words
  %from = arith.addi %r, %c1 : index
  %behind:2 = scf.while (%at = %from, %goes_on = %one) : (index, i32) -> (index, i32) {
    %is_inside = arith.cmpi slt, %at, %count : index
    %is_other = arith.cmpi ne, %goes_on, %none : i32
    %more = arith.andi %is_inside, %is_other : i1
    scf.condition(%more) %at, %goes_on : index, i32
  } do {
  ^bb0(%at: index, %goes_on: i32):
    %other = memref.load %keys[%at] : !words
    %is_other = arith.cmpi ne, %other, %key : i32
    %word = arith.extui %is_other : i1 to i32
    %after = arith.addi %at, %c1 : index
    %j = arith.select %is_other, %after, %at : index
    scf.yield %j, %word : index, i32
  }
  %link = arith.index_cast %behind#0 : index to i32
  memref.store %link, %next[%r] : !words
  return
}

/// Part c of so many parts: how many of its iterations are marked.
func.func @count_marks(%c: index, %count: index, %parts: index, %marks: !words,
                       %sums: !words) {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %each = arith.ceildivui %count, %parts : index
  %first = arith.muli %c, %each : index
  %behind = arith.addi %first, %each : index
  %end = arith.minsi %behind, %count : index
  %sum = scf.for %i = %first to %end step %c1 iter_args(%so_far = %none) -> (i32) {
    %mark = memref.load %marks[%i] : !words
    %more = arith.addi %so_far, %mark : i32
    scf.yield %more : i32
  }
  memref.store %sum, %sums[%c] : !words
  return
}

/// Lists the keys of the marked iterations of part c, in their order, behind those of the
/// parts before it and %before others; and flags them. The last part knows how many there are.
func.func @list_marks(%c: index, %count: index, %parts: index, %marks: !words,
    %sums: !words, %before: index, %keys: !words, %list: !words, %flags: memref<?xi8>,
    %total: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %set = arith.constant 1 : i8
  %old = arith.index_cast %before : index to i32
  %begin = scf.for %d = %c0 to %c step %c1 iter_args(%so_far = %old) -> (i32) {
    %sum = memref.load %sums[%d] : !words
    %more = arith.addi %so_far, %sum : i32
    scf.yield %more : i32
  }
  %each = arith.ceildivui %count, %parts : index
  %first = arith.muli %c, %each : index
  %behind = arith.addi %first, %each : index
  %end = arith.minsi %behind, %count : index
  %all = scf.for %i = %first to %end step %c1 iter_args(%at = %begin) -> (i32) {
    %mark = memref.load %marks[%i] : !words
    %is_marked = arith.cmpi ne, %mark, %none : i32
    scf.if %is_marked {
      %key = memref.load %keys[%i] : !words
      %place = arith.index_cast %at : i32 to index
      %row = arith.index_cast %key : i32 to index
      memref.store %key, %list[%place] : !words
      memref.store %set, %flags[%row] : memref<?xi8>
    }
    %next = arith.addi %at, %mark : i32
    scf.yield %next : i32
  }
  %following = arith.addi %c, %c1 : index
  %is_last = arith.cmpi eq, %following, %parts : index
  scf.if %is_last {
    memref.store %all, %total[%c0] : !words
  }
  return
}

/// Puts the words of %from that are marked, of part c, into %to, behind those of the parts
/// before it. The last part knows how many there are.
func.func @keep_marks(%c: index, %count: index, %parts: index, %marks: !words,
    %sums: !words, %from: !words, %to: !words, %total: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %begin = scf.for %d = %c0 to %c step %c1 iter_args(%so_far = %none) -> (i32) {
    %sum = memref.load %sums[%d] : !words
    %more = arith.addi %so_far, %sum : i32
    scf.yield %more : i32
  }
  %each = arith.ceildivui %count, %parts : index
  %first = arith.muli %c, %each : index
  %behind = arith.addi %first, %each : index
  %end = arith.minsi %behind, %count : index
  %all = scf.for %i = %first to %end step %c1 iter_args(%at = %begin) -> (i32) {
    %mark = memref.load %marks[%i] : !words
    %is_marked = arith.cmpi ne, %mark, %none : i32
    scf.if %is_marked {
      %word = memref.load %from[%i] : !words
      %place = arith.index_cast %at : i32 to index
      memref.store %word, %to[%place] : !words
    }
    %next = arith.addi %at, %mark : i32
    scf.yield %next : i32
  }
  %following = arith.addi %c, %c1 : index
  %is_last = arith.cmpi eq, %following, %parts : index
  scf.if %is_last {
    memref.store %all, %total[%c0] : !words
  }
  return
}

/// Rows are divided into parts. How many rows of a part go through an iteration: that of number
/// x / %parts.
func.func @count_iterations(%x: index, %rows: index, %parts: index, %steps: !words,
                            %sums: !words) {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %l = arith.divui %x, %parts : index
  %c = arith.remui %x, %parts : index
  %level = arith.index_cast %l : index to i32
  %each = arith.ceildivui %rows, %parts : index
  %first = arith.muli %c, %each : index
  %behind = arith.addi %first, %each : index
  %end = arith.minsi %behind, %rows : index
  %n = scf.for %r = %first to %end step %c1 iter_args(%so_far = %none) -> (i32) {
    %s = memref.load %steps[%r] : !words
    %goes = arith.cmpi sge, %s, %level : i32
    %more = arith.extui %goes : i1 to i32
    %sum = arith.addi %so_far, %more : i32
    scf.yield %sum : i32
  }
  memref.store %n, %sums[%x] : !words
  return
}

/// How many rows go through iteration l. Its nodes will end there.
func.func @add_iterations(%l: index, %parts: index, %sums: !words, %level_nodes: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %first = arith.muli %l, %parts : index
  %n = scf.for %c = %c0 to %parts step %c1 iter_args(%so_far = %none) -> (i32) {
    %at = arith.addi %first, %c : index
    %sum = memref.load %sums[%at] : !words
    %more = arith.addi %so_far, %sum : i32
    scf.yield %more : i32
  }
  %next = arith.addi %l, %c1 : index
  memref.store %n, %level_nodes[%next] : !words
  return
}

/// The beginning of each of %most levels, and how many have nodes.
func.func @sum_iterations(%i: index, %most: index, %level_nodes: !words, %num_levels: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  memref.store %zero, %level_nodes[%c0] : !words
  %all:2 = scf.for %l = %c0 to %most step %c1
      iter_args(%end = %zero, %levels = %zero) -> (i32, i32) {
    %next = arith.addi %l, %c1 : index
    %n = memref.load %level_nodes[%next] : !words
    %any = arith.cmpi sgt, %n, %zero : i32
    %more = arith.extui %any : i1 to i32
    %e = arith.addi %end, %n : i32
    memref.store %e, %level_nodes[%next] : !words
    %ls = arith.addi %levels, %more : i32
    scf.yield %e, %ls : i32, i32
  }
  memref.store %all#1, %num_levels[%c0] : !words
  return
}

/// The nodes of a part of the rows in iteration x / %parts, in the order of rows. A node has the
/// one below it as its child; edges are in the order of their parents and of their children.
func.func @place_iterations(%x: index, %rows: index, %parts: index, %steps: !words,
    %sums: !words, %most: index, %level_nodes: !words, %child_offsets: !words, %child_nodes: !words,
    %edge_parents: !words, %parent_offsets: !words, %parent_edges: !words,
    %node_to_user: !words, %user_to_node: !words, %edge_to_user: !words, %roots: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %l = arith.divui %x, %parts : index
  %c = arith.remui %x, %parts : index
  %each = arith.ceildivui %rows, %parts : index
  %from = arith.muli %c, %each : index
  %behind = arith.addi %from, %each : index
  %to = arith.minsi %behind, %rows : index
  %leaves = arith.index_cast %rows : index to i32
  %level = arith.index_cast %l : index to i32
  %level_below = arith.subi %level, %one : i32
  %first = arith.cmpi eq, %l, %c0 : index
  %at_below = arith.subi %l, %c1 : index
  %before = arith.select %first, %c0, %at_below : index
  %at_above = arith.addi %l, %c1 : index
  // Behind the parts before; above the last iteration there is none.
  %is_below_last = arith.cmpi slt, %at_above, %most : index
  %above_it = arith.select %is_below_last, %at_above, %l : index
  %sums_here = arith.muli %l, %parts : index
  %sums_below = arith.muli %before, %parts : index
  %sums_above = arith.muli %above_it, %parts : index
  %begin_here = memref.load %level_nodes[%l] : !words
  %begin_below = memref.load %level_nodes[%before] : !words
  %begin_above = memref.load %level_nodes[%at_above] : !words
  %node0, %below0, %above0 = scf.for %d = %c0 to %c step %c1
      iter_args(%h = %begin_here, %b = %begin_below, %a = %begin_above) -> (i32, i32, i32) {
    %at_h = arith.addi %sums_here, %d : index
    %at_b = arith.addi %sums_below, %d : index
    %at_a = arith.addi %sums_above, %d : index
    %sum_h = memref.load %sums[%at_h] : !words
    %sum_b = memref.load %sums[%at_b] : !words
    %sum_of_a = memref.load %sums[%at_a] : !words
    %sum_a = arith.select %is_below_last, %sum_of_a, %zero : i32
    %more_h = arith.addi %h, %sum_h : i32
    %more_b = arith.addi %b, %sum_b : i32
    %more_a = arith.addi %a, %sum_a : i32
    scf.yield %more_h, %more_b, %more_a : i32, i32, i32
  }
  scf.for %r = %from to %to step %c1
      iter_args(%node = %node0, %below = %below0, %above = %above0) -> (i32, i32, i32) {
    %s = memref.load %steps[%r] : !words
    %is_here = arith.cmpi sge, %s, %level : i32
    %is_below = arith.cmpi sge, %s, %level_below : i32
    %is_above = arith.cmpi sgt, %s, %level : i32
    scf.if %is_here {
      %n = arith.index_cast %node : i32 to index
      %row = arith.index_cast %r : index to i32
      memref.store %row, %node_to_user[%n] : !words
      %edge_above = arith.subi %above, %leaves : i32
      memref.store %edge_above, %parent_offsets[%n] : !words
      scf.if %first {
        memref.store %zero, %child_offsets[%n] : !words
      } else {
        %edge = arith.subi %node, %leaves : i32
        %e = arith.index_cast %edge : i32 to index
        memref.store %edge, %child_offsets[%n] : !words
        memref.store %below, %child_nodes[%e] : !words
        memref.store %node, %edge_parents[%e] : !words
        memref.store %edge, %edge_to_user[%e] : !words
        memref.store %edge, %parent_edges[%e] : !words
        memref.store %zero, %user_to_node[%n] : !words
      }
      %is_last = arith.cmpi eq, %s, %level : i32
      scf.if %is_last {
        memref.store %node, %roots[%r] : !words
        memref.store %node, %user_to_node[%r] : !words
      }
    }
    %here = arith.extui %is_here : i1 to i32
    %was = arith.extui %is_below : i1 to i32
    %goes = arith.extui %is_above : i1 to i32
    %next = arith.addi %node, %here : i32
    %next_below = arith.addi %below, %was : i32
    %next_above = arith.addi %above, %goes : i32
    scf.yield %next, %next_below, %next_above : i32, i32, i32
  }
  %is_first = arith.cmpi eq, %x, %c0 : index
  scf.if %is_first {
    %end = memref.load %level_nodes[%most] : !words
    %n = arith.index_cast %end : i32 to index
    %edges = arith.subi %end, %leaves : i32
    memref.store %edges, %child_offsets[%n] : !words
    memref.store %edges, %parent_offsets[%n] : !words
  }
  return
}
