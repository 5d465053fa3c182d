#===-- tools/checks/length.py - Bounds on files and functions ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Files and functions within bounds."""

import ast
import re

from .tree import Finding

FILE_SOFT, FILE_HARD = 400, 800
FUNCTION_SOFT, FUNCTION_HARD = 50, 100
C_SUFFIXES = (".h", ".hpp", ".c", ".cpp", ".cc", ".def")
SUFFIXES = C_SUFFIXES + (".td", ".py", ".cmake")

NOT_A_FUNCTION = re.compile(
    r"^\s*(namespace|class|struct|union|enum|extern \"C\"|if|for|while|do|switch|"
    r"else|try|return|template <[^>]*>\s*(class|struct)|typedef|#)\b"
)
CONTAINER = re.compile(
    r"^\s*(inline )?(namespace\b|extern \"C\"|(template\s*<.*>\s*)?"
    r"(class|struct|union)\b)"
)


def c_functions(lines):
    """Yields (first line, last line) of the outermost functions, from 0. Relies
    on the layout of clang-format: a body ends at the first line that is a closing
    brace at the indentation of the line on which the declaration began."""
    number, begin = 0, 0
    while number < len(lines):
        line = lines[number]
        if not line.strip() or re.match(r"\s*(//|#|\*|/\*)", line):
            begin = number + 1
        elif line.endswith("{"):
            text = " ".join(lines[begin : number + 1])
            indent = len(lines[begin]) - len(lines[begin].lstrip())
            is_function = "(" in text and not NOT_A_FUNCTION.match(text)
            if is_function and not re.search(r"=\s*\{$", text):
                end = closing(lines, number, indent)
                yield begin, end
                number = end
            elif not CONTAINER.match(text):
                number = closing(lines, number, indent)
            begin = number + 1
        elif line.rstrip().endswith((";", "}", ":", "\\")):
            begin = number + 1
        number += 1


def closing(lines, number, indent):
    for end in range(number + 1, len(lines)):
        if re.match(r" {%d}\}" % indent, lines[end]):
            return end
    return number


def py_functions(lines):
    """Yields (first line, last line) of all functions, from 0."""
    for node in ast.walk(ast.parse("\n".join(lines) + "\n")):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno - 1, node.end_lineno - 1


def bound(path, line, what, count, soft, hard):
    if count <= soft:
        return []
    text = f"expected {what} of at most {soft} lines, but got {count}"
    if count > hard:
        text += f" (more than {hard} is an error)"
    return [Finding(path, line, text, is_error=count > hard)]


def check(tree):
    findings = []
    scripts = tree.scripts("python") + tree.scripts("bash")
    for path in tree.with_suffix(*SUFFIXES) + scripts:
        lines = tree.lines(path)
        findings += bound(path, 0, "a file", len(lines), FILE_SOFT, FILE_HARD)
        if path.endswith(C_SUFFIXES):
            functions = c_functions(lines)
        elif path.endswith(".py") or (lines and "python" in lines[0]):
            try:
                functions = list(py_functions(lines))
            except SyntaxError as error:
                findings.append(Finding(path, error.lineno or 0,
                                        f"expected Python, but got: {error.msg}"))
                continue
        else:
            continue
        for begin, end in functions:
            findings += bound(path, begin + 1, "a function", end - begin + 1,
                              FUNCTION_SOFT, FUNCTION_HARD)
    return findings
