#===-- golden/cell_files.py - Golden files of the cells ------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Values and gradients of every cell on small sizes and trees of all shapes."""

import os
import random
import re
import subprocess

import torch

from . import cells, trees

SIZES = {"words": 6, "input": 3, "hidden": 4, "classes": 3, "query": 2, "width": 4, "inner": 5}
SHAPES = {
    "nary_tree_lstm": trees.binary, "tree_rnn": trees.binary, "tree_fc": trees.binary,
    "mv_rnn": trees.binary, "dag_rnn": trees.graphs,
}
SEQUENCES = ("lstm", "gru", "gru_cudnn", "transformer_post_norm", "transformer_pre_norm")
NAMES = ("child_sum_tree_lstm", "attentive_child_sum_tree_lstm",
         "weighted_child_sum_tree_lstm", "nary_tree_lstm", "tree_gru", "tree_rnn",
         "tree_fc", "mv_rnn", "dag_rnn", "bidirectional_tree_lstm") + SEQUENCES


def small_sizes(path):
    """Of SIZES, those that the file names."""
    with open(path) as file:
        sizes = re.search(r"^nn\.sizes {(.*?)}", file.read(), re.M | re.S).group(1)
    return {name: value for name, value in SIZES.items() if f"{name} = " in sizes}


def parameter_shapes(path, sizes):
    given = [f"--size={name}={value}" for name, value in sizes.items()]
    text = subprocess.run(["cambium-compile", path, "--compile-to=input", *given], check=True,
                          capture_output=True, text=True).stdout
    return {name: [int(d) for d in shape[:-3].split("x")[:-1]] for name, shape in
            re.findall(r"^ *nn\.param @([\w.]+) : tensor<([\dxf]+)>", text, re.M)}


def draw(shape, rng):
    if not shape:
        return round(rng.uniform(-0.8, 0.8), 3)
    return [draw(shape[1:], rng) for _ in range(shape[0])]


def make_examples(name, sizes, rng):
    if name in SEQUENCES:
        inputs = [{"words": [rng.randrange(sizes["words"]) for _ in range(length)]}
                  for length in (1, 2, 5)]
    else:
        inputs = []
        for tree in SHAPES.get(name, trees.any_arity)(rng):
            example = {"tree": {"children": tree},
                       "words": [rng.randrange(sizes["words"]) for _ in tree]}
            if name == "weighted_child_sum_tree_lstm":
                example["alpha"] = draw([sum(map(len, tree))], rng)
            inputs.append(example)
    for example in inputs:
        label = lambda: rng.randrange(sizes["classes"])
        if name == "dag_rnn":
            example["labels"] = [label() for _ in example["words"]]
        else:
            example["label"] = label()
    return inputs


def arguments(example):
    args = {"words": torch.tensor(example["words"])}
    if "tree" in example:
        args["tree"] = example["tree"]["children"]
    if "alpha" in example:
        args["alpha"] = torch.tensor(example["alpha"], dtype=torch.float64)
    return args


def compute_loss(name, p, example):
    """What `@loss` says: the cross entropy of a linear layer."""
    if name == "dag_rnn":
        h = torch.stack(cells.dag_states(p, **arguments(example)))
        target = torch.tensor(example["labels"])
    else:
        h = getattr(cells, name)(p, **arguments(example)).unsqueeze(0)
        target = torch.tensor([example["label"]])
    return torch.nn.functional.cross_entropy(h @ p["classes.W"] + p["classes.b"], target)


def make(name, models, seed):
    """The golden file of one cell."""
    rng = random.Random(seed)
    path = os.path.join(models, name + ".mlir")
    sizes = small_sizes(path)
    params = {n: draw(shape, rng) for n, shape in parameter_shapes(path, sizes).items()}
    examples = make_examples(name, sizes, rng)
    p = {n: torch.tensor(v, dtype=torch.float64, requires_grad=True)
         for n, v in params.items()}
    states = [getattr(cells, name)(p, **arguments(example)) for example in examples]
    losses = [compute_loss(name, p, example) for example in examples]
    gradients = torch.autograd.grad(sum(losses) / len(losses), list(p.values()))
    return {
        "model": f"models/cells/{name}.mlir", "sizes": sizes, "params": params,
        "examples": examples,
        "encode": [state.tolist() for state in states],
        "loss": [loss.item() for loss in losses],
        "gradients": {n: g.tolist() for n, g in zip(p, gradients)},
    }
