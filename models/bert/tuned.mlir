// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text, by a published encoder that is trained along.
//
// J. Devlin et al.: BERT. NAACL 2019, section 4.1; as in A. Stiff, Q. Song, E. Fosler-Lussier: How
// Self-Attention Improves Rare Class Performance in a Question-Answering Dialogue Agent. SIGDIAL
// 2020, section 4. The text is the mean of the last states, which all-MiniLM-L6-v2 was trained for,
// in place of the state of [CLS].
nn.import "../common/layers.mlir"
nn.import "../common/transformer.mlir"
nn.sizes {words = 30522, width = 384, classes = 50}

#encoder = {layers = #nn.given<"layers" = 6>, heads = #nn.given<"heads" = 12>,
            inner = #nn.given<"inner" = 1536>, words = #nn.given<"words" = 30522>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}
#dropout = #nn.given<"dropout" = 0.1>

!ids = tensor<?xi32>
!x = tensor<?x384xf32>
!one = tensor<384xf32>
!y = tensor<50xf32>

func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                   %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"}) -> !y {
  %h = nn.call @bert(%tokens, %segments) with #encoder : (!ids, !ids) -> !x
  %m = nn.mean %h over 0 : !x
  %d = nn.dropout %m rate #dropout : !one
  %y = nn.call @dense_one(%d) in "classes" with {group = "classes"} : (!one) -> !y
  return %y : !y
}

func.func @loss(%tokens: !ids {cambium.name = "tokens", cambium.rows = "tokens"},
                %segments: !ids {cambium.name = "segments", cambium.rows = "tokens"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %y = nn.call @predict(%tokens, %segments) : (!ids, !ids) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 1.0
