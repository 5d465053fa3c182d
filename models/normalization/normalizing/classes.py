#===-- models/normalization/normalizing/classes.py - Classes ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Classes say which tokens they accept, and what these are spoken as (Tyagi et al. 2021,
section 3.2). Those that are written here accept many tokens; a generated one accepts a
single token."""

import re

from . import numbers

TOKEN = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+|[^\W\d_]+|\S")
CURRENCY = re.compile(r"([$€£¥₩])(\d[\d,]*)")


def tokens_of(text):
    """Runs of digits, runs of letters, and other characters, each for itself. A sign of money
    goes behind its number, where it is spoken."""
    return TOKEN.findall(CURRENCY.sub(r"\2\1", text))


def spoken(text):
    return [token.lower() for token in TOKEN.findall(text)]


def digits_of(token):
    digits = token.replace(",", "")
    return digits if digits.isascii() and digits.isdigit() and len(digits) < 15 else None


def of_digits(rule):
    def normalize(token):
        digits = digits_of(token)
        return None if digits is None else rule(digits)
    return normalize


def of_roman(rule):
    def normalize(token):
        number = numbers.roman(token.lower())
        return None if number is None else rule(number)
    return normalize


def each_digit(zero):
    return of_digits(lambda digits: [numbers.ONES[int(d)] if d != "0" else zero
                                     for d in digits])


# By name: the words of a token, None of one that the class does not accept.
WRITTEN = {
    "self": lambda token: [token.lower()],
    "silent": lambda token: None if token.strip("0").isalnum() else [],
    "cardinal": of_digits(lambda digits: numbers.cardinal(int(digits))),
    "cardinal-and": of_digits(lambda digits: numbers.cardinal(int(digits), ["and"])),
    "ordinal": of_digits(lambda digits: numbers.ordinal(int(digits))),
    "digits": each_digit("zero"),
    "digits-o": each_digit("o"),
    "pairs": of_digits(lambda digits: numbers.in_pairs(digits) if len(digits) > 2 else None),
    "letters": lambda token: list(token.lower()) if token.isalpha() and len(token) > 1 else None,
    "ending": lambda token: [] if token.lower() in ("st", "nd", "rd", "th", "s") else None,
    "roman": of_roman(numbers.cardinal),
    "roman-ordinal": of_roman(numbers.ordinal),
}


class Classes:
    """The written classes, and generated ones in the order in which they were needed."""

    def __init__(self):
        self.generated = {}  # Token and words: a name.

    def names(self):
        return [*WRITTEN, *self.generated.values()]

    def generate(self, token, words):
        key = token.lower(), tuple(words)
        return self.generated.setdefault(key, f"generated-{len(self.generated)}")

    def find(self, token, words):
        """The name of the generated class, None if there is none."""
        return self.generated.get((token.lower(), tuple(words)))

    def accepting(self, token):
        """The words of a token by each class that accepts it."""
        found = {name: rule(token) for name, rule in WRITTEN.items()}
        found |= {name: list(words) for (other, words), name in self.generated.items()
                  if other == token.lower()}
        return {name: words for name, words in found.items() if words is not None}
