// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log Z of all binary trees over a sentence, where the score of a span is the scalar product of what is
// made of its ends; the gradient in a step of training is that of the marginals.
nn.import "../../models/common/chart.mlir"
nn.import "../../models/common/layers.mlir"
nn.sizes {words = 20, hidden = 64}

!words = tensor<?xi32>
!h = tensor<?x64xf32>
!n = tensor<f32>

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !n {
  %E = nn.param "words" : tensor<20x64xf32> init <normal(0.0, 0.3)>
  %x = nn.embed %tokens, %E : !words, tensor<20x64xf32>
  %a = nn.call @dense(%x) in "first" : (!h) -> !h
  %b = nn.call @dense(%x) in "last" : (!h) -> !h
  %t, %i, %j = tree.chart %x : !h
  %ai = nn.take %a, %i : !h, !words
  %bj = nn.take %b, %j : !h, !words
  %p = arith.mulf %ai, %bj : !h
  %s = nn.sum %p over 1 : !h
  %z = nn.call @log_partition(%t, %s) : (!tree.tree, tensor<?xf32>) -> !n
  return %z : !n
}

func.func @loss(%tokens: !words {cambium.name = "tokens"}) -> !n {
  %z = nn.call @predict(%tokens) : (!words) -> !n
  return %z : !n
}

train.step @train loss @loss optimizer #train.optimizer<sgd>
