// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in the order of their keys, on GPUs: equal keys keep their order.
//
// Each function is what a thread does in one iteration, whose number is the first argument.
!words = memref<?xi32>

/// The place of number r among those of its run of so many.
func.func @order_run(%r: index, %count: index, %size: index, %keys: !words, %order: !words) {
  %c1 = arith.constant 1 : index
  %run = arith.divui %r, %size : index
  %first = arith.muli %run, %size : index
  %behind = arith.addi %first, %size : index
  %end = arith.minsi %behind, %count : index
  %key = memref.load %keys[%r] : !words
  %place = scf.for %j = %first to %end step %c1 iter_args(%at = %first) -> (index) {
    %other = memref.load %keys[%j] : !words
    %is_less = arith.cmpi slt, %other, %key : i32
    %is_equal = arith.cmpi eq, %other, %key : i32
    %is_earlier = arith.cmpi slt, %j, %r : index
    %stays = arith.andi %is_equal, %is_earlier : i1
    %is_before = arith.ori %is_less, %stays : i1
    %more = arith.index_castui %is_before : i1 to index
    %next = arith.addi %at, %more : index
    scf.yield %next : index
  }
  %number = arith.index_cast %r : index to i32
  memref.store %number, %order[%place] : !words
  return
}

/// Two runs of so many become one: number i of %from has its place behind those of its run before
/// it, and behind those of the other run that go before it, which a search counts.
func.func @merge_runs(%i: index, %count: index, %size: index, %keys: !words, %from: !words,
                      %to: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %run = arith.divui %i, %size : index
  %own = arith.muli %run, %size : index
  %half = arith.remui %run, %c2 : index
  %is_second = arith.cmpi ne, %half, %c0 : index
  %before = arith.subi %own, %size : index
  %behind = arith.addi %own, %size : index
  %start = arith.select %is_second, %before, %behind : index
  %first = arith.minsi %start, %count : index
  %all = arith.addi %first, %size : index
  %end = arith.minsi %all, %count : index
  %number = memref.load %from[%i] : !words
  %at = arith.index_cast %number : i32 to index
  %key = memref.load %keys[%at] : !words
  // Those before %low go before it; those from %high on do not.
  %found:2 = scf.while (%low = %first, %high = %end) : (index, index) -> (index, index) {
    %open = arith.cmpi slt, %low, %high : index
    scf.condition(%open) %low, %high : index, index
  } do {
  ^bb0(%low: index, %high: index):
    %both = arith.addi %low, %high : index
    %middle = arith.shrui %both, %c1 : index
    %other = memref.load %from[%middle] : !words
    %other_at = arith.index_cast %other : i32 to index
    %other_key = memref.load %keys[%other_at] : !words
    %is_less = arith.cmpi slt, %other_key, %key : i32
    %is_equal = arith.cmpi eq, %other_key, %key : i32
    // Equal ones of the first run go before those of the second one.
    %stays = arith.andi %is_equal, %is_second : i1
    %goes = arith.ori %is_less, %stays : i1
    %next = arith.addi %middle, %c1 : index
    %l = arith.select %goes, %next, %low : index
    %h = arith.select %goes, %high, %middle : index
    scf.yield %l, %h : index, index
  }
  %others = arith.subi %found#0, %first : index
  %skipped = arith.select %is_second, %size, %c0 : index
  %begin = arith.subi %i, %skipped : index
  %place = arith.addi %begin, %others : index
  memref.store %number, %to[%place] : !words
  return
}

/// Links number %order[i] to the next one with the same key, as @link_equal does.
func.func @link_ordered(%i: index, %count: index, %keys: !words, %order: !words, %next: !words,
                        %is_first: !words) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %number = memref.load %order[%i] : !words
  %at = arith.index_cast %number : i32 to index
  %key = memref.load %keys[%at] : !words
  // At an end it is its own neighbour, which does not count.
  %below = arith.subi %i, %c1 : index
  %before = arith.maxsi %below, %c0 : index
  %number_before = memref.load %order[%before] : !words
  %at_before = arith.index_cast %number_before : i32 to index
  %key_before = memref.load %keys[%at_before] : !words
  %begins = arith.cmpi eq, %i, %c0 : index
  %is_other = arith.cmpi ne, %key_before, %key : i32
  %first = arith.ori %begins, %is_other : i1
  %flag = arith.extui %first : i1 to i32
  memref.store %flag, %is_first[%at] : !words
  %above = arith.addi %i, %c1 : index
  %has_more = arith.cmpi slt, %above, %count : index
  %behind = arith.select %has_more, %above, %i : index
  %number_behind = memref.load %order[%behind] : !words
  %at_behind = arith.index_cast %number_behind : i32 to index
  %key_behind = memref.load %keys[%at_behind] : !words
  %is_equal = arith.cmpi eq, %key_behind, %key : i32
  %goes_on = arith.andi %has_more, %is_equal : i1
  %none = arith.index_cast %count : index to i32
  %link = arith.select %goes_on, %number_behind, %none : i32
  memref.store %link, %next[%at] : !words
  return
}
