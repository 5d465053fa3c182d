#===-- models/coba/coba/drawn.py - An expression with predictions at its nodes --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A model reads whole expressions; what it says of a node of an expression is what
it says of the expression below that node."""

import csv

from . import expressions as ex


def choose(expressions):
    """An expression worth drawing: the first of the largest ones that has both a
    sum and a product, else the first of the largest ones."""
    def rank(expression):
        text = ex.to_text(expression)
        return "+" in text and "*" in text, ex.count_operators(expression)

    return max(expressions, key=rank)


def parts(expression):
    """The expression below every node, in the order of the prefix notation, and
    the parent of each node (-1: none)."""
    found, parents = [], []
    stack = [(expression, -1)]
    while stack:
        part, parent = stack.pop()
        node = len(found)
        found.append(part)
        parents.append(parent)
        if not isinstance(part, int):
            stack += [(part[2], node), (part[1], node)]
    return found, parents


def tree(expression, predictions):
    """tree.json (docs/RunFolder.md) of an expression and one text per node."""
    nodes, parents = parts(expression)
    if len(predictions) != len(nodes):
        raise ValueError(f"expected {len(nodes)} predictions, one per node, but got "
                         f"{len(predictions)}")
    return {
        "title": f"{ex.to_text(expression)} = {ex.evaluate(expression)}",
        "parents": parents,
        "labels": [str(p) if isinstance(p, int) else p[0] for p in nodes],
        "targets": [str(ex.evaluate(p)) for p in nodes],
        "predictions": predictions,
    }


def read_predictions(path):
    """The column `prediction` of a predictions.tsv; numbers without fraction."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or rows[0].get("prediction") is None:
        raise ValueError(f"{path}: expected rows with the column prediction")
    try:
        return [f"{float(row['prediction']):g}" for row in rows]
    except ValueError as error:
        raise ValueError(f"{path}: expected numbers as predictions: {error}") from None
