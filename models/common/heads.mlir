// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heads that look at the states of words, and the answer behind them.
//
// Z. Lin et al.: A Structured Self-attentive Sentence Embedding. ICLR 2017.
nn.import "gru.mlir"
nn.import "layers.mlir"
nn.sizes {words = 10000, input = 300, hidden = 128, both = 2 * hidden, attention = 350, heads = 8,
          all = 2048, layer = 500, classes = 50}

#init = #nn.init<uniform(-0.1, 0.1)>
#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!x = tensor<?x300xf32>
!h = tensor<?x256xf32>
!a = tensor<?x8xf32>
!m = tensor<8x256xf32>
!f = tensor<500xf32>
!y = tensor<50xf32>

/// The states of a GRU from both ends.
func.func private @gru_words(%tokens: !words) -> !h {
  %E = nn.param "words" : tensor<10000x300xf32> init #init
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<10000x300xf32>
  %h = nn.call @gru_both(%x) in "gru" with {init = #init} : (!x) -> !h
  return %h : !h
}

/// How much each head looks at each word: softmax over the words of W_2 tanh(W_1 H).
func.func private @attention(%h: !h) -> !a {
  %W1 = nn.param "first" : tensor<256x350xf32> init #init
  %W2 = nn.param "second" : tensor<350x8xf32> init #init
  %d = nn.dropout %h rate #dropout : !h
  %a1 = nn.linear %d, %W1 : !h, tensor<256x350xf32>
  %t = math.tanh %a1 : tensor<?x350xf32>
  %s = nn.linear %t, %W2 : tensor<?x350xf32>, tensor<350x8xf32>
  %a = nn.softmax %s over 0 : !a
  return %a : !a
}

/// A H of these weights A: a row for each head.
func.func private @look(%h: !h) -> !m {
  %a = nn.call @attention(%h) : (!h) -> !a
  %m = nn.outer_sum %a, %h : !a, !h
  return %m : !m
}

/// Scores of the classes: W_o tanh(W_f m + b_f) + b_o.
func.func private @answer(%m: tensor<2048xf32>) -> !y {
  %d = nn.dropout %m rate #dropout : tensor<2048xf32>
  %z = nn.call @dense_one(%d) in "layer" with {init = #init} : (tensor<2048xf32>) -> !f
  %f = math.tanh %z : !f
  %e = nn.dropout %f rate #dropout : !f
  %y = nn.call @dense_one(%e) in "classes" with {init = #init} : (!f) -> !y
  return %y : !y
}
