// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a ListOps expression, read without its brackets: a stack, and a choice in each step
// whether the next word is put on it or its two last states are merged.
//
// S. Bowman, J. Gauthier, A. Rastogi, R. Gupta, C. Manning, C. Potts: A Fast Unified Model for Parsing
// and Sentence Understanding (SPINN). ACL 2016, without its tracking LSTM; the steps learned from
// given ones (`train`) or from the classes alone, by REINFORCE (`reinforce`; D. Yogatama et al.:
// Learning to Compose Words into Sentences with Reinforcement Learning. ICLR 2017). Cell: Simoulin
// 2022, equations 3.22-3.27.
nn.import "../common/layers.mlir"
nn.sizes {words = 20, hidden = 128, both = 2 * hidden, seen = 3 * hidden}

!words = tensor<?xi32>
!h = tensor<?x128xf32>
!one = tensor<128xf32>
!hh = tensor<256xf32>
!seen = tensor<384xf32>
!i = tensor<?xi32>
!f = tensor<?xf32>
!b = tensor<?xi1>
!flags = tensor<?x128xi1>
!n = tensor<f32>
!first = tensor<1xf32>
!two = tensor<2xf32>
!step = tensor<i32>
!y = tensor<10xf32>

/// The same number for each row; the number that all rows have.
func.func private @each(%n: !n, %like: !f) -> !f {
  %r = nn.broadcast %n dims [] like %like : !n, !f -> !f
  return %r : !f
}
func.func private @same(%f: !f) -> !n {
  %zero = arith.constant dense<0> : !step
  %n = nn.take %f, %zero : !f, !step
  return %n : !n
}

/// The row at a place; beside all rows the nearest one.
func.func private @row(%x: !h, %at: !n) -> !one {
  %i = arith.fptosi %at : !n to !step
  %r = nn.take %x, %i : !h, !step
  return %r : !one
}

/// h = sigmoid(o) tanh(c), c = sigmoid(i) tanh(u) + sigmoid(f_1) c_1 + sigmoid(f_2) c_2.
func.func private @merged(%h1: !one, %c1: !one, %h2: !one, %c2: !one) -> (!one, !one) {
  %hh = nn.concat %h1, %h2 over 0 : !one, !one
  %i = nn.call @dense_one(%hh) in "i" : (!hh) -> !one
  %f1 = nn.call @dense_one(%hh) in "f1" : (!hh) -> !one
  %f2 = nn.call @dense_one(%hh) in "f2" : (!hh) -> !one
  %o = nn.call @dense_one(%hh) in "o" : (!hh) -> !one
  %u = nn.call @dense_one(%hh) in "u" : (!hh) -> !one
  %si = nn.sigmoid %i : !one
  %sf1 = nn.sigmoid %f1 : !one
  %sf2 = nn.sigmoid %f2 : !one
  %so = nn.sigmoid %o : !one
  %tu = math.tanh %u : !one
  %iu = arith.mulf %si, %tu : !one
  %fc1 = arith.mulf %sf1, %c1 : !one
  %fc2 = arith.mulf %sf2, %c2 : !one
  %s = arith.addf %iu, %fc1 : !one
  %c = arith.addf %s, %fc2 : !one
  %t = math.tanh %c : !one
  %h = arith.mulf %so, %t : !one
  return %h, %c : !one, !one
}

/// 0 if the flag is set, else a number that no score is below.
func.func private @allowed(%flag: tensor<i1>) -> !first {
  %low = arith.constant dense<-1.0e9> : !n
  %zero = arith.constant dense<0.0> : !n
  %y = arith.select %flag, %zero, %low : tensor<i1>, !n
  %r = nn.reshape %y : !n -> !first
  return %r : !first
}

/// The scores of putting the next word on the stack, and of merging its two last states; what cannot be
/// done is as good as impossible.
func.func private @scores(%h: !h, %x: !h, %height: !n, %next: !n, %count: !n) -> !two {
  %one = arith.constant dense<1.0> : !n
  %two = arith.constant dense<2.0> : !n
  %last = arith.subf %height, %one : !n
  %last2 = arith.subf %height, %two : !n
  %h2 = nn.call @row(%h, %last) : (!h, !n) -> !one
  %h1 = nn.call @row(%h, %last2) : (!h, !n) -> !one
  %front = nn.call @row(%x, %next) : (!h, !n) -> !one
  %seen = nn.concat %h1, %h2, %front over 0 : !one, !one, !one
  %s = nn.call @dense_one(%seen) in "steps" : (!seen) -> !two
  %more = arith.cmpf olt, %next, %count : !n
  %enough = arith.cmpf oge, %height, %two : !n
  %shift = nn.call @allowed(%more) : (tensor<i1>) -> !first
  %reduce = nn.call @allowed(%enough) : (tensor<i1>) -> !first
  %mask = nn.concat %shift, %reduce over 0 : !first, !first
  %y = arith.addf %s, %mask : !two
  return %y : !two
}

/// The row at a place of the stack becomes another one.
func.func private @put(%x: !h, %new: !one, %at: !n, %places: !f) -> !h {
  %ats = nn.call @each(%at, %places) : (!n, !f) -> !f
  %is = arith.cmpf oeq, %places, %ats : !f
  %here = nn.broadcast %is dims [0] : !b -> !flags
  %news = nn.broadcast %new dims [1] like %x : !one, !h -> !h
  %y = arith.select %here, %news, %x : !flags, !h
  return %y : !h
}

/// One or the other, by the step.
func.func private @by_step(%reduces: tensor<i1>, %yes: !one, %no: !one) -> !one {
  %all = nn.broadcast %reduces dims [] : tensor<i1> -> tensor<128xi1>
  %y = arith.select %all, %yes, %no : tensor<128xi1>, !one
  return %y : !one
}

/// The stack behind a step: 0 puts the next word on it, 1 merges its two last states.
func.func private @stepped(%step: !step, %h: !h, %c: !h, %x: !h, %e: !h, %height: !n, %next: !n,
                           %places: !f) -> (!h, !h, !n, !n) {
  %one = arith.constant dense<1.0> : !n
  %two = arith.constant dense<2.0> : !n
  %yes = arith.constant dense<1> : !step
  %last = arith.subf %height, %one : !n
  %last2 = arith.subf %height, %two : !n
  %h2 = nn.call @row(%h, %last) : (!h, !n) -> !one
  %c2 = nn.call @row(%c, %last) : (!h, !n) -> !one
  %h1 = nn.call @row(%h, %last2) : (!h, !n) -> !one
  %c1 = nn.call @row(%c, %last2) : (!h, !n) -> !one
  %hx = nn.call @row(%x, %next) : (!h, !n) -> !one
  %cx = nn.call @row(%e, %next) : (!h, !n) -> !one
  %hm, %cm = nn.call @merged(%h1, %c1, %h2, %c2) in "merge"
      : (!one, !one, !one, !one) -> (!one, !one)
  %reduces = arith.cmpi eq, %step, %yes : !step
  %hn = nn.call @by_step(%reduces, %hm, %hx) : (tensor<i1>, !one, !one) -> !one
  %cn = nn.call @by_step(%reduces, %cm, %cx) : (tensor<i1>, !one, !one) -> !one
  %at = arith.select %reduces, %last2, %height : tensor<i1>, !n
  %h_1 = nn.call @put(%h, %hn, %at, %places) : (!h, !one, !n, !f) -> !h
  %c_1 = nn.call @put(%c, %cn, %at, %places) : (!h, !one, !n, !f) -> !h
  %height1 = arith.addf %at, %one : !n
  %after = arith.addf %next, %one : !n
  %next1 = arith.select %reduces, %next, %after : tensor<i1>, !n
  return %h_1, %c_1, %height1, %next1 : !h, !h, !n, !n
}

/// Whether there is a word left, or more than one state.
func.func private @goes_on(%height: !f, %next: !f, %count: !n) -> !b {
  %one = arith.constant dense<1.0> : !n
  %ones = nn.call @each(%one, %next) : (!n, !f) -> !f
  %counts = nn.call @each(%count, %next) : (!n, !f) -> !f
  %left = arith.cmpf olt, %next, %counts : !f
  %tall = arith.cmpf ogt, %height, %ones : !f
  %go = arith.ori %left, %tall : !b
  return %go : !b
}

/// The places of the words, zeros for them, and how many there are.
func.func private @stack(%x: !h) -> (!f, !f, !n) {
  %i = nn.positions %x limit 2147483647 : !h
  %places = arith.sitofp %i : !i to !f
  %none = arith.subf %places, %places : !f
  %one = arith.constant dense<1.0> : !n
  %ones = nn.call @each(%one, %places) : (!n, !f) -> !f
  %count = nn.sum %ones over 0 : !f
  return %places, %none, %count : !f, !f, !n
}

func.func private @leaves(%tokens: !words) -> (!h, !h) {
  %E = nn.param "words" : tensor<20x128xf32> init <normal(0.0, 1.0)>
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<20x128xf32>
  %h = nn.call @dense(%x) in "leaf.h" : (!h) -> !h
  %c = nn.call @dense(%x) in "leaf.c" : (!h) -> !h
  return %h, %c : !h, !h
}

func.func private @values(%h: !h) -> !y {
  %zero = arith.constant dense<0> : !step
  %s = nn.take %h, %zero : !h, !step
  %a = nn.call @dense_one(%s) in "inner" : (!one) -> !one
  %r = nn.relu %a : !one
  %y = nn.call @dense_one(%r) in "values" : (!one) -> !y
  return %y : !y
}

/// By steps of its own, in training drawn with noise 1: the classes, and -log P of the steps.
func.func private @own_steps(%tokens: !words) -> (!y, !n) {
  %noise = nn.constant "noise" = 1.0 : !n
  %x, %e = nn.call @leaves(%tokens) : (!words) -> (!h, !h)
  %places, %none, %count = nn.call @stack(%x) : (!h) -> (!f, !f, !n)
  %h, %c, %height, %next, %cost, %steps = depth.iterate max 800 rematerialize tied ""
      carried(%hs = %x : !h, %cs = %e : !h, %heights = %none : !f, %nexts = %none : !f,
              %costs = %none : !f) {
    %height0 = nn.call @same(%heights) : (!f) -> !n
    %next0 = nn.call @same(%nexts) : (!f) -> !n
    %s = nn.call @scores(%hs, %x, %height0, %next0, %count) : (!h, !h, !n, !n, !n) -> !two
    %g = nn.random gumbel(0.0, 1.0) training like %s : !two -> !two
    %noises = nn.broadcast %noise dims [] : !n -> !two
    %drawn = arith.mulf %g, %noises : !two
    %v = arith.addf %s, %drawn : !two
    %best, %which = nn.top %v count 1 over 0 : !two
    %step = nn.reshape %which : tensor<1xi32> -> !step
    %l = nn.cross_entropy %s, %step : !two, !step
    %h1, %c1, %height1, %next1 = nn.call @stepped(%step, %hs, %cs, %x, %e, %height0, %next0, %places)
        : (!step, !h, !h, !h, !h, !n, !n, !f) -> (!h, !h, !n, !n)
    %ls = nn.call @each(%l, %costs) : (!n, !f) -> !f
    %costs1 = arith.addf %costs, %ls : !f
    %heights1 = nn.call @each(%height1, %costs) : (!n, !f) -> !f
    %nexts1 = nn.call @each(%next1, %costs) : (!n, !f) -> !f
    %go = nn.call @goes_on(%heights1, %nexts1, %count) : (!f, !f, !n) -> !b
    depth.yield %go, %h1, %c1, %heights1, %nexts1, %costs1 : !b, !h, !h, !f, !f, !f
  }
  %y = nn.call @values(%h) : (!h) -> !y
  %l = nn.call @same(%cost) : (!f) -> !n
  return %y, %l : !y, !n
}

/// By given steps, the word of step t = 2 (words read) - (height of the stack).
func.func private @given_steps(%tokens: !words, %given: !words) -> (!y, !n) {
  %two = arith.constant dense<2.0> : !n
  %x, %e = nn.call @leaves(%tokens) : (!words) -> (!h, !h)
  %places, %none, %count = nn.call @stack(%x) : (!h) -> (!f, !f, !n)
  %h, %c, %height, %next, %cost, %steps = depth.iterate max 800 rematerialize tied ""
      carried(%hs = %x : !h, %cs = %e : !h, %heights = %none : !f, %nexts = %none : !f,
              %costs = %none : !f) {
    %height0 = nn.call @same(%heights) : (!f) -> !n
    %next0 = nn.call @same(%nexts) : (!f) -> !n
    %read = arith.mulf %two, %next0 : !n
    %t = arith.subf %read, %height0 : !n
    %ti = arith.fptosi %t : !n to !step
    %step = nn.take %given, %ti : !words, !step
    %s = nn.call @scores(%hs, %x, %height0, %next0, %count) : (!h, !h, !n, !n, !n) -> !two
    %l = nn.cross_entropy %s, %step : !two, !step
    %h1, %c1, %height1, %next1 = nn.call @stepped(%step, %hs, %cs, %x, %e, %height0, %next0, %places)
        : (!step, !h, !h, !h, !h, !n, !n, !f) -> (!h, !h, !n, !n)
    %ls = nn.call @each(%l, %costs) : (!n, !f) -> !f
    %costs1 = arith.addf %costs, %ls : !f
    %heights1 = nn.call @each(%height1, %costs) : (!n, !f) -> !f
    %nexts1 = nn.call @each(%next1, %costs) : (!n, !f) -> !f
    %go = nn.call @goes_on(%heights1, %nexts1, %count) : (!f, !f, !n) -> !b
    depth.yield %go, %h1, %c1, %heights1, %nexts1, %costs1 : !b, !h, !h, !f, !f, !f
  }
  %y = nn.call @values(%h) : (!h) -> !y
  %l = nn.call @same(%cost) : (!f) -> !n
  return %y, %l : !y, !n
}

/// Scores of the values 0 to 9, by the best steps.
func.func @predict(%tokens: !words {cambium.name = "tokens"}) -> !y {
  %y, %l = nn.call @own_steps(%tokens) : (!words) -> (!y, !n)
  return %y : !y
}

/// By the given steps, which it learns beside the value.
func.func @loss(%tokens: !words {cambium.name = "tokens"}, %steps: !words {cambium.name = "steps"},
                %label: tensor<i32> {cambium.name = "label"}) -> !n {
  %y, %steps_loss = nn.call @given_steps(%tokens, %steps) : (!words, !words) -> (!y, !n)
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  %sum = arith.addf %l, %steps_loss : !n
  return %sum : !n
}

/// The expected loss over drawn steps: the gradient of (l - b) log P, where b is a number that learns
/// what the loss is.
func.func @reinforce_loss(%tokens: !words {cambium.name = "tokens"},
                          %label: tensor<i32> {cambium.name = "label"}) -> !n {
  %b = nn.param "baseline" : tensor<1xf32> init <constant(2.3)> no_decay
  %y, %cost = nn.call @own_steps(%tokens) : (!words) -> (!y, !n)
  %l = nn.cross_entropy %y, %label : !y, tensor<i32>
  %base = nn.reshape %b : tensor<1xf32> -> !n
  %fixed = train.stop_gradient %l : !n
  %d = arith.subf %fixed, %base : !n
  %miss = arith.mulf %d, %d : !n
  %advantage = train.stop_gradient %d : !n
  %less = arith.mulf %advantage, %cost : !n
  %lower = arith.subf %l, %less : !n
  %sum = arith.addf %lower, %miss : !n
  return %sum : !n
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @reinforce loss @reinforce_loss optimizer #train.optimizer<adam> clip_norm 5.0
