#===-- tools/scoring/uplift.py - Predicted effects, by who comes first ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""How well predicted effects of a treatment order people (Radcliffe 2007; Devriendt et al.
2020). Beginning with the greatest prediction, the uplift curve has after n people
n (outcomes per treated - outcomes per untreated), the Qini curve the outcomes of the
treated less those of the untreated in the ratio of their numbers; people of equal
prediction come at once. AUUC and Qini are the areas between curve and the straight line
to its end, as part of the area that a knowing order has; a random order has 0."""

from .files import ScoreError, columns_of


def curve(people, height):
    """Points (n, height) after each group of equal predictions; PEOPLE are (prediction,
    treated, outcome)."""
    people = sorted(people, key=lambda person: -person[0])
    points, numbers, outcomes = [(0, 0.0)], [0, 0], [0, 0]
    for k, (prediction, treated, outcome) in enumerate(people):
        numbers[treated] += 1
        outcomes[treated] += outcome
        if k + 1 == len(people) or people[k + 1][0] != prediction:
            points.append((k + 1, height(numbers, outcomes)))
    return points


def uplift_height(numbers, outcomes):
    shares = [outcomes[k] / numbers[k] if numbers[k] else 0.0 for k in (0, 1)]
    return (shares[1] - shares[0]) * sum(numbers)


def qini_height(numbers, outcomes):
    return outcomes[1] - (outcomes[0] * numbers[1] / numbers[0] if numbers[0] else 0.0)


def area(points):
    """Between a curve and the straight line to its end."""
    whole = sum((x - before) * (y + height) / 2
                for (before, height), (x, y) in zip(points, points[1:]))
    return whole - points[-1][0] * points[-1][1] / 2


def knowing_uplift(people):
    """Predictions of who knows all: treated with an outcome and untreated without first,
    then, of the other two kinds, the more harmless one."""
    control = sum(1 for _, treated, outcome in people if outcome and not treated)
    idle = sum(1 for _, treated, outcome in people if treated and not outcome)
    return [(2 * (treated == outcome) + (outcome if control > idle else treated),
             treated, outcome) for _, treated, outcome in people]


def knowing_qini(people):
    return [(outcome if treated else -outcome, treated, outcome)
            for _, treated, outcome in people]


def measures(people):
    """AUUC and Qini, both as parts of what can be reached."""
    result = {}
    for name, height, knowing in (("auuc", uplift_height, knowing_uplift),
                                  ("qini", qini_height, knowing_qini)):
        best = area(curve(knowing(people), height))
        result[name] = area(curve(people, height)) / best if best else 0.0
    return result


def run(options):
    names = (options.score, options.treated, options.outcome)
    columns = columns_of(options.table, names)
    for name, column in zip(names[1:], columns[1:]):
        for number, value in enumerate(column, 2):
            if value not in (0, 1):
                raise ScoreError(f"{options.table}:{number}: column '{name}': expected 0 "
                                 f"or 1, but got {value:g}")
    people = [(score, int(treated), int(outcome))
              for score, treated, outcome in zip(*columns)]
    if len({treated for _, treated, _ in people}) < 2:
        raise ScoreError(f"{options.table}: expected treated and untreated people")
    return measures(people)
