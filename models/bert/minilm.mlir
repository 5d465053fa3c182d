// minilm.mlir - BERT encoder, 6 layers of 384 columns
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// J. Devlin et al.: BERT. NAACL 2019: layers with the norm behind the sum, exact gelu.
// The size of all-MiniLM-L6-v2, a sentence encoder.
nn.import "../common/transformer.mlir"
nn.sizes {width = 384}

#encoder = {layers = #nn.given<"layers" = 6>, heads = #nn.given<"heads" = 12>,
            inner = #nn.given<"inner" = 1536>, words = #nn.given<"words" = 30522>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!x = tensor<?x384xf32>
!one = tensor<384xf32>

/// The mean of the states, of length 1.
func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !one {
  %x = nn.call @bert(%tokens, %segments) with #encoder : (!ids, !ids) -> !x
  %m = nn.mean %x over 0 : !x
  %y = nn.l2_normalize %m over 0 : !one
  return %y : !one
}
