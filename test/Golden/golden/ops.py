#===-- golden/ops.py - The ops of nn in PyTorch --------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""One case per op and form: (name, inputs, the op, type of %y, PyTorch).

Inputs are written `name: shape`, with `< n` for ids below n; `?` stands for three
rows. Every case computes %y. Gradients are taken with respect to the inputs that
are numbers, unless their name ends in `0` (constant in the op).
"""

import torch
import torch.nn.functional as F

ROWS = "tensor<?x4xf32>"


def unary(name, op, function, x="?x4"):
    return (name, f"x: {x}", f"%y = {op} : tensor<{x}xf32>", x, function)


ACTIVATIONS = [
    unary("sigmoid", "nn.sigmoid %x", torch.sigmoid),
    unary("relu", "nn.relu %x", torch.relu),
    unary("leaky_relu", "nn.leaky_relu %x slope 0.1",
          lambda x: F.leaky_relu(x, 0.1)),
    unary("gelu", "nn.gelu %x", F.gelu),
    unary("gelu_tanh", "nn.gelu %x tanh", lambda x: F.gelu(x, approximate="tanh")),
]

PRODUCTS = [
    ("linear", "x: ?x4, w: 4x2, b: 2",
     "%y = nn.linear %x, %w, %b : tensor<?x4xf32>, tensor<4x2xf32>, tensor<2xf32>", "?x2",
     lambda x, w, b: x @ w + b),
    ("linear_one_row", "x: 4, w: 4x2", "%y = nn.linear %x, %w : tensor<4xf32>, tensor<4x2xf32>",
     "2", lambda x, w: x @ w),
    ("linear_three_dims", "x: ?x2x4, w: 4x2",
     "%y = nn.linear %x, %w : tensor<?x2x4xf32>, tensor<4x2xf32>", "?x2x2",
     lambda x, w: x @ w),
    ("matmul_matrices", "a: 2x3, b: 3x4",
     "%y = nn.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32>", "2x4", torch.matmul),
    ("matmul_vector_matrix", "a: ?, b: ?x4",
     "%y = nn.matmul %a, %b : tensor<?xf32>, tensor<?x4xf32>", "4", torch.matmul),
    ("matmul_matrix_vector", "a: ?x4, b: 4",
     "%y = nn.matmul %a, %b : tensor<?x4xf32>, tensor<4xf32>", "?", torch.matmul),
    ("matmul_vectors", "a: 4, b: 4", "%y = nn.matmul %a, %b : tensor<4xf32>, tensor<4xf32>", "",
     torch.matmul),
    ("matmul_batch", "a: ?x2x3, b: ?x3",
     "%y = nn.matmul %a, %b batch_dims 1 : tensor<?x2x3xf32>, tensor<?x3xf32>",
     "?x2", lambda a, b: torch.einsum("rmk,rk->rm", a, b)),
    ("outer_sum", "x: ?x2, z: ?x3",
     "%y = nn.outer_sum %x, %z : tensor<?x2xf32>, tensor<?x3xf32>", "2x3",
     lambda x, z: x.T @ z),
]

TABLES = [
    ("embed", "ids: ? < 5, table: 5x2",
     "%y = nn.embed %ids, %table : tensor<?xi32>, tensor<5x2xf32>", "?x2",
     lambda ids, table: table[ids]),
    ("embed_padding", "ids: 6 < 3, table: 3x2",
     "%y = nn.embed %ids, %table padding_id 1 : tensor<6xi32>, tensor<3x2xf32>",
     "6x2", lambda ids, table: table[ids] * (ids != 1).unsqueeze(1)),
    ("embed_frozen", "ids: ? < 5, table: 5x2",
     "%y = nn.embed %ids, %table frozen : tensor<?xi32>, tensor<5x2xf32>", "?x2",
     lambda ids, table: table.detach()[ids] + 0 * table.sum()),
    ("embed_grad", "ids: 6 < 4, rows: 6x2",
     "%y = nn.embed_grad %ids, %rows size 4 padding_id 0 : tensor<6xi32>, "
     "tensor<6x2xf32>", "4x2",
     lambda ids, rows: torch.zeros(4, 2).double().index_add(
         0, ids, rows * (ids != 0).unsqueeze(1))),
    ("pick", "x: ?x4, ids: ? < 4", "%y = nn.pick %x, %ids : tensor<?x4xf32>, tensor<?xi32>",
     "?", lambda x, ids: x[torch.arange(len(ids)), ids]),
    ("one_hot", "ids: ? < 4, values: ?",
     "%y = nn.one_hot %ids, %values size 4 : tensor<?xi32>, tensor<?xf32>", "?x4",
     lambda ids, values: F.one_hot(ids, 4) * values.unsqueeze(1)),
]


def l2_normalize(x, dim):
    return x / x.norm(dim=dim, keepdim=True)


def max_grad(x, dy):
    first = x.argmax(0)
    return torch.zeros_like(x).scatter(0, first.unsqueeze(0), dy.unsqueeze(0))


def along(op, dim, shape, function):
    return (f"{op}_over_{dim}", "x: ?x4", f"%y = nn.{op} %x over {dim} : tensor<?x4xf32>",
            shape, lambda x: function(x, dim))


REDUCTIONS = [("sum", torch.sum), ("mean", torch.mean), ("max", torch.amax)]
NORMALIZATIONS = [("softmax", torch.softmax), ("log_softmax", torch.log_softmax),
                  ("l2_normalize", l2_normalize)]
DIMENSIONS = [
    along(op, dim, shape, function)
    for op, function in REDUCTIONS for dim, shape in [(0, "4"), (1, "?")]
] + [
    along(op, dim, "?x4", function) for op, function in NORMALIZATIONS for dim in (0, 1)
] + [
    ("sum_middle", "x: ?x2x3", "%y = nn.sum %x over 1 : tensor<?x2x3xf32>", "?x3",
     lambda x: x.sum(1)),
    ("max_grad", "x0: ?x4, dy_in: 4",
     "%y = nn.max_grad %x0, %dy_in over 0 : tensor<?x4xf32>, tensor<4xf32>", "?x4", max_grad),
    ("layer_norm", "x: ?x4, scale: 4, shift: 4",
     "%y = nn.layer_norm %x, %scale, %shift : tensor<?x4xf32>, tensor<4xf32>, tensor<4xf32>",
     "?x4", lambda x, scale, shift: F.layer_norm(x, (4,), scale, shift)),
    ("cosine_similarity_over_1", "a: ?x4, b: ?x4",
     "%y = nn.cosine_similarity %a, %b over 1 : tensor<?x4xf32>, tensor<?x4xf32>", "?",
     lambda a, b: F.cosine_similarity(a, b, dim=1)),
    ("cosine_similarity_over_0", "a: 4, b: 4",
     "%y = nn.cosine_similarity %a, %b over 0 : tensor<4xf32>, tensor<4xf32>", "",
     lambda a, b: F.cosine_similarity(a, b, dim=0)),
]

SHAPES = [
    ("broadcast_rows", "x: 4, like0: ?x2",
     "%y = nn.broadcast %x dims [1] like %like0 : tensor<4xf32>, tensor<?x2xf32> -> "
     "tensor<?x4xf32>", "?x4", lambda x, like: x.expand(len(like), 4)),
    ("broadcast_columns", "x: ?",
     "%y = nn.broadcast %x dims [0] : tensor<?xf32> -> tensor<?x4xf32>", "?x4",
     lambda x: x.unsqueeze(1).expand(-1, 4)),
    ("broadcast_middle", "x: 2x3",
     "%y = nn.broadcast %x dims [0, 2] : tensor<2x3xf32> -> tensor<2x4x3xf32>", "2x4x3",
     lambda x: x.unsqueeze(1).expand(2, 4, 3)),
    ("concat", "a: ?x2, b: ?x3",
     "%y = nn.concat %a, %b over 1 : tensor<?x2xf32>, tensor<?x3xf32>", "?x5",
     lambda a, b: torch.cat([a, b], 1)),
    ("split", "x: ?x5",
     "%l, %r = nn.split %x over 1 sizes [2, 3] : tensor<?x5xf32>\n"
     "  %y = nn.concat %r, %l over 1 : tensor<?x3xf32>, tensor<?x2xf32>", "?x5",
     lambda x: torch.cat([x[:, 2:], x[:, :2]], 1)),
    ("slice", "x: ?x5", "%y = nn.slice %x over 1 from 1 size 3 : tensor<?x5xf32>", "?x3",
     lambda x: x[:, 1:4]),
    ("pad", "x: ?x2", "%y = nn.pad %x over 1 low 1 high 2 : tensor<?x2xf32>", "?x5",
     lambda x: F.pad(x, (1, 2))),
    ("reshape", "x: ?x2x3", "%y = nn.reshape %x : tensor<?x2x3xf32> -> tensor<?x6xf32>", "?x6",
     lambda x: x.reshape(-1, 6)),
    ("transpose", "x: ?x2x3", "%y = nn.transpose %x perm [0, 2, 1] : tensor<?x2x3xf32>",
     "?x3x2", lambda x: x.permute(0, 2, 1)),
]

LOSSES = [
    ("cross_entropy", "x: ?x4, ids: ? < 4",
     "%y = nn.cross_entropy %x, %ids : tensor<?x4xf32>, tensor<?xi32>", "?",
     lambda x, ids: F.cross_entropy(x, ids, reduction="none")),
    ("cross_entropy_ignore", "x: 6x3, ids: 6 < 3",
     "%y = nn.cross_entropy %x, %ids ignore_id 1 : tensor<6x3xf32>, tensor<6xi32>",
     "6", lambda x, ids: F.cross_entropy(x, ids, ignore_index=1, reduction="none")),
    ("cross_entropy_soft", "x: ?x4, p: ?x4",
     "%y = nn.cross_entropy %x, %p : tensor<?x4xf32>, tensor<?x4xf32>", "?",
     lambda x, p: -(p * x.log_softmax(1)).sum(1)),
    ("kl_divergence", "p: ?x4 > 0, logq: ?x4",
     "%y = nn.kl_divergence %p, %logq : tensor<?x4xf32>, tensor<?x4xf32>", "?",
     lambda p, logq: (p * (p.log() - logq)).sum(1)),
    ("mse", "a: ?x4, b: ?x4", "%y = nn.mse %a, %b : tensor<?x4xf32>, tensor<?x4xf32>", "?",
     lambda a, b: ((a - b) ** 2).mean(1)),
    ("mse_scalars", "a: , b: ", "%y = nn.mse %a, %b : tensor<f32>, tensor<f32>", "",
     lambda a, b: (a - b) ** 2),
]



def attention(query, key, value, heads, scale=None, causal=False):
    def split(x):
        return x.reshape(len(x), heads, -1).transpose(0, 1)
    q, k, v = split(query), split(key), split(value)
    scores = q @ k.transpose(1, 2) * (k.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
    return (torch.softmax(scores, -1) @ v).transpose(0, 1).reshape(len(query), -1)


ATTENTION = [
    ("attention", "q: ?x6, k: ?x6, v: ?x4",
     "%y = nn.attention %q, %k, %v heads 2 : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x4xf32>",
     "?x4", lambda q, k, v: attention(q, k, v, 2)),
    ("attention_causal", "q: ?x3, k: ?x3, v: ?x3",
     "%y = nn.attention %q, %k, %v heads 1 scale 0.25 causal : "
     "tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>",
     "?x3", lambda q, k, v: attention(q, k, v, 1, 0.25, True)),
]

CASES = ACTIVATIONS + PRODUCTS + TABLES + DIMENSIONS + SHAPES + LOSSES + ATTENTION
