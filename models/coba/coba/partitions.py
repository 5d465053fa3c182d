#===-- models/coba/coba/partitions.py - The five partitions --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The five partitions: 24,000 expressions in domain, 12,000 for generalization.

A partition is a dict from 'train', 'dev' and 'generalization' to lists of rows
(expression, tuple, level). Expressions of a tuple belong together; the level is
the number of swaps (Substitutivity) or of evaluated operators (Localism) that
lead from the first expression of the tuple, which has level 0, to this one.
"""

import random as random_module

from . import expressions as ex

IN_DOMAIN, GENERALIZATION = 24_000, 12_000
# The numbers of operators in each partition, as shares; 0 and 1 are as rare as
# among all expressions of at most three operators.
NATURAL = {0: 0.0001, 1: 0.0029, 2: 0.157, 3: 0.84}
TWO_OR_THREE = {2: 0.17, 3: 0.83}


class Drawer:
    """Draws expressions, none of them twice."""

    def __init__(self, partition, seed, products):
        self.random = random_module.Random(f"coba {partition} {seed}")
        self.seen = set()
        self.products = products

    def draw(self, count, shares, accept=lambda expression: True):
        """So many new expressions that `accept`, in random order."""
        found = []
        for operators, number in quotas(count, shares).items():
            misses = 0
            while number:
                expression = ex.draw(self.random, operators, self.products)
                if expression in self.seen or not accept(expression):
                    misses += 1
                    if misses > 1_000_000:
                        raise RuntimeError(f"expected {number} more expressions of "
                                           f"{operators} operators, but found none")
                    continue
                self.seen.add(expression)
                found.append(expression)
                number, misses = number - 1, 0
        self.random.shuffle(found)
        return found


def quotas(count, shares):
    """Whole numbers in proportion to the shares; the last one takes the rest."""
    numbers = {k: round(count * share) for k, share in shares.items()}
    numbers[max(shares)] += count - sum(numbers.values())
    return numbers


def assemble(in_domain, generalization):
    """The files of a partition; generalization is a list of tuples of pairs of an
    expression and its level."""
    cut = len(in_domain) * 9 // 10
    rows = [(e, i, 0) for i, e in enumerate(in_domain)]
    others = [(e, i, level) for i, t in enumerate(generalization) for e, level in t]
    return {"train": rows[:cut], "dev": rows[cut:], "generalization": others}


def alone(expressions):
    return [((e, 0),) for e in expressions]


def random_partition(seed, products=None):
    """No systematic difference."""
    drawer = Drawer("random", seed, products)
    in_domain = drawer.draw(IN_DOMAIN, NATURAL)
    return assemble(in_domain, alone(drawer.draw(GENERALIZATION, NATURAL)))


def has_one_parity(expression):
    return len({number % 2 for number in ex.literals(expression)}) == 1


def systematicity(seed, products=None):
    """All numbers odd or all even in domain, mixed in generalization."""
    drawer = Drawer("systematicity", seed, products)
    in_domain = drawer.draw(IN_DOMAIN, {2: 0.37, 3: 0.63}, has_one_parity)
    others = drawer.draw(GENERALIZATION, {2: 0.5, 3: 0.5},
                         lambda e: not has_one_parity(e))
    return assemble(in_domain, alone(others))


def productivity(seed, products=None):
    """At most three operators in domain, four to nine in generalization."""
    drawer = Drawer("productivity", seed, products)
    in_domain = drawer.draw(IN_DOMAIN, NATURAL)
    others = drawer.draw(GENERALIZATION, {k: 1 / 6 for k in range(4, 10)})
    return assemble(in_domain, alone(others))


def choose_partner(drawer, expression, step, preferred):
    """The expression and one that is `preferred` steps away, or one step."""
    for level in (preferred, 1):
        found = ex.neighbours(expression, step, level)[level - 1]
        if found:
            choices = sorted(found, key=ex.to_text)
            return (expression, 0), (drawer.random.choice(choices), level)
    return None


def with_partners(drawer, expressions, step):
    """Tuples of two; odd ones with level 2 where that exists."""
    return [choose_partner(drawer, e, step, 1 + i % 2)
            for i, e in enumerate(expressions)]


def substitutivity(seed, products=None):
    """Generalization holds pairs that differ by swaps of operands; in domain, no
    expression is another one of the partition but for swaps."""
    drawer = Drawer("substitutivity", seed, products)
    classes = set()

    def accept(expression):
        form = ex.canonical(expression)
        if form in classes or not any(ex.swapped_once(expression)):
            return False
        classes.add(form)
        return True

    in_domain = drawer.draw(IN_DOMAIN, TWO_OR_THREE, accept)
    others = drawer.draw(GENERALIZATION, {2: 0.26, 3: 0.74}, accept)
    return assemble(in_domain, with_partners(drawer, others, ex.swapped_once))


def localism(seed, products=None):
    """Generalization holds pairs in which sub-expressions are replaced by their
    value; no expression of the partition becomes one in domain that way."""
    drawer = Drawer("localism", seed, products)

    def accept(expression):
        return not any(near & drawer.seen for near in
                       ex.neighbours(expression, ex.evaluated_once, 2))

    # Fewer operators are drawn first, so looking downwards is enough.
    in_domain = drawer.draw(IN_DOMAIN, TWO_OR_THREE, accept)
    known = frozenset(in_domain)

    def accept_other(expression):
        return not any(near & known for near in
                       ex.neighbours(expression, ex.evaluated_once, 2))

    others = drawer.draw(GENERALIZATION, {2: 0.26, 3: 0.74}, accept_other)
    return assemble(in_domain, with_partners(drawer, others, ex.evaluated_once))


PARTITIONS = {
    "random": random_partition,
    "systematicity": systematicity,
    "productivity": productivity,
    "substitutivity": substitutivity,
    "localism": localism,
}
