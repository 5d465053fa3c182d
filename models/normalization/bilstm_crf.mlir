// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How each token is spoken: classes by an LSTM from both ends and what stands beside what.
//
// S. Tyagi et al.: Proteno: Text Normalization with Limited Data for Fast Deployment in Text to
// Speech Systems. NAACL 2021 (industry), section 3.4: the classes that accept a token are features of
// it, and a token has no other. `normalize` makes tokens and classes.
nn.import "../common/tagging.mlir"
nn.import "../common/refusing.mlir"
nn.import "../common/crf.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 6000, ends = 4000, word = 128, end = 32, input = word + 2 * end, hidden = 100,
          both = 2 * hidden, labels = 72}

#sizes = {words = #nn.given<"words" = 6000>, ends = #nn.given<"ends" = 4000>,
          word = #nn.given<"word" = 128>, end = #nn.given<"end" = 32>}
#kinds = {kinds = #nn.given<"kinds" = 256>, labels = #nn.given<"labels" = 72>}
#dropout = #nn.given<"dropout" = 0.3>
!f = tensor<f32>
!ids = tensor<?xi32>
!in = tensor<?x192xf32>
!h = tensor<?x200xf32>
!es = tensor<?x72xf32>

/// Scores of the classes of each token, refused ones too.
func.func private @emissions(%words: !ids, %prefixes: !ids, %suffixes: !ids, %kinds: !ids) -> !es {
  %v = nn.call @spelled(%words, %prefixes, %suffixes) with #sizes : (!ids, !ids, !ids) -> !in
  %x = nn.call @with_accepted(%v, %kinds) with #kinds : (!in, !ids) -> !in
  %h = nn.call @lstm_both(%x) in "lstm" : (!in) -> !h
  %d = nn.dropout %h rate #dropout : !h
  %e = nn.call @dense(%d) in "labels" : (!h) -> !es
  return %e : !es
}

/// 1 for the best class of each token, 0 for others.
func.func @predict(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                   %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                   %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                   %kinds: !ids {cambium.name = "kinds", cambium.rows = "words"}) -> !es {
  %e = nn.call @emissions(%words, %prefixes, %suffixes, %kinds) : (!ids, !ids, !ids, !ids) -> !es
  %r = nn.call @refuse(%e, %kinds) with #kinds : (!es, !ids) -> !es
  %s = nn.call @crf_best(%r) in "crf" : (!es) -> !f
  // By the scores before some are refused: there is no step from minus infinity.
  %y = train.gradient %s wrt %e : !f, !es
  return %y : !es
}

/// -log p(labels).
func.func @loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                %kinds: !ids {cambium.name = "kinds", cambium.rows = "words"},
                %labels: !ids {cambium.name = "labels", cambium.rows = "words"}) -> !f {
  %e = nn.call @emissions(%words, %prefixes, %suffixes, %kinds) : (!ids, !ids, !ids, !ids) -> !es
  %r = nn.call @refuse(%e, %kinds) with #kinds : (!es, !ids) -> !es
  %l = nn.call @crf_loss(%r, %labels) in "crf" : (!es, !ids) -> !f
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
