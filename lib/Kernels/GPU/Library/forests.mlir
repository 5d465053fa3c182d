// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains, and trees from parents, on GPUs.
//
// Each function is what a thread does in one iteration, whose number is the first argument.
!words = memref<?xi32>

/// The parents, within segment s, of its rows as a chain.
func.func @link_chain(%s: index, %offsets: !words, %reversed: i1, %parents: !words) {
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : i32
  %next = arith.addi %s, %c1 : index
  %b = memref.load %offsets[%s] : !words
  %e = memref.load %offsets[%next] : !words
  %begin = arith.index_cast %b : i32 to index
  %end = arith.index_cast %e : i32 to index
  %count = arith.subi %e, %b : i32
  %one = arith.constant 1 : i32
  scf.for %r = %begin to %end step %c1 {
    %row = arith.index_cast %r : index to i32
    %within = arith.subi %row, %b : i32
    %behind = arith.addi %within, %one : i32
    %before = arith.subi %within, %one : i32
    %is_last = arith.cmpi eq, %behind, %count : i32
    %forward = arith.select %is_last, %none, %behind : i32
    %parent = arith.select %reversed, %before, %forward : i32
    memref.store %parent, %parents[%r] : !words
  }
  return
}

/// The heights of the nodes of segment s and how many children they have, its
/// root, and what is wrong with it: a code and a row. A node is taken when its
/// last child is.
func.func @measure_tree(%s: index, %offsets: !words, %parents: !words, %arity: i32,
    %heights: !words, %children: !words, %pending: !words, %queue: !words,
    %roots: !words, %errors: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %good = arith.constant 0 : i32
  %empty = arith.constant 1 : i32
  %outside = arith.constant 2 : i32
  %cycle = arith.constant 3 : i32
  %wide = arith.constant 4 : i32
  %several = arith.constant 5 : i32
  %next = arith.addi %s, %c1 : index
  %b = memref.load %offsets[%s] : !words
  %e = memref.load %offsets[%next] : !words
  %count = arith.subi %e, %b : i32
  %begin = arith.index_cast %b : i32 to index
  %end = arith.index_cast %e : i32 to index
  %is_empty = arith.cmpi sle, %count, %zero : i32
  %start = arith.select %is_empty, %empty, %good : i32
  %checked:2 = scf.for %r = %begin to %end step %c1
      iter_args(%code = %start, %row = %b) -> (i32, i32) {
    memref.store %zero, %heights[%r] : !words
    memref.store %zero, %children[%r] : !words
    %p = memref.load %parents[%r] : !words
    %low = arith.cmpi slt, %p, %none : i32
    %high = arith.cmpi sge, %p, %count : i32
    %bad = arith.ori %low, %high : i1
    %was_good = arith.cmpi eq, %code, %good : i32
    %new = arith.andi %bad, %was_good : i1
    %here = arith.index_cast %r : index to i32
    %c = arith.select %new, %outside, %code : i32
    %w = arith.select %new, %here, %row : i32
    scf.yield %c, %w : i32, i32
  }
  %can_count = arith.cmpi eq, %checked#0, %good : i32
  %result:2 = scf.if %can_count -> (i32, i32) {
    // Children; the first root, and another one if there is any.
    %root:2 = scf.for %r = %begin to %end step %c1
        iter_args(%first = %none, %second = %none) -> (i32, i32) {
      %p = memref.load %parents[%r] : !words
      %here = arith.index_cast %r : index to i32
      %is_root = arith.cmpi slt, %p, %zero : i32
      %f, %g = scf.if %is_root -> (i32, i32) {
        %is_first = arith.cmpi slt, %first, %zero : i32
        %f = arith.select %is_first, %here, %first : i32
        %g = arith.select %is_first, %second, %here : i32
        scf.yield %f, %g : i32, i32
      } else {
        %at = arith.addi %b, %p : i32
        %parent = arith.index_cast %at : i32 to index
        %n = memref.load %children[%parent] : !words
        %m = arith.addi %n, %one : i32
        memref.store %m, %children[%parent] : !words
        scf.yield %first, %second : i32, i32
      }
      scf.yield %f, %g : i32, i32
    }
    memref.store %root#0, %roots[%s] : !words
    // Leaves first; the widest node.
    %leaves:2 = scf.for %r = %begin to %end step %c1
        iter_args(%tail = %begin, %widest = %none) -> (index, i32) {
      %n = memref.load %children[%r] : !words
      memref.store %n, %pending[%r] : !words
      %here = arith.index_cast %r : index to i32
      %is_leaf = arith.cmpi eq, %n, %zero : i32
      scf.if %is_leaf {
        memref.store %here, %queue[%tail] : !words
      }
      %behind = arith.addi %tail, %c1 : index
      %t = arith.select %is_leaf, %behind, %tail : index
      %too_wide = arith.cmpi ugt, %n, %arity : i32
      %w = arith.select %too_wide, %here, %widest : i32
      scf.yield %t, %w : index, i32
    }
    %taken:2 = scf.while (%head = %begin, %tail = %leaves#0) : (index, index) -> (index, index) {
      %open = arith.cmpi slt, %head, %tail : index
      scf.condition(%open) %head, %tail : index, index
    } do {
    ^bb0(%head: index, %tail: index):
      %node = memref.load %queue[%head] : !words
      %n = arith.index_cast %node : i32 to index
      %p = memref.load %parents[%n] : !words
      %has_parent = arith.cmpi sge, %p, %zero : i32
      %t = scf.if %has_parent -> (index) {
        %at = arith.addi %b, %p : i32
        %parent = arith.index_cast %at : i32 to index
        %h = memref.load %heights[%n] : !words
        %above = arith.addi %h, %one : i32
        %old = memref.load %heights[%parent] : !words
        %height = arith.maxsi %old, %above : i32
        memref.store %height, %heights[%parent] : !words
        %m = memref.load %pending[%parent] : !words
        %left = arith.subi %m, %one : i32
        memref.store %left, %pending[%parent] : !words
        %is_ready = arith.cmpi eq, %left, %zero : i32
        scf.if %is_ready {
          memref.store %at, %queue[%tail] : !words
        }
        %behind = arith.addi %tail, %c1 : index
        %t = arith.select %is_ready, %behind, %tail : index
        scf.yield %t : index
      } else {
        scf.yield %tail : index
      }
      %after = arith.addi %head, %c1 : index
      scf.yield %after, %t : index, index
    }
    %misses = arith.cmpi slt, %taken#0, %end : index
    %too_wide = arith.cmpi sge, %leaves#1, %zero : i32
    %too_many = arith.cmpi sge, %root#1, %zero : i32
    %c5 = arith.select %too_many, %several, %good : i32
    %r5 = arith.select %too_many, %root#1, %b : i32
    %c4 = arith.select %too_wide, %wide, %c5 : i32
    %r4 = arith.select %too_wide, %leaves#1, %r5 : i32
    %c3 = arith.select %misses, %cycle, %c4 : i32
    %r3 = arith.select %misses, %b, %r4 : i32
    scf.yield %c3, %r3 : i32, i32
  } else {
    scf.yield %checked#0, %checked#1 : i32, i32
  }
  %code_at = arith.muli %s, %c2 : index
  %row_at = arith.addi %code_at, %c1 : index
  memref.store %result#0, %errors[%code_at] : !words
  memref.store %result#1, %errors[%row_at] : !words
  return
}

/// Into %counts: the first error and its row; if there is none, the numbers of
/// edges and levels, and the most nodes and edges of a level.
func.func @count_trees(%i: index, %segments: index, %rows: index, %errors: !words,
    %heights: !words, %children: !words, %level_nodes: !words, %counts: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %error:2 = scf.for %s = %c0 to %segments step %c1
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
  memref.store %error#0, %counts[%c0] : !words
  memref.store %error#1, %counts[%c1] : !words
  %is_good = arith.cmpi eq, %error#0, %zero : i32
  scf.if %is_good {
    scf.for %l = %c0 to %rows step %c1 {
      memref.store %zero, %level_nodes[%l] : !words
    }
    memref.store %zero, %level_nodes[%rows] : !words
    %all:2 = scf.for %u = %c0 to %rows step %c1
        iter_args(%edges = %zero, %levels = %zero) -> (i32, i32) {
      %h = memref.load %heights[%u] : !words
      %behind = arith.addi %h, %one : i32
      %at = arith.index_cast %behind : i32 to index
      %n = memref.load %level_nodes[%at] : !words
      %m = arith.addi %n, %one : i32
      memref.store %m, %level_nodes[%at] : !words
      %k = memref.load %children[%u] : !words
      %e = arith.addi %edges, %k : i32
      %top = arith.maxsi %levels, %behind : i32
      scf.yield %e, %top : i32, i32
    }
    %levels = arith.index_cast %all#1 : i32 to index
    %most = scf.for %l = %c0 to %levels step %c1 iter_args(%most = %zero) -> (i32) {
      %next = arith.addi %l, %c1 : index
      %begin = memref.load %level_nodes[%l] : !words
      %n = memref.load %level_nodes[%next] : !words
      %end = arith.addi %begin, %n : i32
      memref.store %end, %level_nodes[%next] : !words
      %m = arith.maxsi %most, %n : i32
      scf.yield %m : i32
    }
    memref.store %all#0, %counts[%c2] : !words
    memref.store %all#1, %counts[%c3] : !words
    memref.store %most, %counts[%c4] : !words
    memref.store %all#0, %counts[%c5] : !words
  }
  return
}

/// All arrays: nodes by height, those of a level in the order of rows; the
/// children of a node in the order of rows.
func.func @order_trees(%i: index, %segments: index, %rows: index, %offsets: !words,
    %parents: !words, %heights: !words, %children: !words, %seen: !words, %starts: !words,
    %tops: !words, %levels: index, %level_nodes: !words, %child_offsets: !words,
    %child_nodes: !words, %edge_parents: !words, %parent_offsets: !words,
    %parent_edges: !words, %node_to_user: !words, %user_to_node: !words,
    %edge_to_user: !words, %roots: !words, %counts: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %l = %c0 to %levels step %c1 {
    %begin = memref.load %level_nodes[%l] : !words
    memref.store %begin, %starts[%l] : !words
  }
  scf.for %u = %c0 to %rows step %c1 {
    %h = memref.load %heights[%u] : !words
    %l = arith.index_cast %h : i32 to index
    %node = memref.load %starts[%l] : !words
    %after = arith.addi %node, %one : i32
    memref.store %after, %starts[%l] : !words
    memref.store %node, %user_to_node[%u] : !words
    %n = arith.index_cast %node : i32 to index
    %row = arith.index_cast %u : index to i32
    memref.store %row, %node_to_user[%n] : !words
    memref.store %zero, %seen[%u] : !words
  }
  // The first edge of each node, in the order of nodes and of rows.
  %edges:2 = scf.for %n = %c0 to %rows step %c1
      iter_args(%edge = %zero, %user_edge = %zero) -> (i32, i32) {
    %row = memref.load %node_to_user[%n] : !words
    %u = arith.index_cast %row : i32 to index
    memref.store %edge, %child_offsets[%n] : !words
    %k = memref.load %children[%u] : !words
    %next = arith.addi %edge, %k : i32
    memref.store %user_edge, %starts[%n] : !words
    %user_k = memref.load %children[%n] : !words
    %next_user = arith.addi %user_edge, %user_k : i32
    scf.yield %next, %next_user : i32, i32
  }
  memref.store %edges#0, %child_offsets[%rows] : !words
  scf.for %s = %c0 to %segments step %c1 {
    %behind = arith.addi %s, %c1 : index
    %b = memref.load %offsets[%s] : !words
    %e = memref.load %offsets[%behind] : !words
    %begin = arith.index_cast %b : i32 to index
    %end = arith.index_cast %e : i32 to index
    %top = memref.load %tops[%s] : !words
    %t = arith.index_cast %top : i32 to index
    %root = memref.load %user_to_node[%t] : !words
    memref.store %root, %roots[%s] : !words
    scf.for %u = %begin to %end step %c1 {
      %p = memref.load %parents[%u] : !words
      %has_parent = arith.cmpi sge, %p, %zero : i32
      scf.if %has_parent {
        %at = arith.addi %b, %p : i32
        %parent = arith.index_cast %at : i32 to index
        %k = memref.load %seen[%parent] : !words
        %after = arith.addi %k, %one : i32
        memref.store %after, %seen[%parent] : !words
        %above = memref.load %user_to_node[%parent] : !words
        %a = arith.index_cast %above : i32 to index
        %first = memref.load %child_offsets[%a] : !words
        %edge = arith.addi %first, %k : i32
        %ed = arith.index_cast %edge : i32 to index
        %node = memref.load %user_to_node[%u] : !words
        memref.store %node, %child_nodes[%ed] : !words
        memref.store %above, %edge_parents[%ed] : !words
        %user_first = memref.load %starts[%parent] : !words
        %user_edge = arith.addi %user_first, %k : i32
        memref.store %user_edge, %edge_to_user[%ed] : !words
        // The parents of node n stand there until all edges are known.
        %n = arith.index_cast %node : i32 to index
        memref.store %edge, %heights[%n] : !words
      }
    }
  }
  %links = scf.for %n = %c0 to %rows step %c1 iter_args(%link = %zero) -> (i32) {
    memref.store %link, %parent_offsets[%n] : !words
    %row = memref.load %node_to_user[%n] : !words
    %u = arith.index_cast %row : i32 to index
    %p = memref.load %parents[%u] : !words
    %has_parent = arith.cmpi sge, %p, %zero : i32
    %next = scf.if %has_parent -> (i32) {
      %edge = memref.load %heights[%n] : !words
      %at = arith.index_cast %link : i32 to index
      memref.store %edge, %parent_edges[%at] : !words
      %next = arith.addi %link, %one : i32
      scf.yield %next : i32
    } else {
      scf.yield %link : i32
    }
    scf.yield %next : i32
  }
  memref.store %links, %parent_offsets[%rows] : !words
  %most = scf.for %l = %c0 to %levels step %c1 iter_args(%most = %zero) -> (i32) {
    %next = arith.addi %l, %c1 : index
    %nb = memref.load %level_nodes[%l] : !words
    %ne = memref.load %level_nodes[%next] : !words
    %begin = arith.index_cast %nb : i32 to index
    %end = arith.index_cast %ne : i32 to index
    %eb = memref.load %child_offsets[%begin] : !words
    %ee = memref.load %child_offsets[%end] : !words
    %n = arith.subi %ee, %eb : i32
    %m = arith.maxsi %most, %n : i32
    scf.yield %m : i32
  }
  memref.store %most, %counts[%c5] : !words
  return
}
