// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels of words, by the words around them and what stands beside what.
//
// J. Lafferty, A. McCallum, F. Pereira: Conditional Random Fields. ICML 2001; one of the four models
// of Proteno (S. Tyagi et al. NAACL 2021, industry, section 3.4): features are the word, the one
// before, the one behind, and the first and the last letters of the word.
nn.import "../common/crf.mlir"
nn.sizes {words = 6000, ends = 4000, labels = 72}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!es = tensor<?x72xf32>

/// The scores that a feature gives to labels.
func.func private @feature(%ids: !ids) -> !es {
  %W = nn.param "W" : tensor<6000x72xf32>
  %e = nn.embed %ids, %W : !ids, tensor<6000x72xf32>
  return %e : !es
}
func.func private @end(%ids: !ids) -> !es {
  %W = nn.param "W" : tensor<4000x72xf32>
  %e = nn.embed %ids, %W : !ids, tensor<4000x72xf32>
  return %e : !es
}

/// The number of the word so many places further on; at the ends of the text the last one.
func.func private @beside(%words: !ids, %places: !i) -> !ids {
  %i = nn.positions %words limit 2147483647 : !ids
  %p = nn.broadcast %places dims [] like %i : !i, !ids -> !ids
  %j = arith.addi %i, %p : !ids
  %w = nn.take %words, %j : !ids, !ids
  return %w : !ids
}

/// Scores of the labels of each word: the sum over its features.
func.func private @emissions(%words: !ids, %prefixes: !ids, %suffixes: !ids) -> !es {
  %back = arith.constant dense<-1> : !i
  %on = arith.constant dense<1> : !i
  %before = nn.call @beside(%words, %back) : (!ids, !i) -> !ids
  %after = nn.call @beside(%words, %on) : (!ids, !i) -> !ids
  %e0 = nn.call @feature(%words) in "word" : (!ids) -> !es
  %e1 = nn.call @feature(%before) in "before" : (!ids) -> !es
  %e2 = nn.call @feature(%after) in "after" : (!ids) -> !es
  %e3 = nn.call @end(%prefixes) in "prefix" : (!ids) -> !es
  %e4 = nn.call @end(%suffixes) in "suffix" : (!ids) -> !es
  %s1 = arith.addf %e0, %e1 : !es
  %s2 = arith.addf %s1, %e2 : !es
  %s3 = arith.addf %s2, %e3 : !es
  %e = arith.addf %s3, %e4 : !es
  return %e : !es
}

/// 1 for the best label of each word, 0 for others.
func.func @predict(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                   %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                   %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"}) -> !es {
  %e = nn.call @emissions(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !es
  %y = nn.call @crf_labels(%e) in "crf" : (!es) -> !es
  return %y : !es
}

/// -log p(labels).
func.func @loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                %labels: !ids {cambium.name = "labels", cambium.rows = "words"}) -> !f {
  %e = nn.call @emissions(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !es
  %l = nn.call @crf_loss(%e, %labels) in "crf" : (!es, !ids) -> !f
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
