// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector of a text from several layers of a published encoder.
//
// B. Wang, C.-C. J. Kuo: SBERT-WK: A Sentence Embedding Method by Dissecting BERT-based Word Models.
// IEEE/ACM TASLP 2020, section IV and the code of the authors. A layer of a word counts by how it lies
// to the two layers on each side (alignment) and by what it has that they have not (novelty); a word
// counts by how much its layers differ from one to the next. The authors leave out the first 4 of 12
// layers; here 2 of 6.
nn.import "../common/transformer.mlir"
nn.sizes {words = 30522, width = 384}

#encoder = {heads = #nn.given<"heads" = 12>, inner = #nn.given<"inner" = 1536>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!f = tensor<f32>
!fs = tensor<?xf32>
!x = tensor<?x384xf32>
!layer = tensor<?x1x384xf32>
!all = tensor<?x5x384xf32>
!less = tensor<?x4x384xf32>
!mid = tensor<?x3x384xf32>
!a = tensor<?x5xf32>
!c = tensor<?x4xf32>
!one = tensor<384xf32>

/// The states of the last layers, one behind the other.
func.func private @last_layers(%tokens: !ids, %segments: !ids) -> !all {
  %h = nn.call @embedded(%tokens, %segments) in "embeddings" : (!ids, !ids) -> !x
  %begin = nn.broadcast %h dims [0, 2] : !x -> !all
  %y, %found = depth.iterate 6 stacked "layer" carried(%x = %h : !x, %seen = %begin : !all) {
    %next = nn.call @layer(%x) : (!x) -> !x
    %new = nn.reshape %next : !x -> !layer
    %kept = nn.slice %seen over 1 from 1 size 4 : !all
    %now = nn.concat %kept, %new over 1 : !less, !layer
    depth.yield %next, %now : !x, !all
  }
  return %found : !all
}

func.func private @embedded(%tokens: !ids, %segments: !ids) -> !x {
  %words = nn.call @word_table() : () -> tensor<30522x384xf32>
  %e = nn.call @embed(%tokens, %segments, %words) : (!ids, !ids, tensor<30522x384xf32>) -> !x
  return %e : !x
}

/// Products of each layer's two vectors.
func.func private @products(%x: !all, %y: !all) -> !a {
  %xy = arith.mulf %x, %y : !all
  %s = nn.sum %xy over 2 : !all
  return %s : !a
}

/// x without its part in the direction q of length 1, or 0.
func.func private @without(%x: !all, %q: !all) -> !all {
  %s = nn.call @products(%x, %q) : (!all, !all) -> !a
  %ss = nn.broadcast %s dims [0, 1] : !a -> !all
  %part = arith.mulf %ss, %q : !all
  %rest = arith.subf %x, %part : !all
  return %rest : !all
}

/// Four directions that span what stands around each layer: the two before, from the third one on,
/// and the two behind; zeros where there are none. And the sum of these vectors, each of length 1, and
/// of how many it is.
func.func private @surroundings(%h: !all) -> (!all, !all, !all, !all, !all, !a) {
  %front = nn.slice %h over 1 from 0 size 3 : !all
  %a = nn.pad %front over 1 low 2 high 0 : !mid
  %middle = nn.slice %h over 1 from 1 size 3 : !all
  %b = nn.pad %middle over 1 low 2 high 0 : !mid
  %tail = nn.slice %h over 1 from 1 size 4 : !all
  %c = nn.pad %tail over 1 low 0 high 1 : !less
  %end = nn.slice %h over 1 from 2 size 3 : !all
  %d = nn.pad %end over 1 low 0 high 2 : !mid
  %ua = nn.l2_normalize %a over 2 : !all
  %ub = nn.l2_normalize %b over 2 : !all
  %uc = nn.l2_normalize %c over 2 : !all
  %ud = nn.l2_normalize %d over 2 : !all
  %ab = arith.addf %ua, %ub : !all
  %abc = arith.addf %ab, %uc : !all
  %sum = arith.addf %abc, %ud : !all
  %count = nn.call @lengths_of_four(%ua, %ub, %uc, %ud) : (!all, !all, !all, !all) -> !a
  %b1 = nn.call @without(%ub, %ua) : (!all, !all) -> !all
  %qb = nn.l2_normalize %b1 over 2 : !all
  %c1 = nn.call @without(%uc, %ua) : (!all, !all) -> !all
  %c2 = nn.call @without(%c1, %qb) : (!all, !all) -> !all
  %qc = nn.l2_normalize %c2 over 2 : !all
  %d1 = nn.call @without(%ud, %ua) : (!all, !all) -> !all
  %d2 = nn.call @without(%d1, %qb) : (!all, !all) -> !all
  %d3 = nn.call @without(%d2, %qc) : (!all, !all) -> !all
  %qd = nn.l2_normalize %d3 over 2 : !all
  return %ua, %qb, %qc, %qd, %sum, %count : !all, !all, !all, !all, !all, !a
}

/// How many of four vectors are not zero.
func.func private @lengths_of_four(%a: !all, %b: !all, %c: !all, %d: !all) -> !a {
  %aa = nn.call @products(%a, %a) : (!all, !all) -> !a
  %bb = nn.call @products(%b, %b) : (!all, !all) -> !a
  %cc = nn.call @products(%c, %c) : (!all, !all) -> !a
  %dd = nn.call @products(%d, %d) : (!all, !all) -> !a
  %ab = arith.addf %aa, %bb : !a
  %cd = arith.addf %cc, %dd : !a
  %n = arith.addf %ab, %cd : !a
  return %n : !a
}

/// Each number as a part of their sum.
func.func private @parts(%x: !a) -> !a {
  %s = nn.sum %x over 1 : !a
  %ss = nn.broadcast %s dims [0] : !fs -> !a
  %p = arith.divf %x, %ss : !a
  return %p : !a
}

/// The weights of the layers of each word (equations 6 to 9): 1 / (2 (n + 1) alignment), and novelty.
func.func private @layer_weights_of_words(%h: !all) -> !a {
  %qa, %qb, %qc, %qd, %around, %n = nn.call @surroundings(%h)
      : (!all) -> (!all, !all, !all, !all, !all, !a)
  %r1 = nn.call @without(%h, %qa) : (!all, !all) -> !all
  %r2 = nn.call @without(%r1, %qb) : (!all, !all) -> !all
  %r3 = nn.call @without(%r2, %qc) : (!all, !all) -> !all
  %new = nn.call @without(%r3, %qd) : (!all, !all) -> !all
  %known = arith.subf %h, %new : !all
  %hh = nn.call @products(%h, %h) : (!all, !all) -> !a
  %nn = nn.call @products(%new, %new) : (!all, !all) -> !a
  %kk = nn.call @products(%known, %known) : (!all, !all) -> !a
  %ratio = arith.divf %nn, %hh : !a
  %novelty = math.sqrt %ratio : !a
  %length = math.sqrt %kk : !a
  %along = nn.call @products(%h, %around) : (!all, !all) -> !a
  %one = arith.constant dense<1.0> : !f
  %ones = nn.broadcast %one dims [] like %n : !f, !a -> !a
  %more = arith.addf %n, %ones : !a
  %count = arith.divf %n, %more : !a
  %inverse = arith.divf %length, %along : !a
  %alignment = arith.mulf %count, %inverse : !a
  %pa = nn.call @parts(%alignment) : (!a) -> !a
  %pn = nn.call @parts(%novelty) : (!a) -> !a
  %sum = arith.addf %pa, %pn : !a
  %w = nn.call @parts(%sum) : (!a) -> !a
  return %w : !a
}

/// How much each word counts: the variance of the cosines of its layers, each with the next one
/// (equation 11), as a part of their sum; the last word, [SEP], does not count.
func.func private @importance(%h: !all) -> !fs {
  %first = nn.slice %h over 1 from 0 size 4 : !all
  %next = nn.slice %h over 1 from 1 size 4 : !all
  %c = nn.cosine_similarity %first, %next over 2 : !less, !less
  %m = nn.mean %c over 1 : !c
  %ms = nn.broadcast %m dims [0] : !fs -> !c
  %v = nn.mse %c, %ms : !c, !c
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %ones = nn.broadcast %one dims [1] like %v : tensor<1xf32>, !fs -> tensor<?x1xf32>
  %two = nn.window %ones before 0 after 1 : tensor<?x1xf32>
  %followed = nn.slice %two over 1 from 1 size 1 : tensor<?x2x1xf32>
  %flags = nn.reshape %followed : tensor<?x1x1xf32> -> !fs
  %w = arith.mulf %v, %flags : !fs
  %s = nn.sum %w over 0 : !fs
  %ss = nn.broadcast %s dims [] like %w : !f, !fs -> !fs
  %parts = arith.divf %w, %ss : !fs
  return %parts : !fs
}

/// The states of a text's words, and each word's as its layers count.
func.func private @words(%tokens: !ids, %segments: !ids) -> (!all, !x) {
  %h = nn.call @last_layers(%tokens, %segments) with #encoder : (!ids, !ids) -> !all
  %w = nn.call @layer_weights_of_words(%h) : (!all) -> !a
  %words = nn.matmul %w, %h batch_dims 1 : !a, !all
  return %h, %words : !all, !x
}

func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !one {
  %h, %words = nn.call @words(%tokens, %segments) : (!ids, !ids) -> (!all, !x)
  %parts = nn.call @importance(%h) : (!all) -> !fs
  %y = nn.matmul %parts, %words : !fs, !x
  return %y : !one
}

/// The same where all words count alike.
func.func @words_alike(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                       %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !one {
  %h, %words = nn.call @words(%tokens, %segments) : (!ids, !ids) -> (!all, !x)
  %y = nn.mean %words over 0 : !x
  return %y : !one
}

/// The mean of all words and layers.
func.func @all_alike(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                     %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !one {
  %h = nn.call @last_layers(%tokens, %segments) with #encoder : (!ids, !ids) -> !all
  %words = nn.mean %h over 1 : !all
  %y = nn.mean %words over 0 : !x
  return %y : !one
}

/// How much each piece of the text counts.
func.func @counts(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                  %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !fs {
  %h = nn.call @last_layers(%tokens, %segments) with #encoder : (!ids, !ids) -> !all
  %parts = nn.call @importance(%h) : (!all) -> !fs
  return %parts : !fs
}
