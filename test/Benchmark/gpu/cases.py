#===-- test/Benchmark/gpu/cases.py - What is measured on a GPU -------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Cases that `run` measures: a module of ours, its data, and what computes the same in
PyTorch. `pack` puts the modules and the data into the folder `speed`."""

import json
import os
import statistics
import subprocess

KIT = os.path.dirname(os.path.realpath(__file__))


class Failed(Exception):
    pass


def in_kit(*names):
    return os.path.join(KIT, *names)


def checked(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise Failed(f"{' '.join(command)}\n{result.stdout}{result.stderr}".strip())
    return result.stdout


class Case:
    """A module of ours. `entries` says which of its functions are measured, `what` each is
    called; `batches` how many examples a call has."""

    entries, batches, arguments = {}, [], []

    def __init__(self, name, about):
        self.name, self.about = name, about
        self.data = in_kit("speed", about["data"])
        self.vocabulary = in_kit("speed", about["vocabulary"])

    def start(self, python):
        """Before anything is measured beside PyTorch."""
        self.python = python

    def stop(self):
        pass

    def levels(self, size):
        """Levels of trees, or iterations, of one pass over the data; None where there
        are none."""
        return None

    def measure(self, size, repetitions):
        """What bench says of each entry: a pass over the examples."""
        text = checked([in_kit("bin", "cambium-run"), "bench", "--model",
                        in_kit("speed", self.about["module"]), "--vocab", self.vocabulary,
                        "--device", "gpu", "--json", "--batch-size", str(size), "--examples",
                        "100000", "--repetitions", str(repetitions), *self.arguments, self.data])
        timings = {timing["entry"]: timing for timing in json.loads(text)["timings"]}
        missing = set(self.entries.values()) - timings.keys()
        if missing:
            raise Failed(f"{self.name}: expected times of {', '.join(sorted(missing))}")
        return {what: timings[entry] for what, entry in self.entries.items()}

    def measure_peers(self, size, repetitions):
        """By `what` and name: seconds of a pass, or a text that says why there are none."""
        return {}

    def ask(self, script, *arguments):
        """What a script that measures PyTorch prints."""
        return json.loads(checked([self.python, "-B", in_kit(script),
                                   *map(str, arguments)]).splitlines()[-1])


def median(passes):
    return statistics.median(each["seconds"] for each in passes)


class AskedCase(Case):
    """Beside a script in PyTorch that answers commands; with the same weights both have the
    same loss. `ways` are its commands, by name."""

    entries = {"forward": "predict", "forward+backward": "train.accumulate"}
    peer, script, ways = None, None, {}

    def start(self, python):
        super().start(python)
        import trees  # noqa: PLC0415 - needs numpy, as PyTorch does
        module = in_kit("speed", self.about["module"])
        manifest = json.loads(checked([in_kit("bin", "cambium-run"), "inspect", module,
                                       "--json"]))
        weights = in_kit("speed", self.name + ".safetensors")
        trees.write_safetensors(weights, trees.random_weights(manifest["params"], seed=1))
        self.peer = subprocess.Popen(
            [python, "-B", in_kit(self.script), self.data, self.vocabulary, weights, "cuda"],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        words = checked([in_kit("bin", "cambium-run"), "eval", "--model", module, "--checkpoint",
                         weights, "--vocab", self.vocabulary, "--device", "gpu",
                         *self.arguments, self.data]).split()
        ours, theirs = float(words[words.index("loss") + 1]), self.tell("loss")["loss"]
        if abs(ours - theirs) > 1e-4 * abs(theirs):
            raise Failed(f"{self.name}: expected the same loss of the same weights, but "
                         f"got {ours} and {theirs} (PyTorch)")

    def tell(self, command):
        self.peer.stdin.write(command + "\n")
        self.peer.stdin.flush()
        line = self.peer.stdout.readline()
        if not line:
            raise Failed(f"{self.script} ended with {self.peer.wait()}")
        return json.loads(line)

    def measure_peers(self, size, repetitions):
        found = {what: {} for what in self.entries}
        for name, command in self.ways.items():
            passes = self.tell(f"{command} {size} {repetitions}")
            for what in self.entries:
                key = what.replace("+", "_")
                if "error" in passes:
                    found[what][name] = passes["error"]
                elif key in passes:
                    found[what][name] = median(passes[key])
        return found

    def stop(self):
        if self.peer:
            self.peer.stdin.close()
            self.peer.wait()


class TreeLstm(AskedCase):
    """test/Benchmark/tree_lstm.mlir beside torch_tree_lstm.py."""

    batches = [1, 10, 64, 256]
    arguments = ["--data", "ptb"]
    script = "torch_tree_lstm.py"
    ways = {"PyTorch": "time", "CUDA graphs": "graphs", "torch.compile": "compiled"}

    def levels(self, size):
        heights = []
        with open(self.data, encoding="utf-8") as file:
            for line in file:
                depth = deepest = 0
                for letter in line:
                    depth += (letter == "(") - (letter == ")")
                    deepest = max(deepest, depth)
                heights.append(deepest)
        return sum(max(heights[i : i + size]) for i in range(0, len(heights), size))


class Lstm(AskedCase):
    """models/cells/lstm.mlir beside torch.nn.LSTM, which is cuDNN's."""

    entries = {"forward": "encode", "forward+backward": "train.accumulate"}
    batches = [16, 32, 64]
    arguments = ["--data", "text", "--layout", "label,text", "--predict", "encode",
                 "--map", "words=tokens"]
    script = "torch_lstm.py"
    ways = {"PyTorch (cuDNN)": "time"}

    def levels(self, size):
        with open(self.data, encoding="utf-8") as file:
            counts = [len(line.split("\t")[1].split()) for line in file]
        return sum(max(counts[i : i + size]) for i in range(0, len(counts), size))


class Adaptive(Case):
    """adaptive_encoder.mlir, both forms, beside torch_depth.py: all words of the file are
    one batch."""

    entries = {"compact forward": "compact", "masked forward": "masked",
               "compact step": "train_compact.accumulate",
               "masked step": "train_masked.accumulate"}
    batches = [100000]
    arguments = ["--data", "conllu"]

    def __init__(self, name, about):
        super().__init__(name, about)
        self.arguments = ["--predict", "compact", *self.arguments]
        if not about["trains"]:
            self.entries = {what: entry for what, entry in self.entries.items()
                            if what.endswith("forward")}

    def levels(self, size):
        return self.about["layers"]

    def measure_peers(self, size, repetitions):
        found = {}
        for name, more in (("PyTorch masked", []), ("torch.compile", ["--compile"])):
            try:
                times = self.ask("torch_depth.py", self.data, "--width", self.about["width"],
                                 "--max", self.about["layers"], "--heads", self.about["heads"],
                                 "--device", "cuda", "--repetitions", repetitions,
                                 *([] if self.about["trains"] else ["--no-step"]), *more)
            except Failed as failure:
                times = {"error": str(failure).splitlines()[-1]}
            for what, key in (("forward", "forward"), ("step", "step")):
                if "error" in times or key in times:
                    seconds = times.get("error") or times[key] / 1e3
                    found.setdefault(f"compact {what}", {})[name] = seconds
        return found

    def realized(self, times):
        """How much of the saving that was possible each kind of call realized: the time
        of masked over that of compact, times the share of active words."""
        share = self.about["active"] / self.about["dense"]
        return {what: times[f"masked {what}"] / times[f"compact {what}"] * share
                for what in ("forward", "step")
                if f"masked {what}" in times and f"compact {what}" in times}


class Product(Case):
    """product.mlir: its part of the library's product says all."""

    entries = {"product": "product"}
    batches = [1]
    arguments = ["--predict", "product", "--data", "conllu"]


KINDS = {"tree_lstm": TreeLstm, "lstm": Lstm, "adaptive": Adaptive, "product": Product}
