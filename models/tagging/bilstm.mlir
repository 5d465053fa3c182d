// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A label for each word, by an LSTM from both ends.
//
// One of the four models of Proteno: S. Tyagi et al.: Proteno: Text Normalization with Limited Data
// for Fast Deployment in Text to Speech Systems. NAACL 2021 (industry), section 3.4.
nn.import "../common/tagging.mlir"
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

func.func @predict(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                   %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                   %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"}) -> !es {
  %e = nn.call @emissions(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !es
  return %e : !es
}

/// The sum of the cross entropies of the words.
func.func @loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                %labels: !ids {cambium.name = "labels", cambium.rows = "words"}) -> !f {
  %e = nn.call @emissions(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !es
  %ls = nn.cross_entropy %e, %labels : !es, !ids
  %l = nn.sum %ls over 0 : tensor<?xf32>
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
