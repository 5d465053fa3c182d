#===-- tools/reporting/page.py - The HTML page of a run ------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The HTML page of a run: one file with everything in it."""

import html
import json
import math
import os

from . import drawing, pictures

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fdfcf9;
       max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.2rem; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top;
       padding: .25rem 1rem .25rem 0; border-bottom: 1px solid #e5e0d5; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; display: inline-block; max-width: 100%; overflow-x: auto; }
figcaption, .note { color: #666; font-size: .85rem; max-width: 27rem; }
svg { max-width: 100%; height: auto; } svg.tree { max-width: none; }
.tree line { stroke: #b9ad95; stroke-width: 1.5; }
.tree circle { fill: #fff; stroke: #8d6e3f; stroke-width: 1.5; }
.tree .right circle { stroke: #2f7d4f; } .tree .wrong circle { stroke: #b3402e; }
.tree text { font-size: 13px; text-anchor: middle; fill: #222; }
.tree .said { font-size: 12px; fill: #2f7d4f; paint-order: stroke; stroke: #fdfcf9;
       stroke-width: 4px; } .tree .wrong .said { fill: #b3402e; }
.big { font-size: 1.6rem; } code { background: #f1ede3; padding: .1em .3em; }
pre { background: #f1ede3; padding: .7rem; overflow-x: auto; }
"""


def number(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else html.escape(str(value))


def table(rows):
    cells = ("<tr>" + "".join(f"<th>{html.escape(str(r[0]))}</th>") +
             f"<td>{r[1]}</td></tr>" for r in rows)
    return "<table>" + "\n".join(cells) + "</table>"


def figure(svg, caption=""):
    return f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def agreement(predictions):
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


def results(run):
    """What came out, as rows of a table."""
    metric = str(run.config.get("metric", "metric"))
    rows = []
    for event in run.evaluations:
        name = os.path.basename(str(event.get("data", "data")))
        rows.append((f"{metric} on {name}", f"<b>{number(event.get('metric'))}</b> "
                     f"({number(event.get('examples'))} examples, "
                     f"{number(event.get('seconds'))} s)"))
    if run.predictions:
        together = agreement(run.predictions)
        if together is not None:
            alone = run.predictions.rows(
                lambda i: run.predictions.columns["level"][i] == 0)
            evaluation = pictures.error_of(alone.errors(), True)
            rows += [("RMSE of expressions", number(evaluation)),
                     ("RMSE between partners", number(together)),
                     ("mean of both", f"<b>{number((evaluation + together) / 2)}</b>")]
    best = best_epoch(run)
    if best:
        rows.append((f"{metric} on dev", f"{number(best.get('dev_metric'))} "
                     f"(epoch {best['epoch']} of {len(run.epochs)})"))
    seconds = [e["seconds"] for e in run.epochs
               if isinstance(e.get("seconds"), (int, float))]
    if seconds:
        rows.append(("training time", f"{number(float(sum(seconds)))} s, "
                     f"{number(sum(seconds) / len(seconds))} s per epoch"))
    return rows


def best_epoch(run):
    marked = [e for e in run.epochs if e["epoch"] == run.stop.get("best_epoch")]
    marked = marked or [e for e in run.epochs if e.get("best")]
    return marked[-1] if marked else (run.epochs[-1] if run.epochs else None)


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
    return rows


def error_section(run):
    parts = []
    if run.predictions:
        for column, title in (("height", "height of the tree"),
                              ("operators", "number of operators"),
                              ("level", "level")):
            found = pictures.error_by(run.predictions, column, title)
            if found:
                parts.append(figure(found[0], f"Examples: {found[1]}"))
        if not parts:
            found = pictures.error_by(run.predictions, "size", "size")
            parts += [figure(found[0], f"Examples: {found[1]}")] if found else []
        svg = pictures.scatter(run.predictions)
        if svg:
            parts.append(figure(svg, "Each mark is a pair; larger ones are more "
                                "frequent. On the line, they agree."))
    return parts


def advice(run):
    """What to try next, from what the run shows."""
    items = []
    best = best_epoch(run)
    if run.stop.get("reason") == "interrupted":
        items.append("The training was interrupted: the same command with "
                     "<code>--resume</code> goes on where it stopped.")
    elif best and best["epoch"] == run.epochs[-1]["epoch"] and len(run.epochs) > 1:
        items.append("The last epoch was the best one: train for more epochs.")
    if best and isinstance(best.get("train_loss"), (int, float)) and isinstance(
            best.get("dev_loss"), (int, float)):
        if best["dev_loss"] > 2 * best["train_loss"]:
            items.append("The loss on dev is more than twice the one on the training "
                         "data: try dropout, more weight decay or more data.")
    if run.predictions:
        items += worst_group(run.predictions)
    return items


def worst_group(predictions):
    for column in ("operators", "height"):
        values = predictions.columns.get(column)
        if not values or not isinstance(values[0], float):
            continue
        groups = {}
        for value, error in zip(values, predictions.errors()):
            groups.setdefault(value, []).append(error)
        groups = {k: v for k, v in groups.items() if len(v) >= 20}
        if len(groups) < 2:
            continue
        means = {k: pictures.error_of(v, predictions.is_numeric)
                 for k, v in groups.items()}
        worst = max(means, key=means.get)
        kind = "RMSE" if predictions.is_numeric else "error rate in %"
        return [f"The error is largest at {column} {worst:g} ({kind} "
                f"{means[worst]:.1f}, {len(groups[worst]):,} examples): more such "
                "training examples help most there."]
    return []


def render(run, title, next_steps):
    """The page; next_steps are further lines (HTML) of what to try next."""
    parts = [f"<h1>{html.escape(title)}</h1>"]
    rows = results(run)
    if rows:
        parts += ["<h2>Result</h2>", table(rows)]
    curve = pictures.learning_curve(run)
    if curve:
        parts += ["<h2>Learning curve</h2>", figure(curve)]
    errors = error_section(run)
    if errors:
        parts += ["<h2>Where the errors are</h2>"] + errors
    if run.tree:
        parts += ["<h2>One tree</h2>",
                  f"<p>{html.escape(str(run.tree.get('title', '')))}</p>",
                  figure(drawing.draw_tree(run.tree), "Under each node, what the model "
                         "says of the part below it; in brackets, what is right.")]
    if run.config:
        parts += ["<h2>Configuration</h2>", table(configuration(run))]
    steps = advice(run) + list(next_steps)
    if steps:
        parts += ["<h2>What to try next</h2>", "<ul>"]
        parts += [f"<li>{step}</li>" for step in steps] + ["</ul>"]
    return ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width\">"
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>\n<body>\n"
            + "\n".join(parts) + "\n</body></html>\n")
