// RUN: cambium-opt --linalg-lower --linalg-verify --split-input-file --verify-diagnostics %s

func.func @dropout_without_number(%x: tensor<?x3xf32>, %k: tensor<?xi64>) -> tensor<?x3xf32> {
  // expected-error @below {{expected an 'id' beside 'keys'}}
  %0 = nn.dropout %x rate 0.5 keys %k : tensor<?x3xf32>, tensor<?xi64>
  return %0 : tensor<?x3xf32>
}

// -----

func.func @chain_of_a_part(%f: !ragged.forest) -> !ragged.forest {
  %e = ragged.edges %f inner
  // expected-error @below {{expected the partition of an argument or of all edges}}
  %c = ragged.chain %e
  return %c : !ragged.forest
}

// -----

func.func @no_parameter(%ids: tensor<?xi32>, %rows: tensor<?x3xf32>) {
  // expected-error @below {{expected a parameter, but got @E}}
  ragged.accumulate_rows @E, %ids, %rows : tensor<?xi32>, tensor<?x3xf32>
  return
}

// -----

func.func @left_over(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected an op of the linalg phase}}
  %0 = nn.gelu %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
