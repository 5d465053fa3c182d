// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How related two sentences are, from 1 to 5: the head of the models of SICK-R.
//
// Simoulin 2022, equations 5.13 and 5.14, section 5.3.1; Tai, Socher and Manning 2015, section 4.2.
// models/sick has it on sentences.
nn.import "../common/pairs.mlir"
nn.sizes {hidden = 150}

!h = tensor<150xf32>
!y = tensor<5xf32>
#similarity = #nn.given<"similarity" = 50>

/// log p^ of the scores 1 to 5.
func.func @scores(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"}) -> !y {
  %l = nn.call @score_relatedness(%left, %right) with {similarity = #similarity} : (!h, !h) -> !y
  return %l : !y
}

/// The expected score.
func.func @predict(%left: !h {cambium.name = "left"},
                   %right: !h {cambium.name = "right"}) -> tensor<f32> {
  %l = nn.call @scores(%left, %right) : (!h, !h) -> !y
  %y = nn.call @expected_score(%l) : (!y) -> tensor<f32>
  return %y : tensor<f32>
}

/// KL(p || p^) of the score among its neighbours.
func.func @loss(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"},
                %score: tensor<f32> {cambium.name = "score"}) -> tensor<f32> {
  %l = nn.call @scores(%left, %right) : (!h, !h) -> !y
  %kl = nn.call @score_loss(%l, %score) : (!y, tensor<f32>) -> tensor<f32>
  return %kl : tensor<f32>
}

// lambda ||theta||^2 with lambda = 1e-4: its gradient is 2 lambda theta.
train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 2.0e-4>
  clip_norm 5.0
