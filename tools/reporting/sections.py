#===-- tools/reporting/sections.py - Parts of the page on one run ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Parts of the page that are about one run: what came out, where it errs, trees."""

import json

from . import drawing, measures, pictures, rows
from .elements import card, cards, figure, heading, number, number_cell, row, table, tag
from .run import Group
from .source import Source, about

MAIN = ("accuracy", "accuracy_all", "macro_f1", "macro_f1_all", "kappa", "pearson",
        "spearman", "mse", "rmse", "loss")
MOST_TEXTS = 4  # columns of texts that errors are shown by
HALF = 470  # pixels of a tree that leaves room for another one beside it


def label(value):
    """A class as a user reads it."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def results_table(run):
    """All metrics of dev and of every evaluated file."""
    results = run.results()
    metrics = [m for m in MAIN if any(isinstance(r.get(m), (int, float))
                                      for r in results.values())]
    metrics += sorted({m for r in results.values() for m in r
                       if isinstance(r[m], (int, float))} - set(metrics))
    if not metrics:
        return []
    head = [tag("th", m, class_="number") for m in metrics]
    found = [row(tag("th", name), [number_cell(number(result.get(m))) for m in metrics])
             for name, result in results.items()]
    return tag("table", row(tag("th"), head), found)


def facts(run):
    """What there is to say beside the metrics, as rows of a table."""
    rows = []
    if run.predictions:
        together = measures.tuple_agreement(run.predictions)
        if together is not None:
            alone = run.predictions.rows(
                lambda i: run.predictions.columns["level"][i] == 0)
            evaluation = measures.error_of(alone.errors(), True)
            rows += [("RMSE of expressions", number(evaluation)),
                     ("RMSE between partners", number(together)),
                     ("mean of both", tag("b", number((evaluation + together) / 2)))]
    best = run.best_epoch()
    if best:
        rows.append(("best epoch", f"{run.metric} on dev {number(best.get('dev_metric'))} "
                     f"(epoch {best['epoch']} of {len(run.epochs)})"))
    seconds = [e["seconds"] for e in run.epochs
               if isinstance(e.get("seconds"), (int, float))]
    if seconds:
        rows.append(("training time", f"{number(float(sum(seconds)))} s, "
                     f"{number(sum(seconds) / len(seconds))} s per epoch"))
    return rows


def shade(share, right):
    """The background of a cell of a table: from white to green, or to red."""
    red, green, blue = (47, 125, 79) if right else (179, 64, 46)
    ink = "#fff" if share > 0.6 else "inherit"
    return f"background:rgba({red},{green},{blue},{0.04 + 0.8 * share:.2f});color:{ink}"


def confusion_table(found):
    """Targets down, predictions across; the shade is the share of the row."""
    head = [tag("th", label(name)) for name in found.labels]
    lines = [row(tag("th"), head, tag("th", "found"))]
    for i, name in enumerate(found.labels):
        total = sum(found.counts[i])
        cells = [tag("td", f"{n:,}", style=shade(n / total if total else 0, i == j))
                 for j, n in enumerate(found.counts[i])]
        lines.append(row(tag("th", label(name)), cells,
                         tag("td", percent(found.recall(i)), class_="edge")))
    edge = [tag("td", percent(found.precision(j)), class_="edge")
            for j in range(len(found.labels))]
    lines.append(row(tag("th", "right"), edge, tag("td")))
    return tag("table", lines, class_="confusion")


def percent(share):
    return "–" if share is None else f"{100 * share:.0f} %"


def confusion_cards(run):
    found = measures.confusion(run.predictions) if run.predictions else None
    if not found:
        return []
    return [figure(confusion_table(found),
                   about(run.shown, "Rows: what is right; columns: what the model says. "
                         "“found”: the share of a row that is right; “right”: the share of "
                         "a column."), "Confusion")]


def error_cards(groups):
    """Where the errors are, over one run or several that were evaluated on one file."""
    source = next((r.shown for g in groups for r in g.runs if r.predictions), None)
    groups = [Group(g.name, [r for r in g.runs if r.shown == source]) for g in groups]
    items = []
    for column, title in (("height", "height of the tree"), ("size", "length"),
                          ("operators", "number of operators"), ("level", "level")):
        found = pictures.error_by(groups, column, title)
        if found:
            items.append(figure(found[0], about(source, found[1]), f"Error by {title}"))
    found = pictures.calibration(groups)
    if found:
        items.append(figure(found[0], about(source, found[1]), "Calibration"))
    return items


def text_cards(run):
    """Errors by what the data says about the examples in words."""
    if not run.predictions:
        return []
    return [figure(pictures.error_by_text(run.predictions, column),
                   about(run.shown, "In brackets, the number of examples."),
                   f"Error by {column}")
            for column in measures.text_columns(run.predictions)[:MOST_TEXTS]]


def scatter_cards(run):
    svg = pictures.scatter(run.predictions) if run.predictions else None
    return [figure(svg, about(run.shown, "Each mark is a pair; larger ones are more "
                              "frequent. On the dashed line, they agree."),
                   "Predictions and targets")] if svg else []


def tree_caption(tree):
    """How to read the picture."""
    told = []
    if tree.get("predictions"):
        told.append("In each node, what the model says of the part below it; green if "
                    "that is right, red if not; in brackets, what is.")
    if tree.get("probabilities"):
        told.append("The fuller, the surer.")
    if tree.get("edges"):
        told.append(f"On the arcs: {', '.join(tree['edges'])}.")
    if tree.get("nodes"):
        told.append(f"A pointer over a node shows: {', '.join(tree['nodes'])}.")
    return " ".join(told)


def example_card(example):
    """An example of trees.jsonl: the verdict, its trees."""
    said, target = example.get("prediction"), example.get("target")
    right = str(said) == str(target)
    sure = example.get("probability")
    told = [tag("b", drawing.short(said))]
    if isinstance(sure, (int, float)):
        told.append(tag("span", f"with probability {sure:.2f}"))
    if not right:
        told.append(tag("span", f"should be {drawing.short(target)}"))
    told.append(tag("span", f"example {number(example.get('example'))}"))
    kind = "verdict" if right or example.get("rank") == "best" else "verdict wrong"
    titles = dict.fromkeys(str(t.get("title", "")) for t in example["trees"])
    drawn = [drawing.draw_tree(tree) for tree in example["trees"]]
    return tag("div", tag("p", *told, class_=kind),
               [tag("p", title, class_="sentence") for title in titles],
               tag("div", [tag("div", svg) for svg, _ in drawn], class_="side"),
               class_="card" if sum(width for _, width in drawn) <= HALF else "card wide")


def tree_note(tree):
    return tag("p", tree_caption(tree), class_="note tree-note")


def belongs(run, found):
    """Whether an example is of the file that the errors beside it are of."""
    source = Source.of(found)
    return not run.predictions or source is None or source == run.shown


def heading_of(text, found):
    source = Source.of(found)
    return heading(f"{text} of {source}" if source else text)


def example_section(run):
    """The worst and the best examples."""
    parts = []
    for rank, title in (("worst", "The worst examples"), ("best", "The best examples")):
        examples = [e for e in run.trees if e.get("rank") == rank and belongs(run, e)]
        if examples:
            parts.append(heading_of(title, examples[0]))
            parts += cards([example_card(e) for e in examples])
            parts += [tree_note(tree) for tree in examples[0]["trees"][:1]]
    return parts


def tree_section(run):
    """The tree of tree.json, unless it is one of the examples."""
    if not run.tree or not belongs(run, run.tree) or any(
            tree == run.tree for e in run.trees if belongs(run, e) for tree in e["trees"]):
        return []
    drawn, _ = drawing.draw_tree(run.tree)
    return [heading_of("One tree", run.tree),
            tag("div", tag("p", run.tree.get("title", ""), class_="sentence"), drawn,
                class_="card wide"),
            tree_note(run.tree)]


def configured(key, value):
    """A value of the configuration, as a user reads it."""
    if isinstance(value, dict):
        return ", ".join(
            f"{k} {json.dumps(v) if isinstance(v, (dict, list)) else number(v)}"
            for k, v in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return tag("code", value) if key == "command" else number(value)


def configuration(run):
    rows = [(key, configured(key, value)) for key, value in run.config.items()]
    return [heading("Configuration"), card(table(rows))] if rows else []


def details(run, errors):
    """Everything about one run below the learning curve; `errors` are the cards of
    where the errors are."""
    parts = []
    items = confusion_cards(run) + errors + text_cards(run) + scatter_cards(run)
    if items:
        parts += [heading("Where the errors are")] + cards(items)
    return parts + rows.section(run) + example_section(run) + tree_section(run) + \
        configuration(run)
