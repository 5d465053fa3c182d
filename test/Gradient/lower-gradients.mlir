// RUN: cambium-opt %s --split-input-file --gradient-lower-gradients --canonicalize --cse | FileCheck %s

/// The derivative of x * x is x + x: both contributions are summed.
// CHECK-LABEL: @product
// CHECK: %[[S:.+]] = arith.addf %arg0, %arg0
// CHECK-NOT: train.gradient
// CHECK: return %[[S]]
func.func @product(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.mulf %x, %x : tensor<?xf32>
  %g = train.gradient %y wrt %x : tensor<?xf32>, tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

/// Only what is asked for is computed: the gradient of the input needs no
/// product of input and cotangent.
// CHECK-LABEL: @only_requested
// CHECK-NOT: nn.outer_sum
// CHECK: %[[T:.+]] = nn.transpose
// CHECK: nn.linear %{{.*}}, %[[T]]
func.func @only_requested(%x: tensor<?x3xf32>, %W: tensor<3x2xf32>) -> tensor<?x3xf32> {
  %y = nn.linear %x, %W : tensor<?x3xf32>, tensor<3x2xf32>
  %l = nn.sum %y over 1 : tensor<?x2xf32>
  %g = train.gradient %l wrt %x : tensor<?xf32>, tensor<?x3xf32>
  return %g : tensor<?x3xf32>
}

// -----

/// A stopped value is a constant.
// CHECK-LABEL: @negative_stop_gradient
// CHECK: %[[S:.+]] = train.stop_gradient %arg0
// CHECK: return %[[S]]
func.func @negative_stop_gradient(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = train.stop_gradient %x : tensor<?xf32>
  %y = arith.mulf %s, %x : tensor<?xf32>
  %g = train.gradient %y wrt %x : tensor<?xf32>, tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

/// A loss that does not depend on the value has the gradient zero.
// CHECK-LABEL: @negative_independent
// CHECK: %[[Z:.+]] = arith.constant dense<0.0
// CHECK: %[[B:.+]] = nn.broadcast %[[Z]]
// CHECK: return %[[B]]
func.func @negative_independent(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.exp %z : tensor<?xf32>
  %g = train.gradient %y wrt %x : tensor<?xf32>, tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

/// The gradient of a gradient: the second derivative of x^3 is 6 x.
// CHECK-LABEL: @second_order
// CHECK-NOT: train.gradient
// CHECK: arith.addf
func.func @second_order(%x: tensor<?xf32>) -> tensor<?xf32> {
  %x2 = arith.mulf %x, %x : tensor<?xf32>
  %x3 = arith.mulf %x2, %x : tensor<?xf32>
  %g = train.gradient %x3 wrt %x : tensor<?xf32>, tensor<?xf32>
  %h = train.gradient %g wrt %x : tensor<?xf32>, tensor<?xf32>
  return %h : tensor<?xf32>
}

// -----

/// The adjoint of a recursion upwards is one downwards. The weight's gradient is
/// one product over all nodes after the loop, from the tape (the sums of the
/// children) and from the cotangents that the loop leaves; the transposed weight
/// is made once, before the loop.
// CHECK-LABEL: @levels
// CHECK: %[[UP:.+]]:2 = ragged.levels up inner
// CHECK:   %[[SUM:.+]] = ragged.reduce sum
// CHECK:   ragged.yield %{{.*}}, %[[SUM]]
// CHECK: nn.transpose
// CHECK: %[[DOWN:.+]]:2 = ragged.levels down inner
// CHECK-NOT: nn.outer_sum
// CHECK:   ragged.expand
// CHECK-NEXT: ragged.yield
// CHECK: nn.outer_sum %[[UP]]#1, %[[DOWN]]#1
func.func @levels(%f: !ragged.forest, %h0: tensor<?x3xf32>, %U: tensor<3x3xf32>,
                  %roots: tensor<?xi32>) -> tensor<3x3xf32> {
  %h = ragged.levels up inner %f base(%h0 : tensor<?x3xf32>)
      num_recurrent 1 num_node_yields 0 -> (tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %hk: tensor<?x3xf32>):
    %s = ragged.reduce sum %hk, %edges : tensor<?x3xf32>
    %y = nn.linear %s, %U : tensor<?x3xf32>, tensor<3x3xf32>
    %t = math.tanh %y : tensor<?x3xf32>
    ragged.yield %t : tensor<?x3xf32>
  }
  %r = ragged.gather %h, %roots : tensor<?x3xf32>, tensor<?xi32>
  %l = nn.sum %r over 1 : tensor<?x3xf32>
  %g = train.gradient %l wrt %U : tensor<?xf32>, tensor<3x3xf32>
  return %g : tensor<3x3xf32>
}

// -----

/// The adjoint of a recursion downwards is one upwards.
// CHECK-LABEL: @levels_down
// CHECK: ragged.levels down all
// CHECK: ragged.levels up all
func.func @levels_down(%f: !ragged.forest, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %m, %s = ragged.levels down all %f nodes(%x : tensor<?x3xf32>)
      num_recurrent 1 num_node_yields 1 -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%edges: !ragged.rows, %xl: tensor<?x3xf32>, %p: tensor<?x3xf32>):
    %y = arith.addf %xl, %p : tensor<?x3xf32>
    %t = math.tanh %y : tensor<?x3xf32>
    %e = ragged.expand %t, %edges : tensor<?x3xf32>
    ragged.yield %e, %t : tensor<?x3xf32>, tensor<?x3xf32>
  }
  %l = nn.sum %s over 1 : tensor<?x3xf32>
  %g = train.gradient %l wrt %x : tensor<?xf32>, tensor<?x3xf32>
  return %g : tensor<?x3xf32>
}
