#===-- models/coba/coba/expressions.py - Expressions and how they are drawn --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Arithmetic expressions over the natural numbers, and how they are drawn.

An expression is an int (1..100) or a tuple (operator, left, right) with the
operator '+' or '*'. The order of operands is significant.
"""

import functools
import itertools

LIMIT = 100
# Values are drawn with the weight v^0.9: nearly in proportion to the number of
# ways to write them, and with the mean value of the thesis (about 66).
VALUE_EXPONENT = 0.9


def evaluate(expression):
    if isinstance(expression, int):
        return expression
    operator, left, right = expression
    left, right = evaluate(left), evaluate(right)
    return left + right if operator == "+" else left * right


def count_operators(expression):
    if isinstance(expression, int):
        return 0
    return 1 + count_operators(expression[1]) + count_operators(expression[2])


def has_product(expression):
    if isinstance(expression, int):
        return False
    operator, left, right = expression
    return operator == "*" or has_product(left) or has_product(right)


def literals(expression):
    """The numbers of an expression, from left to right."""
    if isinstance(expression, int):
        return [expression]
    return literals(expression[1]) + literals(expression[2])


def to_text(expression):
    """Prefix notation, one token per number or operator."""
    if isinstance(expression, int):
        return str(expression)
    return f"{expression[0]} {to_text(expression[1])} {to_text(expression[2])}"


def parse(text):
    """The expression of a text in prefix notation; raises ValueError."""
    tokens = text.split()

    def read(position):
        if position >= len(tokens):
            raise ValueError(f"expected another operand at the end of '{text}'")
        token = tokens[position]
        if token in ("+", "*"):
            left, position = read(position + 1)
            right, position = read(position)
            return (token, left, right), position
        if not token.isascii() or not token.isdigit() or not 1 <= int(token) <= LIMIT:
            raise ValueError(f"expected +, * or a number of 1..{LIMIT}, but got "
                             f"'{token}' in '{text}'")
        return int(token), position + 1

    expression, end = read(0)
    if end != len(tokens):
        raise ValueError(f"expected one expression, but got more in '{text}'")
    return expression


def canonical(expression):
    """One form for all expressions that differ in the order of operands."""
    if isinstance(expression, int):
        return expression
    operator, left, right = expression
    left, right = canonical(left), canonical(right)
    if to_text(left) > to_text(right):
        left, right = right, left
    return operator, left, right


def swapped_once(expression):
    """All expressions that differ in the order of the operands of one operator."""
    if isinstance(expression, int):
        return
    operator, left, right = expression
    if left != right:
        yield operator, right, left
    for other in swapped_once(left):
        yield operator, other, right
    for other in swapped_once(right):
        yield operator, left, other


def evaluated_once(expression, is_root=True):
    """All expressions in which one operator on two numbers is replaced by its
    value; never the root, of which nothing would be left."""
    if isinstance(expression, int):
        return
    operator, left, right = expression
    if isinstance(left, int) and isinstance(right, int):
        if not is_root:
            yield evaluate(expression)
        return
    for other in evaluated_once(left, False):
        yield operator, other, right
    for other in evaluated_once(right, False):
        yield operator, left, other


def neighbours(expression, step, levels):
    """What `step` leads to in 1..levels steps, without the start: a list of sets
    by level. What a lower level reaches is not repeated on a higher one."""
    seen, found, front = {expression}, [], {expression}
    for _ in range(levels):
        front = {n for e in front for n in step(e)} - seen
        seen |= front
        found.append(front)
    return found


@functools.lru_cache(maxsize=None)
def equations(value):
    """All ways to write a value as a sum and as a product without a factor 1."""
    sums = [("+", a, value - a) for a in range(1, value)]
    products = [("*", a, value // a) for a in range(2, value) if value % a == 0]
    return sums, products


@functools.lru_cache(maxsize=None)
def count_with(value, operators):
    """How many expressions have this value and so many operators."""
    if operators == 0:
        return 1
    return sum(weight for weight, _ in splits(value, operators))


@functools.lru_cache(maxsize=None)
def splits(value, operators):
    """The ways to write a value with so many operators: pairs of the number of
    expressions and (operator, left, right, operators left, operators right)."""
    sums, products = equations(value)
    found = []
    for operator, left, right in sums + products:
        for inner in range(operators):
            outer = operators - 1 - inner
            weight = count_with(left, inner) * count_with(right, outer)
            if weight:
                found.append((weight, (operator, left, right, inner, outer)))
    return found


@functools.lru_cache(maxsize=None)
def cumulated_splits(value, operators):
    weights, ways = zip(*splits(value, operators))
    return ways, list(itertools.accumulate(weights))


def draw_of_value(random, value, operators):
    """An expression of a value, given the number of its operators."""
    if operators == 0:
        return value
    ways, cumulated = cumulated_splits(value, operators)
    way = random.choices(ways, cum_weights=cumulated)[0]
    operator, left, right, in_left, in_right = way
    return (operator, draw_of_value(random, left, in_left),
            draw_of_value(random, right, in_right))


@functools.lru_cache(maxsize=None)
def cumulated_values(operators):
    """The values that so many operators can yield, and their cumulated weights."""
    values = [v for v in range(1, LIMIT + 1)
              if count_with(v, operators)]
    weights = [v**VALUE_EXPONENT for v in values]
    return values, list(itertools.accumulate(weights))


def draw(random, operators, products=None):
    """An expression with so many operators: first its value, then one of all the
    expressions of that value, each as likely as any other. With `products`, the
    share of expressions that contain a product is set instead of found."""
    values, cumulated = cumulated_values(operators)
    wanted = None
    if products is not None and operators > 0:
        wanted = random.random() < products
    while True:
        value = random.choices(values, cum_weights=cumulated)[0]
        expression = draw_of_value(random, value, operators)
        if wanted is None or has_product(expression) == wanted:
            return expression
