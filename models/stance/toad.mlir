// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a text says for or against a topic, also one that no training text was about.
//
// E. Allaway, M. Srikanth, K. McKeown: Adversarial Learning for Zero-Shot Stance Detection on Social
// Media. NAACL 2021 (TOAD): LSTMs from both ends read the topic, then the text (Augenstein et al.
// 2016, BiCond). A critic guesses the topic from the vector of the text (@critic); the vector is
// learned against it (@train). `--step critic,train` lets them take turns.
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 20000, input = 25, hidden = 113, both = 2 * hidden, joined = 2 * both, stance = 201,
          topic = 140, topics = 6, classes = 3}

#dropout = #nn.given<"dropout" = 0.3>
!words = tensor<?xi32>
!x = tensor<?x25xf32>
!h = tensor<113xf32>
!hs = tensor<?x113xf32>
!b = tensor<226xf32>
!bs = tensor<?x226xf32>
!W = tensor<226x226xf32>
!y = tensor<3xf32>
!t = tensor<6xf32>
!f = tensor<f32>
!id = tensor<i32>

func.func private @vectors(%tokens: !words) -> !x {
  %E = nn.param "words" : tensor<20000x25xf32> init <normal(0.0, 0.1)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<20000x25xf32>
  %d = nn.dropout %x rate #dropout : !x
  return %d : !x
}

/// The states of one direction that begins with h and c; and what it has left.
func.func private @run(%chain: !tree.tree, %x: !x, %h: !h, %c: !h) -> (!hs, !h, !h) {
  %hs, %cs = nn.call @lstm_from(%chain, %x, %h, %c) : (!tree.tree, !x, !h, !h) -> (!hs, !hs)
  %hn = tree.root %chain, %hs : !hs
  %cn = tree.root %chain, %cs : !hs
  return %hs, %hn, %cn : !hs, !h, !h
}

/// Both directions, each from its own h and c.
func.func private @both(%tokens: !words, %x: !x, %h1: !h, %c1: !h, %h2: !h, %c2: !h)
    -> (!bs, !h, !h, !h, !h) {
  %there = tree.chain %tokens : !words
  %f, %fh, %fc = nn.call @run(%there, %x, %h1, %c1) in "forward"
      : (!tree.tree, !x, !h, !h) -> (!hs, !h, !h)
  %back = tree.chain %tokens reversed : !words
  %b, %bh, %bc = nn.call @run(%back, %x, %h2, %c2) in "backward"
      : (!tree.tree, !x, !h, !h) -> (!hs, !h, !h)
  %s = nn.concat %f, %b over 1 : !hs, !hs
  return %s, %fh, %fc, %bh, %bc : !bs, !h, !h, !h, !h
}

/// softmax(H q / sqrt(2 d)) H of the rows H of the text, where d are the columns of q.
func.func private @look(%H: !bs, %q: !b) -> !b {
  %one = arith.constant dense<1.0> : !b
  %d = nn.sum %one over 0 : !b
  %dd = arith.addf %d, %d : !f
  %scale = math.rsqrt %dd : !f
  %s = nn.matmul %H, %q : !bs, !b
  %scales = nn.broadcast %scale dims [] like %s : !f, tensor<?xf32> -> tensor<?xf32>
  %t = arith.mulf %s, %scales : tensor<?xf32>
  %a = nn.softmax %t over 0 : tensor<?xf32>
  %v = nn.matmul %a, %H : tensor<?xf32>, !bs
  return %v : !b
}

/// The states of topic and text, their vectors x, and the state and the vector that stand for them.
func.func private @read(%text: !words, %topic: !words) -> (!bs, !bs, !x, !x, !b, !b) {
  %zero = arith.constant dense<0.0> : !h
  %xt = nn.call @vectors(%topic) : (!words) -> !x
  %xd = nn.call @vectors(%text) : (!words) -> !x
  %T, %fh, %fc, %bh, %bc = nn.call @both(%topic, %xt, %zero, %zero, %zero, %zero) in "topic"
      : (!words, !x, !h, !h, !h, !h) -> (!bs, !h, !h, !h, !h)
  %D, %h1, %c1, %h2, %c2 = nn.call @both(%text, %xd, %fh, %fc, %bh, %bc) in "text"
      : (!words, !x, !h, !h, !h, !h) -> (!bs, !h, !h, !h, !h)
  %q = nn.concat %fh, %bh over 0 : !h, !h
  %v = nn.call @look(%D, %q) : (!bs, !b) -> !b
  %R = nn.call @change() : () -> !W
  %r = nn.linear %v, %R : !b, !W
  %z = arith.addf %v, %r : !b
  return %T, %D, %xt, %xd, %q, %z : !bs, !bs, !x, !x, !b, !b
}

/// W - I, for the W that is to take the topic out of a vector.
func.func private @change() -> !W {
  %R = nn.param "invariance" : !W init <normal(0.0, 0.001)>
  return %R : !W
}

/// The mean over the words of |tanh(x) - tanh(W h + b)|^2: states from which words can be told.
func.func private @rebuilt(%h: !bs, %x: !x) -> !f {
  %y = nn.call @dense(%h) : (!bs) -> !x
  %t = math.tanh %y : !x
  %tx = math.tanh %x : !x
  %d = arith.subf %tx, %t : !x
  %dd = arith.mulf %d, %d : !x
  %rows = nn.sum %dd over 1 : !x
  %l = nn.mean %rows over 0 : tensor<?xf32>
  return %l : !f
}

/// Scores of the stances: two layers over [z; q].
func.func private @stance(%z: !b, %q: !b) -> !y {
  %zq = nn.concat %z, %q over 0 : !b, !b
  %d = nn.dropout %zq rate #dropout : tensor<452xf32>
  %a = nn.call @dense_one(%d) in "inner" : (tensor<452xf32>) -> tensor<201xf32>
  %r = nn.relu %a : tensor<201xf32>
  %y = nn.call @dense_one(%r) in "classes" : (tensor<201xf32>) -> !y
  return %y : !y
}

/// Scores of the topics: two layers over z, whose parameters are the critic's.
func.func private @guess(%z: !b) -> !t {
  %W1 = nn.param "inner.W" : tensor<226x140xf32> init <xavier_uniform> group "critic"
  %b1 = nn.param "inner.b" : tensor<140xf32> group "critic" no_decay
  %W2 = nn.param "topics.W" : tensor<140x6xf32> init <xavier_uniform> group "critic"
  %b2 = nn.param "topics.b" : !t group "critic" no_decay
  %a = nn.linear %z, %W1, %b1 : !b, tensor<226x140xf32>, tensor<140xf32>
  %r = nn.relu %a : tensor<140xf32>
  %y = nn.linear %r, %W2, %b2 : tensor<140xf32>, tensor<140x6xf32>, !t
  return %y : !t
}

func.func @predict(%text: !words {cambium.name = "text"}, %topic: !words {cambium.name = "topic"})
    -> !y {
  %T, %D, %xt, %xd, %q, %z = nn.call @read(%text, %topic)
      : (!words, !words) -> (!bs, !bs, !x, !x, !b, !b)
  %y = nn.call @stance(%z, %q) in "stance" : (!b, !b) -> !y
  return %y : !y
}

/// L_rec of text and topic, 10 |W - I|^2, L_s - rho L_t (section 2.2 of the paper).
func.func @loss(%text: !words {cambium.name = "text"}, %topic: !words {cambium.name = "topic"},
                %label: !id {cambium.name = "label"}, %which: !id {cambium.name = "which"},
                %rho: !f {cambium.name = "rho", cambium.per = "call"}) -> !f {
  %price = nn.constant "price" = 10.0 : !f
  %T, %D, %xt, %xd, %q, %z = nn.call @read(%text, %topic)
      : (!words, !words) -> (!bs, !bs, !x, !x, !b, !b)
  %y = nn.call @stance(%z, %q) in "stance" : (!b, !b) -> !y
  %ls = nn.cross_entropy %y, %label : !y, !id
  %t = nn.call @guess(%z) in "critic" : (!b) -> !t
  %lt = nn.cross_entropy %t, %which : !t, !id
  %against = arith.mulf %lt, %rho : !f
  %ld = nn.call @rebuilt(%D, %xd) in "rebuilt.text" : (!bs, !x) -> !f
  %lc = nn.call @rebuilt(%T, %xt) in "rebuilt.topic" : (!bs, !x) -> !f
  %w = nn.call @change() : () -> !W
  %ww = arith.mulf %w, %w : !W
  %rows = nn.sum %ww over 1 : !W
  %far = nn.sum %rows over 0 : !b
  %paid = arith.mulf %far, %price : !f
  %l1 = arith.addf %ld, %lc : !f
  %l2 = arith.addf %l1, %paid : !f
  %l3 = arith.addf %l2, %ls : !f
  %l = arith.subf %l3, %against : !f
  return %l : !f
}

/// L_t, of which the critic alone learns.
func.func @critic_loss(%text: !words {cambium.name = "text"},
                       %topic: !words {cambium.name = "topic"},
                       %which: !id {cambium.name = "which"}) -> !f {
  %T, %D, %xt, %xd, %q, %z = nn.call @read(%text, %topic)
      : (!words, !words) -> (!bs, !bs, !x, !x, !b, !b)
  %t = nn.call @guess(%z) in "critic" : (!b) -> !t
  %lt = nn.cross_entropy %t, %which : !t, !id
  return %lt : !f
}

/// How well the critic knows the topic: its scores.
func.func @guess_topic(%text: !words {cambium.name = "text"},
                       %topic: !words {cambium.name = "topic"}) -> !t {
  %T, %D, %xt, %xd, %q, %z = nn.call @read(%text, %topic)
      : (!words, !words) -> (!bs, !bs, !x, !x, !b, !b)
  %t = nn.call @guess(%z) in "critic" : (!b) -> !t
  return %t : !t
}

train.step @critic loss @critic_loss updates ["critic"] optimizer #train.optimizer<adam>
train.step @train loss @loss updates ["default"] optimizer #train.optimizer<adam>
