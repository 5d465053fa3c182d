// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One vector for a text of any language, from which what it means is written in others.
//
// M. Artetxe, H. Schwenk: Massively Multilingual Sentence Embeddings for Zero-Shot Cross-Lingual
// Transfer and Beyond. TACL 2019 (LASER): the greatest of the states of two LSTMs, one from the end,
// in each dimension is the vector. The encoder is not told the language. Another LSTM begins with
// what two products make of the vector, sees the vector and the language of the target beside each
// letter, and writes; there is no attention, so that all it knows is in the vector.
nn.import "../common/layers.mlir"
nn.import "../common/lstm.mlir"
nn.sizes {words = 200, input = 64, hidden = 128, both = 2 * hidden, languages = 2, language = 32,
          seen = input + both + language}

#dropout = #nn.given<"dropout" = 0.1>

!words = tensor<?xi32>
!i = tensor<i32>
!x = tensor<?x64xf32>
!z = tensor<256xf32>
!zs = tensor<?x256xf32>
!h = tensor<128xf32>
!hs = tensor<?x128xf32>
!l = tensor<32xf32>
!ls = tensor<?x32xf32>
!seen = tensor<?x352xf32>
!E = tensor<200x64xf32>
!L = tensor<2x32xf32>
!y = tensor<?x200xf32>

func.func private @vectors(%words: !words) -> !x {
  %E = nn.param "words" : !E init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %d = nn.dropout %x rate #dropout : !x
  return %d : !x
}

/// The vector of a text.
func.func @predict(%source: !words {cambium.name = "source"}) -> !z {
  %x = nn.call @vectors(%source) : (!words) -> !x
  %s = nn.call @lstm_both(%x) in "encoder" : (!x) -> !zs
  %z = nn.max %s over 0 : !zs
  return %z : !z
}

/// The mean cross entropy of the words of the target in a language.
func.func @loss(%source: !words {cambium.name = "source"},
                %language: !i {cambium.name = "language"},
                %in: !words {cambium.name = "target.in", cambium.rows = "target"},
                %out: !words {cambium.name = "target.out", cambium.rows = "target"}) -> tensor<f32> {
  %L = nn.param "languages" : !L init <normal(0.0, 0.1)>
  %z = nn.call @predict(%source) : (!words) -> !z
  %h0 = nn.call @dense_one(%z) in "first.state" : (!z) -> !h
  %c0 = nn.call @dense_one(%z) in "first.cell" : (!z) -> !h
  %l = nn.embed %language, %L : !i, !L
  %x = nn.call @vectors(%in) : (!words) -> !x
  %zs = nn.broadcast %z dims [1] like %x : !z, !x -> !zs
  %ls = nn.broadcast %l dims [1] like %x : !l, !x -> !ls
  %seen = nn.concat %x, %zs, %ls over 1 : !x, !zs, !ls
  %chain = tree.chain %in : !words
  %h, %c = nn.call @lstm_from(%chain, %seen, %h0, %c0) in "decoder"
    : (!tree.tree, !seen, !h, !h) -> (!hs, !hs)
  %y = nn.call @dense(%h) in "scores" : (!hs) -> !y
  %ce = nn.cross_entropy %y, %out : !y, !words
  %mean = nn.mean %ce over 0 : tensor<?xf32>
  return %mean : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
