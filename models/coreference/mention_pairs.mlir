// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which mentions of a document are of one event, by their words and by what else is known of them.
//
// T. M. Lai, H. Ji, T. Bui, Q. H. Tran, F. Dernoncourt, W. Chang: A Context-Dependent Gated Module for
// Incorporating Symbolic Semantics into Event Coreference Resolution. NAACL 2021 (CDGM). Mentions are
// rows that see the words of their document and one another; each is linked to the one before it that
// fits best, or to none. Here an LSTM from both ends reads, not SpanBERT.
nn.import "../common/lstm.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/perceptron.mlir"
nn.sizes {words = 8000, input = 100, hidden = 64, both = 2 * hidden, feature = 50,
          features = 5 * feature, three = 3 * feature, triggers = 3 * both, latent = 160,
          gated = 2 * latent, all = 6 * latent, values = 40}

#dropout = #nn.given<"dropout" = 0.5>
#inner = #nn.given<"inner" = 500>
!f = tensor<f32>
!fs = tensor<?xf32>
!flags = tensor<?xi1>
!id = tensor<i32>
!ids = tensor<?xi32>
!t = tensor<128xf32>
!ts = tensor<?x128xf32>
!k = tensor<50xf32>
!K = tensor<250xf32>
!Ks = tensor<?x250xf32>
!p = tensor<160xf32>

/// The states of the words of a document.
func.func private @read(%tokens: !ids) -> !ts {
  %E = nn.param "words" : tensor<8000x100xf32> init <normal(0.0, 0.1)>
  %x = nn.embed %tokens, %E padding_id 0 : !ids, tensor<8000x100xf32>
  %d = nn.dropout %x rate #dropout : tensor<?x100xf32>
  %h = nn.call @lstm_both(%d) in "lstm" : (tensor<?x100xf32>) -> !ts
  return %h : !ts
}

/// t_i: the mean of the states of the words from the first to the last one of a trigger.
func.func private @trigger(%h: !ts, %first: !id, %last: !id) -> !t {
  %place = nn.positions %h limit 65536 : !ts
  %firsts = nn.broadcast %first dims [] like %place : !id, !ids -> !ids
  %lasts = nn.broadcast %last dims [] like %place : !id, !ids -> !ids
  %behind = arith.cmpi sge, %place, %firsts : !ids
  %before = arith.cmpi sle, %place, %lasts : !ids
  %of = arith.andi %behind, %before : !flags
  %w = arith.uitofp %of : !flags to !fs
  %sum = nn.matmul %w, %h : !fs, !ts
  %count = nn.sum %w over 0 : !fs
  %counts = nn.broadcast %count dims [] : !f -> !t
  %t = arith.divf %sum, %counts : !t
  return %t : !t
}

/// The vector of a predicted feature; while the model is trained, sometimes that of another value
/// (section 2.3: predictions are more often wrong where the model is used).
func.func private @feature(%predicted: !id, %rate: !f) -> !k {
  %E = nn.param "values" : tensor<40x50xf32> init <uniform(-0.5, 0.5)>
  %u = nn.random uniform(0.0, 1.0) training : !f
  %other = nn.random integer(0.0, 4.0) training : !id
  %one = arith.constant dense<1.0> : !f
  %kept = arith.subf %one, %rate : !f
  %wrong = arith.cmpf ogt, %u, %kept : !f
  %id = arith.select %wrong, %other, %predicted : tensor<i1>, !id
  %k = nn.embed %id, %E : !id, tensor<40x50xf32>
  return %k : !k
}

/// The five features side by side.
func.func private @features(%kind: !id, %polarity: !id, %modality: !id, %genericity: !id, %tense: !id)
    -> !K {
  %never = nn.constant "noise" = 0.0 : !f
  %modal = nn.constant "noise.modality" = 0.15 : !f
  %general = nn.constant "noise.genericity" = 0.15 : !f
  %timely = nn.constant "noise.tense" = 0.25 : !f
  %k1 = nn.call @feature(%kind, %never) in "kind" : (!id, !f) -> !k
  %k2 = nn.call @feature(%polarity, %never) in "polarity" : (!id, !f) -> !k
  %k3 = nn.call @feature(%modality, %modal) in "modality" : (!id, !f) -> !k
  %k4 = nn.call @feature(%genericity, %general) in "genericity" : (!id, !f) -> !k
  %k5 = nn.call @feature(%tense, %timely) in "tense" : (!id, !f) -> !k
  %K = nn.concat %k1, %k2, %k3, %k4, %k5 over 0 : !k, !k, !k, !k, !k
  return %K : !K
}

/// t_ij: [t_i; t_j; t_i * t_j] through two layers (equation 2).
func.func private @triggers(%ti: !t, %tj: !t) -> !p {
  %both = arith.mulf %ti, %tj : !t
  %x = nn.concat %ti, %tj, %both over 0 : !t, !t, !t
  %y = nn.call @perceptron(%x) with {inner = #inner} : (tensor<384xf32>) -> !p
  return %y : !p
}

/// What a feature h_ij of the pair adds to t_ij: by a gate, more of what is orthogonal to t_ij or of
/// what is parallel to it.
func.func private @gated(%t: !p, %ki: !k, %kj: !k) -> !p {
  %both = arith.mulf %ki, %kj : !k
  %x = nn.concat %ki, %kj, %both over 0 : !k, !k, !k
  %h = nn.call @perceptron(%x) in "pair" with {inner = #inner} : (tensor<150xf32>) -> !p
  %th = nn.concat %t, %h over 0 : !p, !p
  %a = nn.call @perceptron(%th) in "gate" with {inner = #inner} : (tensor<320xf32>) -> !p
  %g = nn.sigmoid %a : !p
  %ht = nn.matmul %h, %t : !p, !p
  %tt = nn.matmul %t, %t : !p, !p
  %least = arith.constant dense<1.0e-12> : !f
  %some = arith.maximumf %tt, %least : !f
  %part = arith.divf %ht, %some : !f
  %parts = nn.broadcast %part dims [] : !f -> !p
  %parallel = arith.mulf %parts, %t : !p
  %orthogonal = arith.subf %h, %parallel : !p
  %d = arith.subf %orthogonal, %parallel : !p
  %gd = arith.mulf %g, %d : !p
  %y = arith.addf %parallel, %gd : !p
  return %y : !p
}

/// s(i, j), of [t_ij; h_ij of each feature].
func.func private @pair_score(%ti: !t, %tj: !t, %Ki: !K, %Kj: !K) -> !f {
  %t = nn.call @triggers(%ti, %tj) in "triggers" : (!t, !t) -> !p
  %a1, %a2, %a3, %a4, %a5 = nn.split %Ki over 0 sizes [50, 50, 50, 50, 50] : !K
  %b1, %b2, %b3, %b4, %b5 = nn.split %Kj over 0 sizes [50, 50, 50, 50, 50] : !K
  %h1 = nn.call @gated(%t, %a1, %b1) in "kind" : (!p, !k, !k) -> !p
  %h2 = nn.call @gated(%t, %a2, %b2) in "polarity" : (!p, !k, !k) -> !p
  %h3 = nn.call @gated(%t, %a3, %b3) in "modality" : (!p, !k, !k) -> !p
  %h4 = nn.call @gated(%t, %a4, %b4) in "genericity" : (!p, !k, !k) -> !p
  %h5 = nn.call @gated(%t, %a5, %b5) in "tense" : (!p, !k, !k) -> !p
  %f = nn.concat %t, %h1, %h2, %h3, %h4, %h5 over 0 : !p, !p, !p, !p, !p, !p
  %s1 = nn.call @perceptron(%f) in "score" with {inner = #inner}
      : (tensor<960xf32>) -> tensor<1xf32>
  %s = nn.reshape %s1 : tensor<1xf32> -> !f
  return %s : !f
}

/// The scores of a mention for those before it; -1e9 for the others.
func.func private @scores(%tokens: !ids, %first: !ids, %last: !ids, %kind: !ids, %polarity: !ids,
                          %modality: !ids, %genericity: !ids, %tense: !ids) -> tensor<?x?xf32> {
  %h = nn.call @read(%tokens) : (!ids) -> !ts
  %t, %K = nn.each rows(%from = %first : !id, %to = %last : !id, %k1 = %kind : !id,
                        %k2 = %polarity : !id, %k3 = %modality : !id, %k4 = %genericity : !id,
                        %k5 = %tense : !id) -> (!t, !K) {
    %ti = nn.call @trigger(%h, %from, %to) : (!ts, !id, !id) -> !t
    %Ki = nn.call @features(%k1, %k2, %k3, %k4, %k5) in "of" : (!id, !id, !id, !id, !id) -> !K
    nn.yield %ti, %Ki : !t, !K
  }
  %number = nn.positions %t limit 65536 : !ts
  %s = nn.each rows(%ti = %t : !t, %Ki = %K : !K, %i = %number : !id) -> (!fs) {
    %si = nn.each rows(%tj = %t : !t, %Kj = %K : !K, %j = %number : !id) -> (!f) {
      %sij = nn.call @pair_score(%ti, %tj, %Ki, %Kj) in "pair" : (!t, !t, !K, !K) -> !f
      %before = arith.cmpi slt, %j, %i : !id
      %never = arith.constant dense<-1.0e9> : !f
      %y = arith.select %before, %sij, %never : tensor<i1>, !f
      nn.yield %y : !f
    }
    nn.yield %si : !fs
  }
  return %s : tensor<?x?xf32>
}

/// The greatest score of each mention and the mention that it is for; 0 and -1 for none.
func.func @predict(%tokens: !ids {cambium.name = "tokens", cambium.rows = "words"},
                   %first: !ids {cambium.name = "first", cambium.rows = "mentions"},
                   %last: !ids {cambium.name = "last", cambium.rows = "mentions"},
                   %kind: !ids {cambium.name = "kind", cambium.rows = "mentions"},
                   %polarity: !ids {cambium.name = "polarity", cambium.rows = "mentions"},
                   %modality: !ids {cambium.name = "modality", cambium.rows = "mentions"},
                   %genericity: !ids {cambium.name = "genericity", cambium.rows = "mentions"},
                   %tense: !ids {cambium.name = "tense", cambium.rows = "mentions"})
    -> (!fs {cambium.name = "scores"}, !ids {cambium.name = "links"}) {
  %s = nn.call @scores(%tokens, %first, %last, %kind, %polarity, %modality, %genericity, %tense)
      : (!ids, !ids, !ids, !ids, !ids, !ids, !ids, !ids) -> tensor<?x?xf32>
  %scores, %links = nn.each rows(%si = %s : !fs) -> (!f, !id) {
    %best, %place = nn.top %si count 1 over 0 : !fs
    %score = nn.reshape %best : tensor<1xf32> -> !f
    %link = nn.reshape %place : tensor<1xi32> -> !id
    %zero = arith.constant dense<0.0> : !f
    %none = arith.constant dense<-1> : !id
    %fits = arith.cmpf ogt, %score, %zero : !f
    %y = arith.select %fits, %link, %none : tensor<i1>, !id
    %own = arith.select %fits, %score, %zero : tensor<i1>, !f
    nn.yield %own, %y : !f, !id
  }
  return %scores, %links : !fs, !ids
}

/// log(1 + exp(x)): log-sum-exp of x and of the score of no link.
func.func private @or_none(%x: !f) -> !f {
  %zero = arith.constant dense<0.0> : !f
  %m = arith.maximumf %x, %zero : !f
  %abs = math.absf %x : !f
  %neg = arith.negf %abs : !f
  %e = math.exp %neg : !f
  %l = math.log1p %e : !f
  %y = arith.addf %m, %l : !f
  return %y : !f
}

/// The mean over the mentions of -log of the probability that a mention is linked to one of its event,
/// or to none if it is the first one.
func.func @loss(%tokens: !ids {cambium.name = "tokens", cambium.rows = "words"},
                %first: !ids {cambium.name = "first", cambium.rows = "mentions"},
                %last: !ids {cambium.name = "last", cambium.rows = "mentions"},
                %kind: !ids {cambium.name = "kind", cambium.rows = "mentions"},
                %polarity: !ids {cambium.name = "polarity", cambium.rows = "mentions"},
                %modality: !ids {cambium.name = "modality", cambium.rows = "mentions"},
                %genericity: !ids {cambium.name = "genericity", cambium.rows = "mentions"},
                %tense: !ids {cambium.name = "tense", cambium.rows = "mentions"},
                %events: !ids {cambium.name = "event", cambium.rows = "mentions"}) -> !f {
  %s = nn.call @scores(%tokens, %first, %last, %kind, %polarity, %modality, %genericity, %tense)
      : (!ids, !ids, !ids, !ids, !ids, !ids, !ids, !ids) -> tensor<?x?xf32>
  %losses = nn.each rows(%si = %s : !fs, %own = %events : !id) -> (!f) {
    %never = arith.constant dense<-1.0e9> : !f
    %nevers = nn.broadcast %never dims [] like %si : !f, !fs -> !fs
    %owns = nn.broadcast %own dims [] like %events : !id, !ids -> !ids
    %same = arith.cmpi eq, %events, %owns : !ids
    %right = arith.select %same, %si, %nevers : !flags, !fs
    %all = nn.log_sum_exp %si over 0 : !fs
    %some = nn.log_sum_exp %right over 0 : !fs
    %zero = arith.constant dense<0.0> : !f
    %half = arith.constant dense<-5.0e8> : !f
    %isfirst = arith.cmpf olt, %some, %half : !f
    %there = arith.select %isfirst, %zero, %some : tensor<i1>, !f
    %total = nn.call @or_none(%all) : (!f) -> !f
    %l = arith.subf %total, %there : !f
    nn.yield %l : !f
  }
  %loss = nn.mean %losses over 0 : !fs
  return %loss : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 1.0
