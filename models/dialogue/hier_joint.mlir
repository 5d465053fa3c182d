// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a dialogue has settled, what the response shall do, and the response, by one encoder and three
// decoders.
//
// B. Santra, P. Anusha, P. Goyal: Hierarchical Transformer for Task Oriented Dialog Systems. NAACL
// 2021 (HIER-Joint): the mean of the vectors of the belief's words is added to those of all words of
// the acts, and the means of both to those of the response. The losses are summed. A response is
// found behind the best belief and the best acts that were found.
nn.import "../common/hierarchy.mlir"
nn.sizes {words = 8000, places = 512, width = 128, steps = 60}

!f = tensor<f32>
!i = tensor<i32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!flags = tensor<60xf32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!fx = tensor<60x128xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>
!best = tensor<5x60xi32>
!lengths = tensor<5xi32>
!scores = tensor<5xf32>

/// sum / count, of no rows 0.
func.func private @divided(%sum: !x, %count: !f) -> !x {
  %one = arith.constant dense<1.0> : !f
  %some = arith.maximumf %count, %one : !f
  %n = nn.broadcast %some dims [] : !f -> !x
  %m = arith.divf %sum, %n : !x
  return %m : !x
}

/// The mean of the vectors of given words, without the end.
func.func private @mean_of_words(%w: !ids, %E: !E) -> !x {
  %end = arith.constant dense<3> : !i
  %x = nn.embed %w, %E : !ids, !E
  %ends = nn.broadcast %end dims [] like %w : !i, !ids -> !ids
  %is = arith.cmpi ne, %w, %ends : !ids
  %one = arith.uitofp %is : tensor<?xi1> to !fs
  %ones = nn.broadcast %one dims [0] like %x : !fs, !xs -> !xs
  %kept = arith.mulf %x, %ones : !xs
  %sum = nn.sum %kept over 0 : !xs
  %count = nn.sum %one over 0 : !fs
  %m = nn.call @divided(%sum, %count) : (!x, !f) -> !x
  return %m : !x
}

/// The same of the best words that a search has found; behind its end it has further ends.
func.func private @mean_of_best(%found: !best, %E: !E) -> !x {
  %ends = arith.constant dense<3> : !best
  %xs = nn.embed %found, %E : !best, !E
  %xk = nn.slice %xs over 0 from 0 size 1 : tensor<5x60x128xf32>
  %x = nn.reshape %xk : tensor<1x60x128xf32> -> !fx
  %is = arith.cmpi ne, %found, %ends : !best
  %os = arith.uitofp %is : tensor<5x60xi1> to tensor<5x60xf32>
  %ok = nn.slice %os over 0 from 0 size 1 : tensor<5x60xf32>
  %one = nn.reshape %ok : tensor<1x60xf32> -> !flags
  %ones = nn.broadcast %one dims [0] : !flags -> !fx
  %kept = arith.mulf %x, %ones : !fx
  %sum = nn.sum %kept over 0 : !fx
  %count = nn.sum %one over 0 : !flags
  %m = nn.call @divided(%sum, %count) : (!x, !f) -> !x
  return %m : !x
}

/// The sum of the losses of the belief, the acts and the response.
func.func @loss(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                %within: !ids {cambium.name = "within", cambium.rows = "context"},
                %belief_in: !ids {cambium.name = "belief.in", cambium.rows = "belief"},
                %belief: !ids {cambium.name = "belief.out", cambium.rows = "belief"},
                %action_in: !ids {cambium.name = "action.in", cambium.rows = "action"},
                %action: !ids {cambium.name = "action.out", cambium.rows = "action"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %b = nn.call @mean_of_words(%belief, %E) : (!ids, !E) -> !x
  %a = nn.call @mean_of_words(%action, %E) : (!ids, !E) -> !x
  %ba = arith.addf %b, %a : !x
  %l0 = nn.call @response_loss(%m, %none, %E, %P, %belief_in, %belief) in "belief"
    : (!xs, !x, !E, !P, !ids, !ids) -> !f
  %l1 = nn.call @response_loss(%m, %b, %E, %P, %action_in, %action) in "action"
    : (!xs, !x, !E, !P, !ids, !ids) -> !f
  %l2 = nn.call @response_loss(%m, %ba, %E, %P, %in, %out) in "response"
    : (!xs, !x, !E, !P, !ids, !ids) -> !f
  %l01 = arith.addf %l0, %l1 : !f
  %l = arith.addf %l01, %l2 : !f
  return %l : !f
}

/// The five best responses.
func.func @predict(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                   %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                   %within: !ids {cambium.name = "within", cambium.rows = "context"})
    -> (!best, !lengths, !scores) {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %belief, %belief_lengths, %belief_scores = nn.call @respond(%m, %none, %E, %P) in "belief"
    : (!xs, !x, !E, !P) -> (!best, !lengths, !scores)
  %b = nn.call @mean_of_best(%belief, %E) : (!best, !E) -> !x
  %action, %action_lengths, %action_scores = nn.call @respond(%m, %b, %E, %P) in "action"
    : (!xs, !x, !E, !P) -> (!best, !lengths, !scores)
  %a = nn.call @mean_of_best(%action, %E) : (!best, !E) -> !x
  %ba = arith.addf %b, %a : !x
  %found, %lengths, %scores = nn.call @respond(%m, %ba, %E, %P) in "response"
    : (!xs, !x, !E, !P) -> (!best, !lengths, !scores)
  return %found, %lengths, %scores : !best, !lengths, !scores
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
