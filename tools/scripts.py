#===-- tools/scripts.py - What scripts with files as arguments share ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Errors of one line, files that are read as tables, and files that are whole or not there."""

import contextlib
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys


def run(main, page=None):
    """Calls main with the arguments, and ends with what it returns. Help is the page, if there is
    one. What is wrong with a file is one line of error and no trace."""
    name = pathlib.Path(sys.argv[0]).name
    if sys.stdout is None:  # The first file that is opened would take its place.
        sys.exit(f"{name}: error: expected a standard output, but it is closed")
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        status = called(main, page)
        flush()
    except BrokenPipeError:  # Nobody reads on, as behind `| head`.
        end_by(signal.SIGPIPE)
    except KeyboardInterrupt:
        end_by(signal.SIGINT)
    except subprocess.CalledProcessError as error:
        status = f"{name}: error: '{error.cmd[0]}' ended with {error.returncode}"
    except (OSError, ValueError) as error:
        status = f"{name}: error: {text_of(error)}"
    with contextlib.suppress(OSError):  # The error is that of the write before.
        sys.stdout.close()
    sys.exit(status)


def called(main, page):
    if page and sys.argv[1:2] in (["-h"], ["--help"]):
        print(page.strip())
        return 0
    try:
        return main(sys.argv[1:])
    except SystemExit as end:  # Of argparse, say, which has printed its help.
        return end.code


def flush():
    try:
        sys.stdout.flush()
    except OSError as error:
        error.filename = error.filename or "standard output"
        raise


def end_by(number):
    """Ends as the signal would have ended it, which is what a shell asks for."""
    sys.stdout = None
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def text_of(error):
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'standard output'}: {error.strerror}"
    return str(error)


#===----------------------------------------------------------------------===#
# Reading
#===----------------------------------------------------------------------===#

def open_bytes(path):
    """A file, or the standard input where its name is -."""
    if str(path) != "-":
        return open(path, "rb")
    if sys.stdin is None:
        raise ValueError("-: expected a standard input, but it is closed")
    return contextlib.nullcontext(sys.stdin.buffer)


def stream(path, is_latin=False):
    """The lines of a text, which may have other separators in them (U+2028, say); with `is_latin`
    those that are not UTF-8 are Latin-1."""
    with open_bytes(path) as file:
        for number, line in enumerate(file, 1):
            if b"\0" in line:
                raise ValueError(f"{path}:{number}: expected a text, but got a byte 0")
            try:
                yield line.decode("utf-8").removesuffix("\n").removesuffix("\r")
            except UnicodeDecodeError as error:
                if is_latin:
                    yield line.decode("latin-1").removesuffix("\n").removesuffix("\r")
                    continue
                raise ValueError(f"{path}:{number}: expected a text in UTF-8, but got "
                                 f"{error.reason} at byte {error.start + 1}") from None


def lines_of(path, is_latin=False):
    """The same, of which there is one at least."""
    lines = list(stream(path, is_latin))
    if not lines:
        raise ValueError(f"{path}: expected lines, but got none")
    return lines


def json_of(path):
    with open(path, encoding="utf-8") as file, reading(path, "JSON"):
        return json.load(file)


def rows_of(path, columns):
    """The first line of a table, and its others, of at least so many columns. Blank lines are
    passed over, as by the reader of tables; there is another one at least."""
    numbered = [(number, line.split("\t")) for number, line in enumerate(lines_of(path), 1)
                if line.strip()]
    if not numbered:
        raise ValueError(f"{path}: expected lines, but got blank ones only")
    for number, row in numbered:
        if len(row) < columns:
            raise ValueError(f"{path}:{number}: expected {columns} columns or more, but got "
                             f"{len(row)}")
    return numbered[0][1], [row for _, row in numbered[1:]]


def columns_of(path, *wanted):
    """The cells of each column of a table by its name, which ends before a colon. Blank lines are
    passed over, as by the reader of tables; there is a line at least."""
    header, *lines = enumerate(lines_of(path), 1)
    names = [name.split(":")[0] for name in header[1].split("\t")]
    for name in wanted:
        if name not in names:
            raise ValueError(f"{path}: expected a column '{name}', but got {', '.join(names)}")
    rows = [(number, line.split("\t")) for number, line in lines if line.strip()]
    for number, row in rows:
        if len(row) != len(names):
            raise ValueError(f"{path}:{number}: expected {len(names)} columns, but got {len(row)}")
    if not rows:
        raise ValueError(f"{path}: expected lines below the names of the columns")
    return dict(zip(names, map(list, zip(*(row for _, row in rows)))))


def answers_of(path):
    """(number of the source, score, words) of each line of `cambium-run infer --n-best`."""
    rows = [line.split("\t") for line in lines_of(path)]
    with reading(path, "an example, a score and words in each line"):
        return [(int(number), float(score), words) for number, score, words in rows]


def best_of(path):
    """The words of the first answer to each source."""
    found = {}
    for number, _, words in answers_of(path):
        found.setdefault(number, words)
    return list(found.values())


@contextlib.contextmanager
def reading(path, what):
    """Within, what goes wrong is a file that does not hold what is expected of it."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if str(error).startswith(str(path)):
            raise
        got = f"none at {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{path}: expected {what}, but got: {got}") from error


#===----------------------------------------------------------------------===#
# Writing
#===----------------------------------------------------------------------===#

@contextlib.contextmanager
def written(path, mode="w"):
    """A file that gets its name when all of it is on the disk: a reader finds the whole, or what
    was there before. Devices and pipes are written as they are."""
    path = os.path.realpath(path)
    is_file = not os.path.exists(path) or stat.S_ISREG(os.stat(path).st_mode)
    place = f"{path}.{os.getpid()}.tmp" if is_file else path
    try:
        with open(place, mode, **({} if "b" in mode else {"encoding": "utf-8", "newline": ""})) \
                as file:
            yield file
            if is_file:
                file.flush()
                os.fsync(file.fileno())
        if is_file:
            os.replace(place, path)
    except BaseException as error:
        if is_file:
            with contextlib.suppress(OSError):
                os.unlink(place)
        if isinstance(error, OSError) and error.filename in (None, place):
            raise OSError(error.errno, error.strerror, path) from error
        raise


def write(path, contents):
    """Writes a text or bytes as a file that is whole."""
    with written(path, "wb" if isinstance(contents, bytes) else "w") as file:
        file.write(contents)


#===----------------------------------------------------------------------===#
# Comparing
#===----------------------------------------------------------------------===#

def distance(a, b):
    """How many items of a list are put in, left out or replaced."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]
