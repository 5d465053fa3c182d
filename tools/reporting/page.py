#===-- tools/reporting/page.py - The HTML page ----------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The HTML page of a run, or of several: one file with everything in it."""

from . import comparison, pictures, sections
from .advice import advice
from .elements import card, code_in, document, figure, heading, number, tag, tile
from .run import Group


def subtitle(run):
    """One line about the run."""
    told = []
    if run.config.get("format"):
        told.append(f"data: {run.config['format']}")
    if isinstance(run.config.get("parameters"), int):
        told.append(f"{run.config['parameters']:,} parameters")
    if isinstance(run.config.get("examples"), dict):
        told += [f"{number(n)} examples ({name})"
                 for name, n in run.config["examples"].items()]
    if "seed" in run.config:
        told.append(f"seed {run.config['seed']}")
    return " · ".join(told)


def tiles(run):
    """The numbers that matter, in large type."""
    items = []
    for name, metrics in reversed(run.results().items()):
        value = metrics.get(run.metric)
        if isinstance(value, (int, float)):
            items.append(tile(number(float(value)), f"{run.metric} on {name}"))
    best = run.best_epoch()
    if best:
        items.append(tile([f"{best['epoch']} ", tag("small", f"of {len(run.epochs)}")],
                          "best epoch"))
    speeds = [e["examples_per_second"] for e in run.epochs
              if isinstance(e.get("examples_per_second"), (int, float))]
    if speeds:
        items.append(tile(f"{sum(speeds) / len(speeds):,.0f}",
                          "examples per second in training"))
    return tag("div", items, class_="tiles") if items else []


def next_section(steps):
    if not steps:
        return []
    return [heading("What to try next"),
            tag("ul", [tag("li", code_in(step)) for step in steps], class_="next")]


def render_one(run, title, next_steps):
    """The page of one run; next_steps are further lines of what to try next."""
    parts = [tag("header", tag("h1", title), tag("p", subtitle(run))), tiles(run)]
    rows = sections.facts(run)
    if rows:
        parts += [heading("Result"),
                  card(sections.results_table(run), sections.table(rows))]
    curve = pictures.learning_curve(run)
    if curve:
        parts += [heading("Learning curve"),
                  figure(curve, f"Dev: {run.dev}." if run.dev else "")]
    errors = sections.error_cards([Group("", [run])])
    parts += sections.details(run, errors)
    return document(title, parts + next_section(advice(run) + next_steps))


def render(groups, title, next_steps):
    """The page of groups of runs (run.Group)."""
    next_steps = list(next_steps)
    if len(groups) == 1 and len(groups[0].runs) == 1:
        return render_one(groups[0].runs[0], title, next_steps)
    parts = comparison.parts(groups, title)
    if len(groups) == 1:
        run = groups[0].typical()
        parts.append(heading(f'Seed {number(run.config.get("seed"))}, the best on dev'))
        parts += sections.cards(sections.confusion_cards(run) + sections.text_cards(run) +
                                sections.scatter_cards(run))
        parts += sections.example_section(run) + sections.tree_section(run)
        parts += sections.configuration(run)
    return document(title, parts + next_section(next_steps))
