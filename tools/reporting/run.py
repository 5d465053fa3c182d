#===-- tools/reporting/run.py - Reads a run folder -----------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Reads a run folder, as docs/RunFolder.md defines it."""

import csv
import dataclasses
import json
import math
import os


class RunError(Exception):
    """A run folder that cannot be read; the text names file, line and reason."""


@dataclasses.dataclass
class Predictions:
    """The columns of predictions.tsv by name; numbers where all are numbers."""

    columns: dict
    is_numeric: bool  # targets and predictions are numbers

    def __len__(self):
        return len(self.columns["target"])

    def errors(self):
        """Squared errors of numbers; 0 or 1 for classes."""
        pairs = zip(self.columns["target"], self.columns["prediction"])
        if self.is_numeric:
            return [(t - p) ** 2 for t, p in pairs]
        return [float(t != p) for t, p in pairs]

    def rows(self, chosen):
        """The rows for which `chosen` holds, by their index."""
        kept = [i for i in range(len(self)) if chosen(i)]
        columns = {n: [c[i] for i in kept] for n, c in self.columns.items()}
        return Predictions(columns, self.is_numeric)


@dataclasses.dataclass
class Run:
    """All that a run folder holds; what is missing is empty or None."""

    folder: str
    config: dict
    epochs: list
    evaluations: list
    stop: dict
    predictions: Predictions
    tree: dict


def read_text(path, is_required):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        if not is_required:
            return None
        raise RunError(f"{path}: expected a file (see docs/RunFolder.md)") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: cannot read: {error}") from None


def read_json(path, kind):
    text = read_text(path, False)
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise RunError(f"{path}: expected JSON, but got: {error}") from None
    if not isinstance(value, kind):
        raise RunError(f"{path}: expected one JSON object")
    return value


def read_log(path):
    """The events, later epochs in place of earlier ones of the same number."""
    epochs, evaluations, stop = {}, [], {}
    lines = read_text(path, True).splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
            if not isinstance(event, dict) or "event" not in event:
                raise ValueError("an object with the key 'event' was expected")
        except ValueError as error:
            if number == len(lines):
                break  # The run was killed while it wrote this line.
            raise RunError(f"{path}:{number}: expected a JSON object per line, "
                           f"but got: {error}") from None
        if event["event"] == "epoch":
            if not isinstance(event.get("epoch"), int):
                raise RunError(f"{path}:{number}: expected the number 'epoch'")
            epochs = {n: e for n, e in epochs.items() if n < event["epoch"]}
            epochs[event["epoch"]] = event
        elif event["event"] == "eval":
            evaluations.append(event)
        elif event["event"] == "stop":
            stop = event
    return [epochs[n] for n in sorted(epochs)], evaluations, stop


def as_numbers(texts):
    try:
        numbers = [float(t) for t in texts]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def read_predictions(path):
    text = read_text(path, False)
    if text is None:
        return None
    rows = list(csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or not {"target", "prediction"} <= set(rows[0]):
        raise RunError(f"{path}:1: expected the columns target and prediction")
    header, rows = rows[0], rows[1:]
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise RunError(f"{path}:{number}: expected {len(header)} columns, "
                           f"but got {len(row)}")
    if not rows:
        return None
    columns = {n: [r[i] for r in rows] for i, n in enumerate(header)}
    numbers = {n: as_numbers(c) for n, c in columns.items()}
    is_numeric = bool(numbers["target"] and numbers["prediction"])
    for name, values in numbers.items():
        if values and (is_numeric or name not in ("target", "prediction")):
            columns[name] = values
    return Predictions(columns, is_numeric)


def read_tree(path):
    tree = read_json(path, dict)
    if tree is None:
        return None
    parents = tree.get("parents")
    if not isinstance(parents, list) or not parents:
        raise RunError(f"{path}: expected the list 'parents'")
    count = len(parents)
    for name in ("labels", "predictions", "targets"):
        values = tree.get(name)
        if values is None and name != "labels":
            continue
        if not isinstance(values, list) or len(values) != count:
            raise RunError(f"{path}: expected the list '{name}' with {count} entries")
    for node, parent in enumerate(parents):
        if not isinstance(parent, int) or not -1 <= parent < count or parent == node:
            raise RunError(f"{path}: expected the index of another node or -1 as "
                           f"parent of node {node}, but got {parent!r}")
    if parents.count(-1) != 1:
        raise RunError(f"{path}: expected one root, but got {parents.count(-1)}")
    return tree


def read_run(folder):
    if not os.path.isdir(folder):
        raise RunError(f"{folder}: expected a run folder")
    epochs, evaluations, stop = read_log(os.path.join(folder, "log.jsonl"))
    return Run(
        folder,
        read_json(os.path.join(folder, "config.json"), dict) or {},
        epochs,
        evaluations,
        stop,
        read_predictions(os.path.join(folder, "predictions.tsv")),
        read_tree(os.path.join(folder, "tree.json")),
    )
