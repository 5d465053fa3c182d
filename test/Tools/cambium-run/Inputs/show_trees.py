#===-- test/Tools/cambium-run/Inputs/show_trees.py - Print trees.jsonl ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: show_trees.py RUN

Prints the examples of trees.jsonl, and the edges of the one of line 2 of the data with
what stands at them: values of edges are read as ids of words.
"""
import json
import os
import sys

folder = sys.argv[1]
with open(os.path.join(folder, "vocabulary.txt"), encoding="utf-8") as file:
    words = file.read().splitlines()
with open(os.path.join(folder, "trees.jsonl"), encoding="utf-8") as file:
    examples = [json.loads(line) for line in file]
for example in examples:
    print(f"{example['rank']}: example {example['example']} of {len(examples)}, "
          f"error {example['error']:.6f}")
tree, = next(e for e in examples if e["example"] == 1)["trees"]
assert tree["edges"]["link"][0] is None
for node, parent in enumerate(tree["parents"]):
    if parent >= 0:
        link = tree["edges"]["link"][node]
        print(f"{parent} <- {node}: {tree['labels'][node]}; link {words[int(link)]}")
