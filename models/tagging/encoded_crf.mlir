// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels of words, as bilstm_crf.mlir, where a published encoder has read the text before.
//
// G. Lample et al.: Neural Architectures for Named Entity Recognition. NAACL 2016, whose vectors of
// words were trained before, too. `states` has those of a frozen encoder, one for each word
// (models/bert/minilm_words.mlir), beside what the word and its ends have learned here.
nn.import "../common/tagging.mlir"
nn.import "../common/crf.mlir"
nn.import "../common/layers.mlir"
nn.sizes {word = 25, end = 32, spelled = word + 2 * end, state = 384, input = state + spelled,
          hidden = 100, both = 2 * hidden, labels = 13}

#sizes = {words = #nn.given<"words" = 6000>, ends = #nn.given<"ends" = 4000>,
          word = #nn.given<"word" = 25>, end = #nn.given<"end" = 32>}
#dropout = #nn.given<"dropout" = 0.3>
!f = tensor<f32>
!ids = tensor<?xi32>
!own = tensor<?x89xf32>
!state = tensor<?x384xf32>
!x = tensor<?x473xf32>
!h = tensor<?x200xf32>
!es = tensor<?x13xf32>

/// Scores of the labels of each word, from both ends of the text.
func.func private @emissions(%words: !ids, %prefixes: !ids, %suffixes: !ids, %states: !state)
    -> !es {
  %v = nn.call @spelled(%words, %prefixes, %suffixes) with #sizes : (!ids, !ids, !ids) -> !own
  %s = nn.dropout %states rate #dropout : !state
  %x = nn.concat %v, %s over 1 : !own, !state
  %h = nn.call @lstm_both(%x) in "lstm" : (!x) -> !h
  %d = nn.dropout %h rate #dropout : !h
  %e = nn.call @dense(%d) in "labels" : (!h) -> !es
  return %e : !es
}

/// 1 for the best label of each word, 0 for others.
func.func @predict(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                   %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                   %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                   %states: !state {cambium.name = "states", cambium.rows = "words"}) -> !es {
  %e = nn.call @emissions(%words, %prefixes, %suffixes, %states)
    : (!ids, !ids, !ids, !state) -> !es
  %y = nn.call @crf_labels(%e) in "crf" : (!es) -> !es
  return %y : !es
}

/// -log p(labels).
func.func @loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                %states: !state {cambium.name = "states", cambium.rows = "words"},
                %labels: !ids {cambium.name = "labels", cambium.rows = "words"}) -> !f {
  %e = nn.call @emissions(%words, %prefixes, %suffixes, %states)
    : (!ids, !ids, !ids, !state) -> !es
  %l = nn.call @crf_loss(%e, %labels) in "crf" : (!es, !ids) -> !f
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
