#!/usr/bin/python3
#===-- test/Embedding/predict.py - A Python program that runs a model ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: predict.py MODULE

Learns what tokens are worth from sums, then prints what two trees are worth. The program
of docs/Embedding.md."""
import random
import sys

import cambium

model = cambium.Model(sys.argv[1])
step = model.step("train")
draw = random.Random(1)


def example():
    size = draw.randint(1, 8)
    parents = [-1] + [draw.randrange(node) for node in range(1, size)]
    tokens = [draw.randrange(10) for _ in range(size)]
    worth = sum(token if token < 5 else -token for token in tokens)
    return {"tree": parents, "tokens": tokens, "target": [worth]}


for update in range(500):
    loss = step([example() for _ in range(32)], 0.03, first=32 * update)

# Answers are kept: the third question computes nothing.
predict = cambium.Cached(model.function("predict"))
trees = [{"tree": [2, 2, -1], "tokens": [4, 5, 0]},
         {"tree": [-1, 0, 1, 2], "tokens": [1, 2, 3, 9]}]
for answer in predict(trees) + predict(trees[:1]):
    print(f"{answer['out0'][0]:.2f}")
print(f"{predict.asked} asked, {predict.computed} computed")
