// halting-rules.mlir - The rules of docs/HaltingRules.md, executed
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

nn.param @E : tensor<11x8xf32> init #nn.init<normal(0.0, 0.7)>
nn.param @W : tensor<8x8xf32> init #nn.init<normal(0.0, 0.3)>
nn.param @V : tensor<8x5xf32> init #nn.init<normal(0.0, 2.0)>

func.func private @words(%words: tensor<?xi32>) -> tensor<?x8xf32> {
  %E = nn.use @E : tensor<11x8xf32>
  %x = nn.embed %words, %E : tensor<?xi32>, tensor<11x8xf32>
  return %x : tensor<?x8xf32>
}

func.func private @layer(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x5xf32>) {
  %W = nn.use @W : tensor<8x8xf32>
  %V = nn.use @V : tensor<8x5xf32>
  %f = nn.linear %x, %W : tensor<?x8xf32>, tensor<8x8xf32>
  %s = arith.addf %f, %x : tensor<?x8xf32>
  %y = math.tanh %s : tensor<?x8xf32>
  %scores = nn.linear %y, %V : tensor<?x8xf32>, tensor<8x5xf32>
  return %y, %scores : tensor<?x8xf32>, tensor<?x5xf32>
}

func.func private @settle(%x0: tensor<?x8xf32>, %W: tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<?xi32>) {
  %tolerance = arith.constant dense<1.0e-3> : tensor<f32>
  %h, %n = depth.iterate max 50 carried(%x = %x0 : tensor<?x8xf32>) {
    %f = nn.linear %x, %W : tensor<?x8xf32>, tensor<8x8xf32>
    %y = math.tanh %f : tensor<?x8xf32>
    // The rule.
    %d = arith.subf %y, %x : tensor<?x8xf32>
    %a = math.absf %d : tensor<?x8xf32>
    %m = nn.max %a over 1 : tensor<?x8xf32>
    %t = nn.broadcast %tolerance dims [] like %m : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
    %go = arith.cmpf ogt, %m, %t : tensor<?xf32>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x8xf32>
  }
  return %h, %n : tensor<?x8xf32>, tensor<?xi32>
}

func.func private @unsure(%scores: tensor<?x5xf32>) -> tensor<?xi1> {
  %threshold = arith.constant dense<0.5> : tensor<f32>
  %p = nn.softmax %scores over 1 : tensor<?x5xf32>
  %l = nn.log_softmax %scores over 1 : tensor<?x5xf32>
  %pl = arith.mulf %p, %l : tensor<?x5xf32>
  %s = nn.sum %pl over 1 : tensor<?x5xf32>
  %entropy = arith.negf %s : tensor<?xf32>
  %t = nn.broadcast %threshold dims [] like %s : tensor<f32>, tensor<?xf32> -> tensor<?xf32>
  %go = arith.cmpf ogt, %entropy, %t : tensor<?xf32>
  return %go : tensor<?xi1>
}

func.func private @patient(%scores: tensor<?x5xf32>, %before: tensor<?x5xf32>, %same: tensor<?xi32>)
    -> (tensor<?xi1>, tensor<?xi32>) {
  %one = arith.constant dense<1> : tensor<i32>
  %patience = arith.constant dense<3> : tensor<i32>
  // The same answer: the greatest score is where it was.
  %m = nn.max %scores over 1 : tensor<?x5xf32>
  %b = nn.max %before over 1 : tensor<?x5xf32>
  %ms = nn.broadcast %m dims [0] : tensor<?xf32> -> tensor<?x5xf32>
  %bs = nn.broadcast %b dims [0] : tensor<?xf32> -> tensor<?x5xf32>
  %isM = arith.cmpf oeq, %scores, %ms : tensor<?x5xf32>
  %isB = arith.cmpf oeq, %before, %bs : tensor<?x5xf32>
  %both = arith.andi %isM, %isB : tensor<?x5xi1>
  %number = arith.uitofp %both : tensor<?x5xi1> to tensor<?x5xf32>
  %any = nn.max %number over 1 : tensor<?x5xf32>
  %anyI = arith.fptosi %any : tensor<?xf32> to tensor<?xi32>
  %ones = nn.broadcast %one dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %plus = arith.addi %same, %ones : tensor<?xi32>
  %count = arith.muli %plus, %anyI : tensor<?xi32>
  %enough = nn.broadcast %patience dims [] like %same : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %go = arith.cmpi slt, %count, %enough : tensor<?xi32>
  return %go, %count : tensor<?xi1>, tensor<?xi32>
}

func.func @fixed_point(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x8xf32>, tensor<?xi32>) {
  %W = nn.use @W : tensor<8x8xf32>
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x8xf32>
  %h, %n = call @settle(%x0, %W) : (tensor<?x8xf32>, tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<?xi32>)
  return %h, %n : tensor<?x8xf32>, tensor<?xi32>
}

func.func @entropy(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x8xf32>, tensor<?xi32>) {
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x8xf32>
  %h, %n = depth.iterate max 9 carried(%x = %x0 : tensor<?x8xf32>) {
    %y, %scores = func.call @layer(%x) : (tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x5xf32>)
    %go = func.call @unsure(%scores) : (tensor<?x5xf32>) -> tensor<?xi1>
    depth.yield %go, %y : tensor<?xi1>, tensor<?x8xf32>
  }
  return %h, %n : tensor<?x8xf32>, tensor<?xi32>
}

func.func @patience(%words: tensor<?xi32> {cambium.name = "words"}) -> (tensor<?x8xf32>, tensor<?xi32>) {
  %V = nn.use @V : tensor<8x5xf32>
  %zero = arith.constant dense<0> : tensor<i32>
  %x0 = call @words(%words) : (tensor<?xi32>) -> tensor<?x8xf32>
  %s0 = nn.linear %x0, %V : tensor<?x8xf32>, tensor<8x5xf32>
  %zeros = nn.broadcast %zero dims [] like %words : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %h, %s, %c, %n = depth.iterate max 9 carried(%x = %x0 : tensor<?x8xf32>, %before = %s0 : tensor<?x5xf32>,
                                               %same = %zeros : tensor<?xi32>) {
    %y, %scores = func.call @layer(%x) : (tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x5xf32>)
    %go, %count = func.call @patient(%scores, %before, %same)
      : (tensor<?x5xf32>, tensor<?x5xf32>, tensor<?xi32>) -> (tensor<?xi1>, tensor<?xi32>)
    depth.yield %go, %y, %scores, %count : tensor<?xi1>, tensor<?x8xf32>, tensor<?x5xf32>, tensor<?xi32>
  }
  return %h, %n : tensor<?x8xf32>, tensor<?xi32>
}

func.func @patience_loss(%words: tensor<?xi32> {cambium.name = "words"}) -> tensor<f32> {
  %h, %n = call @patience(%words) : (tensor<?xi32>) -> (tensor<?x8xf32>, tensor<?xi32>)
  %hh = arith.mulf %h, %h : tensor<?x8xf32>
  %rows = nn.sum %hh over 1 : tensor<?x8xf32>
  %l = nn.sum %rows over 0 : tensor<?xf32>
  return %l : tensor<f32>
}

train.step @train loss @patience_loss optimizer #train.optimizer<sgd>
