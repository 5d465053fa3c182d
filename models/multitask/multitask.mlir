// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One encoder of sentences that several tasks train in turn.
//
// S. Subramanian, A. Trischler, Y. Bengio, C. Pal: Learning General Purpose Distributed Sentence
// Representations via Large Scale Multi-task Learning. ICLR 2018; D. Cer et al.: Universal Sentence
// Encoder. 2018 (USE). A training step per task, which share the encoder. `--step markers` alone is
// DisSent (A. Nie, E. Bennett, N. Goodman: DisSent: Learning Sentence Representations from Explicit
// Discourse Relations. ACL 2019): which word connects two clauses. `entailment` is that of InferSent
// (A. Conneau et al., EMNLP 2017), and `around` asks for the words of the sentences around, in place
// of their sequences (F. Hill et al., NAACL 2016).
nn.import "../common/counts.mlir"
nn.import "../common/lstm.mlir"
nn.import "../common/pairs.mlir"
nn.sizes {words = 10000, input = 25, hidden = 150, both = 2 * hidden, markers = 15,
          layer = 512}

#layer = {layer = #nn.given<"layer" = 512>}
!f = tensor<f32>
!words = tensor<?xi32>
!label = tensor<i32>
!E = tensor<10000x25xf32>
!x = tensor<?x25xf32>
!hs = tensor<?x300xf32>
!h = tensor<300xf32>
!p = tensor<10000xf32>

nn.param @words : !E init #nn.init<normal(0.0, 0.1)> group "embeddings"

/// The vector of a sentence: of each number of the states of both directions the greatest over the
/// words. It is what is used of the model.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !h {
  %E = nn.use @words : !E
  %x = nn.embed %tokens, %E padding_id 0 : !words, !E
  %states = nn.call @lstm_both(%x) in "encoder" : (!x) -> !hs
  %h = nn.max %states over 0 : !hs
  return %h : !h
}

/// Which of 15 words stands between two clauses.
func.func @predict_marker(%left: !words {cambium.name = "left"},
                          %right: !words {cambium.name = "right"}) -> tensor<15xf32> {
  %a = nn.call @predict(%left) : (!words) -> !h
  %b = nn.call @predict(%right) : (!words) -> !h
  %y = nn.call @score_dissent(%a, %b) in "markers" with #layer : (!h, !h) -> tensor<15xf32>
  return %y : tensor<15xf32>
}

func.func @marker_loss(%left: !words {cambium.name = "left"},
                       %right: !words {cambium.name = "right"},
                       %label: !label {cambium.name = "label"}) -> !f {
  %y = nn.call @predict_marker(%left, %right) : (!words, !words) -> tensor<15xf32>
  %l = nn.cross_entropy %y, %label : tensor<15xf32>, !label
  return %l : !f
}

/// Whether a sentence contradicts another one, neither, or entails it.
func.func @predict_entailment(%words_a: !words {cambium.name = "words_a"},
                              %words_b: !words {cambium.name = "words_b"}) -> tensor<3xf32> {
  %a = nn.call @predict(%words_a) : (!words) -> !h
  %b = nn.call @predict(%words_b) : (!words) -> !h
  %y = nn.call @score_infersent(%a, %b) in "entailment" with #layer : (!h, !h) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func @entailment_loss(%words_a: !words {cambium.name = "words_a"},
                           %words_b: !words {cambium.name = "words_b"},
                           %judgment: !label {cambium.name = "judgment"}) -> !f {
  %y = nn.call @predict_entailment(%words_a, %words_b) : (!words, !words) -> tensor<3xf32>
  %l = nn.cross_entropy %y, %judgment : tensor<3xf32>, !label
  return %l : !f
}

/// -log P of each word of the sentence before and of the one behind.
func.func @around_loss(%tokens: !words {cambium.name = "tokens"},
                       %before: !words {cambium.name = "before.out", cambium.rows = "before"},
                       %behind: !words {cambium.name = "behind.out", cambium.rows = "behind"})
                       -> !f {
  %h = nn.call @predict(%tokens) : (!words) -> !h
  %p = nn.call @told(%h) in "around" : (!h) -> !p
  %a = nn.call @count(%before) : (!words) -> !p
  %b = nn.call @count(%behind) : (!words) -> !p
  %n = arith.addf %a, %b : !p
  %l = nn.call @surprise(%p, %n) : (!p, !p) -> !f
  return %l : !f
}

train.step @markers loss @marker_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @entailment loss @entailment_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @around loss @around_loss optimizer #train.optimizer<adam> clip_norm 5.0
