#===-- test/Robustness/commands.py - What every command is tried with ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A folder with a model, data and a run, and one command line per command of the
tools, all of which finish in a moment."""

import collections
import dataclasses
import fnmatch
import hashlib
import os
import shutil
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
BUILD = os.environ.get("CAMBIUM_BUILD") or os.path.join(ROOT, "build", "dev")
MODEL = os.path.join(ROOT, "models", "first", "tree_rnn.mlir")
INPUTS = os.path.join(ROOT, "test", "Tools", "cambium-run", "Inputs")
SMALL = os.path.join(INPUTS, "turns.mlir")


@dataclasses.dataclass
class Command:
    """A command line within the folder."""

    name: str
    line: list
    # Patterns of files of which it leaves whole ones before the last: what has ended so
    # far, or the average that belongs to a checkpoint.
    grows: tuple = ()

    @property
    def program(self):
        return [os.path.join(BUILD, "bin", self.line[0]), *self.line[1:]]

    @property
    def again(self):
        """The command line after one that was disturbed."""
        for create, more in (("train", "--resume"), ("import", "--overwrite")):
            if self.line[1] == create and more not in self.line:
                return [*self.program, more]
        return self.program


TRAIN = ["--data", "coba", "--train", "data.tsv", "--dev", "few.tsv", "--test", "few.tsv",
         "--batch-size", "6", "--threads", "1", "--seed", "3"]
TABLE = ["--data", "table", "--threads", "1", "--lr", "0.1", "--batch-size", "2", "--metric",
         "loss"]
SETS = ["sets.so", *TABLE, "--train", "sets.tsv", "--dev", "sets.tsv", "--step", "sets",
        "--set", "2", "--set-by", "document"]
TURNS = ["turns.so", *TABLE, "--train", "points.tsv", "--dev", "points.tsv", "--step",
         "critic:2,train", "--step-data", "critic=numbers.tsv", "--moving-average", "0.5",
         "--keep", "1"]
TEXTS = ["carry.so", *TABLE, "--train", "texts.tsv", "--dev", "texts.tsv", "--carry",
         "before=state", "--carry-by", "doc", "--average", "last:2", "--keep-best", "2"]
FACTORS = ["factors.so", *TABLE, "--train", "scores.tsv", "--dev", "scores.tsv"]
SEQUENCES = ["--model", "sequences.so", "--data", "table", "--vocab", "words.txt",
             "sequences.tsv"]
COMMANDS = [
    Command("train", ["cambium-run", "train", "model.so", *TRAIN, "--epochs", "2", "--out",
                      "out"]),
    Command("resume", ["cambium-run", "train", "--out", "stopped", "--resume", "--epochs",
                       "2"]),
    Command("import", ["cambium-run", "import", "model.so", "--weights",
                       "run/best.safetensors", "--data", "coba", "--out", "out"]),
    Command("eval", ["cambium-run", "eval", "--run", "run", "few.tsv", "--predictions",
                     "made.tsv"]),
    Command("infer", ["cambium-run", "infer", "--run", "run", "few.tsv"]),
    Command("rows", ["cambium-run", "rows", "--run", "run", "--predict", "loss", "few.tsv"]),
    Command("sets", ["cambium-run", "train", *SETS, "--epochs", "1", "--weights",
                     "first/best.safetensors", "--out", "out"]),
    Command("turns", ["cambium-run", "train", *TURNS, "--epochs", "1", "--out", "out"],
            ("out/average-*",)),
    Command("go-on", ["cambium-run", "train", "--out", "averages", "--resume", "--epochs",
                      "2"], ("averages/average-*",)),
    Command("folds", ["cambium-run", "train", "turns.so", *TABLE, "--train", "points.tsv",
                      "--step", "train", "--folds", "3", "--epochs", "1", "--out", "out"],
            ("out/summary.json",)),
    Command("carry", ["cambium-run", "train", *TEXTS, "--epochs", "2", "--out", "out"],
            ("out/mean.safetensors", "out/best.safetensors")),
    Command("carry-on", ["cambium-run", "train", "--out", "texts", "--resume", "--epochs",
                         "3"], ("texts/mean.safetensors", "texts/epoch-*")),
    Command("carried", ["cambium-run", "infer", "--run", "texts", "texts.tsv"]),
    Command("mean", ["cambium-run", "eval", "--run", "texts", "--average", "best:2",
                     "texts.tsv", "--predictions", "made.tsv"]),
    Command("factors", ["cambium-run", "train", *FACTORS, "--epochs", "2", "--out", "out"],
            ("out/best.safetensors",)),
    Command("seeds", ["cambium-run", "train", *FACTORS, "--epochs", "1", "--seeds", "2",
                      "--out", "out"], ("out/summary.json",)),
    Command("near", ["cambium-run", "infer", "--run", "run", "--neighbours", "2", "--among",
                     "data.tsv", "few.tsv"]),
    Command("together", ["cambium-run", "eval", "--run", "first", "--with", "second",
                         "sets.tsv", "--predictions", "made.tsv"]),
    Command("answers", ["cambium-run", "infer", "--run", "first", "--with", "second",
                        "lines.tsv"]),
    Command("beams", ["cambium-run", "infer", *SEQUENCES, "--n-best", "2"]),
    Command("outputs", ["cambium-run", "infer", *SEQUENCES, "--predict", "forms",
                        "--outputs", "made.tsv"]),
    Command("bench", ["cambium-run", "bench", "--run", "run", "few.tsv", "--repetitions",
                      "1", "--batch-size", "2", "--json"]),
    Command("inspect", ["cambium-run", "inspect", "model.so", "--json"]),
    Command("options", ["cambium-run", "options"]),
    Command("compile", ["cambium-compile", SMALL, "--mcpu=x86-64-v3", "-o", "made.so"]),
    Command("archive", ["cambium-compile", SMALL, "--mcpu=x86-64-v3", "--static", "-o",
                        "made.a"]),
    Command("device", ["cambium-compile", SMALL, "--mcpu=x86-64-v3", "--gpu-arch=sm_80",
                       "-o", "made.so"]),
    Command("ptx", ["cambium-compile", SMALL, "--gpu-arch=sm_80", "--emit=ptx", "-o",
                    "made.mlir"]),
    Command("phases", ["cambium-compile", SMALL, "--compile-to=linalg", "-o", "made.mlir",
                       "--dump-phases=dumps"]),
    Command("opt", ["cambium-opt", SMALL, "--cambium-to-gradient", "-o", "made.mlir"]),
    Command("interpret", ["cambium-run-interpret", "infer", "--interpret", "--model", MODEL,
                          "--data", "coba", "few.tsv"]),
]


def call(folder, line, **options):
    return subprocess.run(line, cwd=folder, check=False, capture_output=True, **options)


FEW = "+ 1 2\t3\n* 2 + 1 1\t4\n+ + 1 1 * 2 2\t6\n"
FILES = {
    "few.tsv": FEW,
    "data.tsv": FEW * 20,
    "sets.tsv": "document:id\twords:words\tlabel:class\n1\ta b c\tx\n1\tb\ty\n2\tc a\tx\n"
                "2\tb c\ty\n3\ta\tx\n3\tc\ty\n",
    "lines.tsv": "words:words\na b\nc\n",
    "points.tsv": "x:number\ttarget:number\n1\t2\n2\t1\n-1\t0\n0.5\t1\n",
    "numbers.tsv": "x:number\n1\n2\n-3\n",
    "texts.tsv": "doc:id\tx:number\ttarget:number\n4\t1\t0.5\n4\t-1\t0.25\n7\t2\t-0.5\n"
                 "7\t0.5\t1\n",
    "scores.tsv": "word:id\tscore:number\n0\t0.5\n2\t-1\n5\t2\n6\t0.25\n",
    "words.txt": "<pad>\n<unk>\n<s>\n</s>\na\nb\nc\nd\n",
    "sequences.tsv": "first:id\ttarget:words\n4\ta b c\n5\tb c e\n"}


def prepare(folder, wanted):
    """Fills the folder with what these commands need; an older one is replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    made = dict.fromkeys(("made.tsv", "made.so", "made.a", "made.h", "made.mlir"),
                         "what was there before\n")
    for name, text in (FILES | made).items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    models = {name + ".so": os.path.join(INPUTS, name + ".mlir")
              for name in ("sets", "turns", "sequences", "carry")}
    models["factors.so"] = os.path.join(ROOT, "test", "Golden", "Inputs", "adafactor.mlir")
    models["model.so"] = MODEL
    used = {word.partition("/")[0] for command in wanted for word in command.line}
    runs = [["cambium-run", "train", *line, "--epochs", epochs, "--out", out]
            for line, epochs, out in (
                (["model.so", *TRAIN], "2", "run"), (["model.so", *TRAIN], "1", "stopped"),
                (SETS, "2", "first"), ([*SETS, "--seed", "2"], "1", "second"),
                (TURNS, "1", "averages"), (TEXTS, "2", "texts")) if out in used]
    used.update(word for line in runs for word in line)
    for line in [["cambium-compile", path, "--mcpu=x86-64-v3", "-o", module]
                 for module, path in models.items() if module in used] + runs:
        done = call(folder, Command("", line).program)
        assert done.returncode == 0, done.stderr.decode()


def contents(path, name=""):
    """The digests of the files below a path, by their names from there."""
    if os.path.isdir(path):
        return {inner: digest for entry in sorted(os.listdir(path))
                for inner, digest in contents(os.path.join(path, entry),
                                              os.path.join(name, entry)).items()}
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as file:
        return {name: hashlib.sha256(file.read()).hexdigest()}


def is_part(name):
    """Whether a file is one that a command writes before it has its name, or a lock."""
    return ".tmp" in name or os.path.basename(name) == "lock"


class Trial:
    """A command in a folder of its own, and what it leaves there undisturbed."""

    def __init__(self, command, base, folder):
        self.command, self.base, self.folder = command, base, folder
        self.before = contents(base)
        ends = []
        for _ in range(2):
            self.reset()
            done = call(folder, command.program)
            assert done.returncode == 0, f"{command.name}: {done.stderr.decode()}"
            ends.append((contents(folder), done.stdout))
        (self.after, self.output), (again, output) = ends
        # Times, and what they or the command line stand in, differ from run to run.
        self.varies = {name for name in self.after if self.after[name] != again.get(name)
                       or name.endswith("config.json")}
        self.prints = self.output == output

    def reset(self):
        """The folder as it was before; a file that the command makes is there."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.base, self.folder)

    def is_whole(self, now):
        """Whether all is as the command leaves it undisturbed."""
        return now.keys() == self.after.keys() and all(
            now[name] == digest for name, digest in self.after.items()
            if name not in self.varies)

    def faults(self, leaves_parts=False):
        """What is neither as before nor as after the command. `leaves_parts`: a file
        that was being written may be there under its temporary name."""
        now = contents(self.folder)
        for name, digest in self.before.items():
            if name not in now:
                if name in self.after:
                    yield f"{name} is gone"
            elif now[name] not in (digest, self.after.get(name)) and \
                    name not in self.varies:
                yield f"{name} is neither the old nor the new one"
        for name, digest in now.items():
            if name in self.before or name in self.varies or \
                    any(fnmatch.fnmatch(name, each) for each in self.command.grows):
                continue
            if name not in self.after:
                if not (leaves_parts and is_part(name)):
                    yield f"{name} is left"
            elif digest != self.after[name]:
                yield f"{name} is half written"

    def recover(self):
        """What is wrong when the command is given again, undisturbed."""
        if self.before == self.after:
            return  # It makes nothing.
        done = call(self.folder, self.command.again)
        if done.returncode != 0:
            yield f"again: exit code {done.returncode}: {done.stderr.decode()[:300]}"
            return
        now = {name: digest for name, digest in contents(self.folder).items()
               if not is_part(name)}
        if not self.is_whole(now):
            differing = sorted(n for n in now.keys() | self.after.keys()
                               if now.get(n) != self.after.get(n) and n not in self.varies)
            yield f"again: differs in {', '.join(differing)}"


def chosen(names, count):
    """The commands of these names, which may have a count of their own (`train:8`), each
    with its count; all without a name."""
    counts = {name: int(own or count)
              for name, _, own in (text.partition(":") for text in names)}
    known = [command.name for command in COMMANDS]
    for name in counts:
        if name not in known:
            raise SystemExit(f"error: expected one of {', '.join(known)}, but got '{name}'")
    return [(command, counts.get(command.name, count)) for command in COMMANDS
            if not counts or command.name in counts]


def table(rows):
    """Prints counts: rows of a name and a Counter."""
    kinds = sorted({kind for _, counts in rows for kind in counts} | {"faults"})
    total = collections.Counter()
    for _, counts in rows:
        total.update(counts)
    for name, counts in [*rows, ("all", total)]:
        print(f"{name:10}" + "".join(f"  {kind} {counts[kind]}" for kind in kinds))
