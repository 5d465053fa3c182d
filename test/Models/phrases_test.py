#===-- test/Models/phrases_test.py - Phrases of a treebank of heads --------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/parser/phrases makes phrases of heads, in the order of a chart, and scores them."""

import pathlib
import subprocess
import tempfile
import unittest

PHRASES = pathlib.Path(__file__).resolve().parents[2] / "models" / "parser" / "phrases"


def sentence(*words):
    """Of (word, part of speech, head)."""
    return "".join("\t".join((str(n), word, word, part, "_", "_", str(head), "dep", "_", "_")) + "\n"
                   for n, (word, part, head) in enumerate(words, 1)) + "\n"


CATS = sentence(("the", "DET", 2), ("cat", "NOUN", 3), ("sits", "VERB", 0))
# 'a' and 'c' stand apart, so that 'c' with 'a' below it is no phrase.
CROSSED = sentence(("a", "NOUN", 3), ("b", "VERB", 0), ("c", "ADJ", 2))


class PhrasesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def phrases(self, *arguments):
        return subprocess.run([PHRASES, *map(str, arguments)], check=False, capture_output=True,
                              encoding="utf-8")

    def prepare(self, text, *more):
        for part in ("train", "dev", "test"):
            (self.folder / f"x-{part}.conllu").write_text(text, encoding="utf-8")
        return self.phrases("prepare", self.folder, "--out", self.folder / "out", *more)

    def column(self):
        lines = (self.folder / "out" / "train.tsv").read_text(encoding="utf-8").splitlines()
        return [line.split("\t")[3] for line in lines[1:]]

    def test_order_is_that_of_a_chart(self):
        done = self.prepare(CATS + CROSSED)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        labels = (self.folder / "out" / "labels.txt").read_text(encoding="utf-8").split()
        self.assertEqual(labels, ["NOUN", "VERB"])
        # Words, (the cat) NOUN, (cat sits), (the cat sits) VERB; the crossed one has only its root.
        self.assertEqual(self.column(), ["0 0 0 1 0 2", "0 0 0 0 0 2"])

    def test_long_sentences_are_left_out(self):
        self.prepare(CATS + sentence(("hm", "INTJ", 0)), "--longest", 2)
        self.assertEqual(self.column(), ["0"])

    def test_heads_that_go_round_end(self):
        done = self.prepare(sentence(("a", "X", 2), ("b", "X", 1)))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_score(self):
        gold, found = self.folder / "gold", self.folder / "found"
        gold.write_text("words\tphrases:ids\na b c\t0 0 0 1 0 2\na b\t0 0 3\n")
        found.write_text("words\tfound\na b c\t0 0 0 0 1 2\na b\t0 0 2\n")
        lines = self.phrases("score", gold, found).stdout.splitlines()
        self.assertRegex(lines[0], r"^labelled +precision 33.3 +recall 33.3 +F1 33.3 +sentences 0.0$")
        self.assertRegex(lines[1], r"^unlabelled +precision 66.7 .* F1 66.7 +sentences 50.0$")

    def test_errors(self):
        gold = self.folder / "gold"
        gold.write_text("phrases\n0 x\n")
        short = self.folder / "short"
        short.write_text("found\n")
        for arguments, expected in (
                ((gold, gold), f"{gold}: expected whole numbers in the column 'phrases', but got "
                               "'0 x' in row 1"),
                ((short, gold), f"{short}: expected a column 'phrases', but got found"),
                ((self.folder / "none", gold), "No such file")):
            done = self.phrases("score", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"^phrases: error: .*\n$")
            self.assertIn(expected, done.stderr)
        done = self.prepare(CATS.replace("\t3\t", "\t_\t"))
        self.assertIn("x-train.conllu:2: expected the number of a head, but got '_'", done.stderr)


if __name__ == "__main__":
    unittest.main()
