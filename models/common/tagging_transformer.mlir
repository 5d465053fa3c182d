// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States of words for their labels, by a Transformer with six heads.
//
// S. Tyagi et al.: Proteno: Text Normalization with Limited Data for Fast Deployment in Text to
// Speech Systems. NAACL 2021 (industry), section 3.4. The layers are those of BERT; the paper says no
// more of them than their heads.
nn.import "transformer.mlir"
nn.sizes {input = 192, width = 96, places = 256}

#sizes = {heads = 6, inner = #nn.given<"inner" = 384>, init = #nn.init<xavier_uniform>}
#layers = #nn.given<"layers" = 2>
#dropout = #nn.given<"dropout" = 0.3>
!ids = tensor<?xi32>
!in = tensor<?x192xf32>
!x = tensor<?x96xf32>
!P = tensor<256x96xf32>

/// norm(W words + places), then the layers.
func.func private @states(%v: !in) -> !x {
  %P = nn.param "places" : !P init <normal(0.0, 0.1)>
  %w = nn.call @dense(%v) in "read" : (!in) -> !x
  %i = nn.positions %v limit 256 : !in
  %p = nn.embed %i, %P : !ids, !P
  %x = nn.call @add_norm(%w, %p) in "norm" : (!x, !x) -> !x
  %h = depth.iterate #layers stacked "layer" carried(%y = %x : !x) {
    %z = nn.call @layer(%y) with #sizes : (!x) -> !x
    depth.yield %z : !x
  }
  %d = nn.dropout %h rate #dropout : !x
  return %d : !x
}
