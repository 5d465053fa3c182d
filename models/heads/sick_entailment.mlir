// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a sentence entails another one: the head of the models of SICK-E.
//
// Simoulin 2022, equation 7.1. models/sick has it on sentences.
nn.import "../common/pairs.mlir"
nn.sizes {hidden = 150}

!h = tensor<150xf32>
!y = tensor<3xf32>
#similarity = #nn.given<"similarity" = 50>

/// log p^ of contradiction, neutral, entailment.
func.func @scores(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"}) -> !y {
  %y = nn.call @score_entailment(%left, %right) with {similarity = #similarity} : (!h, !h) -> !y
  %l = nn.log_softmax %y over 0 : !y
  return %l : !y
}

/// KL(p || p^) of a target that is one class.
func.func @loss(%left: !h {cambium.name = "left"}, %right: !h {cambium.name = "right"},
                %label: tensor<i32> {cambium.name = "label"}) -> tensor<f32> {
  %l = nn.call @scores(%left, %right) : (!h, !h) -> !y
  %one = arith.constant dense<1.0> : tensor<f32>
  %p = nn.one_hot %label, %one size 3 : tensor<i32>, tensor<f32>
  %kl = nn.kl_divergence %p, %l : !y, !y
  return %kl : tensor<f32>
}

// lambda / 2 ||theta||^2 with lambda = 1e-4: its gradient is lambda theta.
train.step @train loss @loss optimizer #train.optimizer<adagrad, weight_decay = 1.0e-4>
  clip_norm 5.0
