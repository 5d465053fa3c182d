// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ALBERT-base as an encoder, for `encoders`: one layer 12 times, the mean of the states.
//
// Lan et al.: ALBERT. ICLR 2020.
nn.import "../../models/common/albert.mlir"
nn.import "../../models/common/transformer.mlir"
nn.sizes {words = 30522, narrow = 128, width = 768}

#normal = #nn.init<truncated_normal(0.0, 0.02)>
#encoder = {heads = #nn.given<"heads" = 12>, inner = #nn.given<"inner" = 3072>,
            places = #nn.given<"places" = 512>, layers = #nn.given<"layers" = 12>}

!ids = tensor<?xi32>
!x = tensor<?x768xf32>
!one = tensor<768xf32>
!words = tensor<30522x128xf32>

func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !one {
  %words = nn.call @word_table() in "embeddings" with {init = #normal} : () -> !words
  %x = nn.call @albert(%tokens, %segments, %words) with #encoder : (!ids, !ids, !words) -> !x
  %y = nn.mean %x over 0 : !x
  return %y : !one
}
