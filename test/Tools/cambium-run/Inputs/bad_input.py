#===-- test/Tools/cambium-run/Inputs/bad_input.py - A table of mistakes --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: bad_input.py FOLDER MODULE OTHER-MODULE... [--only TEXT] [--show]

Runs every row of the tables in bad_data.py, bad_runs.py and bad_models.py: makes
the files, runs the command, and compares the exit code and the whole text on the
standard error stream with those of bad_input.expected. DIR stands for the folder,
CHECKSUM for a checksum, MEMORY for the memory of the machine. With --show, prints
what came, in the form of that file.
"""
import contextlib
import os
import re
import shutil
import subprocess
import sys

import bad_data
import bad_models
import bad_runs

arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
show = "--show" in sys.argv
only = None
if "--only" in sys.argv:
    only = arguments.pop()
folder, module = os.path.abspath(arguments[0]), os.path.abspath(arguments[1])


def path(name):
    return os.path.join(folder, name)


def write(name, contents):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    if isinstance(contents, str):
        contents = contents.encode()
    with open(path(name), "wb") as file:
        file.write(contents)


def prepare():
    """A good data file, the modules, and a finished training in `run`."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    write("stdin", "")
    shutil.copy(module, path("model.so"))
    for other in arguments[2:]:
        shutil.copy(other, path(os.path.basename(other)))
    write("good.txt", "(2 (1 a) (2 good))\n(0 (0 bad) (1 film))\n" * 4)
    command = bad_data.TRAIN.replace("--out DIR/out", "--out DIR/run")
    run(command.replace("BAD", "DIR/good.txt"), check=True)


def run(command, check=False):
    words = [w.replace("DIR", folder) for w in command.split()]
    with open(path("stdin"), "rb") as stdin:
        return subprocess.run(words, stdin=stdin, capture_output=True,
                              check=check, cwd=folder)


@contextlib.contextmanager
def full_disk():
    """A file system at DIR/disk with a copy of the training and no room for more;
    gives False where none can be mounted (root can)."""
    os.makedirs(path("disk"), exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs",
                              path("disk")], capture_output=True, check=False)
    if mounted.returncode:
        yield False
        return
    try:
        shutil.copytree(path("run"), path("disk/copy"))
        with contextlib.suppress(OSError), open(path("disk/filler"), "wb", 0) as filler:
            while True:
                filler.write(bytes(4096))
        yield True
    finally:
        subprocess.run(["umount", path("disk")], check=True)


def apply_change(row):
    """Damages a copy of the training as the row says."""
    shutil.rmtree(path("copy"), ignore_errors=True)
    shutil.rmtree(path("out"), ignore_errors=True)
    shutil.copytree(path("run"), path("copy"))
    for name, contents in row.get("files", {}).items():
        write(name, contents)
    for name, source in row.get("copies", {}).items():
        shutil.copy(path(source), path(name))
    for name in row.get("remove", []):
        os.remove(path(name))
    for name in row.get("folders", []):
        os.makedirs(path(name))
    for name in row.get("pipes", []):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path(name))
        os.mkfifo(path(name))
    for name, change in row.get("change", {}).items():
        with open(path(name), "rb") as file:
            contents = file.read()
        write(name, change(contents))


def plain(text):
    """The text without what differs from run to run."""
    text = text.decode(errors="backslashreplace").replace(folder, "DIR")
    text = re.sub(r"\b[0-9a-f]{16}\b", "CHECKSUM", text)
    text = re.sub(r"the limit is \d+", "the limit is MEMORY", text)
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}"
                   for c in text.rstrip("\n"))


def expectations():
    """The exit code and the text by the name of the row."""
    result = {}
    file = os.path.join(os.path.dirname(__file__), "bad_input.expected")
    with open(file, encoding="utf-8") as stream:
        for part in stream.read().split("\n== ")[1:]:
            head, _, text = part.partition("\n")
            name, _, code = head.rpartition(" ")
            result[name] = (int(code), text.rstrip("\n"))
    return result


def try_row(row, expected):
    apply_change(row)
    write("stdin", row.get("stdin", ""))
    with full_disk() if row.get("full") else contextlib.nullcontext(True) as can:
        if not can:
            print(f"== {row['name']}: skipped, since no file system can be mounted here")
            return True
        done = run(row["run"])
    got = (done.returncode, plain(done.stderr))
    if show:
        print(f"\n== {row['name']} {got[0]}\n{got[1]}")
        return True
    if got == expected.get(row["name"]) and got[0] != 0:
        return True
    print(f"== {row['name']}: {row['run']}\nexpected {expected.get(row['name'])}\n"
          f"but got  {got}")
    return False


def main():
    rows = bad_data.ROWS + bad_runs.ROWS + bad_models.ROWS
    names = [row["name"] for row in rows]
    assert len(set(names)) == len(names), "two rows have the same name"
    prepare()
    rows = [row for row in rows if not only or only in row["name"]]
    expected = expectations()
    good = [try_row(row, expected) for row in rows]
    if show:
        return 0
    print(f"{sum(good)} of {len(rows)} kinds of bad input answered as expected")
    return 0 if all(good) else 1


sys.exit(main())
