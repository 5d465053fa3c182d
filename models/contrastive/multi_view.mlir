// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of sentences that tell their neighbours, one by the words in their order and one by the tree
// of their dependencies.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, chapter 4 (SEQ, DEP): f is a GRU, g a Child-Sum Tree-LSTM that attends to
// children, and the critic is f(s) W g(t). A set is a piece of a document, its members are its
// sentences in their order.
nn.import "../common/gru.mlir"
nn.import "../common/attentive_tree_lstm.mlir"
nn.import "../common/neighbours.mlir"
nn.sizes {words = 20000, input = 200, hidden = 300, sentence = 2 * hidden}

#query = #nn.given<"query" = 64>
#init = #nn.init<xavier_uniform>
!words = tensor<?xi32>
!x = tensor<?x200xf32>
!h = tensor<300xf32>
!s = tensor<600xf32>
!hs = tensor<?x300xf32>
!W = tensor<300x300xf32>

func.func private @vectors(%tokens: !words) -> !x {
  %E = nn.param "words" : tensor<20000x200xf32> init <normal(0.0, 0.1)> group "embeddings"
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<20000x200xf32>
  return %x : !x
}

/// The state of a GRU behind the last word.
func.func private @sequence(%tokens: !words) -> !h {
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %chain = tree.chain %tokens : !words
  %h = nn.call @gru_states(%chain, %x) in "gru" with {init = #init} : (!tree.tree, !x) -> !hs
  %last = tree.root %chain, %h : !hs
  return %last : !h
}

/// The state of a Tree-LSTM at the root; `heads` are the numbers of the words' heads, -1 at the root.
func.func private @dependencies(%tokens: !words, %heads: !words) -> !h {
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %tree = tree.from_parents %heads : !words
  %h = nn.call @attentive_child_sum(%tree, %x) in "tree" with {query = #query}
      : (!tree.tree, !x) -> !hs
  %root = tree.root %tree, %h : !hs
  return %root : !h
}

/// Both vectors of a sentence, side by side: what is used of the model.
func.func @predict(%tokens: !words {cambium.name = "tokens", cambium.rows = "words"},
                   %heads: !words {cambium.name = "heads", cambium.rows = "words"}) -> !s {
  %f = nn.call @sequence(%tokens) in "f" : (!words) -> !h
  %g = nn.call @dependencies(%tokens, %heads) in "g" : (!words, !words) -> !h
  %s = nn.concat %f, %g over 0 : !h, !h
  return %s : !s
}

/// How well the sentences of a set tell which ones stand beside them, of which the trees are seen.
func.func @loss(%sentences: tensor<?x?xi32> {cambium.name = "tokens", cambium.rows = "sentences"},
                %trees: tensor<?x?xi32> {cambium.name = "heads", cambium.rows = "sentences"})
    -> tensor<f32> {
  %W = nn.param "critic" : !W init #init
  %f, %g = nn.each rows(%tokens = %sentences : !words, %heads = %trees : !words) -> (!h, !h) {
    %f1 = nn.call @sequence(%tokens) in "f" : (!words) -> !h
    %g1 = nn.call @dependencies(%tokens, %heads) in "g" : (!words, !words) -> !h
    nn.yield %f1, %g1 : !h, !h
  }
  %q = nn.linear %f, %W : !hs, !W
  %loss = nn.call @neighbours_loss(%q, %g) : (!hs, !hs) -> tensor<f32>
  return %loss : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
