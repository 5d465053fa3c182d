// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said next in a dialogue whose utterances are not read for themselves first.
//
// B. Santra, P. Anusha, P. Goyal: Hierarchical Transformer for Task Oriented Dialog Systems. NAACL
// 2021 (MAT): the context encoder of HIER alone; the last utterance sees all from the first layer
// on.
nn.import "../common/hierarchy.mlir"
nn.sizes {words = 8000, places = 512, width = 128, steps = 60}

!f = tensor<f32>
!ids = tensor<?xi32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>

/// Layers of the dialogue.
func.func private @around(%words: !ids, %turns: !ids, %E: !E, %P: !P) -> !xs {
  %i = nn.positions %words limit 512 : !ids
  %x = nn.call @vectors(%words, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %c = nn.call @dialogue(%x, %turns) : (!xs, !ids) -> !xs
  %m = nn.call @norm(%c) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %m : !xs
}

/// The mean cross entropy of the words of the response.
func.func @loss(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @around(%words, %turns, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %l = nn.call @response_loss(%m, %none, %E, %P, %in, %out) : (!xs, !x, !E, !P, !ids, !ids) -> !f
  return %l : !f
}

/// The five best responses.
func.func @predict(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                   %turns: !ids {cambium.name = "turns", cambium.rows = "context"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @around(%words, %turns, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %found, %lengths, %scores = nn.call @respond(%m, %none, %E, %P)
    : (!xs, !x, !E, !P) -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>)
  return %found, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
