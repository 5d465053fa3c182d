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

/// The heights of the nodes of segment s and how many children they have, the rows of their
/// parents, their numbers among the children of these, its root, and what is wrong with it: a
/// code and a row. A node is taken when its last child is.
func.func @measure_tree(%s: index, %offsets: !words, %parents: !words, %arity: i32,
    %heights: !words, %children: !words, %parent_rows: !words, %numbers: !words, %pending: !words,
    %queue: !words, %roots: !words, %errors: !words) {
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
        memref.store %none, %parent_rows[%r] : !words
        scf.yield %f, %g : i32, i32
      } else {
        %at = arith.addi %b, %p : i32
        %parent = arith.index_cast %at : i32 to index
        %n = memref.load %children[%parent] : !words
        %m = arith.addi %n, %one : i32
        memref.store %m, %children[%parent] : !words
        memref.store %at, %parent_rows[%r] : !words
        memref.store %n, %numbers[%r] : !words
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
