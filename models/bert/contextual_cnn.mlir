// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text, by filters over the states of a published encoder that stays as it is.
//
// A. Stiff, Q. Song, E. Fosler-Lussier: How Self-Attention Improves Rare Class Performance in a
// Question-Answering Dialogue Agent. SIGDIAL 2020, section 5.1 (BERT Contextual CNN): the states of
// the first layer in place of word vectors. The encoder is a constant of the step.
nn.import "../common/transformer.mlir"
nn.import "../common/vote.mlir"
nn.import "../common/windows.mlir"
nn.sizes {words = 30522, width = 384, filters = 100, classes = 50}

#encoder = {layers = #nn.given<"layers" = 1>, heads = #nn.given<"heads" = 12>,
            inner = #nn.given<"inner" = 1536>, words = #nn.given<"words" = 30522>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!x = tensor<?x384xf32>
!u = tensor<100xf32>
!y = tensor<50xf32>

/// The state of each piece behind the last layer that is there.
func.func @states(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                  %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !x {
  %x = nn.call @bert(%tokens, %segments) with #encoder : (!ids, !ids) -> !x
  return %x : !x
}

func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !y {
  %x = nn.call @states(%tokens, %segments) : (!ids, !ids) -> !x
  %u3, %u4, %u5 = nn.call @windows(%x) in "windows" with {group = "filters"} : (!x) -> (!u, !u, !u)
  %y = nn.call @vote(%u3, %u4, %u5) in "vote" with {group = "filters"} : (!u, !u, !u) -> !y
  return %y : !y
}

func.func @loss(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens, %segments) : (!ids, !ids) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss updates ["filters"] optimizer #train.optimizer<adadelta>
