// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes that come task by task, by what tasks have in common and by what each has to itself.
//
// Y. Huang, Y. Zhang, J. Chen, X. Wang, D. Yang: Continual Learning for Text Classification with
// Information Disentanglement Based Regularization. NAACL 2021 (IDBR): of the vector r of a text,
// g = tanh(G r) is to tell whether two parts of a text stand in their order, s = tanh(S r) which task
// it is of; a class is told by both. From the second task on they are kept near what they were before
// the task; what is replayed, nearer. Here r is that of an LSTM from both ends, not of BERT. Steps:
// @first and @train of the lines of a task, @replay of the memory; @plain and @remember have the
// loss of the class alone (fine-tuning, and replay).
nn.import "../common/ends.mlir"
nn.import "../common/layers.mlir"
nn.sizes {words = 8000, input = 100, hidden = 64, both = 2 * hidden, ends = 2 * both, part = 129,
          whole = 2 * part, classes = 150, tasks = 10}

#dropout = #nn.given<"dropout" = 0.3>
!words = tensor<?xi32>
!id = tensor<i32>
!f = tensor<f32>
!x = tensor<?x100xf32>
!r = tensor<256xf32>
!g = tensor<129xf32>
!gs = tensor<258xf32>
!y = tensor<150xf32>
!t = tensor<10xf32>
!two = tensor<2xf32>

/// r: the states of the first and of the last word, of both directions.
func.func private @text(%tokens: !words) -> !r {
  %E = nn.param "words" : tensor<8000x100xf32> init <normal(0.0, 0.1)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<8000x100xf32>
  %d = nn.dropout %x rate #dropout : !x
  %r = nn.call @ends(%d) : (!x) -> !r
  return %r : !r
}

/// tanh(W r + b).
func.func private @space(%r: !r) -> !g {
  %a = nn.call @dense_one(%r) : (!r) -> !g
  %y = math.tanh %a : !g
  return %y : !g
}

/// g and s of a text.
func.func @parts(%tokens: !words {cambium.name = "tokens"})
    -> (!g {cambium.name = "g"}, !g {cambium.name = "s"}) {
  %r = nn.call @text(%tokens) : (!words) -> !r
  %g = nn.call @space(%r) in "common" : (!r) -> !g
  %s = nn.call @space(%r) in "special" : (!r) -> !g
  return %g, %s : !g, !g
}

/// r, by which the memory is chosen.
func.func @vector(%tokens: !words {cambium.name = "tokens"}) -> !r {
  %r = nn.call @text(%tokens) : (!words) -> !r
  return %r : !r
}

func.func private @scores(%g: !g, %s: !g) -> !y {
  %gs = nn.concat %g, %s over 0 : !g, !g
  %y = nn.call @dense_one(%gs) in "classes" : (!gs) -> !y
  return %y : !y
}

func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %g, %s = nn.call @parts(%tokens) : (!words) -> (!g, !g)
  %y = nn.call @scores(%g, %s) : (!g, !g) -> !y
  return %y : !y
}

func.func @loss(%tokens: !words {cambium.name = "tokens"}, %label: !id {cambium.name = "label"})
    -> !f {
  %y = nn.call @predict(%tokens) : (!words) -> !y
  %l = nn.cross_entropy %y, %label : !y, !id
  return %l : !f
}

/// L_nsp: whether the parts of a text stand in their order, by g.
func.func private @order_loss(%pair: !words, %follows: !id) -> !f {
  %r = nn.call @text(%pair) : (!words) -> !r
  %g = nn.call @space(%r) in "common" : (!r) -> !g
  %y = nn.call @dense_one(%g) in "order" : (!g) -> !two
  %l = nn.cross_entropy %y, %follows : !two, !id
  return %l : !f
}

/// The loss of the first task: L_cls + L_nsp.
func.func @first_loss(%tokens: !words {cambium.name = "tokens"}, %label: !id {cambium.name = "label"},
                      %pair: !words {cambium.name = "pair"},
                      %follows: !id {cambium.name = "follows"}) -> !f {
  %lc = nn.call @loss(%tokens, %label) : (!words, !id) -> !f
  %ln = nn.call @order_loss(%pair, %follows) : (!words, !id) -> !f
  %l = arith.addf %lc, %ln : !f
  return %l : !f
}

/// How far g and s are from where they were before the task.
func.func private @moved(%g: !g, %s: !g, %g0: !g, %s0: !g) -> !f {
  %a = nn.mse %g, %g0 : !g, !g
  %b = nn.mse %s, %s0 : !g, !g
  %l = arith.addf %a, %b : !f
  return %l : !f
}

/// The loss of a later task: L_cls + L_nsp + L_reg.
func.func @later_loss(%tokens: !words {cambium.name = "tokens"}, %label: !id {cambium.name = "label"},
                      %pair: !words {cambium.name = "pair"},
                      %follows: !id {cambium.name = "follows"}, %g0: !g {cambium.name = "old.g"},
                      %s0: !g {cambium.name = "old.s"}) -> !f {
  %price = nn.constant "keep" = 0.5 : !f
  %g, %s = nn.call @parts(%tokens) : (!words) -> (!g, !g)
  %y = nn.call @scores(%g, %s) : (!g, !g) -> !y
  %lc = nn.cross_entropy %y, %label : !y, !id
  %ln = nn.call @order_loss(%pair, %follows) : (!words, !id) -> !f
  %far = nn.call @moved(%g, %s, %g0, %s0) : (!g, !g, !g, !g) -> !f
  %lr = arith.mulf %far, %price : !f
  %sum = arith.addf %lc, %ln : !f
  %l = arith.addf %sum, %lr : !f
  return %l : !f
}

/// The loss of the memory: the same with another price, and L_task: which task it is of, by s. Tasks
/// that are not there yet are no part of the choice in the paper; here their scores fall.
func.func @replay_loss(%tokens: !words {cambium.name = "tokens"},
                       %label: !id {cambium.name = "label"}, %task: !id {cambium.name = "task"},
                       %pair: !words {cambium.name = "pair"},
                       %follows: !id {cambium.name = "follows"}, %g0: !g {cambium.name = "old.g"},
                       %s0: !g {cambium.name = "old.s"}) -> !f {
  %price = nn.constant "keep_memory" = 5.0 : !f
  %g, %s = nn.call @parts(%tokens) : (!words) -> (!g, !g)
  %y = nn.call @scores(%g, %s) : (!g, !g) -> !y
  %lc = nn.cross_entropy %y, %label : !y, !id
  %ln = nn.call @order_loss(%pair, %follows) : (!words, !id) -> !f
  %far = nn.call @moved(%g, %s, %g0, %s0) : (!g, !g, !g, !g) -> !f
  %lr = arith.mulf %far, %price : !f
  %which = nn.call @dense_one(%s) in "tasks" : (!g) -> !t
  %lt = nn.cross_entropy %which, %task : !t, !id
  %sum = arith.addf %lc, %ln : !f
  %more = arith.addf %sum, %lt : !f
  %l = arith.addf %more, %lr : !f
  return %l : !f
}

train.step @first loss @first_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @train loss @later_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @replay loss @replay_loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @plain loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @remember loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
