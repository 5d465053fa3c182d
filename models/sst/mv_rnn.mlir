// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentiment of every phrase of a sentence: a matrix-vector recursive neural network with a loss at
// every node.
//
// Socher, Huval, Manning and Ng 2012, Semantic Compositionality through Recursive Matrix-Vector
// Spaces: every node has a vector and a matrix, and the matrix of each part acts on the vector of
// the other one. The matrices here are what a node adds to the identity, so that words begin with I
// plus a little, as in the paper; a phrase's is I + W_M [A; B], where the paper has
// W_M [I + A; I + B]. Words have full matrices, not low-rank ones.
nn.import "../common/mv_rnn.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 20000, hidden = 25, both = 2 * hidden, square = hidden * hidden}

!tree = !tree.tree
!words = tensor<?xi32>
!v = tensor<25xf32>
!v2 = tensor<2x25xf32>
!M = tensor<25x25xf32>
!M2 = tensor<2x25x25xf32>
!xs = tensor<?x25xf32>
!E = tensor<20000x25xf32>
!Ms = tensor<20000x625xf32>
!y = tensor<?x5xf32>

/// The scores of the five classes at every node.
func.func @predict(%tree: !tree {cambium.name = "tree"},
                   %words: !words {cambium.name = "words"}) -> !y {
  %E = nn.param "words" : !E init <uniform(-0.05, 0.05)> group "embeddings"
  %Ms = nn.param "matrices" : !Ms init <uniform(-0.001, 0.001)> group "matrices"
  %x0 = nn.embed %words, %E padding_id 0 : !words, !E
  %x = nn.dropout %x0 rate 0.2 : !xs
  %xm = nn.embed %words, %Ms padding_id 0 : !words, !Ms
  %v, %M = tree.fold %tree nodes(%xj = %x : !v, %xmj = %xm : tensor<625xf32>)
                     children(%vk : !v2, %Mk : !M2) -> (!v, !M) {
    %a, %b, %A, %B = nn.call @mv_children(%vk, %Mk) : (!v2, !M2) -> (!v, !v, !M, !M)
    // p = tanh(W [(I + B) a; (I + A) b] + bias)
    %B_a = nn.matmul %B, %a : !M, !v
    %Ba = arith.addf %B_a, %a : !v
    %A_b = nn.matmul %A, %b : !M, !v
    %Ab = arith.addf %A_b, %b : !v
    %BaAb = nn.concat %Ba, %Ab over 0 : !v, !v
    %pa = nn.call @dense_one(%BaAb) : (tensor<50xf32>) -> !v
    %p = math.tanh %pa : !v
    %P = nn.call @mv_matrix(%A, %B) : (!M, !M) -> !M
    tree.yield %p, %P : !v, !M
  } leaf {
    %X = nn.reshape %xmj : tensor<625xf32> -> !M
    tree.yield %xj, %X : !v, !M
  }
  %y = nn.call @dense(%v) in "classes" : (!xs) -> !y
  return %y : !y
}

/// The sum of the cross entropies of all phrases of the sentence.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %labels: !words {cambium.name = "labels"}) -> tensor<f32> {
  %y = nn.call @predict(%tree, %words) : (!tree, !words) -> !y
  %l = nn.cross_entropy %y, %labels : !y, !words
  %s = nn.sum %l over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  groups {embeddings = #train.optimizer<adagrad>, matrices = #train.optimizer<adagrad>}
  clip_norm 10.0
