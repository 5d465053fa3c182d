// Two sequences per example, the best first: the words from a first one on, and the same backwards.

func.func @predict(%first: tensor<i32> {cambium.name = "first"})
    -> (tensor<2x4xi32>, tensor<2xf32>) {
  %steps = arith.constant dense<[[0, 1, 2, -100], [1, 0, -100, -100]]> : tensor<2x4xi32>
  %f = nn.broadcast %first dims [] : tensor<i32> -> tensor<2x4xi32>
  %t = arith.addi %f, %steps : tensor<2x4xi32>
  %s = arith.constant dense<[-0.5, -1.25]> : tensor<2xf32>
  %z = arith.sitofp %first : tensor<i32> to tensor<f32>
  %zs = nn.broadcast %z dims [] : tensor<f32> -> tensor<2xf32>
  %score = arith.mulf %zs, %s : tensor<2xf32>
  return %t, %score : tensor<2x4xi32>, tensor<2xf32>
}

// The same as one sequence with its length.
func.func @one(%first: tensor<i32> {cambium.name = "first"})
    -> (tensor<4xi32>, tensor<i32> {cambium.name = "length"}) {
  %steps = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %f = nn.broadcast %first dims [] : tensor<i32> -> tensor<4xi32>
  %t = arith.addi %f, %steps : tensor<4xi32>
  %n = arith.constant dense<2> : tensor<i32>
  %zero = arith.subi %first, %first : tensor<i32>
  %length = arith.addi %zero, %n : tensor<i32>
  return %t, %length : tensor<4xi32>, tensor<i32>
}

// How far a given answer is from that: scores of candidates.
func.func @score(%first: tensor<i32> {cambium.name = "first"},
                 %target: tensor<?xi32> {cambium.name = "target"}) -> tensor<f32> {
  %fs = nn.broadcast %first dims [] like %target : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %d = arith.subi %target, %fs : tensor<?xi32>
  %x = arith.sitofp %d : tensor<?xi32> to tensor<?xf32>
  %s = nn.sum %x over 0 : tensor<?xf32>
  return %s : tensor<f32>
}

// Outputs of all forms.
func.func @forms(%first: tensor<i32> {cambium.name = "first"},
                 %target: tensor<?xi32> {cambium.name = "target"})
    -> (tensor<f32> {cambium.name = "third"}, tensor<?xf32> {cambium.name = "rows"},
        tensor<2xf32> {cambium.name = "pair"}, tensor<?x2xf32> {cambium.name = "pairs"},
        tensor<i32> {cambium.name = "same"}) {
  %three = arith.constant dense<3.0> : tensor<f32>
  %x = arith.sitofp %first : tensor<i32> to tensor<f32>
  %third = arith.divf %x, %three : tensor<f32>
  %rows = arith.sitofp %target : tensor<?xi32> to tensor<?xf32>
  %pair = nn.broadcast %third dims [] : tensor<f32> -> tensor<2xf32>
  %pairs = nn.broadcast %rows dims [0] : tensor<?xf32> -> tensor<?x2xf32>
  return %third, %rows, %pair, %pairs, %first : tensor<f32>, tensor<?xf32>, tensor<2xf32>, tensor<?x2xf32>, tensor<i32>
}
