#===-- golden/trees.py - Trees of all shapes -----------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Trees as lists of children per node, in an arbitrary numbering."""


def renumber(children, rng):
    """The same tree under a random numbering of the nodes."""
    new = list(range(len(children)))
    rng.shuffle(new)
    result = [None] * len(children)
    for node, below in enumerate(children):
        result[new[node]] = [new[child] for child in below]
    return result


def chain(size):
    return [[node + 1] for node in range(size - 1)] + [[]]


def star(size):
    return [list(range(1, size))] + [[] for _ in range(size - 1)]


def random_tree(size, rng):
    children = [[] for _ in range(size)]
    for node in range(1, size):
        children[rng.randrange(node)].append(node)
    return children


def comb(leaves, left):
    """A binary tree that grows on one side only."""
    children = [[]]
    for _ in range(leaves - 1):
        last = len(children)
        inner = last + 1
        side = [last - 1, last] if left else [last, last - 1]
        children += [[], side]
        assert children[inner] == side
    return children


def random_binary(leaves, rng):
    children = [[] for _ in range(leaves)]
    open_nodes = list(range(leaves))
    while len(open_nodes) > 1:
        pair = [open_nodes.pop(rng.randrange(len(open_nodes))) for _ in range(2)]
        open_nodes.append(len(children))
        children.append(pair)
    return children


def random_graph(size, rng):
    """One root; every node but it has one or two parents."""
    children = random_tree(size, rng)
    for node in range(2, size):
        parent = rng.randrange(node)
        if node not in children[parent]:
            children[parent].append(node)
    return children


def any_arity(rng):
    shapes = [[[]], chain(4), star(5), random_tree(7, rng), comb(3, True)]
    return [renumber(tree, rng) for tree in shapes]


def binary(rng):
    """Among them a node with a single child: its second one is missing."""
    shapes = [[[]], comb(3, True), comb(3, False), random_binary(5, rng), chain(3)]
    return [renumber(tree, rng) for tree in shapes]


def graphs(rng):
    diamond = [[1, 2], [3], [3], []]
    return [renumber(tree, rng) for tree in [[[]], chain(3), diamond, random_graph(8, rng)]]


def children_first(children):
    """All nodes, each after its children."""
    left = [len(below) for below in children]
    parents = [[] for _ in children]
    for node, below in enumerate(children):
        for child in below:
            parents[child].append(node)
    order = [node for node, count in enumerate(left) if count == 0]
    for node in order:
        for parent in parents[node]:
            left[parent] -= 1
            if left[parent] == 0:
                order.append(parent)
    assert len(order) == len(children)
    return order


def root(children):
    below = {child for list_ in children for child in list_}
    return next(node for node in range(len(children)) if node not in below)
