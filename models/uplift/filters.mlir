// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which features tell where a treatment helps, each by itself.
//
// Z. Zhao, Y. Zhang, T. Harinen, M. Yung: Feature Selection Methods for Uplift Modeling. 2020,
// section 3.1.2: the bins of a feature, weighted by their people, and in each how different the
// outcomes of the treated and of the untreated are, less how different they are of all: by KL
// divergence, by squared Euclidean distance and by chi-squared. Where a bin has nobody of a kind, one
// is counted. An example is a set of people; features are given by the number of their bin.
nn.sizes {features = 12, bins = 10}

!is = tensor<?xi32>
!fs = tensor<?xf32>
!at = tensor<?x12xi32>
!xs = tensor<?x12xf32>
!h = tensor<4x12x10xf32>
!one = tensor<1x12x10xf32>
!g = tensor<12x10xf32>
!s = tensor<12xf32>

/// Between 1e-6 and 1 - 1e-6.
func.func private @within(%p: !g) -> !g {
  %low = arith.constant dense<1.0e-6> : !g
  %high = arith.constant dense<0.999999> : !g
  %a = arith.maximumf %p, %low : !g
  %b = arith.minimumf %a, %high : !g
  return %b : !g
}

/// p log(p / q) + (1 - p) log((1 - p) / (1 - q)); 2 (p - q)^2; (p - q)^2 / q + (p - q)^2 / (1 - q).
func.func private @differences(%p0: !g, %q0: !g) -> (!g, !g, !g) {
  %one = arith.constant dense<1.0> : !g
  %pr = arith.subf %one, %p0 : !g
  %qr = arith.subf %one, %q0 : !g
  %p = nn.call @within(%p0) : (!g) -> !g
  %q = nn.call @within(%q0) : (!g) -> !g
  %p1 = nn.call @within(%pr) : (!g) -> !g
  %q1 = nn.call @within(%qr) : (!g) -> !g
  %r = arith.divf %p, %q : !g
  %r1 = arith.divf %p1, %q1 : !g
  %log = math.log %r : !g
  %log1 = math.log %r1 : !g
  %a = arith.mulf %p, %log : !g
  %b = arith.mulf %p1, %log1 : !g
  %kl = arith.addf %a, %b : !g
  %d = arith.subf %p0, %q0 : !g
  %dd = arith.mulf %d, %d : !g
  %ed = arith.addf %dd, %dd : !g
  %c0 = arith.divf %dd, %q : !g
  %c1 = arith.divf %dd, %q1 : !g
  %chi = arith.addf %c0, %c1 : !g
  return %kl, %ed, %chi : !g, !g, !g
}

func.func private @count(%c: !one) -> !g {
  %y = nn.reshape %c : !one -> !g
  return %y : !g
}

/// The sum of all bins, in each of them.
func.func private @whole(%c: !g) -> !g {
  %s = nn.sum %c over 1 : !g
  %y = nn.broadcast %s dims [0] : !s -> !g
  return %y : !g
}

/// The sum over bins of part * (difference - difference of all); the parts have the sum 1.
func.func private @score(%part: !g, %bin: !g, %all: !g) -> !s {
  %d = arith.subf %bin, %all : !g
  %w = arith.mulf %part, %d : !g
  %y = nn.sum %w over 1 : !g
  return %y : !s
}

func.func @filter(%x: !xs {cambium.name = "x", cambium.rows = "people"},
                  %treated: !is {cambium.name = "treated", cambium.rows = "people"},
                  %outcome: !is {cambium.name = "outcome", cambium.rows = "people"})
    -> (!s {cambium.name = "kl"}, !s {cambium.name = "ed"}, !s {cambium.name = "chi"}) {
  %at = arith.fptosi %x : !xs to !at
  %zero = arith.subf %x, %x : !xs
  %ones = math.exp %zero : !xs
  %hot = nn.one_hot %at, %ones size 10 : !at, !xs
  %twice = arith.addi %treated, %treated : !is
  %kind = arith.addi %twice, %outcome : !is
  %found = nn.sum_by %hot, %kind over 0 size 4 : tensor<?x12x10xf32>, !is
  %least = arith.constant dense<1.0> : !h
  %h = arith.maximumf %found, %least : !h
  %a0, %a1, %a2, %a3 = nn.split %h over 0 sizes [1, 1, 1, 1] : !h
  %u0 = nn.call @count(%a0) : (!one) -> !g
  %u1 = nn.call @count(%a1) : (!one) -> !g
  %t0 = nn.call @count(%a2) : (!one) -> !g
  %t1 = nn.call @count(%a3) : (!one) -> !g
  %u = arith.addf %u0, %u1 : !g
  %t = arith.addf %t0, %t1 : !g
  %n = arith.addf %u, %t : !g
  %p = arith.divf %t1, %t : !g
  %q = arith.divf %u1, %u : !g
  %wu = nn.call @whole(%u) : (!g) -> !g
  %wt = nn.call @whole(%t) : (!g) -> !g
  %wu1 = nn.call @whole(%u1) : (!g) -> !g
  %wt1 = nn.call @whole(%t1) : (!g) -> !g
  %wp = arith.divf %wt1, %wt : !g
  %wq = arith.divf %wu1, %wu : !g
  %wn = nn.call @whole(%n) : (!g) -> !g
  %part = arith.divf %n, %wn : !g
  %kl, %ed, %chi = nn.call @differences(%p, %q) : (!g, !g) -> (!g, !g, !g)
  %akl, %aed, %achi = nn.call @differences(%wp, %wq) : (!g, !g) -> (!g, !g, !g)
  %s1 = nn.call @score(%part, %kl, %akl) : (!g, !g, !g) -> !s
  %s2 = nn.call @score(%part, %ed, %aed) : (!g, !g, !g) -> !s
  %s3 = nn.call @score(%part, %chi, %achi) : (!g, !g, !g) -> !s
  return %s1, %s2, %s3 : !s, !s, !s
}
