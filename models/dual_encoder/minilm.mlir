// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The encoder of ../bert/minilm.mlir, tuned by pairs that tell each other among those of a batch.
//
// A. Simoulin: Sentence embeddings and their relation with sentence structures. PhD thesis,
// Université Paris Cité 2022, equation 8.1: how all-MiniLM-L6-v2 was trained itself, with a billion
// pairs. The vector of a text is the mean of its states, of length 1. An example of the loss is a set
// of pairs.
nn.import "../common/in_batch.mlir"
nn.import "../common/transformer.mlir"
nn.sizes {width = 384}

#encoder = {layers = #nn.given<"layers" = 6>, heads = #nn.given<"heads" = 12>,
            inner = #nn.given<"inner" = 1536>, words = #nn.given<"words" = 30522>,
            places = #nn.given<"places" = 512>, init = #nn.init<truncated_normal(0.0, 0.02)>}

!ids = tensor<?xi32>
!many = tensor<?x?xi32>
!x = tensor<?x384xf32>
!h = tensor<384xf32>
!f = tensor<f32>

/// The vector of a text, of length 1.
func.func private @encode(%pieces: !ids) -> !h {
  %zero = arith.constant dense<0> : tensor<i32>
  %segments = nn.broadcast %zero dims [] like %pieces : tensor<i32>, !ids -> !ids
  %x = nn.call @bert(%pieces, %segments) with #encoder : (!ids, !ids) -> !x
  %m = nn.mean %x over 0 : !x
  %z = nn.l2_normalize %m over 0 : !h
  return %z : !h
}

/// The cosine of two texts.
func.func @predict(%a: !ids {cambium.name = "a"}, %b: !ids {cambium.name = "b"}) -> !f {
  %za = nn.call @encode(%a) : (!ids) -> !h
  %zb = nn.call @encode(%b) : (!ids) -> !h
  %c = nn.matmul %za, %zb : !h, !h
  return %c : !f
}

/// How well each first text tells its second one.
func.func @loss(%as: !many {cambium.name = "a", cambium.rows = "pairs"},
                %bs: !many {cambium.name = "b", cambium.rows = "pairs"}) -> !f {
  %none = arith.constant dense<0.0> : !f
  %a, %b = nn.each rows(%pa = %as : !ids, %pb = %bs : !ids) -> (!h, !h) {
    %za = nn.call @encode(%pa) : (!ids) -> !h
    %zb = nn.call @encode(%pb) : (!ids) -> !h
    nn.yield %za, %zb : !h, !h
  }
  %l = nn.call @in_batch_loss(%a, %b, %none) : (!x, !x, !f) -> !f
  return %l : !f
}

train.step @in_batch loss @loss optimizer #train.optimizer<adam> clip_norm 1.0
