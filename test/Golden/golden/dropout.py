#===-- golden/dropout.py - The mask of nn.dropout once more --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The masks of dropout on rows and in a recursion, from docs/Design.md."""

MODEL = """func.func @dropout(%tree: !tree.tree {cambium.name = "tree"},
                   %x: tensor<?x4xf32> {cambium.name = "x"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %rows = nn.dropout %x rate 0.5 : tensor<?x4xf32>
  %nodes = tree.fold %tree nodes(%xj = %x : tensor<4xf32>) children(%hk : tensor<?x4xf32>)
           -> (tensor<4xf32>) {
    %y = nn.dropout %xj rate 0.25 : tensor<4xf32>
    %k = nn.dropout %hk rate 0.25 : tensor<?x4xf32>
    %s = nn.sum %k over 0 : tensor<?x4xf32>
    %h = arith.addf %y, %s : tensor<4xf32>
    tree.yield %h : tensor<4xf32>
  }
  return %rows, %nodes : tensor<?x4xf32>, tensor<?x4xf32>
}
"""
MASK = (1 << 64) - 1
RANDOM_IDS = 2 << 32  # Where the numbers of nn.random begin.


def mix(key, index):
    z = (key + (index + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def drop(row, key, number, rate):
    """Dropout number `number` of a row with this key."""
    return [0.0 if (mix(mix(key, number), c) >> 40) / 2**24 < rate else x / (1 - rate)
            for c, x in enumerate(row)]


def make_case(rng):
    key, children = 987654321987654321, [[1, 2], [], []]
    x = [[round(rng.uniform(-1, 1), 3) for _ in range(4)] for _ in children]
    rows = [drop(row, mix(key, r), 0, 0.5) for r, row in enumerate(x)]
    nodes = [None] * len(x)
    for node in (1, 2, 0):
        own = mix(key, node)
        parts = [drop(x[node], own, 1, 0.25)]
        for place, child in enumerate(children[node]):
            parts.append(drop(nodes[child], mix(own, place), 2, 0.25))
        nodes[node] = [sum(column) for column in zip(*parts)]
    return {"function": "dropout", "training": True,
            "inputs": {"tree": {"children": children}, "x": x, "key": key},
            "value": rows, "gradients": [nodes]}
