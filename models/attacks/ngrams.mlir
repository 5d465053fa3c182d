// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text by its n-grams: logistic regression.
//
// C. Emmery, A. Kádár, G. Chrupała: Adversarial Stylometry in the Wild: Transferable Lexical
// Substitution Attacks on Author Profiling. EACL 2021, section 3; features are those of A. Basile et
// al.: N-GrAM. CLEF 2017, which `prepare` weighs by (1 + log tf) idf. Each text has the length 1.
nn.sizes {grams = 200000, classes = 2}

!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!ys = tensor<?x2xf32>
!y = tensor<2xf32>

/// W x / |x| + b of the weights x of the n-grams.
func.func @predict(%grams: !ids {cambium.name = "grams", cambium.rows = "grams"},
                   %weights: !fs {cambium.name = "weights", cambium.rows = "grams"}) -> !y {
  %W = nn.param "W" : tensor<200000x2xf32> init <constant(0.0)>
  %b = nn.param "b" : !y no_decay
  %x = nn.l2_normalize %weights over 0 : !fs
  %w = nn.embed %grams, %W : !ids, tensor<200000x2xf32>
  %xs = nn.broadcast %x dims [0] like %w : !fs, !ys -> !ys
  %wx = arith.mulf %w, %xs : !ys
  %sum = nn.sum %wx over 0 : !ys
  %y = arith.addf %sum, %b : !y
  return %y : !y
}

func.func @loss(%grams: !ids {cambium.name = "grams", cambium.rows = "grams"},
                %weights: !fs {cambium.name = "weights", cambium.rows = "grams"},
                %label: tensor<i32> {cambium.name = "label"}) -> !f {
  %y = nn.call @predict(%grams, %weights) : (!ids, !fs) -> !y
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  return %l : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam>
