// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentences that tell their partners among those of a batch, by the cosine of the means of their words'
// vectors: what GloVe's vectors say before training, and what is to be had of them.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, section 3.2.1 (the mean), equation 8.1 (the loss). An example of the loss
// is a set of pairs.
nn.import "../common/in_batch.mlir"
nn.sizes {words = 20000, input = 300}

!words = tensor<?xi32>
!many = tensor<?x?xi32>
!x = tensor<?x300xf32>
!h = tensor<300xf32>
!f = tensor<f32>

/// The vector of a sentence, of length 1.
func.func private @encode(%words: !words) -> !h {
  %E = nn.param "words" : tensor<20000x300xf32>
  %x = nn.embed %words, %E padding_id 0 : !words, tensor<20000x300xf32>
  %m = nn.mean %x over 0 : !x
  %z = nn.l2_normalize %m over 0 : !h
  return %z : !h
}

/// The cosine of two sentences.
func.func @predict(%a: !words {cambium.name = "a"}, %b: !words {cambium.name = "b"}) -> !f {
  %za = nn.call @encode(%a) : (!words) -> !h
  %zb = nn.call @encode(%b) : (!words) -> !h
  %c = nn.matmul %za, %zb : !h, !h
  return %c : !f
}

/// How well each first sentence tells its second one.
func.func @loss(%as: !many {cambium.name = "a", cambium.rows = "pairs"},
                %bs: !many {cambium.name = "b", cambium.rows = "pairs"}) -> !f {
  %none = arith.constant dense<0.0> : !f
  %a, %b = nn.each rows(%wa = %as : !words, %wb = %bs : !words) -> (!h, !h) {
    %za = nn.call @encode(%wa) : (!words) -> !h
    %zb = nn.call @encode(%wb) : (!words) -> !h
    nn.yield %za, %zb : !h, !h
  }
  %l = nn.call @in_batch_loss(%a, %b, %none) : (!x, !x, !f) -> !f
  return %l : !f
}

train.step @in_batch loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
