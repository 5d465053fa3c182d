// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phrases of a sentence: a score for each span and label, and the tree of greatest sum.
//
// N. Kitaev, D. Klein: Constituency Parsing with a Self-Attentive Encoder. ACL 2018: factored
// attention (section 4), scores of spans (equation 1), the best tree by CKY, and a margin loss with
// the Hamming distance (step train). Label 0 is no phrase and has the score 0, so that trees of any
// arity are binary ones. Words are known by themselves and by their first and last letters. The step
// local asks each span alone for its label (Z. Teng, Y. Zhang: Two Local Models for Neural
// Constituent Parsing. COLING 2018).
nn.import "../common/chart.mlir"
nn.import "../common/factored.mlir"
nn.import "../common/layers.mlir"
nn.import "../common/spans.mlir"
nn.import "../common/tagging.mlir"
nn.sizes {words = 8000, ends = 4000, word = 128, end = 32, places = 256,
          input = word + 2 * end, part = 28, half = 4 * part, width = 2 * half, score = 200,
          phrases = 17, labels = phrases + 1}

#dropout = #nn.given<"dropout" = 0.2>
#read = {words = #nn.given<"words" = 8000>, ends = #nn.given<"ends" = 4000>,
         word = #nn.given<"word" = 128>, end = #nn.given<"end" = 32>, dropout = #dropout}
#heads = {heads = 4, part = #nn.given<"part" = 28>, inner = #nn.given<"inner" = 512>,
          dropout = #dropout}
!f = tensor<f32>
!fs = tensor<?xf32>
!ids = tensor<?xi32>
!spelled = tensor<?x192xf32>
!h = tensor<?x112xf32>
!x = tensor<?x224xf32>
!inner = tensor<?x200xf32>
!phrases = tensor<?x17xf32>
!labels = tensor<?x18xf32>
!none = tensor<?x1xf32>
!pairs = tensor<?x112x2xf32>
!one = tensor<?x112x1xf32>

/// What words are, from the left and from the right: halves of the last layer's rows.
func.func private @encode(%words: !ids, %prefixes: !ids, %suffixes: !ids) -> (!h, !h) {
  %s = nn.call @spelled(%words, %prefixes, %suffixes) with #read : (!ids, !ids, !ids) -> !spelled
  %c0 = nn.call @dense(%s) in "content" : (!spelled) -> !h
  %places = nn.param "places" : tensor<256x112xf32> init <normal(0.0, 0.1)>
  %i = nn.positions %words limit 256 : !ids
  %p0 = nn.embed %i, %places : !ids, tensor<256x112xf32>
  %cn = nn.call @norm(%c0) in "content.norm" : (!h) -> !h
  %pn = nn.call @norm(%p0) in "place.norm" : (!h) -> !h
  %c1, %p1 = nn.call @factored_layer(%cn, %pn) in "layer0" with #heads
      : (!h, !h) -> (!h, !h)
  %c2, %p2 = nn.call @factored_layer(%c1, %p1) in "layer1" with #heads
      : (!h, !h) -> (!h, !h)
  %y = nn.concat %c2, %p2 over 1 : !h, !h
  %yy = nn.reshape %y : !x -> !pairs
  %even, %odd = nn.split %yy over 2 sizes [1, 1] : !pairs
  %f = nn.reshape %even : !one -> !h
  %b = nn.reshape %odd : !one -> !h
  return %f, %b : !h, !h
}

/// The score of each label of each span, W_2 relu(norm(W_1 v + b_1)) + b_2, and 0 of none; how words
/// are cut into spans.
func.func private @span_scores(%words: !ids, %prefixes: !ids, %suffixes: !ids)
    -> (!tree.tree, !labels) {
  %f, %b = nn.call @encode(%words, %prefixes, %suffixes) : (!ids, !ids, !ids) -> (!h, !h)
  %t, %first, %last = tree.chart %words : !ids
  %v = nn.call @span_vectors(%f, %b, %first, %last) : (!h, !h, !ids, !ids) -> !x
  %a = nn.call @dense(%v) in "span.inner" : (!x) -> !inner
  %n = nn.call @norm(%a) in "span.norm" : (!inner) -> !inner
  %r = nn.relu %n : !inner
  %s = nn.call @dense(%r) in "span.phrases" : (!inner) -> !phrases
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %none = nn.broadcast %zero dims [1] like %s : tensor<1xf32>, !phrases -> !none
  %y = nn.concat %none, %s over 1 : !none, !phrases
  return %t, %y : !tree.tree, !labels
}

/// The greatest sum of scores of any binary tree's spans.
func.func private @best_sum(%t: !tree.tree, %score: !fs) -> !f {
  %z = tree.fold %t nodes(%s = %score : !f) children(%zk : tensor<?x2xf32>) -> (!f) {
    %both = nn.sum %zk over 1 : tensor<?x2xf32>
    %m = nn.max %both over 0 : !fs
    %zj = arith.addf %m, %s : !f
    tree.yield %zj : !f
  } leaf {
    tree.yield %s : !f
  }
  %r = tree.root %t, %z : !fs
  return %r : !f
}

/// The label of each span, in the order of tree.chart; 0 where it is no phrase of the best tree: the
/// spans of that tree are those whose scores its sum follows. Of %spans only the number of its rows
/// counts, n (n + 1) / 2.
func.func @predict(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                   %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                   %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                   %spans: !ids {cambium.name = "spans", cambium.rows = "spans"})
    -> (!ids {cambium.name = "found"}) {
  %t, %s = nn.call @span_scores(%words, %prefixes, %suffixes)
      : (!ids, !ids, !ids) -> (!tree.tree, !labels)
  %best = nn.max %s over 1 : !labels
  %z = nn.call @best_sum(%t, %best) : (!tree.tree, !fs) -> !f
  %p = train.gradient %z wrt %best : !f, !fs
  %v, %k = nn.top %s count 1 over 1 : !labels
  %label = nn.reshape %k : tensor<?x1xi32> -> !ids
  %half = arith.constant dense<0.5> : !f
  %halves = nn.broadcast %half dims [] like %p : !f, !fs -> !fs
  %in = arith.cmpf ogt, %p, %halves : !fs
  %zero = arith.constant dense<0> : tensor<i32>
  %zeros = nn.broadcast %zero dims [] like %label : tensor<i32>, !ids -> !ids
  %y = arith.select %in, %label, %zeros : tensor<?xi1>, !ids
  %i = nn.positions %spans limit 1048576 : !ids
  %a = nn.take %y, %i : !ids, !ids
  return %a : !ids
}

/// The sum of the best tree, where a span with another label than the right one gets 1 more, minus
/// that of the right tree.
func.func @loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                %phrases: !ids {cambium.name = "phrases", cambium.rows = "spans"}) -> !f {
  %t, %s = nn.call @span_scores(%words, %prefixes, %suffixes)
      : (!ids, !ids, !ids) -> (!tree.tree, !labels)
  %k = nn.positions %s limit 1048576 : !labels
  %label = nn.take %phrases, %k : !ids, !ids
  %right = nn.pick %s, %label : !labels, !ids
  %one = arith.constant dense<1.0> : !f
  %ones = nn.broadcast %one dims [] like %right : !f, !fs -> !fs
  %is = nn.one_hot %label, %ones size 18 : !ids, !fs
  %all = nn.broadcast %one dims [] like %s : !f, !labels -> !labels
  %other = arith.subf %all, %is : !labels
  %more = arith.addf %s, %other : !labels
  %best = nn.max %more over 1 : !labels
  %z = nn.call @best_sum(%t, %best) : (!tree.tree, !fs) -> !f
  %sum = nn.sum %right over 0 : !fs
  %d = arith.subf %z, %sum : !f
  return %d : !f
}

/// The sum over all spans of the cross entropy of the label.
func.func @local_loss(%words: !ids {cambium.name = "words", cambium.rows = "words"},
                      %prefixes: !ids {cambium.name = "prefixes", cambium.rows = "words"},
                      %suffixes: !ids {cambium.name = "suffixes", cambium.rows = "words"},
                      %phrases: !ids {cambium.name = "phrases", cambium.rows = "spans"}) -> !f {
  %t, %s = nn.call @span_scores(%words, %prefixes, %suffixes)
      : (!ids, !ids, !ids) -> (!tree.tree, !labels)
  %k = nn.positions %s limit 1048576 : !labels
  %label = nn.take %phrases, %k : !ids, !ids
  %e = nn.cross_entropy %s, %label : !labels, !ids
  %sum = nn.sum %e over 0 : !fs
  return %sum : !f
}

train.step @train loss @loss optimizer #train.optimizer<adam> clip_norm 5.0
train.step @local loss @local_loss optimizer #train.optimizer<adam> clip_norm 5.0
