// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said next in a dialogue, and before that what the response shall do.
//
// K. Wang, J. Tian, R. Wang, X. Quan, J. Yu: Multi-Domain Dialogue Acts and Response Co-Generation.
// ACL 2020 (Marco), with the encoder of HIER, as in B. Santra, P. Anusha, P. Goyal: Hierarchical
// Transformer for Task Oriented Dialog Systems. NAACL 2021. A decoder writes acts beside the dialogue;
// that of the response attends to what it has written, then to the states of the first decoder
// behind each act, then to the dialogue. Each loss has a weight that is learned (Kendall et al. 2018).
// `acts` finds acts; `predict` finds responses that do given ones.
nn.import "../common/hierarchy.mlir"
nn.import "../common/two_memories.mlir"
nn.sizes {words = 8000, places = 512, width = 128, steps = 60}

#inner = {inner = #nn.given<"inner" = 512>}

!f = tensor<f32>
!i = tensor<i32>
!ids = tensor<?xi32>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>
!best = tensor<5x60xi32>
!lengths = tensor<5xi32>
!values = tensor<5xf32>

/// The vectors of words that are known, in their order.
func.func private @read(%words: !ids, %E: !E, %P: !P) -> !xs {
  %i = nn.positions %words limit 512 : !ids
  %x = nn.call @vectors(%words, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  return %x : !xs
}

/// States of the decoder of acts behind each of these.
func.func private @act_states(%acts: !ids, %m: !xs, %E: !E, %P: !P) -> !xs {
  %x = nn.call @read(%acts, %E, %P) : (!ids, !E, !P) -> !xs
  %h = nn.call @decoder(%x, %m) in "acts.decoder" with #inner : (!xs, !xs) -> !xs
  return %h : !xs
}

/// Scores of words by what the last layer of the response has written for them.
func.func private @words_of(%x: !xs, %E: !E) -> !ys {
  %n = nn.call @norm(%x) in "response.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %s = nn.call @scores(%n, %E) : (!xs, !E) -> !ys
  return %s : !ys
}

/// Scores of the words of a response that is known.
func.func private @response(%in: !ids, %acts: !xs, %m: !xs, %E: !E, %P: !P) -> !ys {
  %x = nn.call @read(%in, %E, %P) : (!ids, !E, !P) -> !xs
  %a = nn.call @layer(%x, %acts, %m) in "response.0" with #inner : (!xs, !xs, !xs) -> !xs
  %b = nn.call @layer(%a, %acts, %m) in "response.1" with #inner : (!xs, !xs, !xs) -> !xs
  %s = nn.call @words_of(%b, %E) : (!xs, !E) -> !ys
  return %s : !ys
}

/// exp(-s) / 2 times a mean cross entropy, and s / 2.
func.func private @weighted(%scores: !ys, %words: !ids) -> !f {
  %p = nn.param "weight" : tensor<1xf32> no_decay
  %s = nn.reshape %p : tensor<1xf32> -> !f
  %ce = nn.cross_entropy %scores, %words : !ys, !ids
  %m = nn.mean %ce over 0 : tensor<?xf32>
  %n = arith.negf %s : !f
  %w = math.exp %n : !f
  %wm = arith.mulf %w, %m : !f
  %sum = arith.addf %wm, %s : !f
  %half = arith.constant dense<0.5> : !f
  %l = arith.mulf %half, %sum : !f
  return %l : !f
}

/// The losses of the acts and of the response, each with its weight.
func.func @loss(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                %within: !ids {cambium.name = "within", cambium.rows = "context"},
                %action_in: !ids {cambium.name = "action.in", cambium.rows = "action"},
                %action: !ids {cambium.name = "action.out", cambium.rows = "action"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %h = nn.call @act_states(%action_in, %m, %E, %P) : (!ids, !xs, !E, !P) -> !xs
  %sa = nn.call @scores(%h, %E) : (!xs, !E) -> !ys
  %la = nn.call @weighted(%sa, %action) in "acts" : (!ys, !ids) -> !f
  %sr = nn.call @response(%in, %h, %m, %E, %P) : (!ids, !xs, !xs, !E, !P) -> !ys
  %lr = nn.call @weighted(%sr, %out) in "response" : (!ys, !ids) -> !f
  %l = arith.addf %la, %lr : !f
  return %l : !f
}

/// The five best lists of acts.
func.func @acts(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                %within: !ids {cambium.name = "within", cambium.rows = "context"})
    -> (!best, !lengths, !values) {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %none = arith.constant dense<0.0> : !x
  %found, %lengths, %scores = nn.call @respond(%m, %none, %E, %P) in "acts"
    : (!xs, !x, !E, !P) -> (!best, !lengths, !values)
  return %found, %lengths, %scores : !best, !lengths, !values
}

/// The five best responses that do given acts.
func.func @predict(%words: !ids {cambium.name = "context", cambium.rows = "context"},
                   %turns: !ids {cambium.name = "turns", cambium.rows = "context"},
                   %within: !ids {cambium.name = "within", cambium.rows = "context"},
                   %action: !ids {cambium.name = "action.in", cambium.rows = "action"})
    -> (!best, !lengths, !values) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %one = arith.constant dense<1> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%words, %turns, %within, %E, %P) : (!ids, !ids, !ids, !E, !P) -> !xs
  %h = nn.call @act_states(%action, %m, %E, %P) : (!ids, !xs, !E, !P) -> !xs
  %found, %lengths, %scores = depth.search beam 5 max 60 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %ones = nn.broadcast %one dims [] like %i : !i, !ids -> !ids
    %next = arith.addi %i, %ones : !ids
    %x = nn.call @vectors(%w, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
    %a, %ka, %va = nn.call @layer_step(%x, %h, %m, %k0, %v0) in "response.0"
      with #inner : (!xs, !xs, !xs, !own, !own) -> (!xs, !own, !own)
    %b, %kb, %vb = nn.call @layer_step(%a, %h, %m, %k1, %v1) in "response.1"
      with #inner : (!xs, !xs, !xs, !own, !own) -> (!xs, !own, !own)
    %s = nn.call @words_of(%b, %E) : (!xs, !E) -> !ys
    %p = nn.log_softmax %s over 1 : !ys
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %found, %lengths, %scores : !best, !lengths, !values
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
