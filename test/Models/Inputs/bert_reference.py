#===-- test/Models/Inputs/bert_reference.py - BERT in numpy ---------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The encoder of Devlin et al. 2019 for one text at a time, in f64, from the names and
layouts of the library transformers: what compiled encoders are compared with. And
random weights in those names."""

import json
import math
import struct

import numpy

ERF = numpy.frompyfunc(math.erf, 1, 1)


def read(path):
    """The tensors of a safetensors file of F32 and I64."""
    data = path.read_bytes()
    length, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    kinds = {"F32": numpy.float32, "I64": numpy.int64}
    return {name: numpy.frombuffer(
        data[8 + length + t["data_offsets"][0]:8 + length + t["data_offsets"][1]],
        kinds[t["dtype"]]).reshape(t["shape"]) for name, t in header.items()}


def write(path, tensors):
    header, end = {}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape),
                        "data_offsets": [end, end + values.nbytes]}
        end += values.nbytes
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            file.write(values.tobytes())


def random_weights(layers, width, inner, words, places, seed=1):
    rng = numpy.random.default_rng(seed)
    tensors = {}

    def add(name, *shape, mean=0.0, deviation=0.05):
        tensors[name] = (mean + deviation * rng.standard_normal(shape, numpy.float32)
                         ).astype(numpy.float32)

    def add_norm(name):
        add(f"{name}.weight", width, mean=1.0)
        add(f"{name}.bias", width)

    def add_linear(name, into, out):
        add(f"{name}.weight", out, into, deviation=2 / math.sqrt(into))
        add(f"{name}.bias", out)

    add("embeddings.word_embeddings.weight", words, width, deviation=1.0)
    add("embeddings.position_embeddings.weight", places, width, deviation=1.0)
    add("embeddings.token_type_embeddings.weight", 2, width, deviation=1.0)
    add_norm("embeddings.LayerNorm")
    for number in range(layers):
        layer = f"encoder.layer.{number}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            add_linear(f"{layer}.attention.{part}", width, width)
        add_norm(f"{layer}.attention.output.LayerNorm")
        add_linear(f"{layer}.intermediate.dense", width, inner)
        add_linear(f"{layer}.output.dense", inner, width)
        add_norm(f"{layer}.output.LayerNorm")
    add_linear("pooler.dense", width, width)
    return tensors


class Bert:
    def __init__(self, tensors, heads):
        self.t = {name: values.astype(numpy.float64) for name, values in tensors.items()}
        self.heads = heads
        self.layers = 1 + max(int(name.split(".")[2]) for name in tensors
                              if name.startswith("encoder.layer."))

    def linear(self, x, name):
        return x @ self.t[f"{name}.weight"].T + self.t[f"{name}.bias"]

    def norm(self, x, name):
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / numpy.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-12)
        return scaled * self.t[f"{name}.weight"] + self.t[f"{name}.bias"]

    def attention(self, x, name):
        rows, width = x.shape
        q, k, v = (self.linear(x, f"{name}.self.{part}")
                   .reshape(rows, self.heads, -1).swapaxes(0, 1)
                   for part in ("query", "key", "value"))
        scores = q @ k.swapaxes(1, 2) / math.sqrt(width // self.heads)
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed = (weights @ v).swapaxes(0, 1).reshape(rows, width)
        return self.norm(x + self.linear(mixed, f"{name}.output.dense"),
                         f"{name}.output.LayerNorm")

    def states(self, ids, types):
        """The last layer's states of a text."""
        ids, types = numpy.asarray(ids), numpy.asarray(types)
        x = (self.t["embeddings.word_embeddings.weight"][ids]
             + self.t["embeddings.position_embeddings.weight"][:len(ids)]
             + self.t["embeddings.token_type_embeddings.weight"][types])
        x = self.norm(x, "embeddings.LayerNorm")
        for number in range(self.layers):
            name = f"encoder.layer.{number}"
            x = self.attention(x, f"{name}.attention")
            a = self.linear(x, f"{name}.intermediate.dense")
            h = a * 0.5 * (1 + ERF(a / math.sqrt(2)).astype(numpy.float64))
            x = self.norm(x + self.linear(h, f"{name}.output.dense"),
                          f"{name}.output.LayerNorm")
        return x
