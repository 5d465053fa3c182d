// bert.mlir - BERT-base, an encoder of 12 layers of 768 columns
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// J. Devlin et al.: BERT. NAACL 2019: layers with the norm behind the sum, exact gelu.
// `cambium-compile --size layers=2 --size width=128 --size heads=2 --size inner=512` makes others.
nn.import "../common/transformer.mlir"
nn.sizes {width = 768}

#encoder = {layers = #nn.given<"layers" = 12>, heads = #nn.given<"heads" = 12>,
            inner = #nn.given<"inner" = 3072>, words = #nn.given<"words" = 30522>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!x = tensor<?x768xf32>
!one = tensor<768xf32>

/// The mean of the states.
func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !one {
  %x = nn.call @bert(%tokens, %segments) with #encoder : (!ids, !ids) -> !x
  %y = nn.mean %x over 0 : !x
  return %y : !one
}

/// The state of the first piece, [CLS].
func.func @cls(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
               %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !one {
  %x = nn.call @bert(%tokens, %segments) with #encoder : (!ids, !ids) -> !x
  %y = nn.call @first(%x) : (!x) -> !one
  return %y : !one
}
