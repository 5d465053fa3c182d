#===-- test/Benchmark/results.py - Tables of measurements -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Tables and pictures of what `side-by-side` has measured: lines of JSON, one for each
measurement of a program, and one of the machine, from which bounds follow (roofline.py)."""

import collections
import json
import re
import statistics
import textwrap

from roofline import Machine

PARTS = ("products", "trees", "chains", "sick", "depth", "encoders", "models")
TITLES = {"products": "Products: columns x depth, by the number of rows",
          "trees": "Tree-LSTM of 256 columns, by the size of batches",
          "chains": "Chain LSTM, by the size of batches",
          "sick": "Child-Sum Tree-LSTM of 150 columns on SICK, by the size of batches",
          "depth": "Adaptive depth, by the part of iterations that is active, in %",
          "encoders": "Encoders, by the number of sentences",
          "models": "All models, by the operations of a call"}


class Results:
    """The records, each with its median, spread and bound."""

    def __init__(self, path):
        read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        self.machine = next((r for r in reversed(read) if r["part"] == "machine"), None)
        self.records = [r for r in read if r["part"] != "machine"]
        limits = Machine(self.machine) if self.machine else None
        for r in self.records:
            values = r["values"]
            r["median"] = statistics.median(values)
            r["least"], r["greatest"] = min(values), max(values)
            if limits and r.get("loops"):
                seconds, r["limit"] = limits.least(r["loops"], r["threads"])
                r["bound"] = 1 / seconds if seconds else None

    def of(self, part):
        """Groups of the records of the same work, by engine, in order of appearance."""
        groups = collections.defaultdict(dict)
        for r in self.records:
            if r["part"] == part:
                groups[r["case"], r["threads"], r["batch"]][r["engine"]] = r
        return groups


def digits(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def speed(record):
    if len(record["values"]) == 1:
        return digits(record["median"])
    return (f"{digits(record['median'])} ({digits(record['least'])} to "
            f"{digits(record['greatest'])})")


def is_ours(engine):
    return engine.startswith("Cambium")


def ratio_of(group):
    """Cambium's speed over that of the fastest other: the median over the rounds."""
    others = [r for name, r in group.items() if not is_ours(name)]
    if not others or "Cambium" not in group:
        return None
    best = max(others, key=lambda r: r["median"])
    pairs = zip(group["Cambium"]["values"], best["values"])
    return statistics.median(ours / theirs for ours, theirs in pairs)


def part_of(record):
    """Of the bound that is reached."""
    return record["median"] / record["bound"] if record.get("bound") else None


def table(results, part):
    groups = results.of(part)
    engines = list(dict.fromkeys(name for group in groups.values() for name in group))
    many = len({threads for _, threads, _ in groups}) > 1
    heads = ["", *(["threads"] if many else []), "size", *engines, "over the fastest other",
             "bound", "of the bound", "limit"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for (case, threads, batch), group in groups.items():
        ours, ratio = group.get("Cambium"), ratio_of(group)
        cells = [case, *([str(threads)] if many else []), f"{batch:g}"]
        cells += [speed(group[name]) if name in group else "" for name in engines]
        cells.append(f"{ratio:.2f}" if ratio else "")
        cells += ([digits(ours["bound"]), f"{part_of(ours):.0%}", ours["limit"]]
                  if ours and ours.get("bound") else ["", "", ""])
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def products(results):
    """A line for each weight, a column for each number of rows: the speed, in parentheses
    over the faster library, and the part of the bound."""
    groups = results.of("products")
    rows = sorted({batch for _, _, batch in groups})
    lines = ["| | " + " | ".join(map(str, rows)) + " |", "|---" * (len(rows) + 1) + "|"]
    for case in dict.fromkeys(case for case, _, _ in groups):
        cells = [case]
        for batch in rows:
            group = groups.get((case, 1, batch), {})
            ours = group.get("Cambium")
            cell = f"{ours['median']:.0f}" if ours else ""
            if ours and ratio_of(group):
                cell += f" ({ratio_of(group):.2f})"
            if ours and part_of(ours):
                cell += f" {part_of(ours):.0%}"
            cells.append(cell)
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def models(results):
    """Each model, the lowest parts first."""
    found = [r for r in results.records if r["part"] == "models" and part_of(r)]
    lines = ["| model | function | ms | bound, ms | of the bound | limit |", "|---" * 6 + "|"]
    for r in sorted(found, key=part_of):
        model, entry = r["case"].split(": ")
        lines.append(f"| {model} | {entry} | {1e3 / r['median']:.3g} | {1e3 / r['bound']:.3g} | "
                     f"{part_of(r):.0%} | {r['limit']} |")
    return lines


def kind_of(record):
    return "gradients" if record["case"].endswith(".accumulate") else "forward"


def model_summary(results):
    """How many models reach how much, by the size of their calls."""
    counted = [r for r in results.records if r["part"] == "models" and part_of(r)]
    # What is counted at most (docs/Performance/Limits.md) and ended early says nothing.
    found = [r for r in counted if part_of(r) <= 1]
    lines = ["| operations of a call | functions | lowest | a quarter below | median | highest |",
             "|---" * 6 + "|"]
    for kind in ("forward", "gradients"):
        for low, high, name in ((0, 1e6, "below 1e6"), (1e6, 1e8, "1e6 to 1e8"),
                                (1e8, 1e30, "1e8 and more")):
            parts = sorted(part_of(r) for r in found if kind_of(r) == kind
                           and low <= r["batch"] < high)
            if parts:
                quarter = parts[len(parts) // 4]
                shown = (parts[0], quarter, statistics.median(parts), parts[-1])
                lines.append(f"| {kind}, {name} | {len(parts)} | "
                             + " | ".join(f"{each:.0%}" for each in shown) + " |")
    if len(found) < len(counted):
        lines += ["", f"Left out: {len(counted) - len(found)} that did less than what is "
                  "counted at most."]
    return lines


def machine_lines(machine):
    shown = [f"{size / 2 ** 20:.3g} MB {rate / 1e9:.0f}" for size, rate in machine["bandwidth"]
             if round(size).bit_count() == 1]
    return textwrap.wrap(
        machine.get("processor", "A processor")
        + (f", at commit {machine['commit']}" if machine.get("commit") else "")
        + f", a load of {machine.get('load', 0):.1f} when it began: {machine['peak'] / 1e9:.0f}e9 "
        "multiplications and additions per second of a loop of multiply-adds; 1e9 bytes per "
        "second of a loop that reads so many again and again: " + ", ".join(shown) + ".", 100)


def section(results, part):
    """What stands on a page of a part, or of the machine."""
    if part == "machine" and results.machine:
        return [*machine_lines(results.machine), "",
                "![The part of the bound, for every measurement](Performance/bounds.svg)", "",
                "[All measurements](Performance/results.md)."]
    records = [r for r in results.records if r["part"] == part]
    if not records:
        return None
    if part == "models":
        return ["![The part of the bound, of all models](Performance/models.svg)", "",
                *model_summary(results)]
    return products(results) if part == "products" else table(results, part)


def tables(results):
    lines = ["# All measurements"]
    if results.machine:
        lines += ["", *machine_lines(results.machine)]
    for part in PARTS:
        records = [r for r in results.records if r["part"] == part]
        if records:
            lines += [f"\n## {TITLES[part]}",
                      f"{records[0]['unit']}: the median (least to greatest round).\n"]
            lines += models(results) if part == "models" else table(results, part)
    return "\n".join(lines) + "\n"


def fill(text, results):
    """A page with what was measured between `<!-- measured: PART -->` and `<!-- end -->`."""
    def replaced(match):
        lines = section(results, match[1])
        if lines is None:
            return match[0]
        return "\n".join([f"<!-- measured: {match[1]} -->", *lines, "<!-- end -->"])

    return re.sub(r"<!-- measured: (\w+) -->\n.*?<!-- end -->", replaced, text, flags=re.S)
