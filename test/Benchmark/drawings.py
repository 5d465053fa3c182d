#===-- test/Benchmark/drawings.py - Pictures of measurements --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Pictures of what `side-by-side` has measured (results.py)."""

import collections

from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from reporting.pictures import SERIES, SOFT, pyplot
from results import PARTS, TITLES, is_ours, kind_of, part_of, ratio_of


def logarithmic(axis, numbers):
    """Below: few numbers as they are, or powers of ten."""
    axis.set_xscale("log")
    if len(numbers) <= 4:
        axis.set_xticks(sorted(numbers))
    else:
        axis.xaxis.set_major_locator(LogLocator(numticks=6))
    axis.xaxis.set_major_formatter(FuncFormatter(
        lambda number, _: f"{number:g}" if number < 1e5 else
        f"{number:.0e}".replace("+0", "").replace("+", "")))
    axis.xaxis.set_minor_formatter(NullFormatter())


def bounds(results):
    """The part of the bound that Cambium reaches, a line per case."""
    shown = [part for part in PARTS if part != "models" and any(
        r["part"] == part and part_of(r) for r in results.records)]
    columns = max(min(len(shown), 3), 1)
    height = -(-len(shown) // columns) or 1
    figure, axes = pyplot.subplots(height, columns, figsize=(4.3 * columns, 3.4 * height),
                                   sharey=True, squeeze=False)
    for axis in axes.flat[len(shown):]:
        axis.set_axis_off()
    for axis, part in zip(axes.flat, shown):
        lines = collections.defaultdict(list)
        for r in results.records:
            if r["part"] == part and r["engine"] == "Cambium" and part_of(r):
                name = r["case"] + (f", {r['threads']} threads" if r["threads"] > 1 else "")
                lines[name].append((r["batch"], 100 * part_of(r)))
        for color, (name, points) in zip(SERIES * len(lines), lines.items()):
            axis.plot(*zip(*sorted(points)), color=color, marker="o", markersize=3, label=name)
        axis.axhline(100, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
        logarithmic(axis, {x for points in lines.values() for x, _ in points})
        axis.set(xlabel=TITLES[part].split(", by ")[-1], ylim=(0, 105),
                 title=f"{part}: % of the bound")
        axis.legend(loc="lower right", fontsize=7)
    figure.tight_layout()
    return figure


def bars(axis, names, series):
    """Groups of bars, one of each series in each group."""
    width = 0.8 / len(series)
    for place, (label, values, color) in enumerate(series):
        x = [i + (place - (len(series) - 1) / 2) * width for i in range(len(names))]
        axis.bar(x, values, width * 0.92, label=label, color=color)
    axis.set_xticks(range(len(names)), names)
    axis.grid(axis="x", visible=False)


def legend_above(figure, axis):
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=len(labels),
                  bbox_to_anchor=(0.5, 1.1))


def medians(groups, engine):
    """Of each group; what was not measured is no bar."""
    return [group[engine]["median"] if engine in group else 0 for group in groups]


def beside(results):
    """Trees per second of all programs, and ours over the fastest other."""
    found = {key: group for key, group in results.of("trees").items() if len(group) > 1}
    engines = list(dict.fromkeys(name for group in found.values() for name in group))
    cases = list(dict.fromkeys(case for case, _, _ in found))
    figure, axes = pyplot.subplots(1, len(cases), figsize=(8.6, 3.0), squeeze=False)
    for axis, case in zip(axes[0], cases):
        keys = [key for key in found if key[0] == case]
        groups = [found[key] for key in keys]
        bars(axis, [f"{batch:g}" for _, _, batch in keys],
             [(name, medians(groups, name), color) for name, color in zip(engines, SERIES)])
        for place, group in enumerate(groups):
            axis.annotate(f"{ratio_of(group):.1f} x",
                          (place - 0.4, group["Cambium"]["median"]), ha="left",
                          va="bottom", fontsize=8, color=SOFT)
        axis.set(xlabel="trees in a batch", title=f"{case}, trees per second")
    legend_above(figure, axes[0][0])
    return figure


def over_ours(results):
    """The time of other programs over ours, encoder by encoder."""
    found = {key: group for key, group in results.of("encoders").items() if key[1] == 1}
    engines = [name for name in dict.fromkeys(name for group in found.values()
                                              for name in group) if not is_ours(name)]
    models = list(dict.fromkeys(case.split()[0] for case, _, _ in found))
    figure, axes = pyplot.subplots(1, len(models), figsize=(8.6, 3.4), sharey=True,
                                   squeeze=False)
    for axis, model in zip(axes[0], models):
        keys = [key for key in found if key[0].split()[0] == model]
        bars(axis, [f"{batch:g}" if batch == 1 else f"{batch:g}\n{case.split()[1]}"
                    for case, _, batch in keys],
             [(name, [found[key]["Cambium"]["median"] / found[key][name]["median"]
                      for key in keys], color) for name, color in zip(engines, SERIES[1:])])
        axis.axhline(1, color=SERIES[0], linewidth=1.6, label="Cambium")
        axis.set(xlabel="sentences in a batch", title=f"{model}, time over ours")
    legend_above(figure, axes[0][0])
    return figure


def all_models(results):
    """The part of the bound of each function of the shipped models."""
    figure, axes = pyplot.subplots(1, 2, figsize=(8.6, 3.4), sharey=True)
    for axis, kind in zip(axes, ("forward", "gradients")):
        points = collections.defaultdict(list)
        for r in results.records:
            if r["part"] == "models" and part_of(r) and kind_of(r) == kind:
                points[r["limit"]].append((r["batch"], 100 * part_of(r)))
        for color, (limit, found) in zip(SERIES, sorted(points.items())):
            axis.scatter(*zip(*found), s=14, alpha=0.7, linewidths=0, color=color, label=limit)
        axis.axhline(100, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
        logarithmic(axis, {x for found in points.values() for x, _ in found})
        axis.set(xlabel="operations of a call", ylim=(0, 105),
                 title=f"{kind}: % of the bound")
        if points:
            axis.legend(loc="upper left", fontsize=7)
    return figure


def pictures(results):
    """The functions that draw, by name of the picture."""
    drawn = {"trees": beside, "encoders": over_ours, "models": all_models}
    parts = {r["part"] for r in results.records}
    return {"bounds": bounds, **{part: drawn[part] for part in drawn if part in parts}}
