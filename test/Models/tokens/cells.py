#===-- test/Models/tokens/cells.py - Six cells in PyTorch, for one node --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Six cells of models/ as modules of PyTorch: the parameters of the paper, and one node.

test/Models/count-tokens compares their lengths with those of the models. They have the
same parameters, without their initial values. `h` and `c` of a tree's node are those of
its children, a row each.
"""

import torch
from torch import nn


class TreeRNN(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.W = nn.Linear(2 * hidden, hidden)

    def forward(self, h):
        return torch.tanh(self.W(h.flatten()))


class LSTM(nn.Module):
    def __init__(self, input, hidden):
        super().__init__()
        self.W_i = nn.Linear(input, hidden)
        self.U_i = nn.Linear(hidden, hidden, bias=False)
        self.W_f = nn.Linear(input, hidden)
        self.U_f = nn.Linear(hidden, hidden, bias=False)
        self.W_o = nn.Linear(input, hidden)
        self.U_o = nn.Linear(hidden, hidden, bias=False)
        self.W_u = nn.Linear(input, hidden)
        self.U_u = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, h, c):
        i = torch.sigmoid(self.W_i(x) + self.U_i(h))
        f = torch.sigmoid(self.W_f(x) + self.U_f(h))
        o = torch.sigmoid(self.W_o(x) + self.U_o(h))
        u = torch.tanh(self.W_u(x) + self.U_u(h))
        c = i * u + f * c
        return o * torch.tanh(c), c


class GRU(nn.Module):
    def __init__(self, input, hidden):
        super().__init__()
        self.W_r = nn.Linear(input, hidden)
        self.U_r = nn.Linear(hidden, hidden, bias=False)
        self.W_z = nn.Linear(input, hidden)
        self.U_z = nn.Linear(hidden, hidden, bias=False)
        self.W_h = nn.Linear(input, hidden)
        self.U_h = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, h):
        r = torch.sigmoid(self.W_r(x) + self.U_r(h))
        z = torch.sigmoid(self.W_z(x) + self.U_z(h))
        g = torch.tanh(self.W_h(x) + self.U_h(r * h))
        return h + z * (g - h)


class ChildSumTreeLSTM(nn.Module):
    def __init__(self, input, hidden):
        super().__init__()
        self.W_i = nn.Linear(input, hidden)
        self.U_i = nn.Linear(hidden, hidden, bias=False)
        self.W_o = nn.Linear(input, hidden)
        self.U_o = nn.Linear(hidden, hidden, bias=False)
        self.W_u = nn.Linear(input, hidden)
        self.U_u = nn.Linear(hidden, hidden, bias=False)
        self.W_f = nn.Linear(input, hidden)
        self.U_f = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, h, c):
        s = h.sum(0)
        i = torch.sigmoid(self.W_i(x) + self.U_i(s))
        o = torch.sigmoid(self.W_o(x) + self.U_o(s))
        u = torch.tanh(self.W_u(x) + self.U_u(s))
        f = torch.sigmoid(self.W_f(x) + self.U_f(h))
        c = i * u + (f * c).sum(0)
        return o * torch.tanh(c), c


class NaryTreeLSTM(nn.Module):
    def __init__(self, input, hidden):
        super().__init__()
        self.W_i = nn.Linear(input, hidden)
        self.U_i = nn.Linear(2 * hidden, hidden, bias=False)
        self.W_o = nn.Linear(input, hidden)
        self.U_o = nn.Linear(2 * hidden, hidden, bias=False)
        self.W_u = nn.Linear(input, hidden)
        self.U_u = nn.Linear(2 * hidden, hidden, bias=False)
        self.W_f = nn.Linear(input, hidden)
        self.U_f1 = nn.Linear(2 * hidden, hidden, bias=False)
        self.U_f2 = nn.Linear(2 * hidden, hidden, bias=False)

    def forward(self, x, h, c):
        h = h.flatten()
        i = torch.sigmoid(self.W_i(x) + self.U_i(h))
        o = torch.sigmoid(self.W_o(x) + self.U_o(h))
        u = torch.tanh(self.W_u(x) + self.U_u(h))
        fx = self.W_f(x)
        f1 = torch.sigmoid(fx + self.U_f1(h))
        f2 = torch.sigmoid(fx + self.U_f2(h))
        c = i * u + f1 * c[0] + f2 * c[1]
        return o * torch.tanh(c), c


class TreeGRU(nn.Module):
    def __init__(self, input, hidden):
        super().__init__()
        self.W_z = nn.Linear(input, hidden)
        self.U_z = nn.Linear(hidden, hidden, bias=False)
        self.W_r = nn.Linear(input, hidden)
        self.U_r = nn.Linear(hidden, hidden, bias=False)
        self.W_h = nn.Linear(input, hidden)
        self.U_h = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, h):
        s = h.sum(0)
        z = torch.sigmoid(self.W_z(x) + self.U_z(s))
        r = torch.sigmoid(self.W_r(x) + self.U_r(h))
        g = torch.tanh(self.W_h(x) + self.U_h((r * h).sum(0)))
        return s + z * (g - s)
