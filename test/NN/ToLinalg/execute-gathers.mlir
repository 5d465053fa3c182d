/// Rows of a table that each example computes: by numbers of a list whose length is known, of
/// which some are cut off; by one number for each row, in the code of a row; and, where the table
/// is rows itself, by nn.take. All have derivatives.
// RUN: %limit cambium-difftest %s --examples=3,1 --size=4,1 | FileCheck %s
// CHECK: compared {{[1-9][0-9]*}} values (worst: {{.*}}), {{[1-9][0-9]*}} derivatives
nn.param @W : tensor<3x12xf32> init #nn.init<normal(0.0, 1.0)>
func.func @table(%x: tensor<3xf32>) -> tensor<4x3xf32> {
  %W = nn.use @W : tensor<3x12xf32>
  %h = nn.linear %x, %W : tensor<3xf32>, tensor<3x12xf32>
  %t = math.tanh %h : tensor<12xf32>
  %rows = nn.reshape %t : tensor<12xf32> -> tensor<4x3xf32>
  return %rows : tensor<4x3xf32>
}
func.func @predict(%x: tensor<3xf32> {cambium.name = "x"}, %ids: tensor<4xi32> {cambium.name = "ids"},
                   %words: tensor<?xi32> {cambium.name = "words"}, %y: tensor<?x3xf32> {cambium.name = "y", cambium.rows = "y"})
    -> tensor<3xf32> {
  %t = func.call @table(%x) : (tensor<3xf32>) -> tensor<4x3xf32>
  %inner = nn.slice %ids over 0 from 1 size 2 : tensor<4xi32>
  %a = nn.pick_along %t, %inner over 0 : tensor<4x3xf32>, tensor<2xi32>
  %as = nn.sum %a over 0 : tensor<2x3xf32>
  %b = nn.each rows(%id = %words : tensor<i32>) -> (tensor<3xf32>) {
    %ids1 = nn.reshape %id : tensor<i32> -> tensor<1xi32>
    %row = nn.pick_along %t, %ids1 over 0 : tensor<4x3xf32>, tensor<1xi32>
    %r = nn.reshape %row : tensor<1x3xf32> -> tensor<3xf32>
    nn.yield %r : tensor<3xf32>
  }
  %bs = nn.sum %b over 0 : tensor<?x3xf32>
  %sq = arith.mulf %y, %y : tensor<?x3xf32>
  %c = nn.take %sq, %words : tensor<?x3xf32>, tensor<?xi32>
  %cs = nn.sum %c over 0 : tensor<?x3xf32>
  %ab = arith.addf %as, %bs : tensor<3xf32>
  %all = arith.addf %ab, %cs : tensor<3xf32>
  return %all : tensor<3xf32>
}
func.func @loss(%x: tensor<3xf32> {cambium.name = "x"}, %ids: tensor<4xi32> {cambium.name = "ids"},
                %words: tensor<?xi32> {cambium.name = "words"}, %y: tensor<?x3xf32> {cambium.name = "y", cambium.rows = "y"})
    -> tensor<f32> {
  %z = func.call @predict(%x, %ids, %words, %y)
    : (tensor<3xf32>, tensor<4xi32>, tensor<?xi32>, tensor<?x3xf32>) -> tensor<3xf32>
  %sq = arith.mulf %z, %z : tensor<3xf32>
  %l = nn.sum %sq over 0 : tensor<3xf32>
  return %l : tensor<f32>
}
train.step @train loss @loss optimizer #train.optimizer<sgd>

/// The table dies where its elements are read, at any places, and what is made of them has its size:
/// it must not be written where the table still is (40 elements: more than a vector).
nn.param @V : tensor<40xf32> init #nn.init<normal(0.0, 1.0)>
nn.param @M : tensor<40x3xf32> init #nn.init<normal(0.0, 1.0)>
func.func @turned(%at: tensor<40xi32> {cambium.name = "at", cambium.per = "call"}) -> tensor<3xf32> {
  %V = nn.use @V : tensor<40xf32>
  %M = nn.use @M : tensor<40x3xf32>
  %t = math.tanh %V : tensor<40xf32>
  %table = nn.reshape %t : tensor<40xf32> -> tensor<40x1xf32>
  %a = nn.embed %at, %table : tensor<40xi32>, tensor<40x1xf32>
  %b = nn.reshape %a : tensor<40x1xf32> -> tensor<40xf32>
  %y = nn.linear %b, %M : tensor<40xf32>, tensor<40x3xf32>
  return %y : tensor<3xf32>
}
