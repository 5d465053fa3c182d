/// By an infinite number the gradient is its limit, in the interpreter and in compiled code: a score
/// that is left out of a softmax, functions that end in a constant, and what grows without end.
// RUN: cambium-interpret %s %S/Inputs/infinite.json | FileCheck %s
// RUN: cambium-compile %s -o %t.so
// RUN: cambium-compare %s %t.so --all --seed=2 | FileCheck %s --check-prefix=COMPARE
// CHECK: {"results":[{{\[}}[0,0],0,0,[0,1],3]]}
// COMPARE-NOT: DIFFERENT
// COMPARE: equal: limits.out0
// COMPARE: equal: limits.out4
// COMPARE-NOT: DIFFERENT
func.func @limits(%x: tensor<f32> {cambium.name = "x"}) -> (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>) {
  %least = arith.constant dense<0xFF800000> : tensor<f32>
  %most = arith.constant dense<0x7F800000> : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  // Of what depends on the example.
  %nothing = arith.mulf %x, %zero : tensor<f32>
  %low = arith.addf %least, %nothing : tensor<f32>
  %high = arith.addf %most, %nothing : tensor<f32>

  %l = nn.reshape %low : tensor<f32> -> tensor<1xf32>
  %h = nn.reshape %x : tensor<f32> -> tensor<1xf32>
  %scores = nn.concat %l, %h over 0 : tensor<1xf32>, tensor<1xf32>
  %p = nn.softmax %scores over 0 : tensor<2xf32>
  %pp = arith.mulf %p, %p : tensor<2xf32>
  %s = nn.sum %pp over 0 : tensor<2xf32>
  %0 = train.gradient %s wrt %scores : tensor<f32>, tensor<2xf32>

  %e = math.exp %low : tensor<f32>
  %1 = train.gradient %e wrt %low : tensor<f32>, tensor<f32>

  %t = math.tanh %high : tensor<f32>
  %2 = train.gradient %t wrt %high : tensor<f32>, tensor<f32>

  %r = nn.relu %scores : tensor<2xf32>
  %rs = nn.sum %r over 0 : tensor<2xf32>
  %g = train.gradient %rs wrt %scores : tensor<f32>, tensor<2xf32>
  %gg = arith.mulf %g, %g : tensor<2xf32>

  %three = arith.constant dense<3.0> : tensor<f32>
  %w = arith.mulf %high, %three : tensor<f32>
  %4 = train.gradient %w wrt %high : tensor<f32>, tensor<f32>
  return %0, %1, %2, %gg, %4 : tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>
}
