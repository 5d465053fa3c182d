/// Numbers of a table of one column, which many loops over whole memory look up: the table keeps its
/// shape where these loops become a function of rows.
// RUN: %limit cambium-compile %s -o %t.so
// RUN: %limit cambium-compare %s %t.so --all | FileCheck %s
// CHECK-NOT: DIFFERENT
// CHECK: equal: f.out0
func.func @f(%x: tensor<?xf32> {cambium.name = "x"}) -> tensor<f32> {
  %W = nn.param "W" : tensor<30x1xf32> init <normal(0.0, 0.5)>
  %ids = arith.constant dense<[
    0, 7, 14, 21, 28, 5, 12, 19, 26, 3, 10, 17, 24, 1, 8, 15, 22, 29, 6, 13, 20, 27, 4, 11,
    18, 25, 2, 9, 16, 23, 0, 7, 14, 21, 28, 5, 12, 19, 26, 3, 10, 17, 24, 1, 8, 15, 22, 29,
    6, 13, 20, 27, 4, 11, 18, 25, 2, 9, 16, 23, 0, 7, 14, 21, 28, 5, 12, 19, 26, 3, 10, 17,
    24, 1, 8, 15, 22, 29, 6, 13, 20, 27, 4, 11, 18, 25, 2, 9, 16, 23, 0, 7, 14, 21, 28, 5,
    12, 19, 26, 3, 10, 17, 24, 1, 8, 15, 22, 29, 6, 13, 20, 27, 4, 11, 18, 25, 2, 9, 16, 23,
    0, 7, 14, 21, 28, 5, 12, 19, 26, 3, 10, 17, 24, 1, 8, 15, 22, 29, 6, 13, 20, 27, 4, 11,
    18, 25, 2, 9, 16, 23, 0, 7, 14, 21, 28, 5, 12, 19, 26, 3, 10, 17, 24, 1, 8, 15, 22, 29,
    6, 13, 20, 27, 4, 11, 18, 25, 2, 9, 16, 23, 0, 7, 14, 21, 28, 5, 12, 19, 26, 3, 10, 17,
    24, 1, 8, 15, 22, 29, 6, 13, 20, 27, 4, 11, 18, 25, 2, 9, 16, 23, 0, 7, 14, 21, 28, 5,
    12, 19, 26, 3, 10, 17, 24, 1, 8, 15, 22, 29, 6, 13, 20, 27, 4, 11, 18, 25, 2, 9, 16, 23,
    0, 7, 14, 21, 28, 5, 12, 19, 26, 3, 10, 17, 24, 1, 8, 15]> : tensor<256xi32>
  %e = nn.embed %ids, %W : tensor<256xi32>, tensor<30x1xf32>
  %q = arith.mulf %e, %e : tensor<256x1xf32>
  %s = nn.sum %q over 0 : tensor<256x1xf32>
  %t = nn.sum %s over 0 : tensor<1xf32>
  %n = nn.sum %x over 0 : tensor<?xf32>
  %r = arith.addf %t, %n : tensor<f32>
  return %r : tensor<f32>
}
