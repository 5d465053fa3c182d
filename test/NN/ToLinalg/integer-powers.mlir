/// Powers by whole numbers, of negative numbers too, each element with an exponent
/// of its own, in rows that fill a vector.
// RUN: %limit cambium-difftest %s | FileCheck %s
// CHECK: compared {{[1-9][0-9]*}} values
func.func @predict(%x: tensor<?x16xf32> {cambium.name = "x", cambium.rows = "x"}, %n: tensor<?xi32> {cambium.name = "n", cambium.rows = "x"}) -> (tensor<?x16xf32>, tensor<16xf32>) {
  %four = arith.constant dense<4> : tensor<i32>
  %fours = nn.broadcast %four dims [] like %n : tensor<i32>, tensor<?xi32> -> tensor<?xi32>
  %small = arith.remsi %n, %fours : tensor<?xi32>
  %e = nn.broadcast %small dims [0] : tensor<?xi32> -> tensor<?x16xi32>
  %y = math.fpowi %x, %e : tensor<?x16xf32>, tensor<?x16xi32>
  %three = arith.constant dense<3> : tensor<16xi32>
  %m = nn.sum %x over 0 : tensor<?x16xf32>
  %z = math.fpowi %m, %three : tensor<16xf32>, tensor<16xi32>
  return %y, %z : tensor<?x16xf32>, tensor<16xf32>
}
