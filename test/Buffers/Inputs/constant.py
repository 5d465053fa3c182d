#===-- test/Buffers/Inputs/constant.py - One number but for others -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Prints a function that returns a constant of 2 x 2,500 ones, of which COUNT are others.

Usage: constant.py COUNT
"""

import sys

PLACES = [100, 900, 1700, 2500, 3300]

numbers = ["1.0"] * 5000
for place in PLACES[:int(sys.argv[1])]:
    numbers[place] = f"{place}.0"
rows = ",".join("[" + ",".join(numbers[i:i + 2500]) + "]" for i in (0, 2500))
print("func.func @f() -> tensor<2x2500xf32> {\n"
      f"  %a = arith.constant dense<[{rows}]> : tensor<2x2500xf32>\n"
      "  return %a : tensor<2x2500xf32>\n}")
