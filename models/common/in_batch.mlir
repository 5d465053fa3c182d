// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that tell their partners among the partners of all rows.
//
// F. Feng et al.: Language-agnostic BERT Sentence Embedding. ACL 2022, section 3.1; A. Simoulin:
// Sentence embeddings and their relation with sentence structures. PhD thesis, Université Paris Cité
// 2022, equations 3.40 and 8.1 (whose logarithm is not printed).
nn.sizes {hidden = 300}

!f = tensor<f32>
!fs = tensor<?xf32>
!i = tensor<i32>
!is = tensor<?xi32>
!hs = tensor<?x300xf32>

/// The mean over rows i of -log of the part of exp(s_ii - m) in itself and the exp(s_ij) of all other
/// candidates j, where s is 20 times the scalar product (of rows of length 1: the cosine). Candidate
/// i is the partner of row i; there may be more of them than rows.
func.func private @in_batch_loss(%rows: !hs, %candidates: !hs, %margin: !f) -> !f {
  %scale = nn.constant "scale" = 20.0 : !f
  %scales = nn.broadcast %scale dims [] like %rows : !f, !hs -> !hs
  %scaled = arith.mulf %rows, %scales : !hs
  %m = arith.mulf %scale, %margin : !f
  %number = nn.positions %rows limit 65536 : !hs
  %scores = nn.pair_scores %scaled, %candidates : !hs, !hs
  %losses = nn.each rows(%s = %scores : !fs, %i = %number : !i) -> (!f) {
    %l = nn.call @tell(%s, %i, %m) : (!fs, !i, !f) -> !f
    nn.yield %l : !f
  }
  %loss = nn.mean %losses over 0 : !fs
  return %loss : !f
}

/// -log of what a softmax of the scores gives number i, of whose score the margin is taken.
func.func private @tell(%s: !fs, %i: !i, %margin: !f) -> !f {
  %number = nn.positions %s limit 65536 : !fs
  %is = nn.broadcast %i dims [] like %number : !i, !is -> !is
  %own = arith.cmpi eq, %number, %is : !is
  %ms = nn.broadcast %margin dims [] like %s : !f, !fs -> !fs
  %less = arith.subf %s, %ms : !fs
  %t = arith.select %own, %less, %s : tensor<?xi1>, !fs
  %all = nn.log_sum_exp %t over 0 : !fs
  %right = nn.take %t, %i : !fs, !i
  %l = arith.subf %all, %right : !f
  return %l : !f
}
