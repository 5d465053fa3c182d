#!/usr/bin/python3
#===-- test/Benchmark/torch_depth.py - The masked loop in PyTorch --------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The encoder of adaptive_encoder.mlir in PyTorch, as everybody writes it: sentences
padded to the longest, the layer for every word until the last one has stopped, a mask
that keeps what has stopped.

Reads sentences of words w1, w2, ... (CoNLL-U); prints one line of JSON with the median
milliseconds of a pass forward, and forward and backward, and the vector of the first
sentence. --weights writes the parameters as a safetensors file, with the names of the
model.
"""

import argparse
import json
import statistics
import struct
import time

import torch
from torch.nn import functional


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: torch_depth.py data.conllu --width 256 --max 12 --heads 4")
    parser.add_argument("data", help="sentences, CoNLL-U")
    parser.add_argument("--width", type=int, default=256, help="(%(default)s)")
    parser.add_argument("--max", type=int, default=12, help="iterations (%(default)s)")
    parser.add_argument("--heads", type=int, default=4, help="(%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--repetitions", type=int, default=3, help="(%(default)s)")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (%(default)s)")
    parser.add_argument("--compile", action="store_true", help="the layer by torch.compile")
    parser.add_argument("--no-step", action="store_true", help="forward alone")
    parser.add_argument("--weights", help="write the parameters to this file")
    return parser.parse_args()


def read_sentences(path):
    """The numbers of the words: how often each is encoded, and its row in the table."""
    sentences, words = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                words.append(int(line.split("\t")[1][1:]))
            else:
                sentences.append(words)
                words = []
    return sentences


def make_parameters(width, device):
    generator = torch.Generator().manual_seed(1)

    def normal(*shape, scale):
        return (torch.randn(shape, generator=generator) * scale).to(device).requires_grad_()

    parameters = {"embedding": normal(64, width, scale=0.5)}
    for name in ("query", "key", "value", "output"):
        parameters[f"layer.{name}.W"] = normal(width, width, scale=width ** -0.5)
        parameters[f"layer.{name}.b"] = normal(width, scale=0.02)
    for name, shape in (("inner", (width, 4 * width)), ("outer", (4 * width, width))):
        parameters[f"layer.{name}.W"] = normal(*shape, scale=(2 / sum(shape)) ** 0.5)
        parameters[f"layer.{name}.b"] = normal(shape[1], scale=0.02)
    for name in ("attention", "feed"):
        parameters[f"layer.{name}_norm.scale"] = torch.ones(width, device=device).requires_grad_()
        parameters[f"layer.{name}_norm.shift"] = normal(width, scale=0.02)
    return parameters


def write_safetensors(path, parameters):
    header, offset = {}, 0
    for name, value in parameters.items():
        size = 4 * value.numel()
        header[name] = {"dtype": "F32", "shape": list(value.shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for value in parameters.values():
            file.write(value.detach().cpu().numpy().astype("<f4").tobytes())


class Encoder:
    def __init__(self, args, sentences):
        self.args = args
        self.parameters = make_parameters(args.width, args.device)
        longest = max(map(len, sentences))
        self.words = torch.zeros(len(sentences), longest, dtype=torch.long)
        self.real = torch.zeros(len(sentences), longest, dtype=torch.bool)
        for row, words in enumerate(sentences):
            self.words[row, :len(words)] = torch.tensor(words)
            self.real[row, :len(words)] = True
        self.words, self.real = self.words.to(args.device), self.real.to(args.device)
        self.apply = torch.compile(self.layer) if args.compile else self.layer

    def dense(self, name, x):
        p = self.parameters
        return functional.linear(x, p[f"layer.{name}.W"].T, p[f"layer.{name}.b"])

    def norm(self, name, x):
        p = self.parameters
        return functional.layer_norm(x, x.shape[-1:], p[f"layer.{name}_norm.scale"],
                                     p[f"layer.{name}_norm.shift"])

    def layer(self, x):
        def split(name):
            y = self.dense(name, x)
            return y.view(*y.shape[:2], self.args.heads, -1).transpose(1, 2)

        attended = functional.scaled_dot_product_attention(
            split("query"), split("key"), split("value"), attn_mask=self.real[:, None, None, :])
        attended = attended.transpose(1, 2).reshape(x.shape)
        y = self.norm("attention", x + self.dense("output", attended))
        return self.norm("feed", y + self.dense("outer", functional.gelu(self.dense("inner", y))))

    def encode(self):
        x = functional.embedding(self.words, self.parameters["embedding"])
        # A word with number n is encoded n times, the first one once.
        running = self.real
        for step in range(1, self.args.max + 1):
            if not running.any():
                break
            x = torch.where(running[..., None], self.apply(x), x)
            running = self.real & (self.words > step)
        total = (x * self.real[..., None]).sum(1)
        return total / self.real.sum(1, keepdim=True)

    def loss(self):
        return (self.encode() ** 2).sum(1).mean()


def median_ms(run, args):
    times = []
    for i in range(-2, args.repetitions):
        start = time.perf_counter()
        run()
        if args.device != "cpu":
            torch.cuda.synchronize()
        if i >= 0:
            times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main():
    args = parse_arguments()
    torch.set_num_threads(args.threads)
    torch.backends.cuda.matmul.allow_tf32 = False  # as ours
    encoder = Encoder(args, read_sentences(args.data))
    if args.weights:
        write_safetensors(args.weights, encoder.parameters)

    def forward():
        with torch.no_grad():
            return encoder.encode()

    def step():
        for value in encoder.parameters.values():
            value.grad = None
        encoder.loss().backward()

    found = {"forward": median_ms(forward, args), "first": forward()[0].tolist(),
             "torch": torch.__version__}
    if not args.no_step:
        found["step"] = median_ms(step, args)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
