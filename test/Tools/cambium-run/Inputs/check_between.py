#===-- test/Tools/cambium-run/Inputs/check_between.py - Answers of two runs --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_between.py ONE OTHER BOTH

The mean of two answers, as infer prints them: where two runs have one class, both
together have it with the mean of the probabilities; else at most half of what the
surer one has is lost."""

import pathlib
import sys

one, other, both = ([line.split("\t") for line in pathlib.Path(name).read_text().splitlines()]
                    for name in sys.argv[1:])
count = 0
for a, b, c in zip(one, other, both, strict=True):
    p, q, r = (float(x[1]) for x in (a, b, c))
    if a[0] == b[0]:
        count += c[0] == a[0] and abs(r - (p + q) / 2) < 2e-3
    else:
        count += r >= max(p, q) / 2 - 2e-3 and r <= max(p, q)
print(count, "between")
