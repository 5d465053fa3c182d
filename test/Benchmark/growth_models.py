#===-- test/Benchmark/growth_models.py - Models of any length ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Texts of models of a given size, with or without a training step. Sizes of tensors
are small: only the number of ops matters here."""

VECTOR, ROWS, SQUARE = "tensor<16xf32>", "tensor<?x16xf32>", "tensor<16x16xf32>"
TREE = "!tree.tree"


def function(name, arguments, result, lines, value):
    """The text of a function. Arguments are (name, type), the body's lines end in value."""
    inside = ", ".join(f"%{each}: {kind}" for each, kind in arguments)
    visible = "private " if name == "model" else ""
    return "\n".join([f"func.func {visible}@{name}({inside}) -> {result} {{"]
                     + ["  " + line for line in lines]
                     + [f"  return {value} : {result}", "}"])


def entries(arguments, result, train):
    """@predict, and for training a step whose loss is the sum of all numbers."""
    call = (f"%y = call @model({', '.join('%' + name for name, _ in arguments)}) : "
            f"({', '.join(kind for _, kind in arguments)}) -> {result}")
    texts = [function("predict", arguments, result, [call], "%y")]
    if train:
        sums, kind, value = [], result, "%y"
        for number in range(result.count("x")):
            sums.append(f"%s{number} = nn.sum {value} over 0 : {kind}")
            value = f"%s{number}"
            rest = kind[len("tensor<"):].split("x", 1)[1]
            kind = f"tensor<{rest}"
        texts.append(function("loss", arguments, "tensor<f32>", [call] + sums, value))
        texts.append("train.step @train loss @loss optimizer #train.optimizer<adam>")
    return texts


def layers(size, train):
    """tanh(x W + b) on rows, every layer with parameters of its own."""
    params, lines = [], []
    for i in range(size):
        params += [f"nn.param @W{i} : {SQUARE} init #nn.init<xavier_uniform>",
                   f"nn.param @b{i} : {VECTOR}"]
        lines += [f"%W{i} = nn.use @W{i} : {SQUARE}", f"%b{i} = nn.use @b{i} : {VECTOR}",
                  f"%a{i} = nn.linear %x{i}, %W{i}, %b{i} : {ROWS}, {SQUARE}, {VECTOR}",
                  f"%x{i + 1} = math.tanh %a{i} : {ROWS}"]
    arguments = [("x0", ROWS)]
    return params + [function("model", arguments, ROWS, lines, f"%x{size}")] + \
        entries(arguments, ROWS, train)


def cell(size, train):
    """A recursion over a tree whose cell has so many ops."""
    fold = "%h = tree.fold %tree nodes(%xj = %x : {0}) children(%hk : {1}) -> ({0}) {{"
    lines = [f"%W = nn.use @W : {SQUARE}", fold.format(VECTOR, ROWS),
             f"  %s = nn.sum %hk over 0 : {ROWS}", f"  %x0 = arith.addf %xj, %s : {VECTOR}"]
    for i in range(size // 2):
        op, end = [(f"arith.addf %x{i}, %s : {VECTOR}", "nn.sigmoid"),
                   (f"arith.mulf %x{i}, %xj : {VECTOR}", "math.tanh"),
                   (f"nn.linear %x{i}, %W : {VECTOR}, {SQUARE}", "math.tanh"),
                   (f"arith.subf %x{i}, %xj : {VECTOR}", "nn.sigmoid"),
                   (f"arith.mulf %x{i}, %s : {VECTOR}", "math.tanh")][i % 5]
        lines += [f"  %t{i} = {op}", f"  %x{i + 1} = {end} %t{i} : {VECTOR}"]
    lines += [f"  tree.yield %x{size // 2} : {VECTOR}", "}",
              f"%r = tree.root %tree, %h : {ROWS}"]
    arguments = [("tree", TREE), ("x", ROWS)]
    return [f"nn.param @W : {SQUARE} init #nn.init<xavier_uniform>",
            function("model", arguments, VECTOR, lines, "%r")] + \
        entries(arguments, VECTOR, train)


def encoder_parameters():
    """The types of the parameters of a layer of a transformer."""
    return {**{name: SQUARE for name in ("Wq", "Wk", "Wv", "Wo")},
            **{name: VECTOR for name in ("bq", "bk", "bv", "bo", "b2", "g1", "s1", "g2", "s2")},
            "W1": "tensor<16x32xf32>", "b1": "tensor<32xf32>", "W2": "tensor<32x16xf32>"}


def encoder_layer(i, following):
    """Attention, norms, a feed-forward part: from %x_i to %x_following."""
    kinds, rows, inner = encoder_parameters(), ROWS, "tensor<?x32xf32>"

    def linear(result, x, weight, bias, left):
        return (f"%{result}_{i} = nn.linear %{x}_{i}, %{weight}_{i}, %{bias}_{i} : {left}, "
                f"{kinds[weight]}, {kinds[bias]}")
    return [linear("q", "x", "Wq", "bq", rows), linear("k", "x", "Wk", "bk", rows),
            linear("v", "x", "Wv", "bv", rows),
            f"%c_{i} = nn.attention %q_{i}, %k_{i}, %v_{i} heads 4 : {rows}, {rows}, {rows}",
            linear("o", "c", "Wo", "bo", rows),
            f"%xo_{i} = arith.addf %x_{i}, %o_{i} : {rows}",
            f"%y_{i} = nn.layer_norm %xo_{i}, %g1_{i}, %s1_{i} : {rows}, {VECTOR}, {VECTOR}",
            linear("m", "y", "W1", "b1", rows), f"%n_{i} = nn.gelu %m_{i} : {inner}",
            linear("z", "n", "W2", "b2", inner),
            f"%yz_{i} = arith.addf %y_{i}, %z_{i} : {rows}",
            f"%x_{following} = nn.layer_norm %yz_{i}, %g2_{i}, %s2_{i} : "
            f"{rows}, {VECTOR}, {VECTOR}"]


def encoder(size, train):
    """Layers of a transformer, one after the other."""
    params, lines, kinds = [], [], encoder_parameters()
    for i in range(size):
        params += [f"nn.param @{name}_{i} : {kind} init #nn.init<constant(0.1)>"
                   for name, kind in kinds.items()]
        lines += [f"%{name}_{i} = nn.use @{name}_{i} : {kind}" for name, kind in kinds.items()]
        lines += encoder_layer(i, i + 1)
    arguments = [("x_0", ROWS)]
    return params + [function("model", arguments, ROWS, lines, f"%x_{size}")] + \
        entries(arguments, ROWS, train)


def stacked(size, train):
    """The same layers as one loop over slices of stacked parameters."""
    kinds = {name: kind.replace("<", f"<{size}x") for name, kind in encoder_parameters().items()}
    params = [f"nn.param @{name} : {kind} init #nn.init<constant(0.1)>"
              for name, kind in kinds.items()]
    lines = [f"%{name} = nn.use @{name} : {kind}" for name, kind in kinds.items()]
    slices = ", ".join(f"%{name}_t = %{name} : {kind}" for name, kind in kinds.items())
    lines += [f"%y = depth.iterate {size} carried(%x_t = %x_0 : {ROWS}) slices({slices}) {{",
              *("  " + line for line in encoder_layer("t", "next")),
              f"  depth.yield %x_next : {ROWS}", "}"]
    arguments = [("x_0", ROWS)]
    return params + [function("model", arguments, ROWS, lines, "%y")] + \
        entries(arguments, ROWS, train)


def parameters(size, train):
    """So many parameters, each added once."""
    params = [f"nn.param @p{i} : {VECTOR}" for i in range(size)]
    lines = []
    for i in range(size):
        lines += [f"%p{i} = nn.use @p{i} : {VECTOR}",
                  f"%x{i + 1} = arith.addf %x{i}, %p{i} : {VECTOR}"]
    arguments = [("x0", VECTOR)]
    return params + [function("model", arguments, VECTOR, lines, f"%x{size}")] + \
        entries(arguments, VECTOR, train)


def functions(size, train):
    """A chain of functions, each of which calls the one before once."""
    arguments = [("x", VECTOR)]
    texts = [function("f0", arguments, VECTOR, [f"%y = math.tanh %x : {VECTOR}"], "%y")]
    for i in range(1, size):
        texts.append(function(f"f{i}", arguments, VECTOR, [
            f"%t = call @f{i - 1}(%x) : ({VECTOR}) -> {VECTOR}",
            f"%y = arith.addf %t, %x : {VECTOR}"], "%y"))
    texts = [text.replace("func.func @", "func.func private @", 1) for text in texts]
    last = [f"%y = call @f{size - 1}(%x) : ({VECTOR}) -> {VECTOR}"]
    return texts + [function("model", arguments, VECTOR, last, "%y")] + \
        entries(arguments, VECTOR, train)


FAMILIES = {"layers": layers, "cell": cell, "encoder": encoder, "stacked": stacked,
            "parameters": parameters, "functions": functions}


def text(family, size, train):
    """A model of a family. `size` counts layers, ops, parameters or functions."""
    return "\n".join(FAMILIES[family](size, train)) + "\n"
