#===-- tools/reporting/measures.py - What predictions say ----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Tables from predictions: confusion, calibration, errors by group, agreement."""

import collections
import dataclasses
import math

MOST_CLASSES = 20
MOST_GROUPS = 12
BINS = 10


def more_is_better(metric):
    return metric.startswith(("accuracy", "macro_f1", "kappa", "pearson", "spearman"))


@dataclasses.dataclass
class Confusion:
    """How often class `labels[i]` was taken for `labels[j]`: `counts[i][j]`."""

    labels: list
    counts: list

    def recall(self, i):
        total = sum(self.counts[i])
        return self.counts[i][i] / total if total else None

    def precision(self, j):
        total = sum(row[j] for row in self.counts)
        return self.counts[j][j] / total if total else None


def label_order(label):
    return (0, label, "") if isinstance(label, float) else (1, 0, str(label))


def confusion(predictions):
    """None for numbers and for very many classes."""
    if predictions.is_numeric:
        return None
    targets, said = predictions.columns["target"], predictions.columns["prediction"]
    labels = sorted(set(targets) | set(said), key=label_order)
    if not 2 <= len(labels) <= MOST_CLASSES:
        return None
    index = {label: i for i, label in enumerate(labels)}
    counts = [[0] * len(labels) for _ in labels]
    for target, prediction in zip(targets, said):
        counts[index[target]][index[prediction]] += 1
    return Confusion(labels, counts)


def calibration(predictions):
    """Per bin of probabilities: mean probability, share of right answers, examples;
    and the expected calibration error. None where there are no probabilities."""
    sure = predictions.columns.get("probability")
    if predictions.is_numeric or not sure or not isinstance(sure[0], float):
        return None
    bins = [[0.0, 0, 0] for _ in range(BINS)]
    for probability, error in zip(sure, predictions.errors()):
        found = bins[min(BINS - 1, int(probability * BINS))]
        found[0] += probability
        found[1] += error == 0
        found[2] += 1
    points = [(total / n, right / n, n) for total, right, n in bins if n]
    gap = sum(abs(p - r) * n for p, r, n in points) / len(predictions)
    return points, gap


def error_of(errors, is_numeric):
    """The root of the mean square of numbers, the percentage of wrong classes."""
    mean = sum(errors) / len(errors)
    return math.sqrt(mean) if is_numeric else 100 * mean


def whole_numbers(predictions, column):
    """The numbers of a column, if they are whole ones; else None."""
    values = predictions.columns.get(column)
    if not values or not all(isinstance(v, float) and v.is_integer() for v in values):
        return None
    return [int(v) for v in values]


def groups_of(values):
    """First and last value of groups: each value alone if there are few, else
    groups of about as many examples each."""
    counts = collections.Counter(values)
    keys = sorted(counts)
    if len(keys) <= MOST_GROUPS:
        return [(k, k) for k in keys]
    groups, taken, first = [], 0, None
    for key in keys:
        first = key if first is None else first
        taken += counts[key]
        if taken * MOST_GROUPS >= len(values) * (len(groups) + 1):
            groups.append((first, key))
            first = None
    return groups


def group_name(group):
    first, last = group
    return str(first) if first == last else f"{first}–{last}"


def error_by_group(predictions, column, groups):
    """Error (None where there is no example) and number of examples per group."""
    found = [[] for _ in groups]
    for value, error in zip(whole_numbers(predictions, column), predictions.errors()):
        for place, (first, last) in enumerate(groups):
            if first <= value <= last:
                found[place].append(error)
                break
    return [(error_of(errors, predictions.is_numeric) if errors else None, len(errors))
            for errors in found]


def text_columns(predictions):
    """Columns of the data that sort the examples into a few groups, by their names."""
    known = ("example", "target", "prediction", "size", "height", "probability")
    found = []
    for name, values in predictions.columns.items():
        if name in known or not all(isinstance(v, str) for v in values):
            continue
        if 2 <= len(set(values)) <= MOST_GROUPS and len(values) > 2 * len(set(values)):
            found.append(name)
    return found


def error_by_text(predictions, column):
    """Value, error and number of examples for every value of a column."""
    found = collections.defaultdict(list)
    for value, error in zip(predictions.columns[column], predictions.errors()):
        found[value].append(error)
    return [(value, error_of(errors, predictions.is_numeric), len(errors))
            for value, errors in sorted(found.items())]


def tuple_agreement(predictions):
    """RMSE between the predictions of the two members of each tuple, or None."""
    groups, levels = predictions.columns.get("tuple"), predictions.columns.get("level")
    if not predictions.is_numeric or not groups or not levels or not any(levels):
        return None
    first = {}
    squares = []
    for group, level, said in zip(groups, levels, predictions.columns["prediction"]):
        if level == 0:
            first[group] = said
        elif group in first:
            squares.append((said - first[group]) ** 2)
    return math.sqrt(sum(squares) / len(squares)) if squares else None


def run_agreement(a, b):
    """How far the predictions of two runs agree: the share of equal classes, or the
    RMSE between numbers. None where they are not about the same examples."""
    if not a or not b or a.is_numeric != b.is_numeric:
        return None
    if a.columns["target"] != b.columns["target"]:
        return None
    pairs = list(zip(a.columns["prediction"], b.columns["prediction"]))
    if a.is_numeric:
        return math.sqrt(sum((x - y) ** 2 for x, y in pairs) / len(pairs))
    return sum(x == y for x, y in pairs) / len(pairs)


def spread(values):
    """Mean and deviation of a sample; None of no and of one value."""
    values = [v for v in values if isinstance(v, (int, float))]
    if not values:
        return None, None
    mean = sum(values) / len(values)
    if len(values) == 1:
        return mean, None
    squares = sum((v - mean) ** 2 for v in values)
    return mean, math.sqrt(squares / (len(values) - 1))
