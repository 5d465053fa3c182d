// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text, by an LSTM, and the same with perturbed words: @train, @adversarial, @virtual.
//
// LSTM with an MLP: A. M. Dai, Q. V. Le: Semi-supervised Sequence Learning. NeurIPS 2015. Perturbed:
// T. Miyato, A. M. Dai, I. Goodfellow: Adversarial Training Methods for Semi-Supervised Text
// Classification. ICLR 2017, equations 2 to 7.
nn.import "../common/lstm_classes.mlir"
nn.import "../common/perturbation.mlir"
nn.sizes {input = 256, classes = 2}

#words = {words = #nn.given<"words" = 20000>}
#layers = {hidden = #nn.given<"hidden" = 128>, layer = #nn.given<"layer" = 30>}
!words = tensor<?xi32>
!label = tensor<i32>
!f = tensor<f32>
!xs = tensor<?x256xf32>
!y = tensor<2xf32>

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %x = nn.call @embedded(%tokens) with #words : (!words) -> !xs
  %y = nn.call @classify(%x) with #layers : (!xs) -> !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %label: !label {cambium.name = "label"}) -> !f {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  return %l : !f
}

/// The loss, and that of the words moved to where it grows most.
func.func @adversarial_loss(%tokens: !words {cambium.name = "tokens"},
                            %label: !label {cambium.name = "label"}) -> !f {
  %epsilon = nn.constant "epsilon" = 1.0 : !f
  %x = nn.call @embedded(%tokens) with #words : (!words) -> !xs
  %y = nn.call @classify(%x) with #layers : (!xs) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  %g = train.gradient %l wrt %x : !f, !xs
  %moved = nn.call @against(%x, %g, %epsilon) : (!xs, !xs, !f) -> !xs
  %z = nn.call @classify(%moved) with #layers : (!xs) -> !y
  %m = nn.cross_entropy %z, %label : !y, !label
  %sum = arith.addf %l, %m : !f
  return %sum : !f
}

/// The loss, and how far the answer goes from itself where the words are moved to where it goes
/// farthest: one power iteration from a random direction.
func.func @virtual_loss(%tokens: !words {cambium.name = "tokens"},
                        %label: !label {cambium.name = "label"}) -> !f {
  %epsilon = nn.constant "epsilon" = 1.0 : !f
  %xi = nn.constant "xi" = 0.1 : !f
  %x = nn.call @embedded(%tokens) with #words : (!words) -> !xs
  %y = nn.call @classify(%x) with #layers : (!xs) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  %d = nn.call @direction(%x, %xi) : (!xs, !f) -> !xs
  %near = arith.addf %x, %d : !xs
  %z = nn.call @classify(%near) with #layers : (!xs) -> !y
  %kl = nn.call @divergence(%y, %z) : (!y, !y) -> !f
  %g = train.gradient %kl wrt %d : !f, !xs
  %moved = nn.call @against(%x, %g, %epsilon) : (!xs, !xs, !f) -> !xs
  %w = nn.call @classify(%moved) with #layers : (!xs) -> !y
  %m = nn.call @divergence(%y, %w) : (!y, !y) -> !f
  %sum = arith.addf %l, %m : !f
  return %sum : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @adversarial loss @adversarial_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @virtual loss @virtual_loss optimizer #train.optimizer<adam> clip_norm 5.0
