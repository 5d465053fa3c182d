// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which features tell where a treatment helps, each by a regression with and without their product.
//
// Z. Zhao, Y. Zhang, T. Harinen, M. Yung: Feature Selection Methods for Uplift Modeling. 2020,
// section 3.1.1. F filter: y = a + b t + c x + d t x by least squares, and the F statistic of d = 0.
// LR filter: the same of log odds, and twice what d adds to the logarithm of the likelihood. With the
// product there is a line of its own for the treated and for the untreated; without it the two lines
// have one slope. So the equations of both have closed forms. An example is a set of people.
nn.sizes {features = 12, kinds = 2}

#newton = #nn.given<"newton" = 10>

!f = tensor<f32>
!is = tensor<?xi32>
!fs = tensor<?xf32>
!xs = tensor<?x12xf32>
!g = tensor<2x12xf32>
!row = tensor<1x12xf32>
!s = tensor<12xf32>

/// The sum over the untreated, and over the treated.
func.func private @sums(%v: !xs, %treated: !is) -> !g {
  %y = nn.sum_by %v, %treated over 0 size 2 : !xs, !is
  return %y : !g
}

/// The sums, by how many people there are (by 1 where nobody is).
func.func private @means(%v: !xs, %treated: !is, %count: !g) -> !g {
  %sum = nn.call @sums(%v, %treated) : (!xs, !is) -> !g
  %y = arith.divf %sum, %count : !g
  return %y : !g
}

func.func private @halves(%v: !g) -> (!s, !s) {
  %a, %b = nn.split %v over 0 sizes [1, 1] : !g
  %u = nn.reshape %a : !row -> !s
  %t = nn.reshape %b : !row -> !s
  return %u, %t : !s, !s
}

/// Of each person what its kind has.
func.func private @of_kind(%v: !g, %t: !fs, %x: !xs) -> !xs {
  %u, %w = nn.call @halves(%v) : (!g) -> (!s, !s)
  %us = nn.broadcast %u dims [1] like %x : !s, !xs -> !xs
  %d = arith.subf %w, %u : !s
  %ds = nn.broadcast %d dims [1] like %x : !s, !xs -> !xs
  %ts = nn.broadcast %t dims [0] like %x : !fs, !xs -> !xs
  %dt = arith.mulf %ds, %ts : !xs
  %y = arith.addf %us, %dt : !xs
  return %y : !xs
}

/// The sum of both kinds, in each of them.
func.func private @both(%v: !g) -> !g {
  %sum = nn.sum %v over 0 : !g
  %y = nn.broadcast %sum dims [1] : !s -> !g
  return %y : !g
}

func.func private @at_least(%v: !g, %least: !f) -> !g {
  %l = nn.broadcast %least dims [] : !f -> !g
  %y = arith.maximumf %v, %l : !g
  return %y : !g
}

/// The features with the mean 0 and the deviation 1, which changes neither statistic.
func.func private @standard(%x: !xs) -> !xs {
  %least = arith.constant dense<1.0e-12> : !s
  %mean = nn.mean %x over 0 : !xs
  %means = nn.broadcast %mean dims [1] like %x : !s, !xs -> !xs
  %d = arith.subf %x, %means : !xs
  %dd = arith.mulf %d, %d : !xs
  %variance = nn.mean %dd over 0 : !xs
  %some = arith.maximumf %variance, %least : !s
  %one = math.rsqrt %some : !s
  %ones = nn.broadcast %one dims [1] like %x : !s, !xs -> !xs
  %y = arith.mulf %d, %ones : !xs
  return %y : !xs
}

/// (d_1 - d_0)^2 (n - 4) / (R (1 / S_1 + 1 / S_0)) of slopes d, sums S of squares of x around its
/// means, and the sum R of squares of what the lines leave.
func.func private @f_statistic(%x: !xs, %y: !xs, %t: !fs, %treated: !is, %count: !g) -> !s {
  %tiny = arith.constant dense<1.0e-12> : !f
  %one = arith.constant dense<1.0> : !g
  %least = arith.constant dense<1.0e-12> : !s
  %four = arith.constant dense<4.0> : !s
  %mx = nn.call @means(%x, %treated, %count) : (!xs, !is, !g) -> !g
  %my = nn.call @means(%y, %treated, %count) : (!xs, !is, !g) -> !g
  %mxs = nn.call @of_kind(%mx, %t, %x) : (!g, !fs, !xs) -> !xs
  %mys = nn.call @of_kind(%my, %t, %x) : (!g, !fs, !xs) -> !xs
  %dx = arith.subf %x, %mxs : !xs
  %dy = arith.subf %y, %mys : !xs
  %dxx = arith.mulf %dx, %dx : !xs
  %dxy = arith.mulf %dx, %dy : !xs
  %sxx0 = nn.call @sums(%dxx, %treated) : (!xs, !is) -> !g
  %sxx = nn.call @at_least(%sxx0, %tiny) : (!g, !f) -> !g
  %sxy = nn.call @sums(%dxy, %treated) : (!xs, !is) -> !g
  %slope = arith.divf %sxy, %sxx : !g
  %slopes = nn.call @of_kind(%slope, %t, %x) : (!g, !fs, !xs) -> !xs
  %line = arith.mulf %slopes, %dx : !xs
  %left = arith.subf %dy, %line : !xs
  %squares = arith.mulf %left, %left : !xs
  %rest0 = nn.sum %squares over 0 : !xs
  %rest = arith.maximumf %rest0, %least : !s
  %inverse = arith.divf %one, %sxx : !g
  %width = nn.sum %inverse over 0 : !g
  %d0, %d1 = nn.call @halves(%slope) : (!g) -> (!s, !s)
  %d = arith.subf %d1, %d0 : !s
  %dd = arith.mulf %d, %d : !s
  %n = nn.sum %count over 0 : !g
  %free = arith.subf %n, %four : !s
  %above = arith.mulf %dd, %free : !s
  %below = arith.mulf %rest, %width : !s
  %f = arith.divf %above, %below : !s
  return %f : !s
}

/// a + b x.
func.func private @odds(%x: !xs, %t: !fs, %a: !g, %b: !g) -> !xs {
  %as = nn.call @of_kind(%a, %t, %x) : (!g, !fs, !xs) -> !xs
  %bs = nn.call @of_kind(%b, %t, %x) : (!g, !fs, !xs) -> !xs
  %bx = arith.mulf %bs, %x : !xs
  %z = arith.addf %as, %bx : !xs
  return %z : !xs
}

/// What a step of Newton needs of each kind: the sums r of y - p, q of (y - p) x, h of w = p (1 - p)
/// and c of w x; n = q - c r / h and m = (sum of w x x) - c c / h, whose quotient the slope grows by.
func.func private @normal(%x: !xs, %y: !xs, %t: !fs, %treated: !is, %a: !g, %b: !g)
    -> (!g, !g, !g, !g, !g) {
  %tiny = arith.constant dense<1.0e-6> : !f
  %z = nn.call @odds(%x, %t, %a, %b) : (!xs, !fs, !g, !g) -> !xs
  %p = nn.sigmoid %z : !xs
  %e = arith.subf %y, %p : !xs
  %ex = arith.mulf %e, %x : !xs
  %pp = arith.mulf %p, %p : !xs
  %w = arith.subf %p, %pp : !xs
  %wx = arith.mulf %w, %x : !xs
  %wxx = arith.mulf %wx, %x : !xs
  %r = nn.call @sums(%e, %treated) : (!xs, !is) -> !g
  %q = nn.call @sums(%ex, %treated) : (!xs, !is) -> !g
  %h0 = nn.call @sums(%w, %treated) : (!xs, !is) -> !g
  %h = nn.call @at_least(%h0, %tiny) : (!g, !f) -> !g
  %c = nn.call @sums(%wx, %treated) : (!xs, !is) -> !g
  %s = nn.call @sums(%wxx, %treated) : (!xs, !is) -> !g
  %mean = arith.divf %c, %h : !g
  %mr = arith.mulf %mean, %r : !g
  %n = arith.subf %q, %mr : !g
  %mc = arith.mulf %mean, %c : !g
  %m0 = arith.subf %s, %mc : !g
  %m = nn.call @at_least(%m0, %tiny) : (!g, !f) -> !g
  return %r, %h, %c, %n, %m : !g, !g, !g, !g, !g
}

/// a + (r - c d) / h and b + d.
func.func private @moved(%a: !g, %b: !g, %r: !g, %h: !g, %c: !g, %d: !g) -> (!g, !g) {
  %cd = arith.mulf %c, %d : !g
  %rest = arith.subf %r, %cd : !g
  %da = arith.divf %rest, %h : !g
  %a1 = arith.addf %a, %da : !g
  %b1 = arith.addf %b, %d : !g
  return %a1, %b1 : !g, !g
}

/// y z - log(1 + exp z), the logarithm of the likelihood of a person.
func.func private @likelihood(%y: !xs, %z: !xs) -> !xs {
  %zero = arith.subf %z, %z : !xs
  %yz = arith.mulf %y, %z : !xs
  %high = arith.maximumf %z, %zero : !xs
  %size = math.absf %z : !xs
  %minus = arith.negf %size : !xs
  %e = math.exp %minus : !xs
  %log = math.log1p %e : !xs
  %soft = arith.addf %high, %log : !xs
  %l = arith.subf %yz, %soft : !xs
  return %l : !xs
}

func.func private @likelihood_ratio(%x: !xs, %y: !xs, %t: !fs, %treated: !is) -> !s {
  %zero = arith.constant dense<0.0> : !g
  %a0, %b0, %a1, %b1 = depth.iterate #newton carried(
      %a = %zero : !g, %b = %zero : !g, %a2 = %zero : !g, %b2 = %zero : !g) {
    // One slope.
    %r, %h, %c, %n, %m = nn.call @normal(%x, %y, %t, %treated, %a, %b)
      : (!xs, !xs, !fs, !is, !g, !g) -> (!g, !g, !g, !g, !g)
    %above = nn.call @both(%n) : (!g) -> !g
    %below = nn.call @both(%m) : (!g) -> !g
    %d = arith.divf %above, %below : !g
    %an, %bn = nn.call @moved(%a, %b, %r, %h, %c, %d) : (!g, !g, !g, !g, !g, !g) -> (!g, !g)
    // Two slopes.
    %r2, %h2, %c2, %n2, %m2 = nn.call @normal(%x, %y, %t, %treated, %a2, %b2)
      : (!xs, !xs, !fs, !is, !g, !g) -> (!g, !g, !g, !g, !g)
    %d2 = arith.divf %n2, %m2 : !g
    %an2, %bn2 = nn.call @moved(%a2, %b2, %r2, %h2, %c2, %d2)
      : (!g, !g, !g, !g, !g, !g) -> (!g, !g)
    depth.yield %an, %bn, %an2, %bn2 : !g, !g, !g, !g
  }
  %z0 = nn.call @odds(%x, %t, %a0, %b0) : (!xs, !fs, !g, !g) -> !xs
  %z1 = nn.call @odds(%x, %t, %a1, %b1) : (!xs, !fs, !g, !g) -> !xs
  %l0 = nn.call @likelihood(%y, %z0) : (!xs, !xs) -> !xs
  %l1 = nn.call @likelihood(%y, %z1) : (!xs, !xs) -> !xs
  // Person by person: the two sums are large, and what is between them is small.
  %d = arith.subf %l1, %l0 : !xs
  %once = nn.sum %d over 0 : !xs
  %twice = arith.addf %once, %once : !s
  return %twice : !s
}

func.func @filter(%x: !xs {cambium.name = "x", cambium.rows = "people"},
                  %treated: !is {cambium.name = "treated", cambium.rows = "people"},
                  %outcome: !is {cambium.name = "outcome", cambium.rows = "people"})
    -> (!s {cambium.name = "f"}, !s {cambium.name = "lr"}) {
  %t = arith.sitofp %treated : !is to !fs
  %o = arith.sitofp %outcome : !is to !fs
  %y = nn.broadcast %o dims [0] like %x : !fs, !xs -> !xs
  %z = nn.call @standard(%x) : (!xs) -> !xs
  %none = arith.subf %y, %y : !xs
  %ones = math.exp %none : !xs
  %least = arith.constant dense<1.0> : !f
  %found = nn.call @sums(%ones, %treated) : (!xs, !is) -> !g
  %count = nn.call @at_least(%found, %least) : (!g, !f) -> !g
  %f = nn.call @f_statistic(%z, %y, %t, %treated, %count) : (!xs, !xs, !fs, !is, !g) -> !s
  %lr = nn.call @likelihood_ratio(%z, %y, %t, %treated) : (!xs, !xs, !fs, !is) -> !s
  return %f, %lr : !s, !s
}
