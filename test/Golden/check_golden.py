#!/usr/bin/python3
#===-- test/Golden/check_golden.py - Compares with the golden files ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Compares the interpreter with a golden file that PyTorch made.

usage: test/Golden/check_golden.py FILE.json

Needs cambium-compile and cambium-interpret on the path. Values in f64 must agree to 1e-11, values in
f32 to 1e-6, derivatives by differences to 1e-9, each relative to the largest
expected number of the tensor or to 1. Where the file has a training, its losses in f32
must agree to 1e-5 with those of the compiled model (cambium-run). A file may ask for
less (tolerance), and for losses as in a training, where something is drawn (draws).
"""

import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Coordinates of each parameter whose derivative is compared where the losses of a training show the
# whole gradient: a difference costs eight evaluations or more.
SAMPLES = 6
TOLERANCE = {"f64": 1e-11, "f32": 1e-6, "gradients": 1e-9, "training": 1e-5}


def flatten(value):
    if isinstance(value, list):
        return [x for part in value for x in flatten(part)]
    return [float(value)]


def error_of(actual, expected):
    """The largest difference, relative to the largest expected number or 1."""
    if len(actual) != len(expected):
        return math.inf
    scale = max([1.0] + [abs(x) for x in expected if math.isfinite(x)])
    worst = 0.0
    for a, b in zip(actual, expected):
        same = a == b or (math.isnan(a) and math.isnan(b))
        difference = 0.0 if same else abs(a - b) / scale
        worst = max(worst, math.inf if math.isnan(difference) else difference)
    return worst


class Check:
    def __init__(self, folder, tolerance):
        self.folder, self.failed, self.worst = folder, 0, {}
        self.tolerance = TOLERANCE | tolerance

    def run(self, model, data, *flags):
        path = os.path.join(self.folder, "data.json")
        with open(path, "w") as file:
            json.dump(data, file)
        out = subprocess.run(["cambium-interpret", model, path, *flags],
                             stdout=subprocess.PIPE, text=True)
        if out.returncode:
            sys.exit("error: cambium-interpret failed")
        return json.loads(out.stdout)

    def compare(self, what, kind, actual, expected):
        error = error_of(flatten(actual), flatten(expected))
        self.worst[kind] = max(error, self.worst.get(kind, 0))
        if not error <= self.tolerance[kind]:
            self.failed += 1
            print(f"{what} ({kind}): expected {expected}, but got {actual} "
                  f"(error {error:.1e})")

    def report(self, name):
        text = ", ".join(f"{kind} {error:.1e}" for kind, error in self.worst.items())
        print(f"{'FAIL' if self.failed else 'ok'} {name}: largest errors: {text}")
        return 1 if self.failed else 0


def inputs_of(golden, function, example):
    """The fields of an example that a function wants: without targets, if it is no loss."""
    names = golden.get("inputs", {}).get(function)
    return {k: v for k, v in example.items()
            if (k in names if names else
                function == "loss" or not k.startswith(("label", "score")))}


def check_cell(check, golden):
    model = os.path.join(check.folder, "model.mlir")
    given = [f"--size={name}={value}" for name, value in golden["sizes"].items()]
    subprocess.run(["cambium-compile", os.path.join(ROOT, golden["model"]), "--compile-to=input",
                    *given, "-o", model], check=True)
    output, criterion = golden.get("output", "encode"), golden.get("criterion", "loss")
    drawn = ["--training"] if golden.get("draws") else []
    losses = [inputs_of(golden, "loss", example) for example in golden["examples"]]
    others = [inputs_of(golden, output, example)
              for example in golden.get("members") or golden["examples"]]
    asked = [(output, output, others), ("loss", criterion, losses)]
    # One start for both, unless one of them draws.
    for parts, flags in [(asked[:1], []), (asked[1:], drawn)] if drawn else [(asked, [])]:
        data = {"params": golden["params"],
                "examples": [{"function": function, **example}
                             for _, function, examples in parts for example in examples]}
        expected = [(function, i, number) for field, function, examples in parts
                    for i, (_, number) in enumerate(zip(examples, golden[field], strict=True))]
        for kind in ("f64", "f32"):
            results = check.run(model, data, *(["--f64"] if kind == "f64" else []), *flags)
            for result, (function, i, number) in zip(results["results"], expected, strict=True):
                check.compare(f"@{function} of example {i}", kind, result[0], number)
    data = {"function": criterion, "params": golden["params"], "examples": losses}
    gradients = {}
    if golden["gradients"]:
        some = [f"--samples={SAMPLES}"] if "training" in golden else []
        gradients = check.run(model, data, "--gradient", *some, *drawn)["gradients"]
    for name, expected in golden["gradients"].items():
        numbers = flatten(expected)
        places = [place for place, _ in gradients[name]]
        check.compare(f"gradient of {name} at {places}", "gradients",
                      [x for _, x in gradients[name]], [numbers[place] for place in places])
    if "training" in golden:
        losses = train(check.folder, model, golden)
        check.compare("loss of each step", "training", losses, golden["training"]["losses"])


def write_tensors(path, tensors):
    """A safetensors file."""
    header, data = {}, b""
    for name, value in tensors.items():
        numbers, shape, part = flatten(value), [], value
        while isinstance(part, list):
            shape.append(len(part))
            part = part[0]
        begin, data = len(data), data + struct.pack(f"<{len(numbers)}f", *numbers)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def kind_of(name, value, vectors):
    """The type of a column."""
    if name in vectors:
        return f"vector={len(value)}"
    single = {int: "id", float: "number"}
    if isinstance(value, list) and isinstance(value[0], list):
        return f"vectors={len(value[0])}"
    if isinstance(value, list):
        return single[type(value[0])] + "s"
    return single[type(value)]


def write_table(path, examples, vectors=()):
    """Examples for `--data table`."""
    kinds = {name: kind_of(name, value, vectors) for name, value in examples[0].items()}
    cell = lambda value: " ".join(map(cell, value)) if isinstance(value, list) else str(value)
    lines = ["\t".join(f"{name}:{kind}" for name, kind in kinds.items())]
    lines += ["\t".join(cell(e[name]) for name in kinds) for e in examples]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def write_sets(path, sets):
    """The same of sets, a line for each member."""
    write_table(path, [{"set": number, **dict(zip(each, row))}
                       for number, each in enumerate(sets) for row in zip(*each.values())])


def keep_training(model, step, names):
    """Leaves one step of a model, and of its functions its loss and those of these names: what a
    training asks for is compiled alone."""
    with open(model) as file:
        lines = file.read().splitlines(keepends=True)
    steps = {line.split()[1][1:]: line for line in lines if line.startswith("  train.step ")}
    kept = names | {steps[step].split()[3][1:]}
    with open(model, "w") as file:
        for line in lines:
            function = re.match(r"  func\.func @(\w+)\(", line)
            if function and function[1] not in kept:
                line = line.replace("func.func ", "func.func private ", 1)
            if line not in steps.values() or line == steps[step]:
                file.write(line)


def train(folder, model, golden):
    """The loss of each epoch of a compiled training whose only batch is all examples."""
    are_sets = golden.get("members")
    at = lambda name: os.path.join(folder, name)
    write_tensors(at("weights.safetensors"), golden["params"])
    if are_sets:
        write_sets(at("examples.tsv"), golden["examples"])
    else:
        write_table(at("examples.tsv"), golden["examples"], golden.get("vectors", ()))
    wanted = golden["training"]
    # The dev loss is all that a training asks for. It is no function of a member of a set.
    with open(model) as file:
        loss = "loss" if "func.func @loss(" in file.read() else golden["criterion"]
    asked = "predict" if are_sets else loss
    keep_training(model, wanted["step"], {loss, asked})
    subprocess.run(["cambium-compile", model, "-o", at("model.so")], check=True)
    subprocess.run(
        ["cambium-run", "train", at("model.so"), "--data", "table", "--train",
         at("examples.tsv"), "--dev", at("examples.tsv"), "--weights",
         at("weights.safetensors"), "--step", wanted["step"], "--lr", str(wanted["rate"]),
         "--batch-size", str(len(golden["examples"])), "--metric", "loss", "--predict", asked,
         "--loss", loss, "--epochs", str(len(wanted["losses"])), "--threads", "1", "--quiet",
         "--out", at("run"),
         *(["--set-by", "set"] if are_sets else [])],
        check=True, stdout=subprocess.DEVNULL)
    with open(at("run/log.jsonl")) as file:
        events = [json.loads(line) for line in file]
    return [event["train_loss"] for event in events if event["event"] == "epoch"]


def check_ops(check, golden):
    model = os.path.join(HERE, "Inputs", golden["model"])
    for training in (False, True):
        cases = [case for case in golden["cases"] if case.get("training", False) == training]
        data = {"examples": [{"function": case["function"], **case["inputs"]}
                             for case in cases]}
        flags = ["--training"] if training else []
        exact = check.run(model, data, "--f64", *flags)["results"]
        single = check.run(model, data, *flags)["results"]
        for case, in_double, in_single in zip(cases, exact, single, strict=True):
            name = "@" + case["function"]
            check.compare(name, "f64", in_double[0], case["value"])
            check.compare(name, "f32", in_single[0], case["value"])
            for i, (d, expected) in enumerate(
                    zip(in_double[1:], case["gradients"], strict=True)):
                check.compare(f"gradient {i} of {name}", "gradients", d, expected)


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        golden = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        check = Check(folder, golden.get("tolerance", {}))
        (check_ops if "cases" in golden else check_cell)(check, golden)
    return check.report(os.path.basename(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
