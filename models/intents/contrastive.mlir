// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a sentence asks for, by vectors that words moved against the model leave where they are.
//
// Z. Zeng, K. He, Y. Yan, H. Xu, W. Xu: Adversarial Self-Supervised Learning for Out-of-Domain
// Detection. NAACL 2021: the model of bilstm.mlir; an example is a set of N sentences. A sentence and
// the same one with words moved by epsilon g / |g|, where g is the gradient of its loss, are a pair
// among 2 N vectors, and the contrastive loss (equation 1) tells both from all others.
nn.import "../common/ends.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/certainty.mlir"
nn.import "../common/perturbation.mlir"
nn.sizes {words = 8000, input = 300, hidden = 128, both = 2 * hidden, ends = 2 * both, classes = 150}

#dropout = #nn.given<"dropout" = 0.5>
!words = tensor<?xi32>
!id = tensor<i32>
!ids = tensor<?xi32>
!x = tensor<?x300xf32>
!z = tensor<512xf32>
!zs = tensor<?x512xf32>
!y = tensor<150xf32>
!f = tensor<f32>
!fs = tensor<?xf32>

func.func private @vectors(%tokens: !words) -> !x {
  %E = nn.param "words" : tensor<8000x300xf32> init <normal(0.0, 0.1)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<8000x300xf32>
  %d = nn.dropout %x rate #dropout : !x
  return %d : !x
}

/// The vector of a sentence, and scores of the classes.
func.func private @encode(%x: !x) -> (!z, !y) {
  %z = nn.call @ends(%x) : (!x) -> !z
  %d = nn.dropout %z rate #dropout : !z
  %y = nn.call @dense_one(%d) in "classes" : (!z) -> !y
  return %z, %y : !z, !y
}

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %z, %y = nn.call @encode(%x) : (!x) -> (!z, !y)
  return %y : !y
}

/// How sure it is: what is asked for by no class should have a small number.
func.func @certainty(%tokens: !words {cambium.name = "tokens"}) -> !f {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %p = nn.call @greatest_probability(%y) : (!y) -> !f
  return %p : !f
}

/// By which distances from the vectors of the classes are taken.
func.func @vector(%tokens: !words {cambium.name = "tokens"}) -> !z {
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %z, %y = nn.call @encode(%x) : (!x) -> (!z, !y)
  return %z : !z
}

/// Of a sentence: its vector and the one of the moved words, as long as 1, and the loss of its class.
func.func private @pair(%tokens: !words, %label: !id) -> (!z, !z, !f) {
  %epsilon = nn.constant "epsilon" = 1.0 : !f
  %x = nn.call @vectors(%tokens) : (!words) -> !x
  %z, %y = nn.call @encode(%x) : (!x) -> (!z, !y)
  %l = nn.cross_entropy %y, %label : !y, !id
  %g = train.gradient %l wrt %x : !f, !x
  %moved = nn.call @against(%x, %g, %epsilon) : (!x, !x, !f) -> !x
  %zm = nn.call @ends(%moved) : (!x) -> !z
  %a = nn.l2_normalize %z over 0 : !z
  %b = nn.l2_normalize %zm over 0 : !z
  return %a, %b, %l : !z, !z, !f
}

/// -log of the part of exp(z z' / tau) in the sum over all vectors but z: those of its own kind, of
/// which z is number i, and those of the other kind, of which its partner is.
func.func private @tell(%z: !z, %i: !id, %own: !zs, %other: !zs) -> !f {
  %tau = nn.constant "tau" = 0.1 : !f
  %s = nn.matmul %own, %z : !zs, !z
  %t = nn.matmul %other, %z : !zs, !z
  %number = nn.positions %own limit 65536 : !zs
  %is = nn.broadcast %i dims [] like %number : !id, !ids -> !ids
  %itself = arith.cmpi eq, %number, %is : !ids
  %never = arith.constant dense<-1.0e9> : !f
  %nevers = nn.broadcast %never dims [] like %s : !f, !fs -> !fs
  %taus = nn.broadcast %tau dims [] like %s : !f, !fs -> !fs
  %st = arith.divf %s, %taus : !fs
  %sm = arith.select %itself, %nevers, %st : tensor<?xi1>, !fs
  %tt = arith.divf %t, %taus : !fs
  %all = nn.append %sm, %tt : !fs, !fs
  %sum = nn.log_sum_exp %all over 0 : !fs
  %right = nn.take %tt, %i : !fs, !id
  %l = arith.subf %sum, %right : !f
  return %l : !f
}

/// The mean over the sentences of the loss of the class, and that over all vectors of equation 1.
func.func @loss(%tokens: tensor<?x?xi32> {cambium.name = "tokens", cambium.rows = "sentences"},
                %labels: !ids {cambium.name = "label", cambium.rows = "sentences"}) -> !f {
  %price = nn.constant "price" = 1.0 : !f
  %z, %m, %ls = nn.each rows(%words = %tokens : !words, %label = %labels : !id) -> (!z, !z, !f) {
    %a, %b, %l = nn.call @pair(%words, %label) : (!words, !id) -> (!z, !z, !f)
    nn.yield %a, %b, %l : !z, !z, !f
  }
  %number = nn.positions %z limit 65536 : !zs
  %cs = nn.each rows(%a = %z : !z, %b = %m : !z, %i = %number : !id) -> (!f) {
    %la = nn.call @tell(%a, %i, %z, %m) : (!z, !id, !zs, !zs) -> !f
    %lb = nn.call @tell(%b, %i, %m, %z) : (!z, !id, !zs, !zs) -> !f
    %half = arith.constant dense<0.5> : !f
    %both = arith.addf %la, %lb : !f
    %l = arith.mulf %both, %half : !f
    nn.yield %l : !f
  }
  %known = nn.mean %ls over 0 : !fs
  %told = nn.mean %cs over 0 : !fs
  %paid = arith.mulf %told, %price : !f
  %loss = arith.addf %known, %paid : !f
  return %loss : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
