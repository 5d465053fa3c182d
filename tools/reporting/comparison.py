#===-- tools/reporting/comparison.py - Several runs on one page -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Several runs on one page: results side by side, curves laid over each other."""

import itertools
import os

from . import measures, pictures, sections
from .elements import (card, cards, figure, heading, number, number_cell, plus_minus,
                       row, tag, tile)

MOST_IN_MATRIX = 12


def key(place):
    """The color of a group, as in the pictures."""
    return tag("span", class_="key", style=f"background:{pictures.color_of(place)}")


def results_of(groups):
    """Names of data, each with the metrics to show."""
    chosen = groups[0].runs[0].metric
    data = []
    for group in groups:
        for run in group.runs:
            data += [name for name in run.results() if name not in data]
    found = []
    for name in data:
        metrics = [m for m in dict.fromkeys([chosen, *sections.MAIN])
                   if any(g.spread(name, m)[0] is not None for g in groups)]
        if metrics:
            found.append((name, [chosen] if name == "dev" else metrics))
    return found


def best_place(groups, data, metric):
    """The place of the group with the best mean, if there are several."""
    means = [g.spread(data, metric)[0] for g in groups]
    known = [m for m in means if m is not None]
    if len(known) < 2 or len(set(known)) == 1:
        return None
    choose = max if measures.more_is_better(metric) else min
    return means.index(choose(known))


def results_table(groups):
    """A row per group; with one group, a row per run and their mean."""
    columns = [(d, m) for d, metrics in results_of(groups) for m in metrics]
    head = [tag("th", m, tag("br"), d, class_="number") for d, m in columns]
    rows = [row(tag("th"), tag("th", "best epoch", class_="number"), head)]
    if len(groups) == 1:
        for run in groups[0].runs:
            found = run.results()
            rows.append(row(tag("th", run_name(run)), number_cell(number(epoch_of(run))),
                            [number_cell(number(found.get(d, {}).get(m)))
                             for d, m in columns]))
    for place, group in enumerate(groups):
        is_total = len(groups) == 1
        name = "mean ± deviation" if is_total else [key(place), group.name]
        epochs = measures.spread([epoch_of(run) for run in group.runs])
        cells = [number_cell(
            plus_minus(*group.spread(data, metric)),
            class_="best" if best_place(groups, data, metric) == place else "")
            for data, metric in columns]
        rows.append(row(tag("th", name), number_cell(plus_minus(*epochs)), cells,
                        class_="total" if is_total else None))
    return tag("table", rows)


def epoch_of(run):
    best = run.best_epoch()
    return best["epoch"] if best else None


def run_name(run):
    return f"seed {run.config['seed']}" if "seed" in run.config else \
        os.path.basename(os.path.abspath(run.folder))


def tiles(group):
    """Mean and deviation of what was chosen by, in large type."""
    metric = group.runs[0].metric
    items = []
    for name in reversed(group.runs[0].results()):
        mean, deviation = group.spread(name, metric)
        if mean is None:
            continue
        value, _, around = plus_minus(mean, deviation).partition(" ± ")
        around = [" ", tag("small", f"± {around}")] if around else ""
        items.append(tile([value, around], f"{metric} on {name}"))
    items.append(tile(str(len(group.runs)), "seeds"))
    return tag("div", items, class_="tiles")


def agreement_runs(groups):
    """Names and runs to compare: all, or of many the best one of each group."""
    found = [(group, run) for group in groups for run in group.runs if run.predictions]
    if len(found) > MOST_IN_MATRIX:
        found = [(g, g.typical()) for g in groups if g.typical().predictions] \
            if len(groups) > 1 else found
        found = found[:MOST_IN_MATRIX]

    def name(group, run):
        if len(groups) == 1:
            return run_name(run)
        return f"{group.name}, {run_name(run)}" if len(group.runs) > 1 else group.name
    return [name(*pair) for pair in found], [run for _, run in found]


def agreement_card(groups):
    """How far the predictions of any two runs agree."""
    names, runs = agreement_runs(groups)
    values = [[None if a is b else measures.run_agreement(a.predictions, b.predictions)
               for b in runs] for a in runs]
    known = [v for v in itertools.chain(*values) if v is not None]
    if not known:
        return []
    numeric = runs[0].predictions.is_numeric
    low, high = min(known), max(known)
    rows = [row(tag("th"), [tag("th", name) for name in names])]
    for name, line in zip(names, values):
        rows.append(row(tag("th", name), [
            tag("td") if v is None else
            tag("td", f"{v:.3f}", style=tint(v, low, high, numeric)) for v in line]))
    what = ("RMSE between the predictions of two runs" if numeric else
            "Share of examples that two runs give the same class")
    return [figure(tag("table", rows, class_="matrix"),
                   f"{what}; {sum(known) / len(known):.3f} on average.", "Agreement",
                   wide=len(names) > 4)]


def tint(value, low, high, numeric):
    share = (value - low) / (high - low) if high > low else 0.5
    return sections.shade(0.1 + 0.5 * (1 - share if numeric else share), True)


def flat(config):
    """The configuration as one level of names and values."""
    rows = {}
    for name, value in config.items():
        if isinstance(value, dict):
            rows.update({f"{name}.{inner}": v for inner, v in value.items()})
        else:
            rows[name] = value
    return rows


def differences(groups):
    """What the configurations of the groups differ in."""
    configs = [flat(group.runs[0].config) for group in groups]
    names = list(dict.fromkeys(itertools.chain(*configs)))
    rows = [n for n in names if n not in ("command", "seed", "options.seed") and
            len({repr(c.get(n)) for c in configs}) > 1]
    if not rows:
        return []
    head = row(tag("th"), [tag("th", key(i), g.name) for i, g in enumerate(groups)])
    body = [row(tag("th", n), [tag("td", value_text(c.get(n))) for c in configs])
            for n in rows]
    return [heading("What differs"), card(tag("table", head, body))]


def value_text(value):
    if value is None:
        return "–"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def parts(groups, title):
    """The page from its heading to what differs."""
    count = sum(len(g.runs) for g in groups)
    told = f"{count} seeds" if len(groups) == 1 else ", ".join(
        f"{g.name} ({len(g.runs)} seeds)" if len(g.runs) > 1 else g.name for g in groups)
    found = [tag("header", tag("h1", title), tag("p", told))]
    if len(groups) == 1:
        found.append(tiles(groups[0]))
    found += [heading("Results"), card(results_table(groups))]
    legend = [] if len(groups) == 1 else tag("p", [
        [key(i), g.name, " \u00a0 "] for i, g in enumerate(groups)])
    curves = pictures.overlaid_curves(groups)
    if curves:
        caption = "" if count == len(groups) else \
            "Thin lines: the seeds; thick ones: their mean."
        found += [heading("Learning curves"), figure([legend, curves], caption)]
    errors = sections.error_cards(groups) + agreement_card(groups)
    if errors:
        found += [heading("Where the errors are"), legend] + cards(errors)
    return found + (differences(groups) if len(groups) > 1 else [])
