#===-- models/coba/coba/statistics.py - Table 7.6 and what was generated ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The statistics of Table 7.6 of the thesis, and those of generated data."""

import dataclasses

from . import expressions as ex
from .partitions import has_one_parity


@dataclasses.dataclass(frozen=True)
class Statistics:
    """One column of the table; shares in percent."""

    mean_value: float
    min_operators: int
    mean_operators: float
    max_operators: int
    odd_and_even: float  # both odd and even numbers occur
    swapped: float  # one swap of operands leads to an expression in domain
    evaluated: float  # evaluating one operator leads to one in domain


# How far generated data may be from the table. Shares of 0 and 100 %, and the
# smallest and largest number of operators, must be met exactly.
TOLERANCE = Statistics(2.5, 0, 0.06, 0, 2.0, 2.0, 1.0)
SHARES = ("odd_and_even", "swapped", "evaluated")

TABLE = {
    "random": (Statistics(66.3, 0, 2.8, 3, 85.6, 1.3, 2.2),
               Statistics(66.2, 0, 2.8, 3, 85.4, 1.6, 2.3)),
    "systematicity": (Statistics(67.0, 2, 2.6, 3, 0.0, 10.0, 4.2),
                      Statistics(68.2, 2, 2.5, 3, 100.0, 0.0, 1.3)),
    "productivity": (Statistics(66.4, 0, 2.8, 3, 85.6, 1.2, 2.1),
                     Statistics(65.3, 4, 6.5, 9, 98.3, 0.0, 0.7)),
    "localism": (Statistics(66.1, 2, 2.8, 3, 85.7, 1.2, 0.0),
                 Statistics(67.4, 2, 2.7, 3, 85.3, 1.5, 0.0)),
    "substitutivity": (Statistics(66.1, 2, 2.8, 3, 85.7, 0.0, 1.0),
                       Statistics(66.4, 2, 2.7, 3, 85.1, 0.0, 1.1)),
}


def share(expressions, predicate):
    return 100.0 * sum(map(predicate, expressions)) / len(expressions)


def measure(expressions, in_domain):
    """The statistics of some expressions; in_domain is a set."""
    operators = [ex.count_operators(e) for e in expressions]
    return Statistics(
        sum(map(ex.evaluate, expressions)) / len(expressions),
        min(operators),
        sum(operators) / len(operators),
        max(operators),
        share(expressions, lambda e: not has_one_parity(e)),
        share(expressions, lambda e: any(o in in_domain for o in ex.swapped_once(e))),
        share(expressions, lambda e: any(o in in_domain for o in ex.evaluated_once(e))),
    )


def differences(found, expected):
    """What is out of tolerance, as texts."""
    texts = []
    for field in dataclasses.fields(Statistics):
        value = getattr(found, field.name)
        target = getattr(expected, field.name)
        tolerance = getattr(TOLERANCE, field.name)
        if field.name in SHARES and target in (0, 100):
            tolerance = 0
        if abs(value - target) > tolerance:
            bound = f"within {tolerance} of" if tolerance else "exactly"
            texts.append(f"{field.name}: expected {bound} {target}, but got {value:.2f}")
    return texts
