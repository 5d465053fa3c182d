#===-- test/Ragged/Batching/Inputs/deep.py - A program of many ops ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Prints a function with a chain of as many ops as the argument says."""
import sys

n = int(sys.argv[1])
print("func.func @deep(%t: !tree.tree, %v0: tensor<?x3xf32>) -> tensor<?x3xf32> {")
for i in range(n):
    print(f"  %v{i + 1} = math.tanh %v{i} : tensor<?x3xf32>")
print(f"""  %h = tree.fold %t nodes(%x = %v{n} : tensor<3xf32>)
                 children(%hk : tensor<?x3xf32>) -> (tensor<3xf32>) {{
    %s = nn.sum %hk over 0 : tensor<?x3xf32>
    %y = arith.addf %s, %x : tensor<3xf32>
    tree.yield %y : tensor<3xf32>
  }}
  return %h : tensor<?x3xf32>
}}""")
