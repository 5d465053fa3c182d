#===-- test/Benchmark/encoder_engines.py - Programs that run one encoder --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""One encoder with one set of weights in Cambium, PyTorch, torch.compile and ONNX Runtime.
Every engine has functions of a batch of texts (lists of ids) that return the mean of
the last states of each text:

  dense   all texts are equally long
  masked  padded to the longest, with a mask
  single  one text at a time
  ragged  as they are (Cambium alone)
"""

import contextlib
import logging
import os
import subprocess
import warnings

import numpy
import onnxruntime
import torch
import transformers
from onnxruntime.transformers import optimizer
from safetensors.torch import save_file

from calls import Library, Model

warnings.filterwarnings("ignore")
transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
logging.getLogger("onnxruntime").setLevel(logging.ERROR)
for quiet in ("fusion_base", "torch.utils.cpp_extension"):
    logging.getLogger(quiet).setLevel(logging.ERROR)


def padded(texts):
    """Ids and a mask, as long as the longest text."""
    size = max(map(len, texts))
    ids = numpy.zeros((len(texts), size), numpy.int64)
    mask = numpy.zeros((len(texts), size), numpy.int64)
    for row, text in enumerate(texts):
        ids[row, :len(text)] = text
        mask[row, :len(text)] = 1
    return ids, mask


class Mean(torch.nn.Module):
    """The mean of the last states, of all rows or of those in the mask."""

    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, ids, mask=None):
        states = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        if mask is None:
            return states.mean(1)
        weights = mask.unsqueeze(-1).to(states.dtype)
        return (states * weights).sum(1) / weights.sum(1)


def make_config(family, sizes):
    """Of a model of the library transformers, with the sizes of ours."""
    same = {"hidden_size": sizes["width"], "num_hidden_layers": sizes["layers"],
            "num_attention_heads": sizes["heads"], "intermediate_size": sizes["inner"]}
    if family == "bert":
        return transformers.BertConfig(**same)
    return transformers.AlbertConfig(vocab_size=30522, embedding_size=sizes["narrow"],
                                     hidden_act="gelu_new", **same)


# Of each family: the class, our model and the names of its parameters.
FAMILIES = {
    "bert": (transformers.BertModel, "models/bert/bert.mlir", "models/bert/bert.names"),
    "albert": (transformers.AlbertModel, "test/Benchmark/albert.mlir",
               "test/Benchmark/albert.names"),
}


class Cambium:
    name = "Cambium"

    def __init__(self, library, module, checkpoint, threads):
        functions = Library(library)
        self.model = Model(functions, module, checkpoint, threads)
        self.counter = Model(functions, module, checkpoint, threads, "predict.operations")

    @staticmethod
    def examples(texts):
        examples = []
        for text in texts:
            ids = numpy.asarray(text, numpy.int32)
            examples.append({"tokens": ids, "segments": numpy.zeros_like(ids)})
        return examples

    def ragged(self, texts):
        return self.model(self.examples(texts))

    dense = ragged

    def loops(self, texts):
        """Operations, bytes and executions of each loop of a batch."""
        f64 = numpy.float64
        return self.counter.run(self.examples(texts), f64, f64, f64).reshape(-1, 3)


class Torch:
    """`compiled`: by torch.compile, for any sizes."""

    def __init__(self, bert, compiled):
        self.name = "torch.compile" if compiled else "PyTorch"
        module = Mean(bert)
        self.module = torch.compile(module, dynamic=True) if compiled else module

    def call(self, *arrays):
        with torch.inference_mode():
            return self.module(*map(torch.from_numpy, arrays)).numpy()

    def dense(self, texts):
        return self.call(numpy.asarray(texts, numpy.int64))

    def masked(self, texts):
        return self.call(*padded(texts))

    def single(self, texts):
        return numpy.concatenate([self.dense([text]) for text in texts])


def export(bert, folder, sizes):
    """Graphs without and with a mask, plain and fused by ONNX Runtime's own optimizer
    for BERT."""
    eager = type(bert)(bert.config, add_pooling_layer=False).eval()
    eager.load_state_dict(bert.state_dict())
    eager.set_attn_implementation("eager")
    ids = torch.randint(0, 1000, (2, 7))
    mask = torch.ones_like(ids)
    mask[1, 5:] = 0
    paths = {}
    for kind, inputs in (("dense", {"ids": ids}), ("masked", {"ids": ids, "mask": mask})):
        plain = os.path.join(folder, f"{kind}.onnx")
        fused = os.path.join(folder, f"{kind}_fused.onnx")
        with contextlib.redirect_stdout(None):
            torch.onnx.export(
                Mean(eager), tuple(inputs.values()), plain, input_names=list(inputs),
                output_names=["mean"], opset_version=17, dynamo=False,
                dynamic_axes={name: {0: "texts", 1: "pieces"} for name in inputs})
        made = optimizer.optimize_model(plain, model_type="bert", num_heads=sizes["heads"],
                                        hidden_size=sizes["width"], opt_level=0)
        made.save_model_to_file(fused)
        paths[kind] = {"ONNX Runtime": plain, "ONNX Runtime, fused": fused}
    return paths


class Onnx:
    def __init__(self, name, paths, threads):
        self.name = name
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.sessions = {kind: onnxruntime.InferenceSession(
            graphs[name], options, providers=["CPUExecutionProvider"])
            for kind, graphs in paths.items()}

    def dense(self, texts):
        return self.sessions["dense"].run(None, {"ids": numpy.asarray(texts, numpy.int64)})[0]

    def masked(self, texts):
        ids, mask = padded(texts)
        return self.sessions["masked"].run(None, {"ids": ids, "mask": mask})[0]

    def single(self, texts):
        return numpy.concatenate([self.dense([text]) for text in texts])


def run(*command):
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL)


def make_engines(source, build, folder, family, sizes, threads, names):
    """All engines by name, with the same random weights."""
    kind, description, tensors = FAMILIES[family]
    torch.manual_seed(1)
    torch.set_num_threads(threads)
    bert = kind(make_config(family, sizes), add_pooling_layer=False).eval()
    weights = os.path.join(folder, "model.safetensors")
    save_file(bert.state_dict(), weights)
    module = os.path.join(folder, "model.so")
    run(build / "bin/cambium-compile", source / description, "-o", module,
        "--count-operations",
        *(f"--size={name}={value}" for name, value in sizes.items()))
    run(build / "bin/cambium-run", "import", module, "--weights", weights, "--names",
        source / tensors, "--overwrite", "--out", os.path.join(folder, "run"))
    engines = [Cambium(build / "runtime/libcambium_runtime.so", module,
                       os.path.join(folder, "run", "best.safetensors"), threads)]
    if "torch" in names:
        engines.append(Torch(bert, False))
    if "compile" in names:
        engines.append(Torch(bert, True))
    if "onnx" in names:
        paths = export(bert, folder, sizes)
        engines += [Onnx(name, paths, threads) for name in paths["dense"]]
    return engines
