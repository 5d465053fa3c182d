#===-- tools/checks/clashes.py - Names of files that are compiled as one --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The release build compiles several files of a library as one (CMake's unity builds),
so no two files of a library have a static or anonymous name in common."""

import collections
import os
import re

from .tree import Finding

LIBRARY = re.compile(r"\b(?:\w*add_library|\w*add_tool|\w*add_executable|set)"
                     r"\(\s*(\w[\w-]*)([^)]*)\)")
SOURCE = re.compile(r"[\w/.-]+\.cpp\b")
STATIC = re.compile(r"static (?:(?:constexpr|inline|const|thread_local) )*(.*)")
# A name before its parameters, its value or its end; parameters tell overloads apart.
NAMED = re.compile(r"(\w+)\s*(\(.*|[=\[;{].*)$")
TYPE = re.compile(r"(?:class|struct|enum|enum class)\s+(\w+)\b[^;]*$")
NAMESPACE = re.compile(r"namespace( \w+(::\w+)*)? \{")


def statement(lines, number):
    """The text from a line to the end of the declaration that begins there."""
    text = ""
    for line in lines[number:number + 6]:
        text += " " + line.strip()
        if re.search(r"[{;]$", line):
            break
    return text.strip()


def local_names(lines):
    """The names that a file has to itself at namespace scope, with their lines; of
    functions with their parameters."""
    found, scopes = {}, []
    for number, line in enumerate(lines):
        if match := NAMESPACE.match(line):
            scopes.append(match.group(1) or "")
        elif line.startswith("} // ") and "namespace" in line and scopes:
            scopes.pop()
        # An alias may be declared twice.
        if not line or line[0] in " }#/" or line in ("public:", "private:") or \
                line.startswith("using ") or NAMESPACE.match(line):
            continue
        text = statement(lines, number)
        static = STATIC.match(text)
        is_anonymous = "" in scopes
        if match := TYPE.match(line.split(" : ")[0].rstrip(" {")):
            if is_anonymous:
                found[match.group(1)] = number + 1
        elif static or is_anonymous:
            text = (static.group(1) if static else text).split(" = ")[0] + ";"
            match = NAMED.search(text)
            # A method belongs to its class, the name of which is compared.
            if match and not text[:match.start()].endswith("::"):
                rest = match.group(2)
                parameters = rest.split(")")[0] + ")" if rest[0] == "(" else ""
                found[match.group(1) + parameters] = number + 1
    return found


def check(tree):
    findings = []
    for path in tree.files:
        if os.path.basename(path) != "CMakeLists.txt" or path.startswith("test/"):
            continue
        text = "\n".join(line.split("#")[0] for line in tree.lines(path))
        for library, sources in LIBRARY.findall(text):
            places = collections.defaultdict(list)
            for source in SOURCE.findall(sources):
                source = os.path.normpath(os.path.join(os.path.dirname(path), source))
                if source in tree.files:
                    for name, line in local_names(tree.lines(source)).items():
                        places[name].append((source, line))
            findings += [
                Finding(*found[1], f"expected a name that no other file of {library} has, "
                        f"but '{name}' is also in {found[0][0]}:{found[0][1]}")
                for name, found in places.items() if len(found) > 1]
    return findings
