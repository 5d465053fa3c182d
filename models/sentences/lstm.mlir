// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a text, by an LSTM, and the same with perturbed words: @train, @adversarial, @virtual,
// @interpretable; @consistency is for texts without a class.
//
// LSTM with an MLP: A. M. Dai, Q. V. Le: Semi-supervised Sequence Learning. NeurIPS 2015. Perturbed:
// T. Miyato, A. M. Dai, I. Goodfellow: Adversarial Training Methods for Semi-Supervised Text
// Classification. ICLR 2017, equations 2 to 7. Towards other words (iVAT): M. Sato, J. Suzuki,
// H. Shindo, Y. Matsumoto: Interpretable Adversarial Perturbation in Input Embedding Space for Text.
// IJCAI 2018; neighbours are found anew in each step, in place of once in an epoch.
nn.import "../common/lstm_classes.mlir"
nn.import "../common/perturbation.mlir"
nn.sizes {input = 256, classes = 2, near = 10}

#words = {words = #nn.given<"words" = 20000>}
#layers = {hidden = #nn.given<"hidden" = 128>, layer = #nn.given<"layer" = 30>}
!words = tensor<?xi32>
!label = tensor<i32>
!f = tensor<f32>
!xs = tensor<?x256xf32>
!y = tensor<2xf32>
!weights = tensor<?x10xf32>
!ds = tensor<?x10x256xf32>

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

/// How far the answer y goes from itself where the words x are moved to where it goes farthest: one
/// power iteration from a random direction.
func.func private @farthest(%x: !xs, %y: !y) -> !f {
  %epsilon = nn.constant "epsilon" = 1.0 : !f
  %xi = nn.constant "xi" = 0.1 : !f
  %d = nn.call @direction(%x, %xi) : (!xs, !f) -> !xs
  %near = arith.addf %x, %d : !xs
  %z = nn.call @classify(%near) with #layers : (!xs) -> !y
  %kl = nn.call @divergence(%y, %z) : (!y, !y) -> !f
  %g = train.gradient %kl wrt %d : !f, !xs
  %moved = nn.call @against(%x, %g, %epsilon) : (!xs, !xs, !f) -> !xs
  %w = nn.call @classify(%moved) with #layers : (!xs) -> !y
  %m = nn.call @divergence(%y, %w) : (!y, !y) -> !f
  return %m : !f
}

/// The loss, and how far the answer goes.
func.func @virtual_loss(%tokens: !words {cambium.name = "tokens"},
                        %label: !label {cambium.name = "label"}) -> !f {
  %x = nn.call @embedded(%tokens) with #words : (!words) -> !xs
  %y = nn.call @classify(%x) with #layers : (!xs) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  %m = nn.call @farthest(%x, %y) : (!xs, !y) -> !f
  %sum = arith.addf %l, %m : !f
  return %sum : !f
}

/// How far it goes, of a text without a class.
func.func @consistency_loss(%tokens: !words {cambium.name = "tokens"}) -> !f {
  %x = nn.call @embedded(%tokens) with #words : (!words) -> !xs
  %y = nn.call @classify(%x) with #layers : (!xs) -> !y
  %m = nn.call @farthest(%x, %y) : (!xs, !y) -> !f
  return %m : !f
}

/// The loss, and how far the answer goes where each word is moved towards its neighbours, by weights
/// that tell where it goes farthest; at first they are equal.
func.func @interpretable_loss(%tokens: !words {cambium.name = "tokens"},
                              %label: !label {cambium.name = "label"}) -> !f {
  %epsilon = nn.constant "epsilon.neighbours" = 3.0 : !f
  %part = nn.constant "weight.neighbours" = 0.1 : !f
  %x = nn.call @embedded(%tokens) with #words : (!words) -> !xs
  %y = nn.call @classify(%x) with #layers : (!xs) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  %d = nn.call @to_neighbours(%tokens) with #words : (!words) -> !ds
  %a = nn.broadcast %part dims [] like %x : !f, !xs -> !weights
  %r = nn.call @combined(%a, %d) : (!weights, !ds) -> !xs
  %near = arith.addf %x, %r : !xs
  %z = nn.call @classify(%near) with #layers : (!xs) -> !y
  %kl = nn.call @divergence(%y, %z) : (!y, !y) -> !f
  %g = train.gradient %kl wrt %a : !f, !weights
  %still = train.stop_gradient %g : !weights
  %b = nn.call @scaled(%still, %epsilon) : (!weights, !f) -> !weights
  %s = nn.call @combined(%b, %d) : (!weights, !ds) -> !xs
  %moved = arith.addf %x, %s : !xs
  %w = nn.call @classify(%moved) with #layers : (!xs) -> !y
  %m = nn.call @divergence(%y, %w) : (!y, !y) -> !f
  %sum = arith.addf %l, %m : !f
  return %sum : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @adversarial loss @adversarial_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @virtual loss @virtual_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @consistency loss @consistency_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @interpretable loss @interpretable_loss optimizer #train.optimizer<adam> clip_norm 5.0
