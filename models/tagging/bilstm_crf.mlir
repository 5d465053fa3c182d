// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels of words, by an LSTM from both ends and what stands beside what.
//
// G. Lample et al.: Neural Architectures for Named Entity Recognition. NAACL 2016; one of the four
// models of Proteno (S. Tyagi et al. NAACL 2021, industry, section 3.4).
nn.import "../common/tagging.mlir"
nn.import "../common/crf.mlir"
nn.import "../common/layers.mlir"
nn.sizes {hidden = 100, both = 2 * hidden, labels = 72}

#sizes = {words = #nn.given<"words" = 6000>, ends = #nn.given<"ends" = 4000>,
          word = #nn.given<"word" = 128>, end = #nn.given<"end" = 32>}
!f = tensor<f32>
!ids = tensor<?xi32>
!es = tensor<?x72xf32>

/// Scores of the labels of each word, from both ends of the text.
func.func private @emissions(%words: !ids, %prefixes: !ids, %suffixes: !ids) -> !es {
  %h = nn.call @read_both(%words, %prefixes, %suffixes) with #sizes
    : (!ids, !ids, !ids) -> tensor<?x200xf32>
  %e = nn.call @dense(%h) in "labels" : (tensor<?x200xf32>) -> !es
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
