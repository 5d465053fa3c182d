// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes that a word refuses.
//
// S. Tyagi et al.: Proteno: Text Normalization with Limited Data for Fast Deployment in Text to
// Speech Systems. NAACL 2021 (industry), section 3.5: a class says which words it accepts, and of
// the others it has no probability. Words of one kind are accepted by the same classes.
nn.import "layers.mlir"
nn.sizes {kinds = 256, labels = 72, input = 192}

!ids = tensor<?xi32>
!es = tensor<?x72xf32>
!x = tensor<?x192xf32>
!A = tensor<256x72xf32>

/// 1 where words of a kind are accepted by a class, else 0: what the host's functions say.
func.func private @table_of_classes() -> !A {
  %A = nn.param "accepts" : !A frozen
  return %A : !A
}

/// Word vectors and what the classes that accept the words add to them.
func.func private @with_accepted(%x: !x, %kinds: !ids) -> !x {
  %A = nn.call @table_of_classes() : () -> !A
  %a = nn.embed %kinds, %A : !ids, !A
  %v = nn.call @dense(%a) in "accepted" : (!es) -> !x
  %y = arith.addf %x, %v : !x
  return %y : !x
}

/// Scores, of which those of refused classes are minus infinity: so are their log-probabilities.
func.func private @refuse(%e: !es, %kinds: !ids) -> !es {
  %never = arith.constant dense<0xFF800000> : tensor<f32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %A = nn.call @table_of_classes() : () -> !A
  %a = nn.embed %kinds, %A : !ids, !A
  %halves = nn.broadcast %half dims [] like %a : tensor<f32>, !es -> !es
  %nevers = nn.broadcast %never dims [] like %a : tensor<f32>, !es -> !es
  %takes = arith.cmpf ogt, %a, %halves : !es
  %y = arith.select %takes, %e, %nevers : tensor<?x72xi1>, !es
  return %y : !es
}
