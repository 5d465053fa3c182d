// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An uplift tree grows: who is treated, and what comes of it, tell where the treatment helps.
//
// P. Rzepakowski, S. Jaroszewicz: Decision trees for uplift modeling with single and multiple
// treatments. Knowledge and Information Systems 32, 2012 (KL criterion, with its normalization), as
// in Z. Zhao, Y. Zhang, T. Harinen, M. Yung: Feature Selection Methods for Uplift Modeling, 2020. An
// example is a tree: its rows are people, who count as often as they were drawn. A row has features
// by the number of their bin, and is at a node; node n has the nodes 2 n + 1 and 2 n + 2 below it. In
// each iteration a level of nodes splits, by the histograms of their people, and people move down.
// @grow: of each node the place (feature * bins + bin) of its split, up to which people go to the
// left, or -1, and treated less untreated share of outcomes. @filter: features by themselves.
nn.sizes {features = 12, bins = 10, nodes = 63, cells = 4 * nodes, places = features * bins, tried = 3}

#depth = #nn.given<"depth" = 5>

!f = tensor<f32>
!is = tensor<?xi32>
!fs = tensor<?xf32>
!flags = tensor<?xi1>
!at = tensor<?x12xi32>
!xs = tensor<?x12xf32>
!hot = tensor<?x12x10xf32>
!t = tensor<10x10xf32>
!h = tensor<252x12x10xf32>
!c = tensor<63x4x12x10xf32>
!c1 = tensor<63x1x12x10xf32>
!g = tensor<63x12x10xf32>
!end = tensor<63x12x1xf32>
!ends = tensor<63x12xf32>
!n = tensor<63xf32>
!n1 = tensor<63x1xf32>
!flat = tensor<63x120xf32>

/// A number everywhere.
func.func private @all(%x: !f) -> !g {
  %y = nn.broadcast %x dims [] : !f -> !g
  return %y : !g
}

/// Between 1e-6 and 1 - 1e-6.
func.func private @clamped(%p: !g) -> !g {
  %low = arith.constant dense<1.0e-6> : !g
  %high = arith.constant dense<0.999999> : !g
  %a = arith.maximumf %p, %low : !g
  %b = arith.minimumf %a, %high : !g
  return %b : !g
}

/// p log(p / q) + (1 - p) log((1 - p) / (1 - q)). What is left of 1 is clamped by itself: behind the
/// clamped p there are not enough digits for it.
func.func private @divergence(%p0: !g, %q0: !g) -> !g {
  %one = arith.constant dense<1.0> : !g
  %p = nn.call @clamped(%p0) : (!g) -> !g
  %q = nn.call @clamped(%q0) : (!g) -> !g
  %r = arith.divf %p, %q : !g
  %log = math.log %r : !g
  %a = arith.mulf %p, %log : !g
  %p2 = arith.subf %one, %p0 : !g
  %q2 = arith.subf %one, %q0 : !g
  %p1 = nn.call @clamped(%p2) : (!g) -> !g
  %q1 = nn.call @clamped(%q2) : (!g) -> !g
  %r1 = arith.divf %p1, %q1 : !g
  %log1 = math.log %r1 : !g
  %b = arith.mulf %p1, %log1 : !g
  %y = arith.addf %a, %b : !g
  return %y : !g
}

/// -p log p - (1 - p) log(1 - p).
func.func private @entropy(%p0: !g) -> !g {
  %one = arith.constant dense<1.0> : !g
  %p = nn.call @clamped(%p0) : (!g) -> !g
  %p2 = arith.subf %one, %p0 : !g
  %p1 = nn.call @clamped(%p2) : (!g) -> !g
  %log = math.log %p : !g
  %log1 = math.log %p1 : !g
  %a = arith.mulf %p, %log : !g
  %b = arith.mulf %p1, %log1 : !g
  %s = arith.addf %a, %b : !g
  %y = arith.negf %s : !g
  return %y : !g
}

/// a / b, or 0 where b is 0.
func.func private @share(%a: !g, %b: !g) -> !g {
  %one = arith.constant dense<1.0> : !g
  %below = arith.maximumf %b, %one : !g
  %y = arith.divf %a, %below : !g
  return %y : !g
}

/// One of the four counts: untreated without and with an outcome, treated without and with.
func.func private @count(%c: !c1) -> !g {
  %y = nn.reshape %c : !c1 -> !g
  return %y : !g
}

/// What a node has in all bins: the last of its sums.
func.func private @whole(%c: !g) -> !g {
  %last, %first = nn.call @ends(%c) : (!g) -> (!ends, !ends)
  %y = nn.broadcast %last dims [0, 1] : !ends -> !g
  return %y : !g
}

/// The sums up to the last and to the first bin.
func.func private @ends(%c: !g) -> (!ends, !ends) {
  %last = nn.max %c over 2 : !g
  %none = arith.negf %c : !g
  %m = nn.max %none over 2 : !g
  %first = arith.negf %m : !ends
  return %last, %first : !ends, !ends
}

/// How different a split makes treated and untreated people, of each node, feature and bin; at least
/// `leaf` people stay on either side, treated and untreated ones. Else minus infinity.
func.func private @gains(%c: !c, %leaf: !f) -> !g {
  %u0, %u1, %t0, %t1 = nn.split %c over 1 sizes [1, 1, 1, 1] : !c
  %lu0 = nn.call @count(%u0) : (!c1) -> !g
  %lu1 = nn.call @count(%u1) : (!c1) -> !g
  %lt0 = nn.call @count(%t0) : (!c1) -> !g
  %lt1 = nn.call @count(%t1) : (!c1) -> !g
  // Left, whole and right: untreated, treated, both; the shares of outcomes.
  %lu = arith.addf %lu0, %lu1 : !g
  %lt = arith.addf %lt0, %lt1 : !g
  %wu = nn.call @whole(%lu) : (!g) -> !g
  %wt = nn.call @whole(%lt) : (!g) -> !g
  %wu1 = nn.call @whole(%lu1) : (!g) -> !g
  %wt1 = nn.call @whole(%lt1) : (!g) -> !g
  %ru = arith.subf %wu, %lu : !g
  %rt = arith.subf %wt, %lt : !g
  %ru1 = arith.subf %wu1, %lu1 : !g
  %rt1 = arith.subf %wt1, %lt1 : !g
  %n = arith.addf %wu, %wt : !g
  %l = arith.addf %lu, %lt : !g
  %r = arith.addf %ru, %rt : !g
  %plu = nn.call @share(%lu1, %lu) : (!g, !g) -> !g
  %plt = nn.call @share(%lt1, %lt) : (!g, !g) -> !g
  %pru = nn.call @share(%ru1, %ru) : (!g, !g) -> !g
  %prt = nn.call @share(%rt1, %rt) : (!g, !g) -> !g
  %pu = nn.call @share(%wu1, %wu) : (!g, !g) -> !g
  %pt = nn.call @share(%wt1, %wt) : (!g, !g) -> !g
  // n_left / n D(left) + n_right / n D(right) - D(node)
  %dl = nn.call @divergence(%plt, %plu) : (!g, !g) -> !g
  %dr = nn.call @divergence(%prt, %pru) : (!g, !g) -> !g
  %d = nn.call @divergence(%pt, %pu) : (!g, !g) -> !g
  %sl = nn.call @share(%l, %n) : (!g, !g) -> !g
  %sr = nn.call @share(%r, %n) : (!g, !g) -> !g
  %al = arith.mulf %sl, %dl : !g
  %ar = arith.mulf %sr, %dr : !g
  %a = arith.addf %al, %ar : !g
  %gain = arith.subf %a, %d : !g
  // divided by H(n_T / n) D(P_T : P_C) + n_T / n H(P_T) + n_C / n H(P_C) + 1 / 2, where P_T and P_C
  // are the parts of the treated and of the untreated that go to the left
  %half = arith.constant dense<0.5> : !g
  %one = arith.constant dense<1.0> : !g
  %st = nn.call @share(%wt, %n) : (!g, !g) -> !g
  %su = arith.subf %one, %st : !g
  %qt = nn.call @share(%lt, %wt) : (!g, !g) -> !g
  %qu = nn.call @share(%lu, %wu) : (!g, !g) -> !g
  %h = nn.call @entropy(%st) : (!g) -> !g
  %ht = nn.call @entropy(%qt) : (!g) -> !g
  %hu = nn.call @entropy(%qu) : (!g) -> !g
  %dq = nn.call @divergence(%qt, %qu) : (!g, !g) -> !g
  %n1 = arith.mulf %h, %dq : !g
  %n2 = arith.mulf %st, %ht : !g
  %n3 = arith.mulf %su, %hu : !g
  %n4 = arith.addf %n1, %n2 : !g
  %n5 = arith.addf %n4, %n3 : !g
  %norm = arith.addf %n5, %half : !g
  %score = arith.divf %gain, %norm : !g
  // Nobody treated or untreated, or too few people, on a side.
  %least = nn.call @all(%leaf) : (!f) -> !g
  %m1 = arith.minimumf %lu, %lt : !g
  %m2 = arith.minimumf %ru, %rt : !g
  %m3 = arith.minimumf %m1, %m2 : !g
  %m4 = arith.minimumf %l, %r : !g
  %both = arith.cmpf oge, %m3, %one : !g
  %many = arith.cmpf oge, %m4, %least : !g
  %good = arith.andi %both, %many : tensor<63x12x10xi1>
  %never = arith.constant dense<0xFF800000> : !g
  %y = arith.select %good, %score, %never : tensor<63x12x10xi1>, !g
  return %y : !g
}

/// Minus infinity for all but `tried` features of each node, which are drawn.
func.func private @drawn(%gains: !g) -> !g {
  %u = nn.random uniform(0.0, 1.0) : !ends
  %top, %where = nn.top %u count 3 over 1 : !ends
  %none = arith.negf %top : tensor<63x3xf32>
  %m = nn.max %none over 1 : tensor<63x3xf32>
  %least = arith.negf %m : !n
  %leasts = nn.broadcast %least dims [0] : !n -> !ends
  %is = arith.cmpf oge, %u, %leasts : !ends
  %zero = arith.constant dense<0.0> : !ends
  %never = arith.constant dense<0xFF800000> : !ends
  %out = arith.select %is, %zero, %never : tensor<63x12xi1>, !ends
  %outs = nn.broadcast %out dims [0, 1] : !ends -> !g
  %y = arith.addf %gains, %outs : !g
  return %y : !g
}

/// 1 where the first bin is not behind the second: sums of histograms.
func.func private @triangle() -> !t {
  %same = arith.constant dense<0.0> : tensor<10xf32>
  %value, %i = nn.top %same count 10 over 0 : tensor<10xf32>
  %a = nn.broadcast %i dims [0] : tensor<10xi32> -> tensor<10x10xi32>
  %b = nn.broadcast %i dims [1] : tensor<10xi32> -> tensor<10x10xi32>
  %is = arith.cmpi sle, %a, %b : tensor<10x10xi32>
  %y = arith.uitofp %is : tensor<10x10xi1> to !t
  return %y : !t
}

/// Of each person a 1 in the bin of each feature, as often as the person counts.
func.func private @hot(%at: !at, %times: !fs) -> !hot {
  %ts = nn.broadcast %times dims [0] like %at : !fs, !at -> !xs
  %y = nn.one_hot %at, %ts size 10 : !at, !xs
  return %y : !hot
}

/// 2 treated + outcome.
func.func private @kind(%treated: !is, %outcome: !is) -> !is {
  %a = arith.addi %treated, %treated : !is
  %y = arith.addi %a, %outcome : !is
  return %y : !is
}

/// 4 node + kind: the cell of a person in all counts.
func.func private @cell(%node: !is, %kind: !is) -> !is {
  %two = arith.addi %node, %node : !is
  %four = arith.addi %two, %two : !is
  %y = arith.addi %four, %kind : !is
  return %y : !is
}

/// What the table has of the node of each person.
func.func private @of_node(%node: !is, %table: !n) -> !fs {
  %rows = nn.broadcast %table dims [1] like %node : !n, !is -> tensor<?x63xf32>
  %y = nn.pick %rows, %node : tensor<?x63xf32>, !is
  return %y : !fs
}

/// The node below one, by its split at a place: 2 n + 1 up to the bin, 2 n + 2 behind it.
func.func private @below(%node: !is, %place: !fs, %x: !xs) -> !is {
  %ones = arith.constant dense<1.0> : tensor<10xf32>
  %count = nn.sum %ones over 0 : tensor<10xf32>
  %counts = nn.broadcast %count dims [] like %place : !f, !fs -> !fs
  %bins = arith.fptosi %counts : !fs to !is
  %at = arith.fptosi %place : !fs to !is
  %feature = arith.divsi %at, %bins : !is
  %bin = arith.remsi %at, %bins : !is
  %limit = arith.sitofp %bin : !is to !fs
  %v = nn.pick %x, %feature : !xs, !is
  %behind = arith.cmpf ogt, %v, %limit : !fs
  %one = arith.divsi %bins, %bins : !is
  %two = arith.addi %one, %one : !is
  %side = arith.select %behind, %two, %one : !flags, !is
  %twice = arith.addi %node, %node : !is
  %y = arith.addi %twice, %side : !is
  return %y : !is
}

/// Of each node the share of outcomes of its treated people less that of its untreated ones.
func.func private @difference(%node: !is, %kind: !is, %times: !fs) -> !n {
  %cell = nn.call @cell(%node, %kind) : (!is, !is) -> !is
  %counts = nn.sum_by %times, %cell over 0 size 252 : !fs, !is
  %c = nn.reshape %counts : tensor<252xf32> -> tensor<63x4xf32>
  %u0, %u1, %t0, %t1 = nn.split %c over 1 sizes [1, 1, 1, 1] : tensor<63x4xf32>
  %one = arith.constant dense<1.0> : !n1
  %u = arith.addf %u0, %u1 : !n1
  %t = arith.addf %t0, %t1 : !n1
  %us = arith.maximumf %u, %one : !n1
  %ts = arith.maximumf %t, %one : !n1
  %pu = arith.divf %u1, %us : !n1
  %pt = arith.divf %t1, %ts : !n1
  %d = arith.subf %pt, %pu : !n1
  %y = nn.reshape %d : !n1 -> !n
  return %y : !n
}

func.func @grow(%x: !xs {cambium.name = "x", cambium.rows = "people"},
                %treated: !is {cambium.name = "treated", cambium.rows = "people"},
                %outcome: !is {cambium.name = "outcome", cambium.rows = "people"},
                %times: !fs {cambium.name = "times", cambium.rows = "people"},
                %leaf: !f {cambium.name = "leaf"})
    -> (!n {cambium.name = "place"}, !n {cambium.name = "value"}, !n {cambium.name = "gain"}) {
  %at = arith.fptosi %x : !xs to !at
  %hot = nn.call @hot(%at, %times) : (!at, !fs) -> !hot
  %kind = nn.call @kind(%treated, %outcome) : (!is, !is) -> !is
  %triangle = nn.call @triangle() : () -> !t
  %root = arith.subi %kind, %kind : !is
  %none = arith.sitofp %root : !is to !fs
  %live0 = math.exp %none : !fs
  %one = arith.fptosi %live0 : !fs to !is
  %out = arith.subi %root, %one : !is
  %leafs = arith.constant dense<-1.0> : !n
  %zero = arith.constant dense<0.0> : !n
  %node, %live, %place, %gain = depth.iterate #depth carried(
      %node = %root : !is, %live = %live0 : !fs, %place = %leafs : !n, %gain = %zero : !n) {
    // Histograms of those who have moved: of a node, a kind, a feature and a bin, then up to a bin.
    %cell = nn.call @cell(%node, %kind) : (!is, !is) -> !is
    %on = arith.cmpf ogt, %live, %none : !fs
    %id = arith.select %on, %cell, %out : !flags, !is
    %h = nn.sum_by %hot, %id over 0 size 252 : !hot, !is
    %sums = nn.linear %h, %triangle : !h, !t
    %c = nn.reshape %sums : !h -> !c
    %all = nn.call @gains(%c, %leaf) : (!c, !f) -> !g
    %some = nn.call @drawn(%all) : (!g) -> !g
    %flat = nn.reshape %some : !g -> !flat
    %best1, %where1 = nn.top %flat count 1 over 1 : !flat
    %best = nn.reshape %best1 : !n1 -> !n
    %where = nn.reshape %where1 : tensor<63x1xi32> -> tensor<63xi32>
    %wheres = arith.sitofp %where : tensor<63xi32> to !n
    %splits = arith.cmpf ogt, %best, %zero : !n
    %place1 = arith.select %splits, %wheres, %place : tensor<63xi1>, !n
    %gain1 = arith.select %splits, %best, %gain : tensor<63xi1>, !n
    %split = arith.uitofp %splits : tensor<63xi1> to !n
    // Those whose node splits move to the left or to the right below it.
    %moves = nn.call @of_node(%node, %split) : (!is, !n) -> !fs
    %to = nn.call @of_node(%node, %place1) : (!is, !n) -> !fs
    %next = nn.call @below(%node, %to, %x) : (!is, !fs, !xs) -> !is
    %go = arith.cmpf ogt, %moves, %none : !fs
    %node1 = arith.select %go, %next, %node : !flags, !is
    depth.yield %node1, %moves, %place1, %gain1 : !is, !fs, !n, !n
  }
  %value = nn.call @difference(%node, %kind, %times) : (!is, !is, !fs) -> !n
  return %place, %value, %gain : !n, !n, !n
}
