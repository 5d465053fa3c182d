// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of documents, which tell the words of the document: PV-DM and PV-DBOW.
//
// Q. Le, T. Mikolov: Distributed Representations of Sentences and Documents. ICML 2014; here as in
// A. Simoulin's thesis, Université Paris Cité 2022, equations 3.38 and 3.39. An example is a part of a
// document. `--step dm`: the mean of the document's vector and of those of the two words on both sides
// tells a word. `--step dbow`: the document's vector tells all words. `--step new_dm`, `new_dbow`: the
// same for documents that are new, of which the vectors alone are learned.
nn.sizes {documents = 1000, words = 10000, width = 200, seen = 5, half = 2}

#init = #nn.init<uniform(-0.1, 0.1)>
!f = tensor<f32>
!id = tensor<i32>
!words = tensor<?xi32>
!d = tensor<200xf32>
!ds = tensor<?x200xf32>
!side = tensor<?x2x200xf32>
!V = tensor<200x10000xf32>

/// The vector of a document: what is used of the model.
func.func @predict(%document: !id {cambium.name = "document"}) -> !d {
  %D = nn.param "documents" : tensor<1000x200xf32> init #init group "documents"
  %d = nn.embed %document, %D : !id, tensor<1000x200xf32>
  return %d : !d
}

func.func private @output() -> !V {
  %V = nn.param "scores" : !V init #init
  return %V : !V
}

/// -sum of log P(w | d) over the words.
func.func @dbow_loss(%document: !id {cambium.name = "document"},
                     %tokens: !words {cambium.name = "tokens"}) -> !f {
  %d = nn.call @predict(%document) : (!id) -> !d
  %V = nn.call @output() : () -> !V
  %y = nn.linear %d, %V : !d, !V
  %p = nn.log_softmax %y over 0 : tensor<10000xf32>
  // A word's place does not matter: the scores are the same at all of them.
  %i = arith.sitofp %tokens : !words to tensor<?xf32>
  %zero = arith.subf %i, %i : tensor<?xf32>
  %ones = math.exp %zero : tensor<?xf32>
  %n = nn.sum_by %ones, %tokens over 0 size 10000 : tensor<?xf32>, !words
  %np = arith.mulf %n, %p : tensor<10000xf32>
  %sum = nn.sum %np over 0 : tensor<10000xf32>
  %l = arith.negf %sum : !f
  return %l : !f
}

/// -sum over the words of log P(w_t | w_t-2, w_t-1, w_t+1, w_t+2, d); what is outside is zero.
func.func @loss(%document: !id {cambium.name = "document"},
                   %tokens: !words {cambium.name = "tokens"}) -> !f {
  %fifth = arith.constant dense<0.2> : !f
  %d = nn.call @predict(%document) : (!id) -> !d
  %E = nn.param "words" : tensor<10000x200xf32> init #init
  %V = nn.call @output() : () -> !V
  %x = nn.embed %tokens, %E padding_id 0 : !words, tensor<10000x200xf32>
  %w = nn.window %x before 2 after 2 : !ds
  %left = nn.slice %w over 1 from 0 size 2 : tensor<?x5x200xf32>
  %right = nn.slice %w over 1 from 3 size 2 : tensor<?x5x200xf32>
  %l = nn.sum %left over 1 : !side
  %r = nn.sum %right over 1 : !side
  %lr = arith.addf %l, %r : !ds
  %ds = nn.broadcast %d dims [1] like %x : !d, !ds -> !ds
  %all = arith.addf %lr, %ds : !ds
  %parts = nn.broadcast %fifth dims [] like %x : !f, !ds -> !ds
  %h = arith.mulf %all, %parts : !ds
  %y = nn.linear %h, %V : !ds, !V
  %ce = nn.cross_entropy %y, %tokens : tensor<?x10000xf32>, !words
  %sum = nn.sum %ce over 0 : tensor<?xf32>
  return %sum : !f
}

train.step @dm loss @loss optimizer #train.optimizer<adam>
train.step @dbow loss @dbow_loss optimizer #train.optimizer<adam>
train.step @new_dm loss @loss updates ["documents"] optimizer #train.optimizer<adam>
train.step @new_dbow loss @dbow_loss updates ["documents"] optimizer #train.optimizer<adam>
