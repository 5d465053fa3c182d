// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words with their beginnings and ends, read from both sides.
//
// A word that is not known is still known by its first and last letters.
nn.import "lstm.mlir"
nn.sizes {words = 6000, ends = 4000, word = 128, end = 32, input = word + 2 * end, hidden = 100,
          both = 2 * hidden}

#dropout = #nn.given<"dropout" = 0.3>
!ids = tensor<?xi32>
!x = tensor<?x192xf32>
!h = tensor<?x200xf32>

/// The vectors of words and of their ends, side by side.
func.func private @spelled(%words: !ids, %prefixes: !ids, %suffixes: !ids) -> !x {
  %W = nn.param "words" : tensor<6000x128xf32> init <normal(0.0, 0.1)>
  %P = nn.param "prefixes" : tensor<4000x32xf32> init <normal(0.0, 0.1)>
  %S = nn.param "suffixes" : tensor<4000x32xf32> init <normal(0.0, 0.1)>
  %w = nn.embed %words, %W : !ids, tensor<6000x128xf32>
  %p = nn.embed %prefixes, %P : !ids, tensor<4000x32xf32>
  %s = nn.embed %suffixes, %S : !ids, tensor<4000x32xf32>
  %x = nn.concat %w, %p, %s over 1 : tensor<?x128xf32>, tensor<?x32xf32>, tensor<?x32xf32>
  %d = nn.dropout %x rate #dropout : !x
  return %d : !x
}

/// The states of an LSTM from both ends.
func.func private @read_both(%words: !ids, %prefixes: !ids, %suffixes: !ids) -> !h {
  %x = nn.call @spelled(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> !x
  %h = nn.call @lstm_both(%x) in "lstm" : (!x) -> !h
  %d = nn.dropout %h rate #dropout : !h
  return %d : !h
}
