// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said next in a dialogue of which no word sees words of other utterances, when it is known
// what the response shall do.
//
// B. Santra, P. Anusha, P. Goyal: Hierarchical Transformer for Task Oriented Dialog Systems. NAACL
// 2021 (SET++): the encoder of SET; the acts of the response, as zeros and ones, become a vector that
// is added to those of all words that the decoder writes, as in HIER++.
nn.import "../common/hierarchy.mlir"
nn.sizes {words = 8000, places = 512, width = 128, steps = 60, acts = 10}

!f = tensor<f32>
!ids = tensor<?xi32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>
!acts = tensor<10xf32>

/// The vector of the acts.
func.func private @vector_of(%acts: !acts) -> !x {
  %v = nn.call @dense_one(%acts) in "acts" : (!acts) -> !x
  return %v : !x
}

/// The mean cross entropy of the words of the response.
func.func @loss(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                %within: !ids {cambium.name = "within", cambium.rows = "context"},
                %acts: !acts {cambium.name = "acts"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @alone(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %a = nn.call @vector_of(%acts) : (!acts) -> !x
  %l = nn.call @response_loss(%m, %a, %E, %P, %in, %out) : (!xs, !x, !E, !P, !ids, !ids) -> !f
  return %l : !f
}

/// The five best responses.
func.func @predict(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                   %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                   %within: !ids {cambium.name = "within", cambium.rows = "context"},
                   %acts: !acts {cambium.name = "acts"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @alone(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %a = nn.call @vector_of(%acts) : (!acts) -> !x
  %found, %lengths, %scores = nn.call @respond(%m, %a, %E, %P)
    : (!xs, !x, !E, !P) -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>)
  return %found, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
