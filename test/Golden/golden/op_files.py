#===-- golden/op_files.py - The golden file of the ops -------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A model with one function per case of ops.py, and its values and gradients.

A function gives %y and the gradients of sum(%y * %dy) with respect to its inputs,
taken by `train.gradient`.
"""

import random

import torch

from . import dropout
from .ops import CASES

HEADER = """// The cases of the golden file of the ops; written by make_golden.py.
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
ROWS = 3


class Input:
    """`name: shape`, `name: shape < ids`, or `name: shape > 0`."""

    def __init__(self, text):
        self.name, rest = (part.strip() for part in text.split(":"))
        self.limit, self.positive = 0, "> 0" in rest
        if "<" in rest:
            self.limit = int(rest.split("<")[1])
        self.shape = rest.split("<")[0].split(">")[0].strip()

    def type(self):
        element = "i32" if self.limit else "f32"
        return f"tensor<{self.shape + 'x' if self.shape else ''}{element}>"

    def differentiable(self):
        return not self.limit and not self.name.endswith("0")

    def draw(self, rng):
        sizes = [ROWS if d == "?" else int(d) for d in self.shape.split("x") if d]
        return self.draw_shape(sizes, rng)

    def draw_shape(self, sizes, rng):
        if sizes:
            return [self.draw_shape(sizes[1:], rng) for _ in range(sizes[0])]
        if self.limit:
            return rng.randrange(self.limit)
        return round(rng.uniform(0.1 if self.positive else -1.5, 1.5), 3)


def total(shape):
    """The lines that sum %y * %dy to the scalar %s0."""
    dims = shape.split("x") if shape else []
    type_of = lambda n: f"tensor<{''.join(d + 'x' for d in dims[:n])}f32>"
    lines = [f"%s{len(dims)} = arith.mulf %y, %dy : {type_of(len(dims))}"]
    for n in range(len(dims), 0, -1):
        lines.append(f"%s{n - 1} = nn.sum %s{n} over {n - 1} : {type_of(n)}")
    return lines


def function_text(name, inputs, op, shape):
    wanted = [i for i in inputs if i.differentiable()]
    result = f"tensor<{shape + 'x' if shape else ''}f32>"
    args = ", ".join(f'%{i.name}: {i.type()} {{cambium.name = "{i.name}"}}'
                     for i in inputs + [Input("dy: " + shape)])
    types = ", ".join([result] + [i.type() for i in wanted])
    lines = [op] + total(shape)
    lines.append(f"{', '.join('%d' + i.name for i in wanted)} = train.gradient %s0 wrt "
                 f"{', '.join('%' + i.name for i in wanted)} : tensor<f32>, "
                 f"{', '.join(i.type() for i in wanted)}")
    lines.append(f"return {', '.join(['%y'] + ['%d' + i.name for i in wanted])} : {types}")
    body = "\n".join("  " + line for line in lines)
    return f"func.func @{name}({args})\n    -> ({types}) {{\n{body}\n}}\n"


def make_case(name, inputs, shape, function, rng):
    values = {i.name: i.draw(rng) for i in inputs}
    tensors = [torch.tensor(values[i.name], dtype=torch.int64 if i.limit else torch.float64,
                            requires_grad=not i.limit) for i in inputs]
    y = function(*tensors)
    values["dy"] = Input("dy: " + shape).draw(rng)
    loss = (y * torch.tensor(values["dy"], dtype=torch.float64)).sum()
    wanted = [t for i, t in zip(inputs, tensors) if i.differentiable()]
    gradients = torch.autograd.grad(loss, wanted)
    return {"function": name, "inputs": values, "value": y.tolist(),
            "gradients": [g.tolist() for g in gradients]}


def make(seed):
    """The text of the model and the golden data."""
    text, cases = [HEADER], []
    for number, (name, inputs, op, shape, function) in enumerate(CASES):
        inputs = [Input(part) for part in inputs.split(",")]
        text.append(function_text(name, inputs, op, shape))
        cases.append(make_case(name, inputs, shape, function, random.Random(seed + number)))
    text.append(dropout.MODEL)
    cases.append(dropout.make_case(random.Random(seed)))
    return "\n".join(text), {"model": "ops.mlir", "cases": cases}
