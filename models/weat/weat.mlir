// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether words of one kind are nearer to some attributes than words of another kind are: WEAT.
//
// A. Caliskan, J. Bryson, A. Narayanan: Semantics derived automatically from language corpora contain
// human-like biases. Science 2017; C. Ross, B. Katz, A. Barbu: Measuring Social Biases in Grounded
// Vision and Language Embeddings. NAACL 2021, equations 1 to 3. An example is a test: vectors of the
// targets x and y, and of the attributes a and b, from any encoder.
nn.sizes {width = 300}

!f = tensor<f32>
!fs = tensor<?xf32>
!w = tensor<300xf32>
!ws = tensor<?x300xf32>

/// The mean of the directions.
func.func private @direction(%v: !ws) -> !w {
  %u = nn.l2_normalize %v over 1 : !ws
  %m = nn.mean %u over 0 : !ws
  return %m : !w
}

/// s(w, A, B) (1), where the mean of cosines is the product with the mean of directions.
func.func private @association(%v: !ws, %d: !w) -> !fs {
  %u = nn.l2_normalize %v over 1 : !ws
  %D = nn.reshape %d : !w -> tensor<300x1xf32>
  %s = nn.linear %u, %D : !ws, tensor<300x1xf32>
  %y = nn.reshape %s : tensor<?x1xf32> -> !fs
  return %y : !fs
}

/// How many, and the sum of the squares of what lies between them and a number.
func.func private @spread(%s: !fs, %mean: !f) -> (!f, !f) {
  %zero = arith.subf %s, %s : !fs
  %ones = math.exp %zero : !fs
  %n = nn.sum %ones over 0 : !fs
  %means = nn.broadcast %mean dims [] like %s : !f, !fs -> !fs
  %d = arith.subf %s, %means : !fs
  %dd = arith.mulf %d, %d : !fs
  %q = nn.sum %dd over 0 : !fs
  return %n, %q : !f, !f
}

/// The effect d (3), whose deviation divides by one less than the number of targets; s(X, Y, A, B)
/// (2); the association of each target.
func.func @weat(%x: !ws {cambium.name = "x", cambium.rows = "x"},
                %y: !ws {cambium.name = "y", cambium.rows = "y"},
                %a: !ws {cambium.name = "a", cambium.rows = "a"},
                %b: !ws {cambium.name = "b", cambium.rows = "b"})
    -> (!f {cambium.name = "effect"}, !f {cambium.name = "difference"},
        !fs {cambium.name = "of_x"}, !fs {cambium.name = "of_y"}) {
  %zero = arith.constant dense<0.0> : !f
  %one = arith.constant dense<1.0> : !f
  %da = nn.call @direction(%a) : (!ws) -> !w
  %db = nn.call @direction(%b) : (!ws) -> !w
  %d = arith.subf %da, %db : !w
  %sx = nn.call @association(%x, %d) : (!ws, !w) -> !fs
  %sy = nn.call @association(%y, %d) : (!ws, !w) -> !fs
  %sumx = nn.sum %sx over 0 : !fs
  %sumy = nn.sum %sy over 0 : !fs
  %difference = arith.subf %sumx, %sumy : !f
  %nx, %qx0 = nn.call @spread(%sx, %zero) : (!fs, !f) -> (!f, !f)
  %ny, %qy0 = nn.call @spread(%sy, %zero) : (!fs, !f) -> (!f, !f)
  %sum = arith.addf %sumx, %sumy : !f
  %n = arith.addf %nx, %ny : !f
  %mean = arith.divf %sum, %n : !f
  %nx1, %qx = nn.call @spread(%sx, %mean) : (!fs, !f) -> (!f, !f)
  %ny1, %qy = nn.call @spread(%sy, %mean) : (!fs, !f) -> (!f, !f)
  %q = arith.addf %qx, %qy : !f
  %less = arith.subf %n, %one : !f
  %variance = arith.divf %q, %less : !f
  %deviation = math.sqrt %variance : !f
  %mx = arith.divf %sumx, %nx : !f
  %my = arith.divf %sumy, %ny : !f
  %above = arith.subf %mx, %my : !f
  %effect = arith.divf %above, %deviation : !f
  return %effect, %difference, %sx, %sy : !f, !f, !fs, !fs
}
