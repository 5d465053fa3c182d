// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of sentences that are sums of vectors of words, and tell the words of the sentences around.
//
// F. Hill, K. Cho, A. Korhonen: Learning Distributed Representations of Sentences from Unlabelled
// Data. NAACL 2016: FastSent, and with `--step own` FastSent+AE, which tells its own words, too. Which
// of the words stands where does not matter, so that a sentence is scored once.
nn.import "../common/counts.mlir"
nn.sizes {words = 10000, input = 200}

!f = tensor<f32>
!words = tensor<?xi32>
!x = tensor<?x200xf32>
!s = tensor<200xf32>
!p = tensor<10000xf32>

/// The sum of the vectors of the words: what is used of the model.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !s {
  %E = nn.param "words" : tensor<10000x200xf32> init <uniform(-0.1, 0.1)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<10000x200xf32>
  %s = nn.sum %x over 0 : !x
  return %s : !s
}

/// Of the words of the sentence before and of the one behind.
func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %before: !words {cambium.name = "before.out", cambium.rows = "before"},
                %behind: !words {cambium.name = "behind.out", cambium.rows = "behind"}) -> !f {
  %s = nn.call @predict(%tokens) : (!words) -> !s
  %p = nn.call @told(%s) : (!s) -> !p
  %a = nn.call @count(%before) : (!words) -> !p
  %b = nn.call @count(%behind) : (!words) -> !p
  %n = arith.addf %a, %b : !p
  %l = nn.call @surprise(%p, %n) : (!p, !p) -> !f
  return %l : !f
}

/// Of its own words, too.
func.func @own_loss(%tokens: !words {cambium.name = "tokens"},
                    %before: !words {cambium.name = "before.out", cambium.rows = "before"},
                    %behind: !words {cambium.name = "behind.out", cambium.rows = "behind"}) -> !f {
  %s = nn.call @predict(%tokens) : (!words) -> !s
  %p = nn.call @told(%s) : (!s) -> !p
  %a = nn.call @count(%before) : (!words) -> !p
  %b = nn.call @count(%behind) : (!words) -> !p
  %c = nn.call @count(%tokens) : (!words) -> !p
  %ab = arith.addf %a, %b : !p
  %n = arith.addf %ab, %c : !p
  %l = nn.call @surprise(%p, %n) : (!p, !p) -> !f
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam>
train.step @own loss @own_loss optimizer #train.optimizer<adam>
