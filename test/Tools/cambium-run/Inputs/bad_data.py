#===-- test/Tools/cambium-run/Inputs/bad_data.py - Mistakes in data ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Rows of bad_input.py: data files and vocabularies."""

TRAIN = ("cambium-run train DIR/model.so --data ptb --train BAD --dev DIR/good.txt "
         "--out DIR/out --epochs 1 --threads 1 --quiet")
COBA = TRAIN.replace("ptb", "coba").replace("--quiet", "--quiet --map label=value")


def data(name, contents, command=TRAIN):
    """A training file that holds `contents`."""
    return {"name": name, "run": command.replace("BAD", "DIR/bad.txt"),
            "files": {"bad.txt": contents}}


def coba(name, contents):
    return data(name, contents, COBA)


def words(name, contents):
    """A vocabulary for an evaluation."""
    return {"name": name, "files": {"words.txt": contents},
            "run": "cambium-run eval --model DIR/model.so --data ptb "
                   "--vocab DIR/words.txt DIR/good.txt"}


LONG = "(1 " * 3_000_000 + "(1 end)"

ROWS = [
    data("an empty file", ""),
    data("blank lines only", "\n \n\t\r\n"),
    data("a tree that does not end", "(2 good)\n(2 (1 a)\n"),
    data("one bracket too many", "(2 good))\n"),
    data("a tree without labels", "((a) (b))\n"),
    data("a label that is a word", "(2 (x b) (1 c))\n"),
    data("a negative label", "(-1 a)\n"),
    data("a label of 2^31", "(2147483648 a)\n"),
    data("a label that the model lacks", "(2 good)\n(7 good)\n"),
    data("a label that is not a number", "(nan a)\n"),
    data("no brackets", "good film\n"),
    data("two words in a leaf", "(2 very good)\n"),
    data("a child after a word", "(2 very (2 good))\n"),
    data("a node without anything", "(2 )\n"),
    data("a text after the tree", "(2 good) indeed\n"),
    data("lines that end with CR alone", "(2 good)\r(1 bad)\r"),
    data("10 MB in a line", LONG),
    data("a zip file", b"PK\x03\x04\x14\x00\x08\x00"),
    coba("an operator without an operand", "+ 4 * 5\t14\n"),
    coba("an operand too many", "+ 4 5 6\t9\n"),
    coba("no expression", "\t14\n"),
    coba("a number of the model's range", "+ 4 101\t100\n"),
    coba("a token that is none", "- 4 5\t1\n"),
    coba("a missing column", "+ 4 5\n"),
    coba("spaces instead of tabs", "+ 4 5 9\n"),
    coba("a value out of range", "+ 60 60\t120\n"),
    coba("a value that is not a number", "+ 4 5\tnan\n"),
    coba("a value with a fraction", "+ 4 5\t9.0\n"),
    {"name": "an id that the model lacks", "files": {"bad.txt": "90\t1\n"},
     "run": COBA.replace("BAD", "DIR/bad.txt").replace("DIR/good.txt", "DIR/bad.txt"),
     },
    words("an empty vocabulary", ""),
    words("a vocabulary without its first words", "film\ngood\n"),
    words("a vocabulary with a word twice", "<pad>\n<unk>\ngood\ngood\n"),
    words("a vocabulary with an empty line", "<pad>\n<unk>\n\ngood\n"),
    {"name": "a data file that is not there",
     "run": TRAIN.replace("BAD", "DIR/none.txt")},
    {"name": "a folder instead of a data file",
     "run": TRAIN.replace("BAD", "DIR")},
    {"name": "a bad line among those to infer", "stdin": "(good)\n(bad\n",
     "run": "cambium-run infer --run DIR/run"},
    {"name": "nothing to infer", "stdin": "", "run": "cambium-run infer --run DIR/run"},
    {"name": "blank lines to infer, into a table", "files": {"bad.txt": "\n \n"},
     "run": "cambium-run infer --run DIR/run --outputs DIR/outputs.tsv DIR/bad.txt"},
    {"name": "names of columns alone", "files": {"bad.txt": "tokens:ids\n"},
     "run": "cambium-run infer --model DIR/model.so --data table DIR/bad.txt"},
    {"name": "an empty file to evaluate", "files": {"bad.txt": ""},
     "run": "cambium-run eval --run DIR/run DIR/bad.txt"},
    {"name": "names of columns alone to evaluate",
     "files": {"bad.txt": "tokens:ids\tlabel:id\n"},
     "run": "cambium-run eval --model DIR/model.so --data table DIR/bad.txt"},
]
