#===-- golden/cells.py - The cells of models/cells in PyTorch ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Every cell of models/cells, written once more from the equations of its paper.

Each function takes the parameters by name (`p`), and an example, and gives the
vector that `@encode` gives. One node after the other; no batching.
"""

import torch
from torch import sigmoid, tanh

from . import trees


def fold(children, cell):
    """cell(node, states of its children) for every node, children first."""
    states = [None] * len(children)
    for node in trees.children_first(children):
        states[node] = cell(node, [states[child] for child in children[node]])
    return states


def zero(p, like):
    return torch.zeros_like(p[like])


def gate(p, name, x, h):
    return x @ p[name + ".W"] + h @ p[name + ".U"] + p[name + ".b"]


def below_scope(p, scope):
    """The parameters of a scope, by their names in it."""
    return {name[len(scope):]: value for name, value in p.items() if name.startswith(scope)}


def lstm_state(i, o, u, forgotten):
    c = i * u + forgotten
    return o * tanh(c), c


def child_sum_states(p, tree, x, weigh):
    """Child-Sum Tree-LSTM; `weigh(node, states)` is h~ of the node."""

    def cell(node, below):
        h = weigh(node, [h_k for h_k, _ in below]) if below else zero(p, "i.b")
        i = sigmoid(gate(p, "i", x[node], h))
        o = sigmoid(gate(p, "o", x[node], h))
        u = tanh(gate(p, "u", x[node], h))
        forgotten = sum((sigmoid(gate(p, "f", x[node], h_k)) * c_k for h_k, c_k in below),
                        zero(p, "i.b"))
        return lstm_state(i, o, u, forgotten)

    return fold(tree, cell)


def child_sum_tree_lstm(p, tree, words):
    x = p["embedding"][words]
    states = child_sum_states(p, tree, x, lambda node, h: sum(h))
    return states[trees.root(tree)][0]


def attentive_child_sum(p, tree, x):
    """The state of the root."""
    def attend(node, states):
        q = x[node] @ p["q.W"] + p["q.b"]
        keys = [h @ p["p.W"] + p["p.b"] for h in states]
        scores = torch.stack([q @ k / (q.norm() * k.norm()) for k in keys])
        alpha = torch.softmax(scores, 0)
        return sum(a * h for a, h in zip(alpha, states))

    return child_sum_states(p, tree, x, attend)[trees.root(tree)][0]


def attentive_child_sum_tree_lstm(p, tree, words):
    return attentive_child_sum(p, tree, p["embedding"][words])


def weighted_child_sum_tree_lstm(p, tree, words, alpha):
    x = p["embedding"][words]
    first = [0]
    for below in tree:
        first.append(first[-1] + len(below))

    def weigh(node, states):
        return sum(alpha[first[node] + k] * h for k, h in enumerate(states))

    return child_sum_states(p, tree, x, weigh)[trees.root(tree)][0]


def nary_tree_lstm(p, tree, words):
    x = p["embedding"][words] * (words != 0).unsqueeze(1)
    d = len(p["i.b"])

    def product(name, h):
        """sum_l U_l h_l, the two matrices one below the other."""
        return sum(h_l @ p[name][l * d:(l + 1) * d] for l, h_l in enumerate(h))

    def cell(node, below):
        below = below + [(zero(p, "i.b"), zero(p, "i.b"))] * (2 - len(below))
        h = [h_l for h_l, _ in below]
        act = {name: x[node] @ p[name + ".W"] + product(name + ".U", h) + p[name + ".b"]
               for name in "iou"}
        forgotten = 0
        for k in range(2):
            f = sigmoid(x[node] @ p["f.W"] + product(f"f.U_{k + 1}", h) + p["f.b"])
            forgotten = forgotten + f * below[k][1]
        return lstm_state(sigmoid(act["i"]), sigmoid(act["o"]), tanh(act["u"]), forgotten)

    return fold(tree, cell)[trees.root(tree)][0]


def tree_gru(p, tree, words):
    x = p["embedding"][words]

    def cell(node, below):
        none = zero(p, "z.b")
        s = sum(below, none)
        z = sigmoid(gate(p, "z", x[node], s))
        reset = sum((sigmoid(gate(p, "r", x[node], h_k)) * h_k for h_k in below), none)
        g = tanh(gate(p, "h", x[node], reset))
        return (1 - z) * s + z * g

    return fold(tree, cell)[trees.root(tree)]


def both_children(p, below):
    none = zero(p, "b")
    return torch.cat(below + [none] * (2 - len(below)))


def tree_rnn(p, tree, words):
    x = p["embedding"][words]

    def cell(node, below):
        return tanh(both_children(p, below) @ p["W"] + p["b"]) if below else x[node]

    return fold(tree, cell)[trees.root(tree)]


def tree_fc(p, tree, words):
    x = p["embedding"][words]

    def cell(node, below):
        return torch.relu(torch.cat([x[node], both_children(p, below)]) @ p["W"] + p["b"])

    return fold(tree, cell)[trees.root(tree)]


def mv_rnn(p, tree, words):
    n = p["embedding"].shape[1]
    vectors = p["embedding"][words]
    matrices = p["matrices"][words].reshape(-1, n, n)
    missing = (torch.zeros_like(vectors[0]), torch.zeros_like(matrices[0]))

    def cell(node, below):
        if not below:
            return vectors[node], matrices[node]
        (a, A), (b, B) = below + [missing] * (2 - len(below))
        return tanh(torch.cat([B @ a, A @ b]) @ p["W"]), p["W_M"] @ torch.cat([A, B])

    return fold(tree, cell)[trees.root(tree)][0]


def dag_states(p, tree, words):
    x = p["embedding"][words]
    return fold(tree, lambda node, below: tanh(
        x[node] @ p["W"] + sum(below, zero(p, "b")) @ p["U"] + p["b"]))


def dag_rnn(p, tree, words):
    return dag_states(p, tree, words)[trees.root(tree)]


def bidirectional_tree_lstm(p, tree, words):
    x = p["embedding"][words]
    upwards, downwards = below_scope(p, "up."), below_scope(p, "down.")
    up = [h for h, _ in child_sum_states(upwards, tree, x, lambda node, h: sum(h))]
    down = [None] * len(tree)
    parent = {child: node for node, below in enumerate(tree) for child in below}
    for node in reversed(trees.children_first(tree)):
        none = (zero(downwards, "i.b"), zero(downwards, "i.b"))
        h_p, c_p = down[parent[node]] if node in parent else none
        act = {g: gate(downwards, g, up[node], h_p) for g in "iofu"}
        down[node] = lstm_state(sigmoid(act["i"]), sigmoid(act["o"]), tanh(act["u"]),
                                sigmoid(act["f"]) * c_p)
    both = [torch.cat([h, d]) for h, (d, _) in zip(up, down)]
    return torch.stack(both).mean(0)


def lstm(p, words):
    h = c = zero(p, "i.b")
    for x in p["embedding"][words]:
        i, f, o = (sigmoid(gate(p, name, x, h)) for name in "ifo")
        u = tanh(gate(p, "u", x, h))
        h, c = lstm_state(i, o, u, f * c)
    return h


def gru(p, words):
    h = zero(p, "r.b")
    for x in p["embedding"][words]:
        r, z = (sigmoid(gate(p, name, x, h)) for name in "rz")
        g = tanh(gate(p, "h", x, r * h))
        h = (1 - z) * h + z * g
    return h


def gru_cudnn(p, words):
    """PyTorch's own cell: gates in the order r, z, n, matrices transposed."""
    names = "rzn"
    cell = torch.nn.GRUCell(p["r.x.W"].shape[0], p["r.h.W"].shape[0]).double()
    weights = {
        "weight_ih": torch.cat([p[g + ".x.W"].T for g in names]),
        "weight_hh": torch.cat([p[g + ".h.W"].T for g in names]),
        "bias_ih": torch.cat([p[g + ".x.b"] for g in names]),
        "bias_hh": torch.cat([p[g + ".h.b"] for g in names]),
    }
    h = zero(p, "r.x.b")
    for x in p["embedding"][words]:
        h = torch.nn.utils.stateless.functional_call(
            cell, weights, (x.unsqueeze(0), h.unsqueeze(0))).squeeze(0)
    return h


def transformer(p, words, norm_first):
    """PyTorch's own layer, twice; matrices transposed."""
    q = below_scope(p, "layer.")
    width, inner = q["feed.1.W"].shape
    joint = ("query", "key", "value")
    layer = torch.nn.TransformerEncoderLayer(
        width, 2, inner, dropout=0.0, activation="gelu", norm_first=norm_first,
        batch_first=True).double()
    weights = {
        "self_attn.in_proj_weight": torch.cat([q[f"attention.{n}.W"].T for n in joint]),
        "self_attn.in_proj_bias": torch.cat([q[f"attention.{n}.b"] for n in joint]),
        "self_attn.out_proj.weight": q["attention.output.W"].T,
        "self_attn.out_proj.bias": q["attention.output.b"],
        "linear1.weight": q["feed.1.W"].T, "linear1.bias": q["feed.1.b"],
        "linear2.weight": q["feed.2.W"].T, "linear2.bias": q["feed.2.b"],
        "norm1.weight": q["attention.scale"], "norm1.bias": q["attention.shift"],
        "norm2.weight": q["feed.scale"], "norm2.bias": q["feed.shift"],
    }
    x = p["embedding"][words].unsqueeze(0)
    for _ in range(2):
        x = torch.nn.utils.stateless.functional_call(layer, weights, (x,))
    return x[0].mean(0)


def transformer_post_norm(p, words):
    return transformer(p, words, norm_first=False)


def transformer_pre_norm(p, words):
    return transformer(p, words, norm_first=True)
