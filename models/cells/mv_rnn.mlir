// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix-vector recursive neural network.
//
// R. Socher, B. Huval, C. D. Manning, A. Y. Ng: Semantic Compositionality through Recursive
// Matrix-Vector Spaces. EMNLP 2012: every node has a vector and a matrix; the matrix of each child
// acts on the vector of the other one. Words have full matrices here, not low-rank ones.
nn.import "../common/mv_rnn.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 2000, hidden = 25, classes = 5, both = 2 * hidden, square = hidden * hidden}

!tree = !tree.tree
!words = tensor<?xi32>
!v = tensor<25xf32>
!v2 = tensor<2x25xf32>
!M = tensor<25x25xf32>
!M2 = tensor<2x25x25xf32>
!E = tensor<2000x25xf32>
!Ms = tensor<2000x625xf32>

/// The vector of the root.
func.func @encode(%tree: !tree {cambium.name = "tree"},
                  %words: !words {cambium.name = "words"}) -> !v {
  %E = nn.param "embedding" : !E init <normal(0.0, 0.1)>
  %Ms = nn.param "matrices" : !Ms init <normal(0.0, 0.1)>
  %x = nn.embed %words, %E : !words, !E
  %xm = nn.embed %words, %Ms : !words, !Ms
  %v, %M = tree.fold %tree nodes(%xj = %x : !v, %xmj = %xm : tensor<625xf32>)
                     children(%vk : !v2, %Mk : !M2) -> (!v, !M) {
    %a, %b, %A, %B = nn.call @mv_children(%vk, %Mk) : (!v2, !M2) -> (!v, !v, !M, !M)
    // p = tanh(W [B a; A b])
    %Ba = nn.matmul %B, %a : !M, !v
    %Ab = nn.matmul %A, %b : !M, !v
    %BaAb = nn.concat %Ba, %Ab over 0 : !v, !v
    %W = nn.param "W" : tensor<50x25xf32> init <xavier_uniform>
    %pa = nn.linear %BaAb, %W : tensor<50xf32>, tensor<50x25xf32>
    %p = math.tanh %pa : !v
    %P = nn.call @mv_matrix(%A, %B) : (!M, !M) -> !M
    tree.yield %p, %P : !v, !M
  } leaf {
    %X = nn.reshape %xmj : tensor<625xf32> -> !M
    tree.yield %xj, %X : !v, !M
  }
  %root = tree.root %tree, %v : tensor<?x25xf32>
  return %root : !v
}

/// Cross entropy of a linear layer over the state of the root.
func.func @loss(%tree: !tree {cambium.name = "tree"}, %words: !words {cambium.name = "words"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %h = nn.call @encode(%tree, %words) : (!tree, !words) -> !v
  %y = nn.call @dense_one(%h) in "classes" : (!v) -> tensor<5xf32>
  %l = nn.cross_entropy %y, %label : tensor<5xf32>, tensor<i32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adagrad> clip_norm 5.0
