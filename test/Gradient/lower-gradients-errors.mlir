// RUN: cambium-opt %s --split-input-file --gradient-lower-gradients --verify-diagnostics

/// An op without a derivative on the way from the value to the loss.
func.func @no_derivative(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'math.round' op cannot be differentiated}}
  %y = math.round %x : tensor<?xf32>
  %g = train.gradient %y wrt %x : tensor<?xf32>, tensor<?xf32>
  return %g : tensor<?xf32>
}
