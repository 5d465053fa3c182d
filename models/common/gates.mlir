// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a gate reads: a word and a state.
//
// Their nonlinearity is the cell's.
nn.sizes {input = 200, state = 300, hidden = 150}

!x = tensor<200xf32>
!s = tensor<300xf32>
!y = tensor<150xf32>
!W = tensor<200x150xf32>
!U = tensor<300x150xf32>
#xavier = #nn.init<xavier_uniform>

/// W x + U h + b.
func.func private @gate(%x: !x, %h: !s) -> !y {
  %W = nn.param "W" : !W init #xavier
  %U = nn.param "U" : !U init #xavier
  %b = nn.param "b" : !y no_decay
  %Wx = nn.linear %x, %W, %b : !x, !W, !y
  %Uh = nn.linear %h, %U : !s, !U
  %a = arith.addf %Wx, %Uh : !y
  return %a : !y
}

/// W x + U h_k + b for each child k.
func.func private @gate_each(%x: !x, %hk: tensor<?x300xf32>) -> tensor<?x150xf32> {
  %W = nn.param "W" : !W init #xavier
  %U = nn.param "U" : !U init #xavier
  %b = nn.param "b" : !y no_decay
  %Wx = nn.linear %x, %W, %b : !x, !W, !y
  %Uh = nn.linear %hk, %U : tensor<?x300xf32>, !U
  %Wxk = nn.broadcast %Wx dims [1] like %Uh : !y, tensor<?x150xf32> -> tensor<?x150xf32>
  %a = arith.addf %Wxk, %Uh : tensor<?x150xf32>
  return %a : tensor<?x150xf32>
}
