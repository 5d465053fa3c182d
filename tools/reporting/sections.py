#===-- tools/reporting/sections.py - Parts of the page on one run ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Parts of the page that are about one run: what came out, where it errs, trees."""

import html
import json

from . import drawing, measures, pictures, rows
from .elements import card, cards, figure, number, table

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
        return ""
    head = "".join(f'<th class="number">{html.escape(m)}</th>' for m in metrics)
    rows = "".join(
        f"<tr><th>{html.escape(name)}</th>" + "".join(
            f'<td class="number">{number(found.get(m))}</td>' for m in metrics) + "</tr>"
        for name, found in results.items())
    return f"<table><tr><th></th>{head}</tr>{rows}</table>"


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
                     ("mean of both", f"<b>{number((evaluation + together) / 2)}</b>")]
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
    head = "".join(f"<th>{html.escape(label(name))}</th>" for name in found.labels)
    rows = [f"<tr><th></th>{head}<th>found</th></tr>"]
    for i, name in enumerate(found.labels):
        total = sum(found.counts[i])
        cells = "".join(
            f'<td style="{shade(n / total if total else 0, i == j)}">{n:,}</td>'
            for j, n in enumerate(found.counts[i]))
        rows.append(f"<tr><th>{html.escape(label(name))}</th>{cells}"
                    f'<td class="edge">{percent(found.recall(i))}</td></tr>')
    edge = "".join(f'<td class="edge">{percent(found.precision(j))}</td>'
                   for j in range(len(found.labels)))
    rows.append(f"<tr><th>right</th>{edge}<td></td></tr>")
    return f'<table class="confusion">{"".join(rows)}</table>'


def percent(share):
    return "–" if share is None else f"{100 * share:.0f} %"


def confusion_cards(run):
    found = measures.confusion(run.predictions) if run.predictions else None
    if not found:
        return []
    return [figure(confusion_table(found),
                   "Rows: what is right; columns: what the model says. “found”: the "
                   "share of a row that is right; “right”: the share of a column.",
                   "Confusion")]


def error_cards(groups):
    """Where the errors are, over one run or several."""
    items = []
    for column, title in (("height", "height of the tree"), ("size", "length"),
                          ("operators", "number of operators"), ("level", "level")):
        found = pictures.error_by(groups, column, title)
        if found:
            items.append(figure(found[0], found[1], f"Error by {title}"))
    found = pictures.calibration(groups)
    if found:
        items.append(figure(found[0], found[1], "Calibration"))
    return items


def text_cards(run):
    """Errors by what the data says about the examples in words."""
    if not run.predictions:
        return []
    return [figure(pictures.error_by_text(run.predictions, column),
                   "In brackets, the number of examples.", f"Error by {column}")
            for column in measures.text_columns(run.predictions)[:MOST_TEXTS]]


def scatter_cards(run):
    svg = pictures.scatter(run.predictions) if run.predictions else None
    return [figure(svg, "Each mark is a pair; larger ones are more frequent. On the "
                   "dashed line, they agree.", "Predictions and targets")] if svg else []


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
    told = f"<b>{html.escape(drawing.short(said))}</b>"
    if isinstance(sure, (int, float)):
        told += f"<span>with probability {sure:.2f}</span>"
    if not right:
        told += f"<span>should be {html.escape(drawing.short(target))}</span>"
    told += f"<span>example {number(example.get('example'))}</span>"
    kind = "verdict" if right or example.get("rank") == "best" else "verdict wrong"
    titles = list(dict.fromkeys(str(t.get("title", "")) for t in example["trees"]))
    drawn = [drawing.draw_tree(tree) for tree in example["trees"]]
    width = sum(map(drawing.width_of, drawn))
    parts = [f'<p class="{kind}">{told}</p>']
    parts += [f'<p class="sentence">{html.escape(title)}</p>' for title in titles]
    parts += ['<div class="side">', *(f"<div>{svg}</div>" for svg in drawn), "</div>"]
    size = "card" if width <= HALF else "card wide"
    return f'<div class="{size}">{"".join(parts)}</div>'


def example_section(run):
    """The worst and the best examples."""
    parts = []
    for rank, title in (("worst", "The worst examples"), ("best", "The best examples")):
        examples = [e for e in run.trees if e.get("rank") == rank]
        if examples:
            parts.append(f"<h2>{title}</h2>")
            parts += cards([example_card(e) for e in examples])
            parts.append(f'<p class="note tree-note">{tree_caption(examples[0]["trees"][0])}</p>'
                         if examples[0]["trees"] else "")
    return parts


def tree_section(run):
    if not run.tree:
        return []
    title = html.escape(str(run.tree.get("title", "")))
    return ["<h2>One tree</h2>",
            f'<div class="card wide"><p class="sentence">{title}</p>'
            f"{drawing.draw_tree(run.tree)}</div>",
            f'<p class="note tree-note">{tree_caption(run.tree)}</p>']


def configuration(run):
    rows = []
    for key, value in run.config.items():
        if isinstance(value, dict):
            inner = ", ".join(f"{html.escape(str(k))} {number(v)}"
                              if not isinstance(v, (dict, list))
                              else f"{html.escape(str(k))} {html.escape(json.dumps(v))}"
                              for k, v in value.items())
            rows.append((key, inner))
        elif isinstance(value, list):
            rows.append((key, html.escape(" ".join(map(str, value)))))
        elif key == "command":
            rows.append((key, f"<code>{html.escape(str(value))}</code>"))
        else:
            rows.append((key, number(value)))
    return ["<h2>Configuration</h2>", card(table(rows))] if rows else []


def details(run, errors):
    """Everything about one run below the learning curve; `errors` are the cards of
    where the errors are."""
    parts = []
    items = confusion_cards(run) + errors + text_cards(run) + scatter_cards(run)
    if items:
        parts += ["<h2>Where the errors are</h2>"] + cards(items)
    return parts + rows.section(run) + example_section(run) + tree_section(run) + \
        configuration(run)
