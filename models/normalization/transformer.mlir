// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How each token is spoken: classes by a Transformer with six heads.
//
// S. Tyagi et al.: Proteno: Text Normalization with Limited Data for Fast Deployment in Text to
// Speech Systems. NAACL 2021 (industry), section 3.4: the classes that accept a token are features of
// it, and a token has no other. `normalize` makes tokens and classes.
nn.import "../common/tagging.mlir"
nn.import "../common/tagging_transformer.mlir"
nn.import "../common/refusing.mlir"
nn.sizes {words = 6000, ends = 4000, word = 128, end = 32, input = word + 2 * end, width = 96,
          labels = 72}

#sizes = {words = #nn.given<"words" = 6000>, ends = #nn.given<"ends" = 4000>,
          word = #nn.given<"word" = 128>, end = #nn.given<"end" = 32>}
#kinds = {kinds = #nn.given<"kinds" = 256>, labels = #nn.given<"labels" = 72>}
#places = {places = #nn.given<"places" = 256>}
!f = tensor<f32>
!ids = tensor<?xi32>
!in = tensor<?x192xf32>
!h = tensor<?x96xf32>
!es = tensor<?x72xf32>

/// Scores of the classes of each token.
func.func @predict(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                   %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                   %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                   %kinds: !ids {cambium.name = "kinds", cambium.rows = "words"}) -> !es {
  %v = nn.call @spelled(%words, %prefixes, %suffixes) with #sizes : (!ids, !ids, !ids) -> !in
  %x = nn.call @with_accepted(%v, %kinds) with #kinds : (!in, !ids) -> !in
  %h = nn.call @states(%x) with #places : (!in) -> !h
  %e = nn.call @dense(%h) in "labels" : (!h) -> !es
  %r = nn.call @refuse(%e, %kinds) with #kinds : (!es, !ids) -> !es
  return %r : !es
}

/// The sum of the cross entropies of the tokens.
func.func @loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                %kinds: !ids {cambium.name = "kinds", cambium.rows = "words"},
                %labels: !ids {cambium.name = "labels", cambium.rows = "words"}) -> !f {
  %e = nn.call @predict(%words, %prefixes, %suffixes, %kinds) : (!ids, !ids, !ids, !ids) -> !es
  %ls = nn.cross_entropy %e, %labels : !es, !ids
  %l = nn.sum %ls over 0 : tensor<?xf32>
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
