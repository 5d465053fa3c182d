#===-- tools/reporting/pictures.py - Pictures of a run, as SVG -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Pictures of a run, each a text of SVG that can stand in an HTML page."""

import collections
import io
import math

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the choice of the backend)

TRAIN, DEV, BEST = "#8d6e3f", "#2f7d4f", "#b3402e"
matplotlib.rcParams.update({
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.alpha": 0.25, "svg.fonttype": "none",
})


def to_svg(figure, name):
    """The text of a figure; names inside are its own, whatever stands beside."""
    matplotlib.rcParams["svg.hashsalt"] = name
    stream = io.StringIO()
    figure.savefig(stream, format="svg", bbox_inches="tight", transparent=True,
                   metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = stream.getvalue()
    return text[text.index("<svg"):]


def series(epochs, key):
    """The epochs that have a number for the key, and the numbers."""
    pairs = [(e["epoch"], e[key]) for e in epochs
             if isinstance(e.get(key), (int, float))]
    return [p[0] for p in pairs], [p[1] for p in pairs]


def learning_curve(run):
    if not run.epochs:
        return None
    metric = run.config.get("metric", "metric")
    has_metric = bool(series(run.epochs, "dev_metric")[0])
    figure, axes = pyplot.subplots(1, 2 if has_metric else 1, figsize=(9, 3.2),
                                   squeeze=False)
    loss = axes[0][0]
    for key, color, label in (("train_loss", TRAIN, "train"), ("dev_loss", DEV, "dev")):
        x, y = series(run.epochs, key)
        if x:
            loss.plot(x, y, color=color, label=label, marker="o", markersize=3)
    loss.set(xlabel="epoch", title="loss")
    loss.xaxis.get_major_locator().set_params(integer=True)
    loss.legend(frameon=False)
    if has_metric:
        x, y = series(run.epochs, "dev_metric")
        axes[0][1].plot(x, y, color=DEV, marker="o", markersize=3)
        axes[0][1].set(xlabel="epoch", title=f"{metric} on dev")
        axes[0][1].xaxis.get_major_locator().set_params(integer=True)
        best = run.stop.get("best_epoch")
        if best in x:
            axes[0][1].plot([best], [y[x.index(best)]], "o", color=BEST)
            axes[0][1].annotate("best", (best, y[x.index(best)]), color=BEST,
                                textcoords="offset points", xytext=(6, 6))
    return to_svg(figure, "learning")


def error_of(errors, is_numeric):
    mean = sum(errors) / len(errors)
    return math.sqrt(mean) if is_numeric else 100 * mean


def error_by(predictions, column, title):
    """Error for each value of a column of whole numbers."""
    values = predictions.columns.get(column)
    if not values or not all(isinstance(v, float) and v.is_integer() for v in values):
        return None
    groups = collections.defaultdict(list)
    for value, error in zip(values, predictions.errors()):
        groups[int(value)].append(error)
    if len(groups) < 2 or len(groups) > 60:
        return None
    keys = sorted(groups)
    heights = [error_of(groups[k], predictions.is_numeric) for k in keys]
    figure, axes = pyplot.subplots(figsize=(4.4, 3.0))
    bars = axes.bar([str(k) for k in keys], heights, color=DEV, width=0.7)
    if len(keys) <= 12:
        axes.bar_label(bars, [f"{h:.1f}" for h in heights], fontsize=8, padding=2)
    axes.set(xlabel=title, title="RMSE" if predictions.is_numeric else "errors (%)")
    axes.grid(axis="x", visible=False)
    counts = ", ".join(f"{k}: {len(groups[k]):,}" for k in keys)
    return to_svg(figure, column), counts


def scatter(predictions):
    """Predictions over targets, where both are numbers."""
    if not predictions.is_numeric:
        return None
    target, prediction = (predictions.columns[n] for n in ("target", "prediction"))
    counts = collections.Counter(zip(target, prediction))
    if len(counts) > 6000:
        counts = dict(counts.most_common(6000))
    largest = max(counts.values())
    figure, axes = pyplot.subplots(figsize=(4.4, 3.0))
    low, high = min(target), max(target)
    axes.plot([low, high], [low, high], color=TRAIN, linewidth=0.8, alpha=0.6)
    points = list(counts)
    # Thousands of marks make a large page as vectors.
    axes.scatter([p[0] for p in points], [p[1] for p in points],
                 s=[3 + 40 * counts[p] / largest for p in points], color=DEV,
                 alpha=0.45, linewidths=0, rasterized=True)
    axes.set(xlabel="target", title="prediction")
    return to_svg(figure, "scatter")
