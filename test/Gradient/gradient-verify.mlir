// RUN: cambium-opt %s --gradient-verify --split-input-file --verify-diagnostics

/// What needs no gradient any more is fine.
func.func @valid(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.exp %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @stop(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'train.stop_gradient' op expected to be gone after the gradient phase}}
  %y = train.stop_gradient %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @abbreviation(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{'nn.gelu' op expected to be gone after the gradient phase}}
  %y = nn.gelu %x : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}
