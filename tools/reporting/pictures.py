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
import itertools

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the choice of the backend)
from matplotlib.ticker import MaxNLocator  # noqa: E402

from . import measures  # noqa: E402
from .elements import Html  # noqa: E402
from .text import printable  # noqa: E402

TRAIN, DEV, BEST, SOFT = "#8d6e3f", "#2f7d4f", "#b3402e", "#6d675b"
SERIES = ("#2f7d4f", "#8d6e3f", "#2d6c99", "#b3402e", "#7b4f99", "#c28a12", "#4b8f8c",
          "#94435f")
matplotlib.rcParams.update({
    "font.size": 10, "font.family": "sans-serif", "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": "#e9e3d6",
    "grid.linewidth": 0.8, "axes.axisbelow": True, "axes.edgecolor": "#b9b1a0",
    "xtick.color": SOFT, "ytick.color": SOFT, "axes.labelcolor": SOFT,
    "axes.titlesize": 10, "axes.titlecolor": "#23211c", "axes.titleweight": "medium",
    "axes.titlelocation": "left", "legend.frameon": False, "lines.linewidth": 1.8,
    "svg.fonttype": "none", "text.parse_math": False,
})


def color_of(place):
    return SERIES[place % len(SERIES)]


def to_svg(figure, name):
    """The text of a figure; names inside are its own, whatever stands beside."""
    matplotlib.rcParams["svg.hashsalt"] = printable(name)
    stream = io.StringIO()
    figure.savefig(stream, format="svg", bbox_inches="tight", transparent=True,
                   metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = stream.getvalue()
    # Browsers choose the font of the page.
    text = text.replace("'DejaVu Sans'", "system-ui").replace("DejaVu Sans", "system-ui")
    return Html(text[text.index("<svg"):])


def series(epochs, key):
    """The epochs that have a number for the key, and the numbers."""
    pairs = [(e["epoch"], e[key]) for e in epochs
             if isinstance(e.get(key), (int, float))]
    return [p[0] for p in pairs], [p[1] for p in pairs]


def count_epochs(axes, epochs):
    """Whole numbers below; a single epoch stands in the middle."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(epochs) == 1:
        axes.set_xlim(epochs[0] - 1, epochs[0] + 1)


def plot(axes, x, y, **style):
    marker = "o" if len(x) <= 40 else None
    axes.plot(x, y, marker=marker, markersize=3.2, **style)


def learning_curve(run):
    """Loss, and the metric that chose the best epoch, over the epochs."""
    if not run.epochs:
        return None
    has_metric = bool(series(run.epochs, "dev_metric")[0])
    figure, axes = pyplot.subplots(1, 2 if has_metric else 1, figsize=(9.6, 3.1),
                                   squeeze=False)
    loss = axes[0][0]
    for key, color, label in (("train_loss", TRAIN, "train"), ("dev_loss", DEV, "dev")):
        x, y = series(run.epochs, key)
        if x:
            plot(loss, x, y, color=color, label=label)
    loss.set(xlabel="epoch", title="loss")
    count_epochs(loss, [e["epoch"] for e in run.epochs])
    loss.legend()
    if has_metric:
        x, y = series(run.epochs, "dev_metric")
        plot(axes[0][1], x, y, color=DEV)
        axes[0][1].set(xlabel="epoch", title=f"{printable(run.metric)} on dev")
        count_epochs(axes[0][1], x)
        best = run.stop.get("best_epoch")
        if best in x:
            axes[0][1].plot([best], [y[x.index(best)]], "o", color=BEST, zorder=5)
            axes[0][1].annotate("best", (best, y[x.index(best)]), color=BEST,
                                textcoords="offset points", xytext=(6, 6))
    return to_svg(figure, "learning")


def mean_curve(runs, key):
    """The mean over the runs of every epoch that all of them have."""
    curves = [dict(zip(*series(run.epochs, key))) for run in runs]
    epochs = sorted(set.intersection(*map(set, curves))) if curves else []
    return epochs, [sum(c[e] for c in curves) / len(curves) for e in epochs]


def overlaid_curves(groups):
    """Every training as a thin line, the mean of each group as a thick one."""
    keys = [(key, title) for key, title in (
        ("train_loss", "loss on the training data"), ("dev_loss", "loss on dev"),
        ("dev_metric", f"{printable(groups[0].runs[0].metric)} on dev"))
        if any(series(run.epochs, key)[0] for g in groups for run in g.runs)]
    if not keys:
        return None
    figure, axes = pyplot.subplots(1, len(keys), figsize=(3.9 * len(keys), 3.1),
                                   squeeze=False)
    for axis, (key, title) in zip(axes[0], keys):
        for place, group in enumerate(groups):
            several = len(group.runs) > 1
            for run in group.runs:
                x, y = series(run.epochs, key)
                axis.plot(x, y, color=color_of(place), linewidth=0.9 if several else 1.8,
                          alpha=0.4 if several else 1)
            if several:
                axis.plot(*mean_curve(group.runs, key), color=color_of(place),
                          linewidth=2.4)
        axis.set(xlabel="epoch", title=title)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    return to_svg(figure, "overlaid")


def runs_with(groups, column):
    """Place and runs of the groups that have predictions with such a column."""
    found = [(place, [run for run in group.runs if run.predictions and
                      measures.whole_numbers(run.predictions, column)])
             for place, group in enumerate(groups)]
    return [(place, runs) for place, runs in found if runs]


def error_groups(found, column):
    """The groups of values of a column over all runs; None of a single one."""
    values = [measures.whole_numbers(run.predictions, column)
              for _, runs in found for run in runs]
    bins = measures.groups_of(list(itertools.chain(*values)))
    return bins if len(bins) > 1 else None


def error_bars(axes, bins, errors):
    names = [measures.group_name(b) for b in bins]
    heights = [error or 0 for error, _ in errors]
    bars = axes.bar(names, heights, color=DEV, width=0.72)
    if len(names) <= 9:
        axes.bar_label(bars, ["" if e is None else f"{e:.3g}" for e, _ in errors],
                       fontsize=8, padding=2, color=SOFT)
    axes.grid(axis="x", visible=False)


def error_lines(axes, bins, found, column):
    """Each group as a line with the range of its runs."""
    names = [measures.group_name(b) for b in bins]
    for place, group in found:
        runs = [measures.error_by_group(run.predictions, column, bins) for run in group]
        columns = [[e for e, _ in cell if e is not None] for cell in zip(*runs)]
        kept = [i for i, values in enumerate(columns) if values]
        x = [names[i] for i in kept]
        axes.plot(x, [sum(columns[i]) / len(columns[i]) for i in kept], marker="o",
                  markersize=3.5, color=color_of(place))
        if len(runs) > 1:
            axes.fill_between(x, [min(columns[i]) for i in kept],
                              [max(columns[i]) for i in kept], color=color_of(place),
                              alpha=0.14, linewidth=0)


def error_by(groups, column, title):
    """Error by a column of whole numbers: bars of one run, lines of several. The SVG
    and a sentence on the numbers of examples, or None."""
    found = runs_with(groups, column)
    bins = error_groups(found, column)
    if not bins:
        return None
    first = found[0][1][0].predictions
    errors = measures.error_by_group(first, column, bins)
    figure, axes = pyplot.subplots(figsize=(4.7, 3.0))
    if len(groups) == 1 and len(groups[0].runs) == 1:
        error_bars(axes, bins, errors)
    else:
        error_lines(axes, bins, found, column)
    axes.set(xlabel=title, title="RMSE" if first.is_numeric else "errors (%)")
    axes.set_ylim(bottom=0)
    if max(len(measures.group_name(b)) for b in bins) * len(bins) > 44:
        axes.tick_params(axis="x", rotation=40)
    counts = ", ".join(f"{measures.group_name(b)}: {n:,}"
                       for b, (_, n) in zip(bins, errors))
    return to_svg(figure, column), f"Examples: {counts}"


def error_by_text(predictions, column):
    """Error for each value of a column of texts."""
    rows = measures.error_by_text(predictions, column)
    figure, axes = pyplot.subplots(figsize=(4.7, max(1.2, 0.36 * len(rows) + 0.5)))
    names = [f"{printable(value) or '(none)'} ({n:,})" for value, _, n in rows]
    bars = axes.barh(names, [error for _, error, _ in rows], color=DEV, height=0.68)
    axes.bar_label(bars, [f"{error:.3g}" for _, error, _ in rows], fontsize=8, padding=3,
                   color=SOFT)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set(title="RMSE" if predictions.is_numeric else "errors (%)")
    return to_svg(figure, "text" + column)


def calibration(groups):
    """Share of right answers over the probability that the model gave. The SVG and a
    sentence, or None."""
    found = [(place, measures.calibration(run.predictions))
             for place, group in enumerate(groups) for run in group.runs
             if run.predictions]
    found = [(place, result) for place, result in found if result]
    if not found:
        return None
    figure, axes = pyplot.subplots(figsize=(4.7, 3.0))
    axes.plot([0, 1], [0, 1], color=TRAIN, linewidth=1, linestyle=(0, (4, 3)))
    for place, (points, _) in found:
        total = sum(n for _, _, n in points)
        axes.plot([p for p, _, _ in points], [r for _, r, _ in points],
                  color=color_of(place), alpha=1 if len(found) == 1 else 0.75)
        axes.scatter([p for p, _, _ in points], [r for _, r, _ in points],
                     s=[12 + 240 * n / total for _, _, n in points],
                     color=color_of(place), alpha=0.55, linewidths=0, zorder=3)
    axes.set(xlabel="probability that the model gives its answer", xlim=(0, 1.03),
             title="share of right answers", ylim=(0, 1.05))
    gap = sum(result[1] for _, result in found) / len(found)
    return to_svg(figure, "calibration"), (
        f"On the dashed line, the model is as sure as it is right. Expected calibration "
        f"error {gap:.3f}; larger marks stand for more examples.")


def scatter(predictions):
    """Predictions over targets, where both are numbers."""
    if not predictions.is_numeric:
        return None
    target, prediction = (predictions.columns[n] for n in ("target", "prediction"))
    counts = collections.Counter(zip(target, prediction))
    if len(counts) > 6000:
        counts = dict(counts.most_common(6000))
    largest = max(counts.values())
    figure, axes = pyplot.subplots(figsize=(4.7, 3.0))
    low, high = min(target), max(target)
    axes.plot([low, high], [low, high], color=TRAIN, linewidth=1, linestyle=(0, (4, 3)))
    points = list(counts)
    # Thousands of marks make a large page as vectors.
    axes.scatter([p[0] for p in points], [p[1] for p in points],
                 s=[3 + 40 * counts[p] / largest for p in points], color=DEV,
                 alpha=0.45, linewidths=0, rasterized=True)
    axes.set(xlabel="target", title="prediction")
    return to_svg(figure, "scatter")


def active_parts(parts):
    """The part of the rows that takes part in each iteration."""
    figure, axes = pyplot.subplots(figsize=(4.7, 3.0))
    bars = axes.bar(range(1, len(parts) + 1), [100 * p for p in parts], color=DEV,
                    width=0.72)
    if len(parts) <= 12:
        axes.bar_label(bars, [f"{100 * p:.3g}" if p >= 0.01 else "<1" for p in parts],
                       fontsize=8, padding=2, color=SOFT)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="iteration", title="rows (%)")
    axes.grid(axis="x", visible=False)
    return to_svg(figure, "active")


def means(groups, name):
    """The mean of each group of rows, with its deviation."""
    figure, axes = pyplot.subplots(figsize=(4.7, max(1.2, 0.3 * len(groups) + 0.5)))
    names = [f"{printable(g.get('value', ''))} ({g['rows']:,})" for g in groups]
    places = range(len(groups))
    axes.barh(places, [g["mean"] for g in groups], color=DEV, height=0.68,
              xerr=[g.get("deviation") or 0 for g in groups],
              error_kw={"ecolor": TRAIN, "elinewidth": 1})
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set(title="mean")
    return to_svg(figure, "means" + name)
