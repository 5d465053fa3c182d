// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What word comes next: where the LSTM of ../sentences/lstm.mlir begins.
//
// A. M. Dai, Q. V. Le: Semi-supervised Sequence Learning. NeurIPS 2015: the vectors of the words and
// the LSTM are learned from texts without a class, and then from those with one. They have the same
// names in both files, so that `cambium-run train lstm.so --init LM/best.safetensors` begins with them.
// `greedy` and `sample` go on with a text.
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/perturbation.mlir"
nn.sizes {words = 20000, input = 256, hidden = 128}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!f = tensor<f32>
!xs = tensor<?x256xf32>
!i = tensor<i32>
!h = tensor<128xf32>
!hs = tensor<?x128xf32>
!two = tensor<?x2x128xf32>
!first = tensor<?x1x128xf32>
!y = tensor<?x20000xf32>

/// The vectors of words, as the LSTM reads them.
func.func private @read(%words: !words) -> !xs {
  %E = nn.param "words" : tensor<20000x256xf32> init <normal(0.0, 0.1)>
  %length = nn.constant "length" = 4.0 : !f
  %x = nn.embed %words, %E padding_id 0 : !words, tensor<20000x256xf32>
  %v = nn.call @of_length(%x, %length) : (!xs, !f) -> !xs
  %d = nn.dropout %v rate #dropout : !xs
  return %d : !xs
}

/// The mean over the words w_t of -log P(w_t | w_1 ... w_t-1).
func.func @loss(%in: !words {cambium.name = "text.in", cambium.rows = "text"},
                %out: !words {cambium.name = "text.out", cambium.rows = "text"}) -> !f {
  %x = nn.call @read(%in) : (!words) -> !xs
  %chain = tree.chain %x : !xs
  %h = nn.call @lstm_states(%chain, %x) in "lstm" : (!tree.tree, !xs) -> !hs
  %y = nn.call @dense(%h) in "next" : (!hs) -> !y
  %l = nn.cross_entropy %y, %out : !y, !words
  %m = nn.mean %l over 0 : tensor<?xf32>
  return %m : !f
}

/// The same: how surprising a text is, the logarithm of its perplexity.
func.func @predict(%in: !words {cambium.name = "text.in", cambium.rows = "text"},
                   %out: !words {cambium.name = "text.out", cambium.rows = "text"}) -> !f {
  %l = nn.call @loss(%in, %out) : (!words, !words) -> !f
  return %l : !f
}

/// The row before the last one, zeros where there is none.
func.func private @before_last(%chain: !tree.tree, %rows: !hs) -> !h {
  %w = nn.window %rows before 1 after 0 : !hs
  %f = nn.slice %w over 1 from 0 size 1 : !two
  %before = nn.reshape %f : !first -> !hs
  %h = tree.root %chain, %before : !hs
  return %h : !h
}

/// The last word of a text, and the state and the cell that it is read behind.
func.func private @stand(%in: !words) -> (!i, !h, !h) {
  %x = nn.call @read(%in) : (!words) -> !xs
  %chain = tree.chain %x : !xs
  %hs, %cs = nn.call @lstm_cells(%chain, %x) in "lstm" : (!tree.tree, !xs) -> (!hs, !hs)
  %h = nn.call @before_last(%chain, %hs) : (!tree.tree, !hs) -> !h
  %c = nn.call @before_last(%chain, %cs) : (!tree.tree, !hs) -> !h
  %last = tree.root %chain, %in : !words
  return %last, %h, %c : !i, !h, !h
}

/// Log-probabilities of the words behind each of these, and the states.
func.func private @write(%w: !words, %h: !hs, %c: !hs) -> (!y, !hs, !hs) {
  %x = nn.call @read(%w) : (!words) -> !xs
  %hn, %cn = nn.call @lstm_rows(%x, %h, %c) in "lstm" : (!xs, !hs, !hs) -> (!hs, !hs)
  %s = nn.call @dense(%hn) in "next" : (!hs) -> !y
  %p = nn.log_softmax %s over 1 : !y
  return %p, %hn, %cn : !y, !hs, !hs
}

/// At most 40 words with which a text goes on, each the most probable one.
func.func @greedy(%in: !words {cambium.name = "text.in", cambium.rows = "text"})
    -> (tensor<1x40xi32>, tensor<1xi32>, tensor<1xf32>) {
  %end = arith.constant dense<3> : !i
  %begin, %h0, %c0 = nn.call @stand(%in) : (!words) -> (!i, !h, !h)
  %words, %lengths, %scores = depth.search beam 1 max 40 begin %begin end %end
      carried(%h = %h0 : !h, %c = %c0 : !h) next(%w : !words) {
    %p, %hn, %cn = nn.call @write(%w, %h, %c) : (!words, !hs, !hs) -> (!y, !hs, !hs)
    depth.yield %p, %hn, %cn : !y, !hs, !hs
  }
  return %words, %lengths, %scores : tensor<1x40xi32>, tensor<1xi32>, tensor<1xf32>
}

/// The same three times, words drawn among the 50 most probable ones.
func.func @sample(%in: !words {cambium.name = "text.in", cambium.rows = "text"})
    -> (tensor<3x40xi32>, tensor<3xi32>, tensor<3xf32>) {
  %end = arith.constant dense<3> : !i
  %begin, %h0, %c0 = nn.call @stand(%in) : (!words) -> (!i, !h, !h)
  %words, %lengths, %scores = depth.search sample 3 among 50 max 40 begin %begin end %end
      carried(%h = %h0 : !h, %c = %c0 : !h) next(%w : !words) {
    %p, %hn, %cn = nn.call @write(%w, %h, %c) : (!words, !hs, !hs) -> (!y, !hs, !hs)
    depth.yield %p, %hn, %cn : !y, !hs, !hs
  }
  return %words, %lengths, %scores : tensor<3x40xi32>, tensor<3xi32>, tensor<3xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
