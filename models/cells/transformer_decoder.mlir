// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transformer decoder layer with a cache for generation.
//
// A. Vaswani et al.: Attention Is All You Need. NeurIPS 2017, section 3.1: causal attention to the
// words so far, attention to a memory (the states of an encoder), two products; normalization
// after each. Next words are scored with the table of the inputs (Press and Wolf: Using the Output
// Embedding to Improve Language Models. EACL 2017).
//
// `predict` scores the next word behind every word. `step` does the same for new words behind
// others, of which the host has kept the keys and values that earlier calls gave: the rows of the
// results `keys` and `values`, appended to the cache. One word at a time, or any number of them:
// the scores are those of `predict`.
nn.import "../common/attention.mlir"
nn.sizes {words = 2000, width = 96, inner = 384}

!words = tensor<?xi32>
!v = tensor<96xf32>
!x = tensor<?x96xf32>
!inner = tensor<?x384xf32>
!scores = tensor<?x2000xf32>
!E = tensor<2000x96xf32>

// Inputs and outputs share it.
nn.param @embedding : !E init <normal(0.0, 0.1)>

/// norm(x + y).
func.func private @add_and_norm(%x: !x, %y: !x) -> !x {
  %g = nn.param "scale" : !v init <constant(1.0)> no_decay
  %s = nn.param "shift" : !v no_decay
  %sum = arith.addf %x, %y : !x
  %z = nn.layer_norm %sum, %g, %s : !x, !v, !v
  return %z : !x
}

/// The keys and values of words for the attention of later ones.
func.func private @keys(%x: !x) -> (!x, !x) {
  %k = nn.call @dense(%x) in "back.key" : (!x) -> !x
  %v = nn.call @dense(%x) in "back.value" : (!x) -> !x
  return %k, %v : !x, !x
}

/// Attention to the words with these keys, of which x are the last.
func.func private @look_back(%x: !x, %k: !x, %v: !x) -> !x {
  %q = nn.call @dense(%x) in "query" : (!x) -> !x
  %a = nn.attention %q, %k, %v heads 2 causal : !x, !x, !x
  %o = nn.call @dense(%a) in "output" : (!x) -> !x
  return %o : !x
}

/// W_2 gelu(W_1 x + b_1) + b_2.
func.func private @feed(%x: !x) -> !x {
  %a = nn.call @dense(%x) in "1" : (!x) -> !inner
  %h = nn.gelu %a : !inner
  %y = nn.call @dense(%h) in "2" : (!inner) -> !x
  return %y : !x
}

/// The layer, for words with keys and values of themselves and of those before.
func.func private @layer(%x: !x, %k: !x, %v: !x, %memory: !x) -> !x {
  %b = nn.call @look_back(%x, %k, %v) in "back" : (!x, !x, !x) -> !x
  %y = nn.call @add_and_norm(%x, %b) in "back" : (!x, !x) -> !x
  %a = nn.call @attend(%y, %memory) in "aside" with {heads = 2} : (!x, !x) -> !x
  %z = nn.call @add_and_norm(%y, %a) in "aside" : (!x, !x) -> !x
  %f = nn.call @feed(%z) in "feed" : (!x) -> !x
  %w = nn.call @add_and_norm(%z, %f) in "feed" : (!x, !x) -> !x
  return %w : !x
}

func.func private @vectors(%tokens: !words) -> !x {
  %E = nn.use @embedding : !E
  %x = nn.embed %tokens, %E : !words, !E
  return %x : !x
}

/// The score of each word of the table.
func.func private @scores(%y: !x) -> !scores {
  %E = nn.use @embedding : !E
  %Et = nn.transpose %E perm [1, 0] : !E
  %s = nn.linear %y, %Et : !x, tensor<96x2000xf32>
  return %s : !scores
}

func.func @predict(%tokens: !words {cambium.name = "tokens", cambium.rows = "tokens"},
                   %memory: !x {cambium.name = "memory"}) -> !scores {
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %k, %v = nn.call @keys(%x) : (!x) -> (!x, !x)
  %y = nn.call @layer(%x, %k, %v, %memory) : (!x, !x, !x, !x) -> !x
  %s = nn.call @scores(%y) : (!x) -> !scores
  return %s : !scores
}

func.func @step(%tokens: !words {cambium.name = "tokens", cambium.rows = "tokens"},
                %cached_keys: !x {cambium.name = "cached_keys", cambium.rows = "cache"},
                %cached_values: !x {cambium.name = "cached_values", cambium.rows = "cache"},
                %memory: !x {cambium.name = "memory"})
    -> (!scores, !x {cambium.name = "keys"}, !x {cambium.name = "values"}) {
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %k, %v = nn.call @keys(%x) : (!x) -> (!x, !x)
  %all_k = nn.append %cached_keys, %k : !x, !x
  %all_v = nn.append %cached_values, %v : !x, !x
  %y = nn.call @layer(%x, %all_k, %all_v, %memory) : (!x, !x, !x, !x) -> !x
  %s = nn.call @scores(%y) : (!x) -> !scores
  return %s, %k, %v : !scores, !x, !x
}

/// Cross entropy of the next word, meant over the words.
func.func @loss(%tokens: !words {cambium.name = "tokens", cambium.rows = "tokens"},
                %memory: !x {cambium.name = "memory"},
                %next: !words {cambium.name = "next", cambium.rows = "tokens"}) -> tensor<f32> {
  %s = nn.call @predict(%tokens, %memory) : (!words, !x) -> !scores
  %ce = nn.cross_entropy %s, %next : !scores, !words
  %l = nn.mean %ce over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

train.step @train loss @loss optimizer #train.optimizer<adamw, weight_decay = 0.01>
  clip_norm 5.0
