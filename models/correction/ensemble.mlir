// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four models of corrector.mlir that write together: the mean of what they think of each word.
//
// S. Kiyono et al.: Tohoku-AIP-NTT at WMT 2020 News Translation Task. WMT 2020, section 3.6; as in
// their correction of EMNLP 2019. The parameters of each stand in a scope of its own (`prepare join`).
nn.import "../common/writing.mlir"
nn.sizes {words = 8000, places = 256, width = 128}

#inner = {inner = #nn.given<"inner" = 512>}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>

/// log((exp a + exp b + exp c + exp d) / 4)
func.func private @together(%a: !ys, %b: !ys, %c: !ys, %d: !ys) -> !ys {
  %four = arith.constant dense<4.0> : !f
  %log = math.log %four : !f
  %ab = arith.maximumf %a, %b : !ys
  %cd = arith.maximumf %c, %d : !ys
  %most = arith.maximumf %ab, %cd : !ys
  %a0 = arith.subf %a, %most : !ys
  %b0 = arith.subf %b, %most : !ys
  %c0 = arith.subf %c, %most : !ys
  %d0 = arith.subf %d, %most : !ys
  %ea = math.exp %a0 : !ys
  %eb = math.exp %b0 : !ys
  %ec = math.exp %c0 : !ys
  %ed = math.exp %d0 : !ys
  %eab = arith.addf %ea, %eb : !ys
  %ecd = arith.addf %ec, %ed : !ys
  %sum = arith.addf %eab, %ecd : !ys
  %l = math.log %sum : !ys
  %logs = nn.broadcast %log dims [] like %l : !f, !ys -> !ys
  %back = arith.addf %l, %most : !ys
  %y = arith.subf %back, %logs : !ys
  return %y : !ys
}

/// The words of a model, and what it has read.
func.func private @reader(%source: !ids) -> (!xs, !E, !P) {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  return %m, %E, %P : !xs, !E, !P
}

/// Log-probabilities of the words of a target that is known.
func.func private @told(%source: !ids, %in: !ids) -> !ys {
  %m, %E, %P = nn.call @reader(%source) : (!ids) -> (!xs, !E, !P)
  %s = nn.call @known(%in, %m, %E, %P) : (!ids, !xs, !E, !P) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p : !ys
}

/// The logarithm of the probability of a target.
func.func @score(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                 %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                 %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %a = nn.call @told(%source, %in) in "one" : (!ids, !ids) -> !ys
  %b = nn.call @told(%source, %in) in "two" : (!ids, !ids) -> !ys
  %c = nn.call @told(%source, %in) in "three" : (!ids, !ids) -> !ys
  %d = nn.call @told(%source, %in) in "four" : (!ids, !ids) -> !ys
  %p = nn.call @together(%a, %b, %c, %d) : (!ys, !ys, !ys, !ys) -> !ys
  %right = nn.pick %p, %out : !ys, !ids
  %y = nn.sum %right over 0 : !fs
  return %y : !f
}

/// The five best targets, of at most 80 words.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"})
    -> (tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %ma, %Ea, %Pa = nn.call @reader(%source) in "one" : (!ids) -> (!xs, !E, !P)
  %mb, %Eb, %Pb = nn.call @reader(%source) in "two" : (!ids) -> (!xs, !E, !P)
  %mc, %Ec, %Pc = nn.call @reader(%source) in "three" : (!ids) -> (!xs, !E, !P)
  %md, %Ed, %Pd = nn.call @reader(%source) in "four" : (!ids) -> (!xs, !E, !P)
  %words, %lengths, %scores = depth.search beam 5 length_penalty 1.0 max 80 begin %begin end %end
      carried(%i = %zero : !i)
      grows(%ka0 : !own, %va0 : !own, %ka1 : !own, %va1 : !own,
            %kb0 : !own, %vb0 : !own, %kb1 : !own, %vb1 : !own,
            %kc0 : !own, %vc0 : !own, %kc1 : !own, %vc1 : !own,
            %kd0 : !own, %vd0 : !own, %kd1 : !own, %vd1 : !own)
      next(%w : !ids) {
    %a, %next, %a1, %a2, %a3, %a4 = nn.call @write(%w, %i, %ma, %Ea, %Pa, %ka0, %va0, %ka1, %va1)
      in "one" with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    %b, %b0, %b1, %b2, %b3, %b4 = nn.call @write(%w, %i, %mb, %Eb, %Pb, %kb0, %vb0, %kb1, %vb1)
      in "two" with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    %c, %c0, %c1, %c2, %c3, %c4 = nn.call @write(%w, %i, %mc, %Ec, %Pc, %kc0, %vc0, %kc1, %vc1)
      in "three" with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    %d, %d0, %d1, %d2, %d3, %d4 = nn.call @write(%w, %i, %md, %Ed, %Pd, %kd0, %vd0, %kd1, %vd1)
      in "four" with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    %p = nn.call @together(%a, %b, %c, %d) : (!ys, !ys, !ys, !ys) -> !ys
    depth.yield %p, %next,
                %a1, %a2, %a3, %a4,
                %b1, %b2, %b3, %b4,
                %c1, %c2, %c3, %c4,
                %d1, %d2, %d3, %d4
              : !ys, !ids,
                !own, !own, !own, !own,
                !own, !own, !own, !own,
                !own, !own, !own, !own,
                !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x80xi32>, tensor<5xi32>, tensor<5xf32>
}
