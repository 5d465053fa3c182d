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

from . import measures, rows
from .source import Source

NUMBERS = ("rmse", "mse", "pearson", "spearman")  # metrics of numbers


class RunError(Exception):
    """A run folder that cannot be read; the text names file, line and reason."""


@dataclasses.dataclass
class Predictions:
    """The columns of predictions.tsv by name; numbers where all are numbers."""

    columns: dict
    is_numeric: bool  # targets and predictions are numbers, and no classes

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
    trees: list  # the examples of trees.jsonl
    rows: dict  # of rows.json

    @property
    def metric(self):
        return str(self.config.get("metric") or "metric")

    def best_epoch(self):
        """The event of the epoch whose parameters were kept, or None."""
        kept = [e for e in self.epochs if e["epoch"] == self.stop.get("best_epoch")]
        kept = kept or [e for e in self.epochs if e.get("best")]
        return kept[-1] if kept else (self.epochs[-1] if self.epochs else None)

    @property
    def shown(self):
        """What predictions.tsv is about, if that is known."""
        found = [e for e in self.evaluations if e.get("shown", True)]
        return Source.of(found[-1]) if found else None

    @property
    def dev(self):
        data, digests = self.config.get("data"), self.config.get("digests")
        return Source.of({
            "data": data.get("dev") if isinstance(data, dict) else None,
            "digest": digests.get("the dev data") if isinstance(digests, dict) else None})

    def results(self):
        """Metrics of "dev" and of each file that was evaluated, by its name and digest;
        the one that predictions.tsv is about comes last."""
        found = {}
        best = self.best_epoch()
        if best:
            dev = best.get("dev") if isinstance(best.get("dev"), dict) else {}
            found["dev"] = {self.metric: best.get("dev_metric"), **dev}
        for event in self.evaluations:
            metrics = event.get("metrics")
            metrics = metrics if isinstance(metrics, dict) else {}
            name = str(Source.of(event) or "data")
            found[name] = {self.metric: event.get("metric"), **metrics}
        last = str(self.shown)
        return {n: m for n, m in found.items() if n != last} | {
            n: m for n, m in found.items() if n == last}


@dataclasses.dataclass
class Group:
    """One training, or several of the same with different seeds."""

    name: str
    runs: list

    def spread(self, data, metric):
        """Mean and deviation over the runs; None where there is none."""
        return measures.spread([run.results().get(data, {}).get(metric)
                                for run in self.runs])

    def typical(self):
        """The run that was best on dev: what is shown in detail."""
        def value(run):
            best = run.best_epoch()
            found = best.get("dev_metric") if best else None
            if not isinstance(found, (int, float)):
                return -math.inf
            return found if measures.more_is_better(run.metric) else -found
        return max(self.runs, key=value)


def read_text(path, is_required):
    # A pipe would wait for its writer.
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise RunError(f"{path}: expected a regular file, but got a pipe or a device")
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


def read_predictions(path, metric):
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
    # Classes have probabilities; where they stand for numbers, the metric says so.
    are_numbers = bool(numbers["target"] and numbers["prediction"])
    is_numeric = are_numbers and ("probability" not in columns or
                                  metric.startswith(NUMBERS))
    for name, values in numbers.items():
        if values and (are_numbers or name not in ("target", "prediction")):
            columns[name] = values
    return Predictions(columns, is_numeric)


def check_tree(path, tree):
    """A tree as in tree.json; `path` is its place, for messages."""
    parents = tree.get("parents")
    if not isinstance(parents, list) or not parents:
        raise RunError(f"{path}: expected the list 'parents'")
    count = len(parents)
    rows = [(name, tree.get(name)) for name in ("labels", "predictions", "targets",
                                                "probabilities")]
    for kind in ("nodes", "edges"):
        if not isinstance(tree.get(kind, {}), dict):
            raise RunError(f"{path}: expected the object '{kind}'")
        rows += tree.get(kind, {}).items()
    for name, values in rows:
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


def read_tree(path):
    tree = read_json(path, dict)
    return None if tree is None else check_tree(path, tree)


def read_trees(path):
    """The examples of trees.jsonl, in their order; none without the file."""
    examples = []
    for number, line in enumerate((read_text(path, False) or "").splitlines(), 1):
        place = f"{path}:{number}"
        try:
            example = json.loads(line)
        except ValueError as error:
            raise RunError(f"{place}: expected JSON, but got: {error}") from None
        if not isinstance(example, dict) or not isinstance(example.get("trees"), list):
            raise RunError(f"{place}: expected an object with the list 'trees'")
        for tree in example["trees"]:
            if not isinstance(tree, dict):
                raise RunError(f"{place}: expected an object in the list 'trees'")
            check_tree(place, tree)
        examples.append(example)
    return examples


def read_rows(path):
    found = read_json(path, dict)
    error = rows.error_of(found) if found else None
    if error:
        raise RunError(f"{path}: {error}")
    return found


def read_run(folder):
    if not os.path.isdir(folder):
        raise RunError(f"{folder}: expected a run folder")
    epochs, evaluations, stop = read_log(os.path.join(folder, "log.jsonl"))
    config = read_json(os.path.join(folder, "config.json"), dict) or {}
    return Run(
        folder,
        config,
        epochs,
        evaluations,
        stop,
        read_predictions(os.path.join(folder, "predictions.tsv"),
                         str(config.get("metric"))),
        read_tree(os.path.join(folder, "tree.json")),
        read_trees(os.path.join(folder, "trees.jsonl")),
        read_rows(os.path.join(folder, "rows.json")),
    )


def read_group(folder, name):
    """The training in a folder, or those of `train --seeds` that are done."""
    summary = read_json(os.path.join(folder, "summary.json"), dict)
    if summary is None:
        return Group(name, [read_run(folder)])
    runs = summary.get("runs")
    path = os.path.join(folder, "summary.json")
    if not isinstance(runs, list) or not runs:
        raise RunError(f"{path}: expected the list 'runs' with a run")
    if not all(isinstance(r, dict) and isinstance(r.get("folder"), str) for r in runs):
        raise RunError(f"{path}: expected the name 'folder' of every run")
    return Group(name, [read_run(os.path.join(folder, r["folder"])) for r in runs])


def short_names(folders):
    """The last parts of paths, as many as it takes to tell them apart."""
    parts = [os.path.abspath(folder).split(os.sep) for folder in folders]
    for count in range(1, max(map(len, parts)) + 1):
        names = [os.sep.join(p[-count:]) for p in parts]
        if len(set(names)) == len(names):
            return names
    raise RunError(f"expected different run folders, but got {folders[0]} twice")


def read_groups(folders):
    return [read_group(*pair) for pair in zip(folders, short_names(folders))]
