#===-- test/Doc/Inputs/syntax.py - Examples against their grammars ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: syntax.py PAGE...

Reads every example of an op or an attribute whose page shows a grammar with words of
MLIR (`value`, `type`, ...) by that grammar. Says how many were read; fails at one that
cannot be."""

import re
import sys

PLAIN = {"value": r"%[\w#]+", "symbol": r"@[\w.$-]+", "string": r'"(?:[^"\\]|\\.)*"',
         "number": r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?!\w)", "name": r'[A-Za-z_]\w*|"[^"]*"'}
OPEN, CLOSE = "<([{", ">)]}"


def balanced(text, at):
    """The end of what a bracket begins."""
    depth, i = 0, at
    while i < len(text):
        if text.startswith("->", i):
            i += 2
            continue
        depth += (text[i] in OPEN) - (text[i] in CLOSE)
        i += 1
        if depth == 0:
            return i
    return None


def word_with_brackets(text, at, start):
    match = re.compile(start).match(text, at)
    if not match:
        return None
    end = match.end()
    return balanced(text, end) if text[end:end + 1] == "<" else end


def terminal(name, text, at):
    if name in PLAIN:
        match = re.compile(PLAIN[name]).match(text, at)
        return match and match.end()
    if name == "type":
        return word_with_brackets(text, at, r"![\w.]+|\w+")
    if name == "attribute":
        return word_with_brackets(text, at, r"#[\w.]+|(?=<)")
    if name in ("region", "dictionary", "attr-dict"):
        if text[at:at + 1] == "{":
            return balanced(text, at)
        return at if name == "attr-dict" else None
    raise ValueError(f"expected a word of the grammar, but got '{name}'")


class Grammar:
    def __init__(self, text):
        text = re.sub(r"\n\s+", " ", text.strip())
        self.rules = {}
        for line in text.split("\n"):
            name, _, body = line.partition(" ::= ")
            self.tokens = re.findall(r"`[^`]*`|\)[?*]?|\(|\||[\w-]+", body)
            self.rules[name] = self.alternatives()

    def alternatives(self):
        choices = [[]]
        while self.tokens and not self.tokens[0].startswith(")"):
            token = self.tokens.pop(0)
            if token == "|":
                choices.append([])
            elif token == "(":
                inner = self.alternatives()
                choices[-1].append(("group", inner, self.tokens.pop(0)[1:]))
            else:
                choices[-1].append(("word", token, ""))
        return choices

    def match(self, choices, text, at):
        """All places where one of the choices may end."""
        for parts in choices:
            yield from self.sequence(parts, text, at)

    def sequence(self, parts, text, at):
        if not parts:
            yield at
            return
        for end in self.part(parts[0], text, at):
            yield from self.sequence(parts[1:], text, end)

    def part(self, part, text, at):
        (kind, value, count), before = part, at
        at = re.compile(r"\s*").match(text, at).end()
        if kind == "group":
            for end in self.match(value, text, at):
                yield end
                if count == "*" and end > at:
                    yield from self.part(part, text, end)
            if count:
                yield before
        elif value.startswith("`"):
            word = value.strip("`")
            end = at + len(word)
            if text.startswith(word, at) and not (
                    word[-1].isalnum() and re.match(r"\w", text[end:end + 1])):
                yield end
        elif value in self.rules:
            yield from self.match(self.rules[value], text, at)
        else:
            end = terminal(value, text, at)
            if end is not None:
                yield end if end > at else before


def sections(page):
    for part in re.split(r"^### ", page, flags=re.M)[1:]:
        grammar = re.search(r"^```ebnf\n((?:operation|attribute) ::= (`[#\w.]+`) .*?)^```", part,
                            re.M | re.S)
        if grammar and not re.search(r"\$|params|struct", grammar[1]):
            yield grammar[2].strip("`"), Grammar(grammar[1]), re.findall(
                r"^```mlir\n(.*?)^```", part, re.M | re.S)


def main(paths):
    number = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            page = file.read()
        for name, grammar, examples in sections(page):
            rule = grammar.rules.get("operation") or grammar.rules["attribute"]
            read = 0
            for text in examples:
                for use in re.finditer(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text):
                    ends = list(grammar.match(rule, text, use.start()))
                    # What follows is a new line, or what takes an attribute.
                    rests = [text[end:].split("\n")[0].strip() for end in ends]
                    if not any(rest[:1] in ("", ">", ",", "{", "}", "f", "g") for rest in rests):
                        sys.exit(f"{path}: the grammar of '{name}' does not read: "
                                 f"{text[use.start():][:200]}\nwhat is left: {rests}")
                    read += 1
            if read == 0:
                sys.exit(f"{path}: expected an example of '{name}'")
            print(f"{name}: {read} examples")
            number += 1
    print(f"{number} grammars")


main(sys.argv[1:])
