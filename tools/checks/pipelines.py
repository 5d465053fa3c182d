#===-- tools/checks/pipelines.py - The passes of each phase -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Tables of the passes of a phase, from the sources of the pipelines.

lib/Pipelines/<Phase>.cpp adds a pass per statement, under a comment that says why it
stands there. In a page, the lines between `<!-- passes: PHASE -->` and
`<!-- end of passes -->` are the table of that phase."""

import os
import re

LLVM = "/usr/lib/llvm-22"
STATEMENT = re.compile(
    r"^(?:  )?  (?:\w+\.(addPass|addNestedPass<[\w:]+>)\((?:\w+::)*create(\w+)\(|(addCleanUp)\()")
DEFINITION = re.compile(
    r"^def (\w+)\s*:\s*(?:Interface)?Pass<\s*\"([\w-]+)\"(.*?)^}", re.S | re.M)
SUMMARY = re.compile(r"let summary\s*=\s*((?:\"[^\"]*\"\s*)+);")
MAKER = re.compile(r"let constructor = \".*?create(\w+)\(")
MARKED = re.compile(r"(<!-- passes: (\w+) -->\n).*?(<!-- end of passes -->)", re.S)
FILES = {"input": "Input", "batched": "Batched", "gradient": "Gradient", "linalg": "Linalg",
         "buffers": "Buffers", "kernels": "Kernels", "llvm": "LLVM",
         "gpukernels": "GpuKernels"}


def definitions(tree):
    """From the name of a factory without `create` to the pass and its summary."""
    texts = ["\n".join(tree.lines(p)) for p in tree.files if p.endswith(".td")]
    for folder, _, names in os.walk(f"{LLVM}/include/mlir"):
        if "Passes.td" in names:
            with open(os.path.join(folder, "Passes.td"), encoding="utf-8") as file:
                texts.append(file.read())
    found = {}
    for text in texts:
        for name, flag, body in DEFINITION.findall(text):
            summary = SUMMARY.search(body)
            said = "".join(re.findall(r'"([^"]*)"', summary.group(1))) if summary else ""
            # Older passes of MLIR name their factory themselves.
            maker = MAKER.search(body)
            for key in {name, name.removesuffix("Pass") + "Pass",
                        maker.group(1) if maker else name}:
                found.setdefault(key, (flag, " ".join(said.split())))
    return found


def rows(tree, phase, known):
    """Passes, what they do, and why they stand there; raises ValueError."""
    path = f"lib/Pipelines/{FILES[phase]}.cpp"
    comment, made = [], []
    for number, line in enumerate(tree.lines(path), 1):
        stripped = line.strip()
        if stripped.startswith("// "):
            comment.append(stripped[3:])
            continue
        match = STATEMENT.match(line)
        if match:
            if not comment:
                raise ValueError(f"{path}:{number}: expected a comment that says why "
                                 "the pass stands here")
            why = " ".join(comment)
            if match.group(3):
                made.append(("`canonicalize`, `cse`", "Clean up.", why))
            elif match.group(2) not in known:
                raise ValueError(f"{path}:{number}: expected a pass with a definition, "
                                 f"but got create{match.group(2)}")
            else:
                flag, summary = known[match.group(2)]
                made.append((f"`{flag}`", summary.rstrip(".") + ".", why))
        elif "Pass(" in line and "build" not in line:
            raise ValueError(f"{path}:{number}: expected one statement per pass, as "
                             "'pm.addPass(create...', but got '" + stripped + "'")
        comment = []
    if not made:
        raise ValueError(f"{path}: expected passes")
    return made


def table(tree, phase, known):
    lines = ["| pass | does | why here |", "|---|---|---|"]
    for cells in rows(tree, phase, known):
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(lines) + "\n"


def pages(tree):
    """Path and text of every page with such a table; raises ValueError."""
    known = definitions(tree)
    made, shown = {}, set()
    for path in tree.with_suffix(".md"):
        text = "\n".join(tree.lines(path)) + "\n"

        def fill(match):
            if match.group(2) not in FILES:
                raise ValueError(f"{path}: expected a phase with passes, but got "
                                 f"'{match.group(2)}'")
            shown.add(match.group(2))
            return match.group(1) + table(tree, match.group(2), known) + match.group(3)

        if MARKED.search(text):
            made[path] = MARKED.sub(fill, text)
    for phase in FILES:
        if phase not in shown:
            raise ValueError(f"expected a page with '<!-- passes: {phase} -->'")
    return made
