// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a machine wrote a text, by how near it is to what translators make of it there and back.
//
// H.-Q. Nguyen-Son, T. Thao, S. Hidano, I. Gupta, S. Kiyomoto: Machine Translated Text Detection
// Through Text Similarity with Round-Trip Translation. NAACL 2021 (TSRT). What a translator wrote
// comes back from it nearly as it was. `--step similar`: classes of a text by given similarities with
// what came back from each translator. `--step compared`: an LSTM from both ends reads the text and
// what came back, and compares them. `--step alone`: the same LSTM reads the text only, which stands
// for the source's BERT.
nn.import "../common/ends.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 128, input = 32, hidden = 48, both = 2 * hidden, ends = 2 * both,
          similarities = 10, compared = 4 * ends, inner = 24, classes = 2}

#dropout = #nn.given<"dropout" = 0.3>
!words = tensor<?xi32>
!label = tensor<i32>
!f = tensor<f32>
!x = tensor<?x32xf32>
!z = tensor<192xf32>
!zs = tensor<768xf32>
!s = tensor<10xf32>
!h = tensor<24xf32>
!y = tensor<2xf32>

nn.param @words : tensor<128x32xf32> init #nn.init<normal(0.0, 0.3)>

/// The vector of a text.
func.func private @read(%tokens: !words) -> !z {
  %E = nn.use @words : tensor<128x32xf32>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<128x32xf32>
  %z = nn.call @ends(%x) : (!x) -> !z
  %d = nn.dropout %z rate #dropout : !z
  return %d : !z
}

/// How a text and what came back differ: the distance and the product of each number, beside both.
func.func private @compare(%a: !z, %b: !z) -> !h {
  %d = arith.subf %a, %b : !z
  %l = math.absf %d : !z
  %m = arith.mulf %a, %b : !z
  %c = nn.concat %a, %b, %l, %m over 0 : !z, !z, !z, !z
  %i = nn.call @dense_one(%c) : (!zs) -> !h
  %h = math.tanh %i : !h
  return %h : !h
}

/// The scores of the classes by similarities: two layers.
func.func @predict(%x: !s {cambium.name = "x"}) -> !y {
  %i = nn.call @dense_one(%x) in "similar.inner" : (!s) -> !h
  %h = math.tanh %i : !h
  %y = nn.call @dense_one(%h) in "similar.classes" : (!h) -> !y
  return %y : !y
}

func.func @loss(%x: !s {cambium.name = "x"}, %label: !label {cambium.name = "label"}) -> !f {
  %y = nn.call @predict(%x) : (!s) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  return %l : !f
}

/// By the text and what came back from two translators.
func.func @predict_compared(%text: !words {cambium.name = "text"},
                            %back1: !words {cambium.name = "back1"},
                            %back2: !words {cambium.name = "back2"}) -> !y {
  %z = nn.call @read(%text) in "reader" : (!words) -> !z
  %a = nn.call @read(%back1) in "reader" : (!words) -> !z
  %b = nn.call @read(%back2) in "reader" : (!words) -> !z
  %c = nn.call @compare(%z, %a) in "comparison.first" : (!z, !z) -> !h
  %d = nn.call @compare(%z, %b) in "comparison.second" : (!z, !z) -> !h
  %s = arith.addf %c, %d : !h
  %y = nn.call @dense_one(%s) in "compared.classes" : (!h) -> !y
  return %y : !y
}

func.func @compared_loss(%text: !words {cambium.name = "text"},
                         %back1: !words {cambium.name = "back1"},
                         %back2: !words {cambium.name = "back2"},
                         %label: !label {cambium.name = "label"}) -> !f {
  %y = nn.call @predict_compared(%text, %back1, %back2) : (!words, !words, !words) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  return %l : !f
}

/// By the text alone.
func.func @predict_alone(%text: !words {cambium.name = "text"}) -> !y {
  %z = nn.call @read(%text) in "reader" : (!words) -> !z
  %y = nn.call @dense_one(%z) in "alone.classes" : (!z) -> !y
  return %y : !y
}

func.func @alone_loss(%text: !words {cambium.name = "text"},
                      %label: !label {cambium.name = "label"}) -> !f {
  %y = nn.call @predict_alone(%text) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  return %l : !f
}

train.step @similar loss @loss optimizer #train.optimizer<adam>
train.step @compared loss @compared_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @alone loss @alone_loss optimizer #train.optimizer<adam> clip_norm 5.0
