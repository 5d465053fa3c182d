// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which text of a list is the best, by what is known of each: a network that scores them together.
//
// S. Kiyono's thesis, section 5.5.3, tries a network as reranker and gives no equations. Here each
// candidate has two layers for itself, over what it has more than the mean of its list, and the loss
// is that of the best one among all (Cao et al.: Learning to Rank: From Pairwise Approach to Listwise
// Approach. ICML 2007, top one).
nn.import "../common/layers.mlir"
nn.sizes {features = 9, hidden = 16, one = 1}

!xs = tensor<?x9xf32>
!hs = tensor<?x16xf32>
!ss = tensor<?xf32>

/// A score of each candidate.
func.func @predict(%x: !xs {cambium.name = "x", cambium.rows = "x"}) -> !ss {
  %m = nn.mean %x over 0 : !xs
  %ms = nn.broadcast %m dims [1] like %x : tensor<9xf32>, !xs -> !xs
  %c = arith.subf %x, %ms : !xs
  %a = nn.call @dense(%c) in "inner" : (!xs) -> !hs
  %h = math.tanh %a : !hs
  %s = nn.call @dense(%h) in "score" : (!hs) -> tensor<?x1xf32>
  %y = nn.reshape %s : tensor<?x1xf32> -> !ss
  return %y : !ss
}

/// -log of the part of the best candidate in a softmax over the list.
func.func @loss(%x: !xs {cambium.name = "x", cambium.rows = "x"},
                %best: tensor<i32> {cambium.name = "best"}) -> tensor<f32> {
  %s = nn.call @predict(%x) : (!xs) -> !ss
  %own = nn.take %s, %best : !ss, tensor<i32>
  %z = nn.log_sum_exp %s over 0 : !ss
  %l = arith.subf %z, %own : tensor<f32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adam>
