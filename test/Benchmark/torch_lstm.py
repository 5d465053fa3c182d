#!/usr/bin/python3
#===-- test/Benchmark/torch_lstm.py - The chain LSTM in PyTorch ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The model of models/cells/lstm.mlir by torch.nn.LSTM, which is cuDNN's on a GPU: words,
an LSTM, the state of the last word, a linear layer, a cross entropy.

usage: torch_lstm.py SENTENCES VOCABULARY HIDDEN INPUT DEVICE BATCH PASSES

SENTENCES holds lines of a class, a tab and words. Prints a line of JSON: seconds of each
pass over the sentences, forward and forward+backward, after two passes that warm up.
Sentences of a batch are packed, the longest first, before the clock starts.
"""

import json
import sys
import time

import torch
from torch.nn import functional
from torch.nn.utils import rnn


def read(path, ids):
    with open(path, encoding="utf-8") as file:
        for line in file:
            label, text = line.rstrip("\n").split("\t")
            yield int(label), torch.tensor([ids.get(word, 1) for word in text.split()])


class Model(torch.nn.Module):
    def __init__(self, words, columns, hidden, classes):
        super().__init__()
        self.embedding = torch.nn.Embedding(words, columns)
        self.lstm = torch.nn.LSTM(columns, hidden)
        self.classes = torch.nn.Linear(hidden, classes)

    def forward(self, batch):
        words, sizes, _ = batch
        packed = rnn.PackedSequence(self.embedding(words), sizes)
        _, (last, _) = self.lstm(packed)
        return last[0]

    def loss(self, batch):
        return functional.cross_entropy(self.classes(self(batch)), batch[2])


def make_batch(sentences, device):
    sentences = sorted(sentences, key=lambda pair: -len(pair[1]))
    packed = rnn.pack_sequence([words for _, words in sentences])
    labels = torch.tensor([label for label, _ in sentences])
    return packed.data.to(device), packed.batch_sizes, labels.to(device)


def passes(run, batches, count, device):
    result = []
    for i in range(-2, count):
        start = time.perf_counter()
        for batch in batches:
            run(batch)
            if device != "cpu":
                torch.cuda.synchronize()
        if i >= 0:
            result.append(time.perf_counter() - start)
    return result


def main():
    if len(sys.argv) != 8:
        sys.exit(__doc__)
    path, vocabulary, device = sys.argv[1], sys.argv[2], sys.argv[5]
    hidden, columns, size, count = (int(sys.argv[i]) for i in (3, 4, 6, 7))
    torch.set_num_threads(1)
    torch.backends.cudnn.allow_tf32 = False  # as ours
    with open(vocabulary, encoding="utf-8") as file:
        ids = {line.rstrip("\n"): i for i, line in enumerate(file)}
    sentences = list(read(path, ids))
    batches = [make_batch(sentences[i : i + size], device)
               for i in range(0, len(sentences), size)]
    model = Model(len(ids), columns, hidden, 5).to(device)

    def forward(batch):
        with torch.inference_mode():
            model(batch)

    def step(batch):
        model.zero_grad()
        model.loss(batch).backward()

    print(json.dumps({"forward": passes(forward, batches, count, device),
                      "forward_backward": passes(step, batches, count, device)}))


if __name__ == "__main__":
    main()
