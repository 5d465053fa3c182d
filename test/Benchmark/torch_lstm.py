#!/usr/bin/python3
#===-- test/Benchmark/torch_lstm.py - The chain LSTM in PyTorch ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The model of models/cells/lstm.mlir by torch.nn.LSTM, which is cuDNN's on a GPU and
oneDNN's or PyTorch's own on a processor: words, an LSTM, the state of the last word, a
linear layer, a cross entropy.

usage: torch_lstm.py SENTENCES VOCABULARY WEIGHTS [DEVICE]

SENTENCES holds lines of a class, a tab and words; DEVICE is cpu or cuda. Reads one command
per line and answers each with one line of JSON:
  info                 versions
  loss, padded_loss    the mean over the sentences of the loss of a sentence
  time SIZE PASSES     seconds of each pass over the sentences in batches of SIZE,
                       forward and forward+backward, after two passes that warm up:
                       sentences packed, the longest first
  padded SIZE PASSES   as time, with sentences padded to the longest

Batches are made before the clock starts.
"""

import sys

import torch
from torch.nn import functional
from torch.nn.utils import rnn

import trees
from torch_passes import info, passes, serve


def read(path, ids):
    with open(path, encoding="utf-8") as file:
        for line in file:
            label, text = line.rstrip("\n").split("\t")
            yield int(label), torch.tensor([ids.get(word, 1) for word in text.split()])


class Model(torch.nn.Module):
    """With the parameters of the description; PyTorch's gates are i, f, u, o."""

    def __init__(self, weights):
        super().__init__()

        def gates(name):
            return torch.cat([torch.tensor(weights[f"{gate}.{name}"]).T for gate in "ifuo"])

        table = torch.tensor(weights["embedding"])
        self.embedding = torch.nn.Embedding.from_pretrained(table, freeze=False, sparse=True)
        self.lstm = torch.nn.LSTM(table.shape[1], weights["i.U"].shape[0])
        bias = torch.cat([torch.tensor(weights[f"{gate}.b"]) for gate in "ifuo"])
        with torch.no_grad():
            self.lstm.weight_ih_l0.copy_(gates("W"))
            self.lstm.weight_hh_l0.copy_(gates("U"))
            self.lstm.bias_ih_l0.copy_(bias)
            self.lstm.bias_hh_l0.zero_()
        # One bias, as in the description.
        self.lstm.bias_hh_l0.requires_grad_(False)
        self.classes = torch.nn.Linear(*weights["classes.W"].shape)
        with torch.no_grad():
            self.classes.weight.copy_(torch.tensor(weights["classes.W"]).T)
            self.classes.bias.copy_(torch.tensor(weights["classes.b"]))

    def forward(self, batch):
        """The state of the last word of each sentence."""
        words, sizes, _, is_packed = batch
        x = self.embedding(words)
        if is_packed:
            _, (last, _) = self.lstm(rnn.PackedSequence(x, sizes))
            return last[0]
        states, _ = self.lstm(x)
        return states[sizes - 1, torch.arange(len(sizes), device=x.device)]

    def loss(self, batch):
        return functional.cross_entropy(self.classes(self(batch)), batch[2])


def make_batch(sentences, device, is_packed):
    sentences = sorted(sentences, key=lambda pair: -len(pair[1]))
    words = [words for _, words in sentences]
    labels = torch.tensor([label for label, _ in sentences]).to(device)
    if is_packed:
        packed = rnn.pack_sequence(words)
        return packed.data.to(device), packed.batch_sizes, labels, True
    sizes = torch.tensor([len(each) for each in words]).to(device)
    return rnn.pad_sequence(words).to(device), sizes, labels, False


def answer(command, model, sentences, device):
    def forward(batch):
        with torch.inference_mode():
            return model(batch)

    def step(batch):
        model.zero_grad()
        model.loss(batch).backward()

    if command[0] == "info":
        return info()
    if command[0] in ("loss", "padded_loss"):
        with torch.inference_mode():
            batch = make_batch(sentences, device, command[0] == "loss")
            return {"loss": model.loss(batch).item()}
    if command[0] in ("time", "padded") and len(command) == 3:
        size, count = map(int, command[1:])
        batches = [make_batch(sentences[i : i + size], device, command[0] == "time")
                   for i in range(0, len(sentences), size)]
        return {"forward": passes(forward, batches, count, device),
                "forward_backward": passes(step, batches, count, device)}
    return {"error": "expected info, loss, padded_loss, or one of time and padded with SIZE "
                     "PASSES, but got " + repr(" ".join(command))}


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    device = sys.argv[4] if len(sys.argv) == 5 else "cpu"
    ids = trees.read_vocabulary(sys.argv[2])
    sentences = list(read(sys.argv[1], ids))
    model = Model(trees.read_safetensors(sys.argv[3])).to(device)
    serve(lambda command: answer(command, model, sentences, device))


if __name__ == "__main__":
    main()
