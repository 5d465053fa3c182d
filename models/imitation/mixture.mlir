// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An expert and four networks that imitate it from a few words each: EXN, IMN, MEIN.
//
// S. Kiyono, J. Suzuki, K. Inui: Mixture of Expert/Imitator Networks: Scalable Semi-supervised
// Learning Framework. AAAI 2019, equations 5 to 13. The expert is the LSTM of
// ../sentences/lstm.mlir, whose training it begins with. `--step imitate`: at each place of a text,
// imitator i sees i pieces to the left and to the right, and learns what the expert says of the whole
// text; no class is needed. `--step mix`: the expert goes on beside imitators that are constants, and
// learns how much it listens to each. `--step mix_drawn`: the same beside random opinions.
nn.import "../common/imitator.mlir"
nn.import "../common/lstm_classes.mlir"
nn.sizes {input = 256, classes = 2, pieces = 16000, piece = 512, three = 3 * piece,
          five = 5 * piece, seven = 7 * piece, nine = 9 * piece}

#words = {words = #nn.given<"words" = 20000>}
#layers = {hidden = #nn.given<"hidden" = 128>, layer = #nn.given<"layer" = 30>}
#still_words = {words = #nn.given<"words" = 20000>, dropout = 0.0}
#still_layers = {hidden = #nn.given<"hidden" = 128>, layer = #nn.given<"layer" = 30>, dropout = 0.0}
#filters = {filters = #nn.given<"filters" = 512>}
!words = tensor<?xi32>
!label = tensor<i32>
!f = tensor<f32>
!xs = tensor<?x256xf32>
!y = tensor<2xf32>
!ys = tensor<?x2xf32>
!e = tensor<?x512xf32>

nn.param @pieces : tensor<16000x512xf32> init #nn.init<normal(0.0, 0.1)> group "imitators"

/// The scores of the expert, of whose words dropout leaves out a part.
func.func private @expert(%tokens: !words) -> !y {
  %x = nn.call @embedded(%tokens) with #words : (!words) -> !xs
  %y = nn.call @classify(%x) with #layers : (!xs) -> !y
  return %y : !y
}

/// What each imitator says at each place. What stands outside of the text is zero.
func.func private @imitators(%pieces: !words) -> (!ys, !ys, !ys, !ys) {
  %E = nn.use @pieces : tensor<16000x512xf32>
  %x = nn.embed %pieces, %E padding_id 0 : !words, tensor<16000x512xf32>
  %w1 = nn.window %x before 1 after 1 : !e
  %w2 = nn.window %x before 2 after 2 : !e
  %w3 = nn.window %x before 3 after 3 : !e
  %w4 = nn.window %x before 4 after 4 : !e
  %f1 = nn.reshape %w1 : tensor<?x3x512xf32> -> tensor<?x1536xf32>
  %f2 = nn.reshape %w2 : tensor<?x5x512xf32> -> tensor<?x2560xf32>
  %f3 = nn.reshape %w3 : tensor<?x7x512xf32> -> tensor<?x3584xf32>
  %f4 = nn.reshape %w4 : tensor<?x9x512xf32> -> tensor<?x4608xf32>
  %p1 = nn.call @say(%f1) in "imitator.1" with #filters : (tensor<?x1536xf32>) -> !ys
  %p2 = nn.call @say(%f2) in "imitator.2" with #filters : (tensor<?x2560xf32>) -> !ys
  %p3 = nn.call @say(%f3) in "imitator.3" with #filters : (tensor<?x3584xf32>) -> !ys
  %p4 = nn.call @say(%f4) in "imitator.4" with #filters : (tensor<?x4608xf32>) -> !ys
  return %p1, %p2, %p3, %p4 : !ys, !ys, !ys, !ys
}

/// The sum over the places j of KL(p || p_ij) (11): the same number as that of the cross entropies
/// (12), but for what does not depend on the imitator.
func.func private @imitation(%p: !y, %log: !ys) -> !f {
  %ps = nn.broadcast %p dims [1] like %log : !y, !ys -> !ys
  %kl = nn.kl_divergence %ps, %log : !ys, !ys
  %sum = nn.sum %kl over 0 : tensor<?xf32>
  return %sum : !f
}

/// What all four lose against the expert, who sees all words.
func.func @imitation_loss(%tokens: !words {cambium.name = "tokens"},
                          %pieces: !words {cambium.name = "pieces"}) -> !f {
  %x = nn.call @embedded(%tokens) with #still_words : (!words) -> !xs
  %z = nn.call @classify(%x) with #still_layers : (!xs) -> !y
  %p0 = nn.softmax %z over 0 : !y
  %p = train.stop_gradient %p0 : !y
  %p1, %p2, %p3, %p4 = nn.call @imitators(%pieces) : (!words) -> (!ys, !ys, !ys, !ys)
  %l1 = nn.call @imitation(%p, %p1) : (!y, !ys) -> !f
  %l2 = nn.call @imitation(%p, %p2) : (!y, !ys) -> !f
  %l3 = nn.call @imitation(%p, %p3) : (!y, !ys) -> !f
  %l4 = nn.call @imitation(%p, %p4) : (!y, !ys) -> !f
  %l12 = arith.addf %l1, %l2 : !f
  %l34 = arith.addf %l3, %l4 : !f
  %l = arith.addf %l12, %l34 : !f
  return %l : !f
}

/// alpha, the logarithm of the mean over the places (7).
func.func private @opinion(%log: !ys) -> !y {
  %n = nn.sum %log over 1 : !ys
  %zero = arith.subf %n, %n : tensor<?xf32>
  %ones = math.exp %zero : tensor<?xf32>
  %count = nn.sum %ones over 0 : tensor<?xf32>
  %logs = math.log %count : !f
  %ls = nn.broadcast %logs dims [] : !f -> !y
  %sum = nn.log_sum_exp %log over 0 : !ys
  %a = arith.subf %sum, %ls : !y
  %c = train.stop_gradient %a : !y
  return %c : !y
}

/// sigmoid(lambda) alpha.
func.func private @weighted(%a: !y) -> !y {
  %lambda = nn.param "lambda" : tensor<1xf32> no_decay
  %s = nn.sigmoid %lambda : tensor<1xf32>
  %g = nn.reshape %s : tensor<1xf32> -> !f
  %gs = nn.broadcast %g dims [] : !f -> !y
  %y = arith.mulf %gs, %a : !y
  return %y : !y
}

/// z + the sum over i of sigmoid(lambda_i) alpha_i (6).
func.func private @mixed(%z: !y, %a1: !y, %a2: !y, %a3: !y, %a4: !y) -> !y {
  %y1 = nn.call @weighted(%a1) in "mixture.1" : (!y) -> !y
  %y2 = nn.call @weighted(%a2) in "mixture.2" : (!y) -> !y
  %y3 = nn.call @weighted(%a3) in "mixture.3" : (!y) -> !y
  %y4 = nn.call @weighted(%a4) in "mixture.4" : (!y) -> !y
  %y12 = arith.addf %y1, %y2 : !y
  %y34 = arith.addf %y3, %y4 : !y
  %ys = arith.addf %y12, %y34 : !y
  %y = arith.addf %z, %ys : !y
  return %y : !y
}

/// What the imitators say of the whole text (7).
func.func private @opinions(%pieces: !words) -> (!y, !y, !y, !y) {
  %p1, %p2, %p3, %p4 = nn.call @imitators(%pieces) : (!words) -> (!ys, !ys, !ys, !ys)
  %a1 = nn.call @opinion(%p1) : (!ys) -> !y
  %a2 = nn.call @opinion(%p2) : (!ys) -> !y
  %a3 = nn.call @opinion(%p3) : (!ys) -> !y
  %a4 = nn.call @opinion(%p4) : (!ys) -> !y
  return %a1, %a2, %a3, %a4 : !y, !y, !y, !y
}

func.func @predict(%tokens: !words {cambium.name = "tokens"},
                   %pieces: !words {cambium.name = "pieces"}) -> !y {
  %z = nn.call @expert(%tokens) : (!words) -> !y
  %a1, %a2, %a3, %a4 = nn.call @opinions(%pieces) : (!words) -> (!y, !y, !y, !y)
  %y = nn.call @mixed(%z, %a1, %a2, %a3, %a4) : (!y, !y, !y, !y, !y) -> !y
  return %y : !y
}

/// What the imitators say without their expert, each as much as the others.
func.func @predict_imitators(%pieces: !words {cambium.name = "pieces"}) -> !y {
  %a1, %a2, %a3, %a4 = nn.call @opinions(%pieces) : (!words) -> (!y, !y, !y, !y)
  %a12 = arith.addf %a1, %a2 : !y
  %a34 = arith.addf %a3, %a4 : !y
  %y = arith.addf %a12, %a34 : !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"},
                %pieces: !words {cambium.name = "pieces"},
                %label: !label {cambium.name = "label"}) -> !f {
  %y = nn.call @predict(%tokens, %pieces) : (!words, !words) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  return %l : !f
}

/// The control: opinions that are drawn, of which nothing can be learned but to leave them out.
func.func private @drawn() -> !y {
  %some = nn.random normal(0.0, 1.0) : !y
  %y = nn.log_softmax %some over 0 : !y
  return %y : !y
}

func.func @predict_drawn(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %z = nn.call @expert(%tokens) : (!words) -> !y
  %a1 = nn.call @drawn() : () -> !y
  %a2 = nn.call @drawn() : () -> !y
  %a3 = nn.call @drawn() : () -> !y
  %a4 = nn.call @drawn() : () -> !y
  %y = nn.call @mixed(%z, %a1, %a2, %a3, %a4) : (!y, !y, !y, !y, !y) -> !y
  return %y : !y
}

func.func @drawn_loss(%tokens: !words {cambium.name = "tokens"},
                      %label: !label {cambium.name = "label"}) -> !f {
  %y = nn.call @predict_drawn(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, !label
  return %l : !f
}

train.step @imitate loss @imitation_loss updates ["imitators"] optimizer #train.optimizer<adam>
train.step @mix loss @loss updates ["default"]
  optimizer #train.optimizer<adam> clip_norm 5.0
train.step @mix_drawn loss @drawn_loss updates ["default"]
  optimizer #train.optimizer<adam> clip_norm 5.0
