// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Transformer of transformer.mlir learns from another one of the same size that has learned
// already, while words of what both read are others.
//
// Y. Liu, S. Shen, M. Lapata: Noisy Self-Knowledge Distillation for Text Summarization. NAACL 2021:
// (1 - kd) times the loss of the target, with smoothed labels, and kd times how far the student's
// words are from the teacher's. The teacher's parameters stand in the scope `teacher` (teacher.names)
// and are constants; its dropout goes on. The student's have the names of transformer.mlir.
nn.import "../common/writing.mlir"
nn.sizes {words = 8000, places = 256, width = 128, steps = 60}

#inner = {inner = #nn.given<"inner" = 512>}

!i = tensor<i32>
!f = tensor<f32>
!ids = tensor<?xi32>
!fs = tensor<?xf32>
!xs = tensor<?x128xf32>
!own = tensor<?x?x128xf32>
!ys = tensor<?x8000xf32>
!E = tensor<8000x128xf32>
!P = tensor<256x128xf32>
!near = tensor<?x11xf32>

/// Each word with the probability `noise` becomes one of the ten whose vectors have the greatest
/// product with its own, the first of which is passed over (itself, as a rule).
func.func private @replaced(%words: !ids, %E: !E) -> !ids {
  %noise = nn.constant "noise" = 0.1 : !f
  %x = nn.embed %words, %E : !ids, !E
  %Et = nn.transpose %E perm [1, 0] : !E
  %s = nn.linear %x, %Et : !xs, tensor<128x8000xf32>
  %most, %near = nn.top %s count 11 over 1 : !ys
  %fs = arith.sitofp %near : tensor<?x11xi32> to !near
  %k = nn.random integer(1.0, 11.0) like %words : !ids -> !ids
  %f = nn.pick %fs, %k : !near, !ids
  %other = arith.fptosi %f : !fs to !ids
  %u = nn.random uniform(0.0, 1.0) like %words : !ids -> !fs
  %rates = nn.broadcast %noise dims [] like %u : !f, !fs -> !fs
  %go = arith.cmpf olt, %u, %rates : !fs
  %y = arith.select %go, %other, %words : tensor<?xi1>, !ids
  return %y : !ids
}

/// Log-probabilities of the words of a target, beside a source of which words are others.
func.func private @noisy(%source: !ids, %in: !ids) -> !ys {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %words = nn.call @replaced(%source, %E) : (!ids, !E) -> !ids
  %m = nn.call @memory(%words, %E, %P) : (!ids, !E, !P) -> !xs
  %s = nn.call @known(%in, %m, %E, %P) : (!ids, !xs, !E, !P) -> !ys
  %p = nn.log_softmax %s over 1 : !ys
  return %p : !ys
}

/// The mean cross entropy of labels of which a part is spread over all words.
func.func private @smoothed(%p: !ys, %out: !ids) -> !f {
  %smoothing = nn.constant "smoothing" = 0.1 : !f
  %one = arith.constant dense<1.0> : !f
  %right = nn.pick %p, %out : !ys, !ids
  %any = nn.mean %p over 1 : !ys
  %a = nn.mean %right over 0 : !fs
  %b = nn.mean %any over 0 : !fs
  %rest = arith.subf %one, %smoothing : !f
  %ar = arith.mulf %a, %rest : !f
  %bs = arith.mulf %b, %smoothing : !f
  %sum = arith.addf %ar, %bs : !f
  %l = arith.negf %sum : !f
  return %l : !f
}

func.func @loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %kd = nn.constant "kd" = 0.6 : !f
  %one = arith.constant dense<1.0> : !f
  %t = nn.call @noisy(%source, %in) in "teacher" : (!ids, !ids) -> !ys
  %s = nn.call @noisy(%source, %in) : (!ids, !ids) -> !ys
  %e = math.exp %t : !ys
  %p = train.stop_gradient %e : !ys
  %kls = nn.kl_divergence %p, %s : !ys, !ys
  %kl = nn.mean %kls over 0 : !fs
  %nll = nn.call @smoothed(%s, %out) : (!ys, !ids) -> !f
  %a = arith.mulf %kd, %kl : !f
  %rest = arith.subf %one, %kd : !f
  %b = arith.mulf %rest, %nll : !f
  %l = arith.addf %a, %b : !f
  return %l : !f
}

/// The mean cross entropy of the student, which reads the words as they are (`--loss`).
func.func @clean_loss(%source: !ids {cambium.name = "source", cambium.rows = "source"},
                      %in: !ids {cambium.name = "target.in", cambium.rows = "target"},
                      %out: !ids {cambium.name = "target.out", cambium.rows = "target"}) -> !f {
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %s = nn.call @known(%in, %m, %E, %P) : (!ids, !xs, !E, !P) -> !ys
  %ce = nn.cross_entropy %s, %out : !ys, !ids
  %l = nn.mean %ce over 0 : !fs
  return %l : !f
}

/// The student's five best targets, of at most 60 words.
func.func @predict(%source: !ids {cambium.name = "source", cambium.rows = "source"})
    -> (tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>) {
  %begin = arith.constant dense<2> : !i
  %end = arith.constant dense<3> : !i
  %zero = arith.constant dense<0> : !i
  %E, %P = nn.call @tables() : () -> (!E, !P)
  %m = nn.call @memory(%source, %E, %P) : (!ids, !E, !P) -> !xs
  %words, %lengths, %scores = depth.search beam 5 max 60 begin %begin end %end
      carried(%i = %zero : !i) grows(%k0 : !own, %v0 : !own, %k1 : !own, %v1 : !own)
      next(%w : !ids) {
    %p, %next, %ka, %va, %kb, %vb = nn.call @write(%w, %i, %m, %E, %P, %k0, %v0, %k1, %v1)
      with #inner : (!ids, !ids, !xs, !E, !P, !own, !own, !own, !own)
      -> (!ys, !ids, !own, !own, !own, !own)
    depth.yield %p, %next, %ka, %va, %kb, %vb : !ys, !ids, !own, !own, !own, !own
  }
  return %words, %lengths, %scores : tensor<5x60xi32>, tensor<5xi32>, tensor<5xf32>
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
