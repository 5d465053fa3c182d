// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that is written word by word beside another one, by the Transformer of translation.mlir with
// learned places: of a target that is known all words at once, in a search one word of each
// hypothesis, which keeps the keys and values of its words.
nn.import "translation.mlir"
nn.sizes {words = 8000, places = 256, width = 128}

#inner = {inner = #nn.given<"inner" = 512>}

!ids = tensor<?xi32>
!xs = tensor<?x128xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>
!ys = tensor<?x8000xf32>

/// The vectors of words, with which they are scored too, and of places.
func.func private @tables() -> (!E, !P) {
  %E = nn.param "words" : !E init <normal(0.0, 0.09)>
  %P = nn.param "places" : !P init <sinusoidal(1.0)>
  return %E, %P : !E, !P
}

/// The vectors of words, each behind the other.
func.func private @read(%tokens: !ids, %E: !E, %P: !P) -> !xs {
  %i = nn.positions %tokens limit 256 : !ids
  %x = nn.call @vectors(%tokens, %i, %E, %P) : (!ids, !ids, !E, !P) -> !xs
  return %x : !xs
}

func.func private @memory(%source: !ids, %E: !E, %P: !P) -> !xs {
  %x = nn.call @read(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %m = nn.call @encoder(%x) in "encoder" with #inner : (!xs) -> !xs
  return %m : !xs
}

/// Scores of the words of a target that is known, of which each sees those before it.
func.func private @known(%in: !ids, %m: !xs, %E: !E, %P: !P) -> !ys {
  %x = nn.call @read(%in, %E, %P) : (!ids, !E, !P) -> !xs
  %y = nn.call @decoder(%x, %m) in "decoder" with #inner : (!xs, !xs) -> !xs
  %s = nn.call @scores(%y, %E) : (!xs, !E) -> !ys
  return %s : !ys
}
