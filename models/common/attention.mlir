// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of words to words.
//
// A. Vaswani et al.: Attention Is All You Need. NeurIPS 2017, section 3.2.
nn.import "layers.mlir"
nn.sizes {width = 96}

!x = tensor<?x96xf32>
#heads = #nn.given<"heads" = 8>

/// softmax(Q K^T / sqrt(d)) V of each head, with Q of x and K, V of a memory, and a product of the
/// heads side by side. The memory of a sentence that attends to itself is x.
func.func private @attend(%x: !x, %memory: !x) -> !x {
  %q = nn.call @dense(%x) in "query" : (!x) -> !x
  %k = nn.call @dense(%memory) in "key" : (!x) -> !x
  %v = nn.call @dense(%memory) in "value" : (!x) -> !x
  %a = nn.attention %q, %k, %v heads #heads : !x, !x, !x
  %o = nn.call @dense(%a) in "output" : (!x) -> !x
  return %o : !x
}
