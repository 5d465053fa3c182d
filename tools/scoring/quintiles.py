#===-- tools/scoring/quintiles.py - Rare classes apart -------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Accuracy of frequent and of rare classes (Jin et al. 2017; Stiff et al. 2020): classes in
the order of their frequency in the training data are cut into five groups that have a fifth
of it each, as nearly as whole classes allow. Group 1 has the most frequent classes, group 5
the rarest, and those that are not in the training data. A group without an example has no
line; of each, `classes_N` counts the classes and `examples_N` the examples."""

import collections

from .files import ScoreError, columns_of

GROUPS = 5


def groups_of(labels):
    """The group of each class, from 0: the one that the middle of its examples is in."""
    counts = collections.Counter(labels)
    found, before = {}, 0
    for label in sorted(counts, key=lambda label: (-counts[label], label)):
        found[label] = (2 * before + counts[label]) * GROUPS // (2 * len(labels))
        before += counts[label]
    return found


def run(options):
    labels, = columns_of(options.train, [options.label], str)
    targets, answers = columns_of(options.predictions, ["target", "prediction"], str)
    if not labels or not targets:
        raise ScoreError(f"{options.predictions if labels else options.train}: expected "
                         "lines below the names of the columns")
    found = groups_of(labels)
    places = [found.get(target, GROUPS - 1) for target in targets]
    result = {}
    for group in range(GROUPS):
        right = [target == answer for target, answer, place in zip(targets, answers, places)
                 if place == group]
        if right:
            result[f"accuracy_{group + 1}"] = sum(right) / len(right)
            result[f"classes_{group + 1}"] = sum(g == group for g in found.values())
            result[f"examples_{group + 1}"] = len(right)
    return result
