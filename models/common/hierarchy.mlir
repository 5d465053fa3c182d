// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encoders of dialogues whose words see words of some utterances, and the decoder of a response.
//
// B. Santra, P. Anusha, P. Goyal: Hierarchical Transformer for Task Oriented Dialog Systems. NAACL
// 2021, section 2. The masks are runs of equal numbers of utterances (`within`), of which nothing as
// large as the square of a dialogue is kept.
nn.import "translation.mlir"
nn.sizes {words = 8000, places = 512, width = 128, steps = 60}

#inner = {inner = #nn.given<"inner" = 512>}
#heads = #nn.given<"heads" = 4>
#layers = #nn.given<"layers" = 2>

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!flags = tensor<?xi1>
!x = tensor<128xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<512x128xf32>

//===--- Encoders ---===//

func.func private @tables() -> (!E, !P) {
  %E = nn.param "words" : !E init <normal(0.0, 0.09)>
  %P = nn.param "places" : !P init <normal(0.0, 0.09)>
  return %E, %P : !E, !P
}

/// Attention to the words of the own utterance.
func.func private @look_in(%x: !xs, %turns: !ids) -> !xs {
  %q, %k, %v = nn.call @project(%x, %x) : (!xs, !xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads within(%turns : !ids) : !xs, !xs, !xs
  %o = nn.call @dense(%a) in "output" : (!xs) -> !xs
  return %o : !xs
}

/// The same, but the words of the last utterance see all words.
func.func private @look_around(%x: !xs, %turns: !ids, %last: !flags) -> !xs {
  %q, %k, %v = nn.call @project(%x, %x) : (!xs, !xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads within(%turns : !ids) : !xs, !xs, !xs
  %b = nn.attention %q, %k, %v heads #heads : !xs, !xs, !xs
  %both = nn.broadcast %last dims [0] like %x : !flags, !xs -> tensor<?x128xi1>
  %c = arith.select %both, %b, %a : tensor<?x128xi1>, !xs
  %o = nn.call @dense(%c) in "output" : (!xs) -> !xs
  return %o : !xs
}

/// The words of the last utterance.
func.func private @are_last(%turns: !ids) -> !flags {
  %end = arith.constant dense<2147483647> : !i
  %t = nn.take %turns, %end : !ids, !i
  %ts = nn.broadcast %t dims [] like %turns : !i, !ids -> !ids
  %last = arith.cmpi eq, %turns, %ts : !ids
  return %last : !flags
}

/// Layers that read each utterance for itself.
func.func private @utterances(%x0: !xs, %turns: !ids) -> !xs {
  %h = depth.iterate #layers stacked "utterance" carried(%x = %x0 : !xs) {
    %n = nn.call @norm(%x) in "self.norm" with {eps = 1.0e-6} : (!xs) -> !xs
    %a = nn.call @look_in(%n, %turns) in "self" : (!xs, !ids) -> !xs
    %b = nn.call @add(%x, %a) : (!xs, !xs) -> !xs
    %y = nn.call @feed(%b) with #inner : (!xs) -> !xs
    depth.yield %y : !xs
  }
  return %h : !xs
}

/// Layers in which the last utterance sees the dialogue.
func.func private @dialogue(%x0: !xs, %turns: !ids) -> !xs {
  %last = nn.call @are_last(%turns) : (!ids) -> !flags
  %h = depth.iterate #layers stacked "dialogue" carried(%x = %x0 : !xs) {
    %n = nn.call @norm(%x) in "self.norm" with {eps = 1.0e-6} : (!xs) -> !xs
    %a = nn.call @look_around(%n, %turns, %last) in "self" : (!xs, !ids, !flags) -> !xs
    %b = nn.call @add(%x, %a) : (!xs, !xs) -> !xs
    %y = nn.call @feed(%b) with #inner : (!xs) -> !xs
    depth.yield %y : !xs
  }
  return %h : !xs
}

/// Rows with places from 0 on.
func.func private @placed(%x: !xs, %P: !P) -> !xs {
  %i = nn.positions %x limit 512 : !xs
  %p = nn.embed %i, %P : !ids, !P
  %y = arith.addf %x, %p : !xs
  return %y : !xs
}

/// The encoder of HIER: layers of utterances, then, behind places in the dialogue, layers of the
/// dialogue.
func.func private @memory(%words: !ids, %turns: !ids, %within: !ids, %E: !E, %P: !P) -> !xs {
  %x = nn.call @vectors(%words, %within, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %h = nn.call @utterances(%x, %turns) : (!xs, !ids) -> !xs
  %hp = nn.call @placed(%h, %P) : (!xs, !P) -> !xs
  %c = nn.call @dialogue(%hp, %turns) : (!xs, !ids) -> !xs
  %m = nn.call @norm(%c) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %m : !xs
}

/// The encoder of SET: layers of utterances, and such behind places in the dialogue.
func.func private @alone(%words: !ids, %turns: !ids, %within: !ids, %E: !E, %P: !P) -> !xs {
  %x = nn.call @vectors(%words, %within, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %h = nn.call @utterances(%x, %turns) in "first" : (!xs, !ids) -> !xs
  %hp = nn.call @placed(%h, %P) : (!xs, !P) -> !xs
  %c = nn.call @utterances(%hp, %turns) in "second" : (!xs, !ids) -> !xs
  %m = nn.call @norm(%c) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %m : !xs
}

//===--- The decoder ---===//

/// A vector is added to those of all words that are written.
func.func private @with_vector(%x: !xs, %a: !x) -> !xs {
  %as = nn.broadcast %a dims [1] like %x : !x, !xs -> !xs
  %y = arith.addf %x, %as : !xs
  return %y : !xs
}

/// The mean cross entropy of the words of a response, of which each sees those before it; `a` is
/// added to each.
func.func private @response_loss(%m: !xs, %a: !x, %E: !E, %P: !P, %in: !ids, %out: !ids) -> !f {
  %i = nn.positions %in limit 512 : !ids
  %v = nn.call @vectors(%in, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  %x = nn.call @with_vector(%v, %a) : (!xs, !x) -> !xs
  %y = nn.call @decoder(%x, %m) in "decoder" with #inner : (!xs, !xs) -> !xs
  %s = nn.call @scores(%y, %E) : (!xs, !E) -> !ys
  %ce = nn.cross_entropy %s, %out : !ys, !ids
  %l = nn.mean %ce over 0 : tensor<?xf32>
  return %l : !f
}

/// The five best responses, of at most 60 words.
func.func private @respond(%m: !xs, %a: !x, %E: !E, %P: !P)
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %found, %lengths, %scores = depth.search beam 5 max 60 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %v = nn.call @vectors(%w, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
    %x = nn.call @with_vector(%v, %a) : (!xs, !x) -> !xs
    %p, %next, %ka, %va, %kb, %vb = nn.call @write_behind(%x, %i, %m, %E, %k0, %v0, %k1, %v1)
      with #inner : (!xs, !ids, !xs, !E, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %found, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}
