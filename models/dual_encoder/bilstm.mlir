// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentences that tell their partners among those of a batch, by the cosine of their vectors.
//
// `margin_loss` is that of LaBSE (F. Feng et al.: Language-agnostic BERT Sentence Embedding. ACL 2022;
// equation 3.40 of A. Simoulin's thesis, Université Paris Cité 2022): both directions, and an additive
// margin. `loss` is that of the encoders of a billion pairs (equation 8.1 of the thesis), and
// `negatives_loss` the same where each pair brings a sentence that is near to it and no partner. An
// example is a set of pairs. The encoder is the mean of the states of two LSTMs.
nn.import "../common/in_batch.mlir"
nn.import "../common/lstm.mlir"
nn.sizes {words = 20000, input = 300, hidden = 128, both = 2 * hidden}

!words = tensor<?xi32>
!many = tensor<?x?xi32>
!x = tensor<?x300xf32>
!h = tensor<256xf32>
!hs = tensor<?x256xf32>
!f = tensor<f32>

/// The vector of a sentence, of length 1.
func.func private @encode(%words: !words) -> !h {
  %E = nn.param "words" : tensor<20000x300xf32> init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E padding_id 0 : !words, tensor<20000x300xf32>
  %s = nn.call @lstm_both(%x) : (!x) -> !hs
  %m = nn.mean %s over 0 : !hs
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

/// What is compared.
func.func @vector(%a: !words {cambium.name = "a"}) -> !h {
  %z = nn.call @encode(%a) : (!words) -> !h
  return %z : !h
}

func.func private @encode_pairs(%as: !many, %bs: !many) -> (!hs, !hs) {
  %a, %b = nn.each rows(%wa = %as : !words, %wb = %bs : !words) -> (!h, !h) {
    %za = nn.call @encode(%wa) : (!words) -> !h
    %zb = nn.call @encode(%wb) : (!words) -> !h
    nn.yield %za, %zb : !h, !h
  }
  return %a, %b : !hs, !hs
}

/// How well each first sentence tells its second one.
func.func @loss(%as: !many {cambium.name = "a", cambium.rows = "pairs"},
                %bs: !many {cambium.name = "b", cambium.rows = "pairs"}) -> !f {
  %none = arith.constant dense<0.0> : !f
  %a, %b = nn.call @encode_pairs(%as, %bs) : (!many, !many) -> (!hs, !hs)
  %l = nn.call @in_batch_loss(%a, %b, %none) : (!hs, !hs, !f) -> !f
  return %l : !f
}

/// The same with a sentence beside each pair that is none of its partners.
func.func @negatives_loss(%as: !many {cambium.name = "a", cambium.rows = "pairs"},
                          %bs: !many {cambium.name = "b", cambium.rows = "pairs"},
                          %cs: !many {cambium.name = "negative", cambium.rows = "pairs"}) -> !f {
  %none = arith.constant dense<0.0> : !f
  %a, %b = nn.call @encode_pairs(%as, %bs) : (!many, !many) -> (!hs, !hs)
  %c = nn.each rows(%wc = %cs : !words) -> (!h) {
    %zc = nn.call @encode(%wc) : (!words) -> !h
    nn.yield %zc : !h
  }
  %all = nn.append %b, %c : !hs, !hs
  %l = nn.call @in_batch_loss(%a, %all, %none) : (!hs, !hs, !f) -> !f
  return %l : !f
}

/// How well each sentence of a pair tells the other one, by a margin.
func.func @margin_loss(%as: !many {cambium.name = "a", cambium.rows = "pairs"},
                       %bs: !many {cambium.name = "b", cambium.rows = "pairs"}) -> !f {
  %margin = nn.constant "margin" = 0.3 : !f
  %a, %b = nn.call @encode_pairs(%as, %bs) : (!many, !many) -> (!hs, !hs)
  %there = nn.call @in_batch_loss(%a, %b, %margin) : (!hs, !hs, !f) -> !f
  %back = nn.call @in_batch_loss(%b, %a, %margin) : (!hs, !hs, !f) -> !f
  %l = arith.addf %there, %back : !f
  return %l : !f
}

train.step @in_batch loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @negatives loss @negatives_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @margin loss @margin_loss optimizer #train.optimizer<adam> clip_norm 5.0
