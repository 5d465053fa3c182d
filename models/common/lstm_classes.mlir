// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text, by the last state of an LSTM.
//
// A. M. Dai, Q. V. Le: Semi-supervised Sequence Learning. NeurIPS 2015. T. Miyato, A. M. Dai,
// I. Goodfellow: Adversarial Training Methods for Semi-Supervised Text Classification. ICLR 2017: the
// paper normalizes the vectors over all words, weighted by their frequency; here each vector has the
// length that this gives them on average.
nn.import "directions.mlir"
nn.import "layers.mlir"
nn.import "lstm.mlir"
nn.import "perturbation.mlir"
nn.sizes {words = 20000, input = 256, hidden = 128, layer = 30, classes = 2, near = 10}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!f = tensor<f32>
!table = tensor<20000x256xf32>
!xs = tensor<?x256xf32>
!ds = tensor<?x10x256xf32>
!h = tensor<128xf32>
!s = tensor<30xf32>
!y = tensor<2xf32>

func.func private @vectors() -> !table {
  %E = nn.param "words" : !table init <normal(0.0, 0.1)>
  return %E : !table
}

/// The vectors of the words, of which dropout leaves out a part.
func.func private @embedded(%tokens: !words) -> !xs {
  %E = nn.call @vectors() : () -> !table
  %x = nn.embed %tokens, %E padding_id 0 : !words, !table
  %length = nn.constant "length" = 4.0 : !f
  %v = nn.call @of_length(%x, %length) : (!xs, !f) -> !xs
  %d = nn.dropout %v rate #dropout : !xs
  return %d : !xs
}

/// From each word to the nearest ones.
func.func private @to_neighbours(%tokens: !words) -> !ds {
  %E = nn.call @vectors() : () -> !table
  %d = nn.call @directions(%tokens, %E) : (!words, !table) -> !ds
  return %d : !ds
}

/// Scores of the classes: relu(W h + b) of the last state h, and a layer.
func.func private @classify(%x: !xs) -> !y {
  %chain = tree.chain %x : !xs
  %h = nn.call @lstm(%chain, %x) in "lstm" : (!tree.tree, !xs) -> !h
  %a = nn.call @dense_one(%h) in "layer" : (!h) -> !s
  %s = nn.relu %a : !s
  %d = nn.dropout %s rate #dropout : !s
  %y = nn.call @dense_one(%d) in "classes" : (!s) -> !y
  return %y : !y
}
