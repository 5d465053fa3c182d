#===-- tools/tasking/course.py - One task after the other ----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The course of tasks: what is trained, evaluated and kept, and in which files.

  command.json    what was asked for; the same command goes on, another one is refused
  task-K          of the Kth task:
    train.tsv     its lines, with outputs of before where they are wanted
    dev.tsv       the dev lines of this task and of those before
    replay.tsv    the memory, likewise
    run           the training
    memory.tsv    the memory afterwards
    row.json      the measures of all tasks afterwards; the task is done
  matrix.tsv      a line per task that was trained, a column per task that is measured"""

import json
import math
import os
import re
import subprocess

import numpy as np
import scripts

from . import choose
from .table import Table, TaskError


def write_json(path, value):
    scripts.write(path, json.dumps(value, indent=1) + "\n")


class Course:
    def __init__(self, options):
        self.options = options
        self.names = [task.name for task in options.task]
        if not 0 <= options.memory <= 1:
            raise TaskError(f"expected --memory from 0 to 1, but got {options.memory:g}")
        if options.replay and options.memory == 0:
            raise TaskError("expected --memory above 0 with --replay")
        for task in options.task:
            for part in ("train", "dev", "test"):
                if not (task / f"{part}.tsv").is_file():
                    raise TaskError(f"expected the file {task / part}.tsv of a task")

    def run(self):
        options = self.options
        options.out.mkdir(parents=True, exist_ok=True)
        self.check_command()
        matrix = []
        for number in range(1, len(options.task) + 1):
            done = self.folder(number) / "row.json"
            if not done.exists():
                self.one_task(number)
            matrix.append(json.loads(done.read_text(encoding="utf-8")))
            print(f"after {self.names[number - 1]}: "
                  + " ".join(f"{value:.4f}" for value in matrix[-1]), flush=True)
        self.write_matrix(matrix)
        for name, value in measures(matrix).items():
            print(f"{name} {value:.4f}")

    def check_command(self):
        """Refuses another command than the one that the folder is of."""
        wanted = {name: [str(item) for item in value] if isinstance(value, list)
                  else str(value) for name, value in vars(self.options).items()
                  if name not in ("out", "run")}
        path = self.options.out / "command.json"
        if path.exists():
            known = json.loads(path.read_text(encoding="utf-8"))
            for name, value in wanted.items():
                if known.get(name) != value:
                    raise TaskError(f"{path}: expected {name} {known.get(name)} as before, "
                                    f"but got {value}; use another folder")
        else:
            write_json(path, wanted)

    def folder(self, number):
        return self.options.out / f"task-{number}"

    def call(self, *arguments):
        """What cambium-run prints; its errors are shown as they are."""
        command = [self.options.run, *map(str, arguments)]
        try:
            result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        except OSError as error:
            raise TaskError(f"cannot run '{command[0]}': {error.strerror}; --run names the "
                            "program cambium-run") from None
        if result.returncode:
            raise TaskError(f"'{command[0]} {command[1]}' ended with {result.returncode}")
        return result.stdout

    def one_task(self, number):
        folder = self.folder(number)
        folder.mkdir(exist_ok=True)
        run = folder / "run"
        if (run / "config.json").exists():
            self.call("train", "--out", run, "--resume")
        else:
            self.start(number, run)
        tests = [task / "test.tsv" for task in self.options.task]
        row = self.measure(self.call("eval", "--run", run, *tests), len(tests))
        if self.options.memory > 0:
            self.keep(number, run)
        write_json(folder / "row.json", row)

    def start(self, number, run):
        options, folder = self.options, self.folder(number)
        train = Table.read(options.task[number - 1] / "train.tsv")
        dev = Table.read(options.task[0] / "dev.tsv")
        for task in options.task[1:number]:
            dev = dev.append(Table.read(task / "dev.tsv"))
        dev.write(folder / "dev.tsv")
        command = ["train", options.module, "--data", "table", "--train",
                   folder / "train.tsv", "--dev", folder / "dev.tsv", "--out", run,
                   "--overwrite", "--seed", options.seed, *options.options]
        if number == 1:
            train.write(folder / "train.tsv")
            self.call(*command, *options.first)
            return
        self.with_before(number, train).write(folder / "train.tsv")
        last = self.folder(number - 1)
        command += ["--init", last / "run" / "best.safetensors"]
        if options.replay:
            self.with_before(number, Table.read(last / "memory.tsv")).write(
                folder / "replay.tsv")
            command += ["--step-data", f"{options.replay}={folder / 'replay.tsv'}"]
        self.call(*command, *(text.replace("{earlier}", str(number - 1))
                              for text in options.later))

    def outputs(self, run, function, table, path):
        """The table with the outputs of a function behind its columns."""
        table.write(path)
        result = f"{path}.outputs"
        self.call("infer", "--run", run, "--predict", function, "--outputs", result, path)
        found = Table.read(result)
        os.remove(result)
        if len(found.rows) != len(table.rows) or len(found.header) <= len(table.header):
            raise TaskError(f"expected an output of '{function}' for each line of {path}")
        return found

    def with_before(self, number, table):
        """The table with the columns old.NAME."""
        if not self.options.before:
            return table
        path = self.folder(number) / "before.tsv"
        found = self.outputs(self.folder(number - 1) / "run", self.options.before, table, path)
        os.remove(path)
        header, cells = found.columns_behind(len(table.header))
        return table.with_columns([f"old.{name}" for name in header], cells)

    def keep(self, number, run):
        """Writes the memory with some lines of the task."""
        options, folder = self.options, self.folder(number)
        train = Table.read(options.task[number - 1] / "train.tsv")
        if not train.rows:
            raise TaskError(f"{train.path}: expected lines")
        count = max(1, math.floor(options.memory * len(train.rows) + 0.5))
        seed = options.seed * 1000 + number
        if options.features:
            path = folder / "features.tsv"
            found = self.outputs(run, options.features, train, path)
            os.remove(path)
            _, cells = found.columns_behind(len(train.header))
            points = np.array([row[0].split() for row in cells], dtype=np.float64)
            chosen = choose.central(points, count, seed)
        else:
            chosen = choose.drawn(count, len(train.rows), seed)
        kept = Table(train.path, train.header, [train.rows[k] for k in chosen])
        if number > 1:
            kept = Table.read(self.folder(number - 1) / "memory.tsv").append(kept)
        kept.write(folder / "memory.tsv")

    def measure(self, text, count):
        """The metric of each file that eval has printed."""
        found = re.findall(rf"\b{re.escape(self.options.metric)} (\S+)", text)
        if len(found) != count:
            raise TaskError(f"expected {count} times '{self.options.metric}' from eval, but "
                            f"got\n{text}")
        return [float(value) for value in found]

    def write_matrix(self, matrix):
        rows = [[name, *(f"{value:.6g}" for value in row)]
                for name, row in zip(self.names, matrix)]
        Table(None, ["after", *self.names], rows).write(self.options.out / "matrix.tsv")


def measures(matrix):
    """The mean of all tasks at the end, and by how much earlier ones were better at best
    (Chaudhry et al. 2018)."""
    last = matrix[-1]
    result = {"mean": sum(last) / len(last)}
    if len(matrix) > 1:
        lost = [max(row[k] for row in matrix[k:-1]) - last[k] for k in range(len(last) - 1)]
        result["forgotten"] = sum(lost) / len(lost)
    return result
