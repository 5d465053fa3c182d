// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether one sentence entails the other (SICK): all spans of both, aligned, each as far as it is
// likely to stand in a tree.
//
// Y. Liu, M. Gardner, M. Lapata: Structured Alignment Networks for Matching Sentences. EMNLP 2018. The
// vector of a span is what its words have changed in two LSTMs; its probability is its marginal over
// all binary trees, the gradient of log Z; both are trained by the classes alone. Both sentences
// share all parameters.
nn.import "../common/chart.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/lstm.mlir"
nn.import "../common/spans.mlir"
nn.sizes {words = 2500, input = 300, hidden = 100, span = 2 * hidden, inner = 120,
          compared = 2 * span, joined = 2 * inner}

!words = tensor<?xi32>
!x = tensor<?x300xf32>
!E = tensor<2500x300xf32>
!h = tensor<?x100xf32>
!ids = tensor<?xi32>
!spans = tensor<?x200xf32>
!inner = tensor<?x120xf32>
!one = tensor<120xf32>
!both = tensor<?x400xf32>
!pair = tensor<240xf32>
!f = tensor<?xf32>
!bias = tensor<?x1xf32>
!n = tensor<f32>
!y = tensor<3xf32>

/// What the words of each span have changed in two LSTMs.
func.func private @vectors(%x: !x, %first: !ids, %last: !ids) -> !spans {
  %there = tree.chain %x : !x
  %f = nn.call @lstm_states(%there, %x) in "forward" : (!tree.tree, !x) -> !h
  %back = tree.chain %x reversed : !x
  %b = nn.call @lstm_states(%back, %x) in "backward" : (!tree.tree, !x) -> !h
  %s = nn.call @span_vectors(%f, %b, %first, %last) : (!h, !h, !ids, !ids) -> !spans
  return %s : !spans
}

/// The vectors of all spans, and how likely each is.
func.func private @parse(%words: !words) -> (!spans, !f) {
  %E = nn.param "words" : !E frozen
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %t, %first, %last = tree.chart %x : !x
  %s = nn.call @vectors(%x, %first, %last) : (!x, !ids, !ids) -> !spans
  %a = nn.call @dense(%s) in "score.inner" : (!spans) -> !inner
  %r = nn.relu %a : !inner
  %w = nn.param "score" : !one init <normal(0.0, 0.1)>
  %score = nn.matmul %r, %w : !inner, !one
  %z = nn.call @log_partition(%t, %score) : (!tree.tree, !f) -> !n
  %p = train.gradient %z wrt %score : !n, !f
  return %s, %p : !spans, !f
}

/// What attends.
func.func private @attended(%s: !spans) -> !inner {
  %a = nn.call @dense(%s) in "attend" : (!spans) -> !inner
  %r = nn.relu %a : !inner
  return %r : !inner
}

/// The sum over the spans s of p_s relu(W [s; s'] + b), where s' is the mean of the other sentence's
/// spans t weighted by p_t exp(F(s) . F(t)).
func.func private @compared(%s: !spans, %p: !f, %t: !spans, %pt: !f) -> !one {
  %tiny = arith.constant dense<1.0e-20> : !n
  %fs = nn.call @attended(%s) : (!spans) -> !inner
  %ft = nn.call @attended(%t) : (!spans) -> !inner
  %tinies = nn.broadcast %tiny dims [] like %pt : !n, !f -> !f
  %pt1 = arith.addf %pt, %tinies : !f
  %log = math.log %pt1 : !f
  %bias = nn.reshape %log : !f -> !bias
  %aligned = nn.attention %fs, %ft, %t heads 1 scale 1.0 key_bias(%bias : !bias)
      : !inner, !inner, !spans
  %st = nn.concat %s, %aligned over 1 : !spans, !spans
  %a = nn.call @dense(%st) in "compare" : (!both) -> !inner
  %v = nn.relu %a : !inner
  %y = nn.matmul %p, %v : !f, !inner
  return %y : !one
}

/// The scores of contradiction, neutral, entailment.
func.func @predict(%words_a: !words {cambium.name = "words_a"},
                   %words_b: !words {cambium.name = "words_b"}) -> !y {
  %sa, %pa = nn.call @parse(%words_a) : (!words) -> (!spans, !f)
  %sb, %pb = nn.call @parse(%words_b) : (!words) -> (!spans, !f)
  %va = nn.call @compared(%sa, %pa, %sb, %pb) : (!spans, !f, !spans, !f) -> !one
  %vb = nn.call @compared(%sb, %pb, %sa, %pa) : (!spans, !f, !spans, !f) -> !one
  %v = nn.concat %va, %vb over 0 : !one, !one
  %a = nn.call @dense_one(%v) in "inner" : (!pair) -> !one
  %r = nn.relu %a : !one
  %y = nn.call @dense_one(%r) in "classes" : (!one) -> !y
  return %y : !y
}

func.func @loss(%words_a: !words {cambium.name = "words_a"},
                %words_b: !words {cambium.name = "words_b"},
                %label: tensor<i32> {cambium.name = "label"}) -> !n {
  %y = nn.call @predict(%words_a, %words_b) : (!words, !words) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : !n
}

train.step @entailment loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
