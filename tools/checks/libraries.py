#===-- tools/checks/libraries.py - Link lines point one way -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What libraries link follows the rules of includes.py, without a circle.

Read from the CMakeLists.txt: a library is of the folder that defines it. Each also
links the library of every header that it includes, so that nothing is found by luck
through others."""

import os
import re

from . import includes
from .tree import Finding

DEFINES = re.compile(r"\b(cambium_add_library|cambium_add_tool|add_library|add_executable)"
                     r"\(\s*(\w[\w-]*)([^()]*)\)")
LINKS = re.compile(r"\btarget_link_libraries\(\s*(\w[\w-]*)([^()]*)\)")
ROOTS = ("lib/", "dialects/", "tools/")


def without_comments(tree, path):
    return "\n".join(re.sub(r"#.*", "", line) for line in tree.lines(path))


def read(tree):
    """Of each library its CMakeLists.txt, what it links and its sources."""
    places, links, sources = {}, {}, {}
    for path in tree.files:
        if os.path.basename(path) != "CMakeLists.txt" or not path.startswith(ROOTS):
            continue
        text = without_comments(tree, path)
        for maker, name, rest in DEFINES.findall(text):
            before, _, linked = rest.partition("LINK")
            places[name] = path
            links.setdefault(name, set()).update(linked.split())
            if maker == "cambium_add_tool":  # tools/cmake/CambiumTool.cmake
                links[name].add("CambiumPipelines")
            sources[name] = [os.path.join(os.path.dirname(path), word)
                             for word in before.split() if word.endswith(".cpp")]
        for name, rest in LINKS.findall(text):
            links.setdefault(name, set()).update(rest.split())
    return places, links, sources


def line_of(tree, path, name):
    for number, line in enumerate(tree.lines(path), 1):
        if re.search(rf"\b{re.escape(name)}\b", line):
            return number
    return 0


def circle(links, start):
    """A way along link lines from a library back to it, or None."""
    ways, seen = [[start]], set()
    while ways:
        way = ways.pop()
        for name in sorted(links.get(way[-1], ())):
            if name == start:
                return way + [name]
            if name in links and name not in seen:
                seen.add(name)
                ways.append(way + [name])
    return None


def reachable(links, start):
    found, todo = {start}, [start]
    while todo:
        for name in links.get(todo.pop(), ()):
            if name not in found:
                found.add(name)
                todo.append(name)
    return found


def unlinked(tree, owners, links, name, paths):
    """Headers of libraries that this one does not link: pairs of place and text."""
    known = reachable(links, name)
    for path in paths:
        for number, line in enumerate(tree.lines(path), 1):
            match = includes.INCLUDE.match(line)
            target = match and includes.resolve(tree, path, match.group(2))
            folder = os.path.dirname(target) if target else ""
            folder = re.sub(r"^include/cambium/", "lib/", folder)
            owner = owners.get(folder)
            if owner and owner not in known:
                yield Finding(path, number, f"expected {name} to link {owner}, whose "
                              f"header '{match.group(2)}' is included")


def check(tree):
    places, links, sources = read(tree)
    findings = []
    for name, path in sorted(places.items()):
        for other in sorted(links.get(name, ())):
            if other in places and includes.refused(path, places[other]):
                here, there = includes.layer(path), includes.layer(places[other])
                findings.append(Finding(
                    path, line_of(tree, path, other), f"expected {name} ({here}) to "
                    f"link only {', '.join(sorted(includes.ALLOWED[here]))}, but got "
                    f"{other} ({there})"))
        way = circle(links, name)
        if way and name == min(way):
            findings.append(Finding(path, line_of(tree, path, name), "expected no "
                                    f"circle of libraries, but got {' -> '.join(way)}"))
    owners = {os.path.dirname(path): name for name, path in places.items()
              if not path.startswith("tools/")}
    for name, paths in sorted(sources.items()):
        findings += unlinked(tree, owners, links, name, paths)
    return findings
