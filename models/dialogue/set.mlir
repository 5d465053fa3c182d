// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said next in a dialogue of which no word sees words of other utterances.
//
// B. Santra, P. Anusha, P. Goyal: Hierarchical Transformer for Task Oriented Dialog Systems. NAACL
// 2021 (SET): the encoder of HIER without the context; its second part stays, as in the published
// code, with the mask of the first. Only the decoder sees all utterances.
nn.import "../common/hierarchy.mlir"
nn.sizes {words = 8000, places = 512, width = 128, steps = 60}

!f = tensor<f32>
!ids = tensor<?xi32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>

/// The mean cross entropy of the words of the response.
func.func @loss(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                %within: !ids {cambium.name = "within", cambium.rows = "context"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @alone(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %l = nn.call @response_loss(%m, %none, %E, %P, %in, %out) : (!xs, !x, !E, !P, !ids, !ids) -> !f
  return %l : !f
}

/// The five best responses.
func.func @predict(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                   %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                   %within: !ids {cambium.name = "within", cambium.rows = "context"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @alone(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %found, %lengths, %scores = nn.call @respond(%m, %none, %E, %P)
    : (!xs, !x, !E, !P) -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>)
  return %found, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
