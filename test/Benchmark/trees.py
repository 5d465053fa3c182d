#===-- test/Benchmark/trees.py - Trees and weights of the benchmark ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The data of the benchmark: labelled trees, a vocabulary, weights, as files."""

import json
import random
import struct

import numpy

# Words per sentence of the dev part of the Stanford Sentiment Treebank: the smallest
# number, the deciles, the largest one.
SENTENCE_DECILES = (2, 8, 11, 14, 16, 19, 21, 24, 27, 32, 49)


class Tree:
    """Nodes in preorder: children (indices), label, word of each."""

    def __init__(self):
        self.children, self.labels, self.words = [], [], []

    def add(self, label, word):
        self.children.append([])
        self.labels.append(label)
        self.words.append(word)
        return len(self.labels) - 1


def parse(line, where):
    """The tree of `(3 (2 a) (3 film))`: every phrase has two parts."""
    tree, open_nodes = Tree(), []
    tokens = line.replace("(", " ( ").replace(")", " ) ").split()
    for i, token in enumerate(tokens):
        if token == "(":
            node = tree.add(int(tokens[i + 1]), "")
            if open_nodes:
                tree.children[open_nodes[-1]].append(node)
            open_nodes.append(node)
        elif token == ")":
            open_nodes.pop()
        elif tokens[i - 1] != "(":
            tree.words[open_nodes[-1]] = token
    for children in tree.children:
        if len(children) not in (0, 2):
            raise ValueError(f"{where}: expected two parts, but got {len(children)}")
    return tree


def read(path):
    with open(path, encoding="utf-8") as file:
        return [parse(line, f"{path}:{i}") for i, line in enumerate(file, 1) if line.strip()]


def generate(count, seed):
    """Lines of random trees with as many words as sentences of the treebank have;
    every way to cut a phrase in two is as likely."""
    chance = random.Random(seed)

    def text(words):
        label = chance.randrange(5)
        if words == 1:
            return f"({label} w{int(chance.paretovariate(0.8)) % 15000})"
        left = chance.randrange(1, words)
        return f"({label} {text(left)} {text(words - left)})"

    lines = []
    for _ in range(count):
        part = chance.randrange(len(SENTENCE_DECILES) - 1)
        lines.append(text(chance.randint(*SENTENCE_DECILES[part : part + 2])) + "\n")
    return lines


def write_vocabulary(path, all_trees):
    words = sorted({word for tree in all_trees for word in tree.words if word})
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(word + "\n" for word in ["<pad>", "<unk>", *words])


def read_vocabulary(path):
    with open(path, encoding="utf-8") as file:
        return {line.rstrip("\n"): i for i, line in enumerate(file)}


def read_safetensors(path):
    """The float32 tensors of a file, by name."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            values = numpy.frombuffer(data[begin:end], "<f4")
            tensors[name] = values.reshape(entry["shape"])
    return tensors


def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape),
                        "data_offsets": [offset, offset + values.nbytes]}
        offset += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            file.write(values.astype("<f4").tobytes())


def random_weights(parameters, seed):
    """Weights for the parameters of a manifest, of its shapes: small and not zero
    anywhere, so that a loss depends on all of them."""
    chance = numpy.random.default_rng(seed)
    weights = {}
    for parameter in parameters:
        shape = parameter["shape"]
        bound = 0.1 if len(shape) == 1 else (6 / sum(shape)) ** 0.5
        if parameter["name"] == "words":
            bound = 0.5
        weights[parameter["name"]] = chance.uniform(-bound, bound, shape).astype("f4")
    return weights
