// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What word stands at a place, told by those on both sides of it.
//
// O. Melamud, J. Goldberger, I. Dagan: context2vec: Learning Generic Context Embedding with
// Bidirectional LSTM. CoNLL 2016: the state of an LSTM from the left before the word, and of one from
// the right behind it. Every word of a text is told at once, and none has to be replaced by a mask.
// Of some words a part of their own vector is added: in training of one in ten all (Devlin et al.
// 2019 leave one masked word in ten as it is), in @substitutes what dropout leaves of it (W. Zhou et
// al.: BERT-based Lexical Substitution. ACL 2019, section 2.1).
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 12000, input = 128, hidden = 160, both = 2 * hidden}

#dropout = #nn.given<"dropout" = 0.3>
!i = tensor<i32>
!f = tensor<f32>
!words = tensor<?xi32>
!fs = tensor<?xf32>
!xs = tensor<?x128xf32>
!hs = tensor<?x160xf32>
!two = tensor<?x2x160xf32>
!one = tensor<?x1x160xf32>
!c = tensor<?x320xf32>
!y = tensor<12000xf32>
!ys = tensor<?x12000xf32>
!E = tensor<12000x128xf32>

func.func private @vectors() -> !E {
  %E = nn.param "words" : !E init <normal(0.0, 0.1)>
  return %E : !E
}

/// The state before each word; zeros before the first one.
func.func private @before(%h: !hs) -> !hs {
  %w = nn.window %h before 1 after 0 : !hs
  %p = nn.slice %w over 1 from 0 size 1 : !two
  %y = nn.reshape %p : !one -> !hs
  return %y : !hs
}

/// The state behind each word; zeros behind the last one.
func.func private @behind(%h: !hs) -> !hs {
  %w = nn.window %h before 0 after 1 : !hs
  %p = nn.slice %w over 1 from 1 size 1 : !two
  %y = nn.reshape %p : !one -> !hs
  return %y : !hs
}

/// A vector for each place, which knows nothing of the word that stands there.
func.func private @contexts(%x: !xs) -> !xs {
  %there = tree.chain %x : !xs
  %f = nn.call @lstm_states(%there, %x) in "forward" : (!tree.tree, !xs) -> !hs
  %back = tree.chain %x reversed : !xs
  %b = nn.call @lstm_states(%back, %x) in "backward" : (!tree.tree, !xs) -> !hs
  %fb = nn.call @before(%f) : (!hs) -> !hs
  %bb = nn.call @behind(%b) : (!hs) -> !hs
  %h = nn.concat %fb, %bb over 1 : !hs, !hs
  %a = nn.call @dense(%h) in "inner" : (!c) -> !c
  %r = nn.relu %a : !c
  %d = nn.dropout %r rate #dropout : !c
  %c = nn.call @dense(%d) in "context" : (!c) -> !xs
  return %c : !xs
}

/// By what a word's own vector is multiplied where it is added to that of its place.
func.func private @of_own() -> tensor<128x128xf32> {
  %W = nn.param "own" : tensor<128x128xf32> init <xavier_uniform>
  return %W : tensor<128x128xf32>
}

/// The table of the inputs, by which words are scored too, and how frequent they are.
func.func private @output(%E: !E) -> (tensor<128x12000xf32>, !y) {
  %b = nn.param "frequency" : !y no_decay
  %W = nn.transpose %E perm [1, 0] : !E
  return %W, %b : tensor<128x12000xf32>, !y
}

/// The mean over the words of -log P(w_t | the others), of w_t itself where `own` is 1.
func.func @loss(%words: !words {cambium.name = "text", cambium.rows = "text"},
                %own: !fs {cambium.name = "own", cambium.rows = "text"}) -> !f {
  %E = nn.call @vectors() : () -> !E
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %d = nn.dropout %x rate #dropout : !xs
  %c = nn.call @contexts(%d) : (!xs) -> !xs
  %O = nn.call @of_own() : () -> tensor<128x128xf32>
  %o = nn.linear %d, %O : !xs, tensor<128x128xf32>
  %part = nn.broadcast %own dims [0] like %o : !fs, !xs -> !xs
  %op = arith.mulf %o, %part : !xs
  %co = arith.addf %c, %op : !xs
  %W, %b = nn.call @output(%E) : (!E) -> (tensor<128x12000xf32>, !y)
  %s = nn.linear %co, %W, %b : !xs, tensor<128x12000xf32>, !y
  %l = nn.cross_entropy %s, %words : !ys, !words
  %m = nn.mean %l over 0 : !fs
  return %m : !f
}

/// The same: how surprising the words of a text are, each by the others.
func.func @predict(%words: !words {cambium.name = "text", cambium.rows = "text"},
                   %own: !fs {cambium.name = "own", cambium.rows = "text"}) -> !f {
  %l = nn.call @loss(%words, %own) : (!words, !fs) -> !f
  return %l : !f
}

/// log P(w | the others) of all words at one place, where the factors `keep` say what is left of the
/// vector of the word that stands there: zeros are a mask.
func.func @substitutes(%words: !words {cambium.name = "text", cambium.rows = "text"},
                       %place: !i {cambium.name = "place"},
                       %keep: tensor<128xf32> {cambium.name = "keep"}) -> !y {
  %E = nn.call @vectors() : () -> !E
  %x = nn.embed %words, %E padding_id 0 : !words, !E
  %c = nn.call @contexts(%x) : (!xs) -> !xs
  %xt = nn.take %x, %place : !xs, !i
  %ct = nn.take %c, %place : !xs, !i
  %kept = arith.mulf %xt, %keep : tensor<128xf32>
  %O = nn.call @of_own() : () -> tensor<128x128xf32>
  %o = nn.linear %kept, %O : tensor<128xf32>, tensor<128x128xf32>
  %co = arith.addf %ct, %o : tensor<128xf32>
  %W, %b = nn.call @output(%E) : (!E) -> (tensor<128x12000xf32>, !y)
  %s = nn.linear %co, %W, %b : tensor<128xf32>, tensor<128x12000xf32>, !y
  %y = nn.log_softmax %s over 0 : !y
  return %y : !y
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
