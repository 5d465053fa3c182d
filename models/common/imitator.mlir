// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a network that sees a window says of the class of the whole text.
//
// S. Kiyono, J. Suzuki, K. Inui: Mixture of Expert/Imitator Networks: Scalable Semi-supervised
// Learning Framework. AAAI 2019, equation 8.
nn.sizes {window = 1200, filters = 500, classes = 2}

!y = tensor<2xf32>
!ys = tensor<?x2xf32>
!o = tensor<?x500xf32>

/// The logarithm of what it says at each place: softmax(W leaky_relu(K e + b) + d).
func.func private @say(%w: tensor<?x1200xf32>) -> !ys {
  %K = nn.param "K" : tensor<1200x500xf32> init <xavier_uniform> group "imitators"
  %b = nn.param "b" : tensor<500xf32> group "imitators" no_decay
  %W = nn.param "W" : tensor<500x2xf32> init <xavier_uniform> group "imitators"
  %d = nn.param "d" : !y group "imitators" no_decay
  %c = nn.linear %w, %K, %b : tensor<?x1200xf32>, tensor<1200x500xf32>, tensor<500xf32>
  %o = nn.leaky_relu %c : !o
  %z = nn.linear %o, %W, %d : !o, tensor<500x2xf32>, !y
  %p = nn.log_softmax %z over 1 : !ys
  return %p : !ys
}
