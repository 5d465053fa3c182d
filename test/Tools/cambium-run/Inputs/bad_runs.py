#===-- test/Tools/cambium-run/Inputs/bad_runs.py - Mistakes in trainings -===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Rows of bad_input.py: options, run folders, checkpoints, places to write."""
import struct

from bad_data import TRAIN

GOOD = TRAIN.replace("BAD", "DIR/good.txt")
EVAL = "cambium-run eval --run DIR/copy DIR/good.txt"
BEST, LAST = "copy/best.safetensors", "copy/last.safetensors"


def option(name, more):
    return {"name": name, "run": f"{GOOD} {more}"}


def pipe(name, command):
    """A pipe that nobody writes to: whoever reads it waits for ever."""
    return {"name": name, "run": command.replace("PIPE", "DIR/pipe"), "pipes": ["pipe"]}


def answers(name, more):
    return {"name": name, "run": f"cambium-run infer --run DIR/copy {more} DIR/good.txt"}


def checkpoint(name, change):
    return {"name": name, "run": EVAL, "change": {BEST: change}}


def resumed(name, change):
    return {"name": name, "run": "cambium-run train --out DIR/copy --resume --epochs 2",
            "change": {LAST: change}}


def config(name, contents):
    return {"name": name, "run": EVAL, "files": {"copy/config.json": contents}}


def flip(contents):
    """One bit of the last parameter is another one."""
    return contents[:-3] + bytes([contents[-3] ^ 0x10]) + contents[-2:]


def without_checksum(edit):
    """A checkpoint as other tools write it: no checksum, edited data."""
    def change(contents):
        size = struct.unpack("<Q", contents[:8])[0]
        text = contents[8:8 + size].replace(b"cambium.checksum", b"elsewhere.number")
        return contents[:8] + edit(text, contents[8 + size:])
    return change


def nan(text, values):
    return text + struct.pack("<f", float("nan")) + values[4:]


ROWS = [
    {"name": "a format that is not known",
     "run": GOOD.replace("ptb", "csv")},
    option("a rate that is a word", "--lr fast"),
    option("a rate that is not a number", "--lr nan"),
    option("a rate below zero", "--lr -1"),
    option("batches of nothing", "--batch-size 0"),
    option("threads below zero", "--threads -1"),
    option("a million threads", "--threads 1000000"),
    option("a metric that is not known", "--metric f2"),
    option("a step that is not there", "--step other"),
    option("a field that is not there", "--map label=none"),
    option("a function that is not there", "--predict classify"),
    option("a function of a loss that is not there", "--loss los"),
    option("a group that is not there", "--lr 0.1 --lr defalt=0.2"),
    option("two rates of one group", "--lr bias=0.1 --lr bias=0.2"),
    option("two rates of all groups", "--lr 0.1 --lr 0.2"),
    option("two fields of one input", "--map tokens=words --map tokens=labels"),
    option("a folder of files that is none", "--data-dir DIR/good.txt"),
    option("a device that is not known", "--device ggpu"),
    option("labels that are not there", "--labels DIR/none"),
    option("a word of a schedule that does not use it", "--power 2"),
    option("restarts without a reason", "--restarts 3"),
    option("pieces of a format that has none", "--tokenizer DIR/good.txt"),
    {"name": "classes of labels of another format",
     "run": GOOD.replace("ptb", "coba") + " --classes 0=1"},
    {"name": "words of a format that has none",
     "run": GOOD.replace("ptb", "coba") + " --lowercase"},
    {"name": "a vocabulary for a training that has one",
     "run": "cambium-run train --out DIR/copy --resume --epochs 2 --vocab DIR/good.txt"},
    answers("two kinds of answers", "--vectors --nodes"),
    answers("a table and sequences", "--outputs - --n-best 2"),
    answers("a mean and a checkpoint", "--average 1 --checkpoint DIR/copy/best.safetensors"),
    answers("a mean that is misspelled", "--average bets:2"),
    {"name": "a command that is misspelled", "run": "cambium-run evla --run DIR/copy"},
    pipe("a pipe as a vocabulary", f"{GOOD} --vocab PIPE"),
    pipe("a pipe as labels", f"{GOOD} --labels PIPE"),
    pipe("a pipe as training data", GOOD.replace("DIR/good.txt --dev", "PIPE --dev")),
    pipe("a pipe as word vectors", f"{GOOD} --vectors weights=PIPE"),
    pipe("a pipe as a checkpoint", f"{EVAL} --checkpoint PIPE"),
    {"name": "a pipe as a configuration", "run": EVAL, "remove": ["copy/config.json"],
     "pipes": ["copy/config.json"]},
    {"name": "a pipe as the vocabulary of a run", "run": EVAL,
     "remove": ["copy/vocabulary.txt"], "pipes": ["copy/vocabulary.txt"]},
    {"name": "a training that is there already",
     "run": GOOD.replace("DIR/out", "DIR/run")},
    {"name": "no training to go on with",
     "run": "cambium-run train --out DIR/none --resume"},
    {"name": "other options for a resumed training",
     "run": "cambium-run train --out DIR/copy --resume --batch-size 3"},
    {"name": "no run folder",
     "run": "cambium-run eval --run DIR/none DIR/good.txt"},
    {"name": "a file instead of a run folder",
     "run": "cambium-run eval --run DIR/good.txt DIR/good.txt"},
    config("a configuration that is not JSON", '{"options": 3'),
    config("a configuration that is a list", "[]"),
    config("a configuration with options of another kind", '{"options": 3}'),
    config("a configuration nested 100,000 deep",
           "[" * 100000 + "]" * 100000),
    checkpoint("a checkpoint with a flipped bit", flip),
    checkpoint("a checkpoint cut in the middle", lambda c: c[:len(c) // 2]),
    checkpoint("a checkpoint cut in its header", lambda c: c[:40]),
    checkpoint("a checkpoint with something behind", lambda c: c + b"more"),
    checkpoint("an empty checkpoint", lambda c: b""),
    checkpoint("a text as a checkpoint", lambda c: b"these are the weights\n"),
    checkpoint("a header of 2^63 bytes", lambda c: b"\xff" * 8 + c[8:]),
    checkpoint("a header that is not JSON",
               lambda c: struct.pack("<Q", 3) + b"{]}" + c[8:]),
    checkpoint("a tensor of another name", without_checksum(
        lambda text, v: text.replace(b'"bias"', b'"base"') + v)),
    checkpoint("a tensor of another type", without_checksum(
        lambda text, v: text.replace(b"F32", b"I32") + v)),
    checkpoint("a tensor of an unknown type", without_checksum(
        lambda text, v: text.replace(b"F32", b"F31") + v)),
    checkpoint("parameters that are not numbers", without_checksum(nan)),
    {"name": "a checkpoint without a training",
     "run": "cambium-run train --out DIR/copy --resume --epochs 2",
     "copies": {LAST: BEST}},
    resumed("a checkpoint of a training with a flipped bit", flip),
    {"name": "a checkpoint that is not there", "run": EVAL,
     "remove": [BEST, LAST]},
    {"name": "a vocabulary that is not there", "run": EVAL,
     "remove": ["copy/vocabulary.txt"]},
    {"name": "a module that is not there", "run": EVAL,
     "remove": ["copy/module.so"]},
    {"name": "a run folder below a file",
     "run": GOOD.replace("--out DIR/out", "--out DIR/good.txt/run")},
    {"name": "a run folder that cannot be made",
     "run": GOOD.replace("--out DIR/out", "--out /proc/cambium")},
    {"name": "a disk that is full when the training begins", "full": True,
     "run": GOOD.replace("DIR/out", "DIR/disk/out")},
    {"name": "a disk that is full at a checkpoint", "full": True,
     "run": "cambium-run train --out DIR/disk/copy --resume --epochs 2"},
    {"name": "a disk that is full at the predictions", "full": True,
     "run": EVAL.replace("DIR/copy", "DIR/disk/copy")},
    {"name": "a report to a full device", "run": "cambium-run eval --run DIR/copy "
     "DIR/good.txt --predictions /dev/full"},
    {"name": "a folder in the place of the checkpoint",
     "remove": [LAST], "folders": [LAST],
     "run": "cambium-run train --out DIR/copy --resume --epochs 2"},
    {"name": "a folder in the place of the log",
     "remove": ["copy/log.jsonl"], "folders": ["copy/log.jsonl"],
     "run": "cambium-run train --out DIR/copy --resume --epochs 2"},
]
