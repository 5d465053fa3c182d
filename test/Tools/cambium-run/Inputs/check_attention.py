#===-- test/Tools/cambium-run/Inputs/check_attention.py - Weights of arcs --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_attention.py RUN

Checks that in trees.jsonl the attention of every node to its children adds up to 1.
"""
import collections
import json
import math
import os
import sys

with open(os.path.join(sys.argv[1], "trees.jsonl"), encoding="utf-8") as file:
    trees = [tree for line in file for tree in json.loads(line)["trees"]]
count = 0
for tree in trees:
    weights = tree["edges"]["edge_attention"]
    sums = collections.defaultdict(float)
    for parent, weight in zip(tree["parents"], weights):
        if parent < 0:
            assert weight is None, weight
        else:
            sums[parent] += weight
    for node, total in sums.items():
        assert math.isclose(total, 1, abs_tol=1e-4), (tree["title"], node, total)
    count += len(sums)
print(f"{count} nodes of {len(trees)} trees attend to their children")
