#===-- models/normalization/normalizing/numbers.py - Numbers as words ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""English words of numbers."""

ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen").split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
SCALES = ("", "thousand", "million", "billion", "trillion")
IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth",
             "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def below_hundred(number):
    if number < 20:
        return [ONES[number]]
    return [TENS[number // 10]] + ([ONES[number % 10]] if number % 10 else [])


def below_thousand(number, link):
    hundreds, rest = divmod(number, 100)
    words = [ONES[hundreds], "hundred"] if hundreds else []
    if rest or not hundreds:
        words += (link if hundreds else []) + below_hundred(rest)
    return words


def cardinal(number, link=()):
    """`link`: what stands in front of the last two digits, as in `one hundred and one`."""
    if number == 0:
        return ["zero"]
    words, link = [], list(link)
    groups = []
    while number:
        number, group = divmod(number, 1000)
        groups.append(group)
    for scale in range(len(groups) - 1, -1, -1):
        if not groups[scale]:
            continue
        if words and scale == 0 and groups[0] < 100:
            words += link
        words += below_thousand(groups[scale], link) + [SCALES[scale]] * (scale > 0)
    return words


def ordinal(number):
    *rest, last = cardinal(number)
    if last in IRREGULAR:
        return rest + [IRREGULAR[last]]
    return rest + [last[:-1] + "ieth" if last.endswith("y") else last + "th"]


def in_pairs(digits):
    """As years and numbers of houses are read: nineteen eighty, twenty seven o five."""
    words = []
    for begin in range(len(digits) % 2 and 1, len(digits), 2):
        pair = digits[begin:begin + 2]
        if pair == "00":
            words.append("hundred")
        elif pair[0] == "0":
            words += ["o", ONES[int(pair[1])]]
        else:
            words += below_hundred(int(pair))
    return ([ONES[int(digits[0])]] if len(digits) % 2 else []) + words


def roman(letters):
    """The number that letters stand for, None if they are none."""
    values = [ROMAN.get(letter) for letter in letters]
    if not values or None in values:
        return None
    number = sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0]))
    return number if number < 100 else None
