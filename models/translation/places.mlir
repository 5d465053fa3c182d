// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three ways to say where a word stands: angles (APE), shifted angles (SHAPE), distances (RPE).
//
// A. Vaswani et al.: Attention Is All You Need. NeurIPS 2017, section 3.5; S. Kiyono et al.: SHAPE:
// Shifted Absolute Position Embedding for Transformers. EMNLP 2021, equation 2; P. Shaw et al.:
// Self-Attention with Relative Position Representations. NAACL 2018, equations 3 and 4, distances up
// to 16. SHAPE adds to the places of a text one number that is drawn for it in training, and none
// else, so that it has APE's functions outside of training: `--step ape` or `--step shape`, or
// `--step rpe --loss rpe_loss`. `states` are those of the encoder behind places that begin at
// `offset`.
nn.import "../common/translation.mlir"
nn.sizes {words = 8000, places = 1024, width = 128, columns = 32, distances = 33}

#inner = {inner = #nn.given<"inner" = 512>}
#dropout = #nn.given<"dropout" = 0.1>
#heads = #nn.given<"heads" = 4>
#layers = #nn.given<"layers" = 2>

!f = tensor<f32>
!i = tensor<i32>
!ids = tensor<?xi32>
!xs = tensor<?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<1024x128xf32>
!R = tensor<33x32xf32>

func.func private @word_vectors() -> !E {
  %E = nn.param "words" : !E init <normal(0.0, 0.09)>
  return %E : !E
}

/// sqrt(width) word + angles of its place, which begin at an offset.
func.func private @read(%tokens: !ids, %offset: !i) -> !xs {
  %E = nn.call @word_vectors() : () -> !E
  %P = nn.param "angles" : !P init <sinusoidal(1.0)> frozen
  %i = nn.positions %tokens limit 1024 : !ids
  %o = nn.broadcast %offset dims [] like %i : !i, !ids -> !ids
  %at = arith.addi %i, %o : !ids
  %x = nn.call @vectors(%tokens, %at, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  return %x : !xs
}

/// The mean cross entropy of the words of the target, by what stands before the decoder.
func.func private @entropy(%y: !xs, %out: !ids) -> !f {
  %E = nn.call @word_vectors() : () -> !E
  %s = nn.call @scores(%y, %E) : (!xs, !E) -> !ys
  %ce = nn.cross_entropy %s, %out : !ys, !ids
  %l = nn.mean %ce over 0 : tensor<?xf32>
  return %l : !f
}

/// With angles from two offsets, of the source and of the target.
func.func private @shifted(%source: !ids, %in: !ids, %out: !ids, %k: !i, %j: !i) -> !f {
  %x = nn.call @read(%source, %k) : (!ids, !i) -> !xs
  %m = nn.call @encoder(%x) in "encoder" with #inner : (!xs) -> !xs
  %t = nn.call @read(%in, %j) : (!ids, !i) -> !xs
  %y = nn.call @decoder(%t, %m) in "decoder" with #inner : (!xs, !xs) -> !xs
  %l = nn.call @entropy(%y, %out) : (!xs, !ids) -> !f
  return %l : !f
}

func.func @loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %zero = arith.constant dense<0> : !i
  %l = nn.call @shifted(%source, %in, %out, %zero, %zero) : (!ids, !ids, !ids, !i, !i) -> !f
  return %l : !f
}

func.func @shape_loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                      %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                      %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %k = nn.random integer(0.0, 501.0) training : !i
  %j = nn.random integer(0.0, 501.0) training : !i
  %l = nn.call @shifted(%source, %in, %out, %k, %j) : (!ids, !ids, !ids, !i, !i) -> !f
  return %l : !f
}

/// What trainings and evaluations ask for: the logarithm of the perplexity.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                   %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                   %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %l = nn.call @loss(%source, %in, %out) : (!ids, !ids, !ids) -> !f
  return %l : !f
}

/// The states of the encoder behind places that begin at an offset.
func.func @states(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                  %offset: !f {cambium.name = "offset"}) -> (!xs {cambium.name = "states"}) {
  %k = arith.fptosi %offset : !f to !i
  %x = nn.call @read(%source, %k) : (!ids, !i) -> !xs
  %m = nn.call @encoder(%x) in "encoder" with #inner : (!xs) -> !xs
  return %m : !xs
}

//===--- Distances ---===//

func.func private @distances() -> (!R, !R) {
  %K = nn.param "relative.keys" : !R init <normal(0.0, 0.1)>
  %V = nn.param "relative.values" : !R init <normal(0.0, 0.1)>
  return %K, %V : !R, !R
}

func.func private @read_words(%tokens: !ids) -> !xs {
  %E = nn.call @word_vectors() : () -> !E
  %same = arith.constant dense<1.0> : tensor<128xf32>
  %width = nn.sum %same over 0 : tensor<128xf32>
  %root = math.sqrt %width : !f
  %w = nn.embed %tokens, %E : !ids, !E
  %roots = nn.broadcast %root dims [] like %w : !f, !xs -> !xs
  %x = arith.mulf %w, %roots : !xs
  %d = nn.dropout %x rate #dropout : !xs
  return %d : !xs
}

func.func private @look_near(%x: !xs) -> !xs {
  %K, %V = nn.call @distances() : () -> (!R, !R)
  %q, %k, %v = nn.call @project(%x, %x) : (!xs, !xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads
    relative_keys(%K : !R) relative_values(%V : !R) : !xs, !xs, !xs
  %o = nn.call @dense(%a) in "output" : (!xs) -> !xs
  return %o : !xs
}

func.func private @look_near_back(%x: !xs) -> !xs {
  %K, %V = nn.call @distances() : () -> (!R, !R)
  %q, %k, %v = nn.call @project(%x, %x) : (!xs, !xs) -> (!xs, !xs, !xs)
  %a = nn.attention %q, %k, %v heads #heads causal
    relative_keys(%K : !R) relative_values(%V : !R) : !xs, !xs, !xs
  %o = nn.call @dense(%a) in "output" : (!xs) -> !xs
  return %o : !xs
}

func.func private @near_encoder(%x: !xs) -> !xs {
  %h = depth.iterate #layers stacked "layer" carried(%y = %x : !xs) {
    %n = nn.call @norm(%y) in "self.norm" with {eps = 1.0e-6} : (!xs) -> !xs
    %a = nn.call @look_near(%n) in "self" : (!xs) -> !xs
    %b = nn.call @add(%y, %a) : (!xs, !xs) -> !xs
    %z = nn.call @feed(%b) : (!xs) -> !xs
    depth.yield %z : !xs
  }
  %m = nn.call @norm(%h) in "norm" with {eps = 1.0e-6} : (!xs) -> !xs
  return %m : !xs
}

func.func private @near_layer(%x: !xs, %memory: !xs) -> !xs {
  %n = nn.call @norm(%x) in "back.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %b = nn.call @look_near_back(%n) in "back" : (!xs) -> !xs
  %y = nn.call @look_aside(%x, %b, %memory) : (!xs, !xs, !xs) -> !xs
  return %y : !xs
}

func.func @rpe_loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                    %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                    %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %x = nn.call @read_words(%source) : (!ids) -> !xs
  %m = nn.call @near_encoder(%x) in "encoder" with #inner : (!xs) -> !xs
  %t = nn.call @read_words(%in) : (!ids) -> !xs
  %a = nn.call @near_layer(%t, %m) in "decoder.0" with #inner : (!xs, !xs) -> !xs
  %b = nn.call @near_layer(%a, %m) in "decoder.1" with #inner : (!xs, !xs) -> !xs
  %y = nn.call @norm(%b) in "decoder.norm" with {eps = 1.0e-6} : (!xs) -> !xs
  %l = nn.call @entropy(%y, %out) : (!xs, !ids) -> !f
  return %l : !f
}

train.step @ape loss @loss optimizer #train.optimizer<adam> clip_norm 1.0
train.step @shape loss @shape_loss optimizer #train.optimizer<adam> clip_norm 1.0
train.step @rpe loss @rpe_loss optimizer #train.optimizer<adam> clip_norm 1.0
