#===-- tools/reporting/rows.py - A number per row -------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The part of the page on rows.json: how often each word was computed, say."""

from . import pictures
from .elements import cards, figure, heading, number, tag
from .source import Source

MOST_GROUPS = 24  # of a picture


def error_of(rows):
    """What is wrong with the object of rows.json, or None."""
    def is_number(value):  # None stands for one that is not finite.
        return value is None or (isinstance(value, (int, float)) and
                                 not isinstance(value, bool))

    active, by = rows.get("active", []), rows.get("by", {})
    examples = rows.get("examples", [])
    if not isinstance(active, list) or None in active or not all(map(is_number, active)):
        return "expected the list 'active' of numbers"
    if not isinstance(by, dict) or not all(isinstance(g, list) for g in by.values()):
        return "expected the object 'by' of lists"
    for name, groups in by.items():
        if not all(isinstance(g, dict) and "mean" in g and is_number(g["mean"]) and
                   isinstance(g.get("rows"), int) for g in groups):
            return f"expected the numbers 'rows' and 'mean' of each entry of '{name}'"
    if not isinstance(examples, list):
        return "expected the list 'examples'"
    for place, example in enumerate(examples):
        parts = [example.get(key) for key in ("names", "values")] if isinstance(
            example, dict) else [None, None]
        if not all(isinstance(p, list) for p in parts) or len(parts[0]) != len(parts[1]):
            return f"expected the lists 'names' and 'values', of one length, of example {place}"
        if not all(map(is_number, parts[1])):
            return f"expected numbers as values of example {place}"
    return None


def shown(value):
    return number(None if value is None else float(value))


def strip(example, low, high):
    """A sentence; the warmer a word, the greater its number."""
    words = []
    for name, value in zip(example["names"], example["values"]):
        share = (value - low) / (high - low) if value is not None and high > low else 0.0
        ink = "#fff" if share > 0.6 else "inherit"
        words.append(tag("span", name, tag("small", shown(value)), style=(
            f"background:rgba(179,64,46,{0.05 + 0.8 * share:.2f});color:{ink}")))
    return tag("p", words, class_="heat")


def strips(rows):
    examples = rows.get("examples", [])
    values = [value for example in examples for value in example["values"]
              if value is not None]
    if not values:
        return []
    low, high = min(values), max(values)
    content = [strip(example, low, high) for example in examples]
    return [figure(content, f"Below each, its number: from {number(float(low))} (pale) to "
                   f"{number(float(high))}.", "Row by row", wide=True)]


def section(run):
    """The cards, with their heading; nothing without rows.json."""
    rows = run.rows
    if not rows:
        return []
    name = str(rows.get("function", "rows"))
    told = (f"{number(rows.get('rows'))} rows, mean {number(rows.get('mean'))}, "
            f"deviation {number(rows.get('deviation'))}")
    items = []
    if rows.get("active"):
        items.append(figure(pictures.active_parts(rows["active"]), told,
                            "Rows that take part in each iteration"))
    for field, groups in rows.get("by", {}).items():
        groups = [group for group in groups if group["mean"] is not None]
        if groups:
            most = groups[:MOST_GROUPS]
            left = len(groups) - len(most)
            note = "In brackets, the number of rows; the lines are deviations."
            note += f" {left} rarer ones are not shown." if left else ""
            items.append(figure(pictures.means(most, field), note, f"Mean by {field}"))
    source = Source.of(rows)
    title = f"{name} of rows" + (f" of {source}" if source else "")
    return [heading(title), *cards(items + strips(rows))]
