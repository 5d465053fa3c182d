// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said next in a dialogue of which each utterance becomes one vector.
//
// B. Santra, P. Anusha, P. Goyal: Hierarchical Transformer for Task Oriented Dialog Systems. NAACL
// 2021 (HIER-CLS): the state of the first word of each utterance alone goes to the context
// encoder, as in HRED and HIBERT; the utterances see each other, and the decoder sees them.
nn.import "../common/hierarchy.mlir"
nn.sizes {words = 8000, places = 512, width = 128, steps = 60}

!f = tensor<f32>
!ids = tensor<?xi32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>

#sizes = {inner = #nn.given<"inner" = 512>}
#layers = #nn.given<"layers" = 2>

/// Layers of utterances, and layers over their first states.
func.func private @firsts(%words: !ids, %turns: !ids, %within: !ids, %starts: !ids, %E: !E, %P: !P)
    -> !xs {
  %x = nn.call @vectors(%words, %within, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %h = nn.call @utterances(%x, %turns) : (!xs, !ids) -> !xs
  %u = nn.take %h, %starts : !xs, !ids
  %up = nn.call @placed(%u, %P) : (!xs, !P) -> !xs
  %c = depth.iterate #layers stacked "dialogue" carried(%y = %up : !xs) {
    %n = nn.call @norm(%y) in "self.norm" with {eps = 1.0e-6} : (!xs) -> !xs
    %a = nn.call @look(%n, %n) in "self" : (!xs, !xs) -> !xs
    %b = nn.call @add(%y, %a) : (!xs, !xs) -> !xs
    %z = nn.call @feed(%b) with #sizes : (!xs) -> !xs
    depth.yield %z : !xs
  }
  %m = nn.call @norm(%c) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %m : !xs
}

/// The mean cross entropy of the words of the response.
func.func @loss(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                %within: !ids {cambium.name = "within", cambium.rows = "context"},
                %starts: !ids {cambium.name = "starts", cambium.rows = "utterances"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @firsts(%words, %turns, %within, %starts, %E, %P)
    : (!ids, !ids, !ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %l = nn.call @response_loss(%m, %none, %E, %P, %in, %out) : (!xs, !x, !E, !P, !ids, !ids) -> !f
  return %l : !f
}

/// The five best responses.
func.func @predict(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                   %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                   %within: !ids {cambium.name = "within", cambium.rows = "context"},
                   %starts: !ids {cambium.name = "starts", cambium.rows = "utterances"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @firsts(%words, %turns, %within, %starts, %E, %P)
    : (!ids, !ids, !ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %found, %lengths, %scores = nn.call @respond(%m, %none, %E, %P)
    : (!xs, !x, !E, !P) -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>)
  return %found, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
