// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of the words of a text: of each word the mean of the last states of its pieces.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, section 7.2, where they are the input of encoders; here of
// all-MiniLM-L6-v2. `word` has the number of each piece's word, from 0, -1 of [CLS] and [SEP];
// `number` has a row for each word, 0, 1, and so on.
nn.import "../common/transformer.mlir"
nn.sizes {width = 384, most = 128}

#encoder = {layers = #nn.given<"layers" = 6>, heads = #nn.given<"heads" = 12>,
            inner = #nn.given<"inner" = 1536>, words = #nn.given<"words" = 30522>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!x = tensor<?x384xf32>
!part = tensor<?x1xf32>
!sums = tensor<128x384xf32>
!counts = tensor<128x1xf32>
!which = tensor<?x128xf32>
!f = tensor<f32>

/// The vectors of the words, of which there are at most 128.
func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"},
                   %word: !ids {cambium.name = "word", cambium.rows = "tokens"},
                   %number: !ids {cambium.name = "number", cambium.rows = "words"}) -> !x {
  %one = arith.constant dense<1.0> : !f
  %x = nn.call @bert(%tokens, %segments) with #encoder : (!ids, !ids) -> !x
  %pieces = nn.broadcast %one dims [] like %x : !f, !x -> !part
  %sums = nn.sum_by %x, %word over 0 size 128 : !x, !ids
  %counts = nn.sum_by %pieces, %word over 0 size 128 : !part, !ids
  // The rows of the words that there are.
  %words = nn.broadcast %one dims [] like %number : !f, !ids -> tensor<?xf32>
  %which = nn.one_hot %number, %words size 128 : !ids, tensor<?xf32>
  %s = nn.matmul %which, %sums : !which, !sums
  %n = nn.matmul %which, %counts : !which, !counts
  %c = nn.reshape %n : !part -> tensor<?xf32>
  %cs = nn.broadcast %c dims [0] : tensor<?xf32> -> !x
  %y = arith.divf %s, %cs : !x
  return %y : !x
}
