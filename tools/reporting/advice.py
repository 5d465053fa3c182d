#===-- tools/reporting/advice.py - What to try next -----------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What to try next, from what a run shows."""

from . import measures


def advice(run):
    """Sentences; what stands in backticks is a command."""
    items = []
    best = run.best_epoch()
    if run.stop.get("reason") == "interrupted":
        items.append("The training was interrupted: the same command with "
                     "`--resume` goes on where it stopped.")
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
        means = {k: measures.error_of(v, predictions.is_numeric)
                 for k, v in groups.items()}
        worst = max(means, key=means.get)
        kind = "RMSE" if predictions.is_numeric else "error rate in %"
        return [f"The error is largest at {column} {worst:g} ({kind} "
                f"{means[worst]:.1f}, {len(groups[worst]):,} examples): more such "
                "training examples help most there."]
    return []
