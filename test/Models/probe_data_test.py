#===-- test/Models/probe_data_test.py - Tests of small data makers -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/depth/probe and models/exit/prepare make what they say, or say why not."""

import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")


def word(number, form, features, head, relation):
    return "\t".join([str(number), form, "_", "X", "_", features, str(head), relation,
                      "_", "_"])


def sentence(*words):
    return "\n".join(["# text = x", *words]) + "\n\n"


FINITE = "Tense={}|VerbForm=Fin"
SAW = sentence(word(1, "dogs", "Number=Plur", 2, "nsubj"),
               word(2, "saw", FINITE.format("Past"), 0, "root"),
               word(3, "cats", "Number=Plur", 2, "obj"),
               "3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_")
# The auxiliary is finite, the root is not; its subject is a subtype.
IS_SEEN = sentence(word(1, "he", "Number=Sing", 3, "nsubj:pass"),
                   word(2, "is", FINITE.format("Pres"), 3, "aux:pass"),
                   word(3, "seen", "Tense=Past|VerbForm=Part", 0, "root"))
# No verb, two subjects.
NO_VERB = sentence(word(1, "no", "Number=Sing", 2, "nsubj"), word(2, "way", "_", 0, "root"),
                   word(3, "he", "Number=Sing", 2, "nsubj"))


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def call(self, program, *arguments):
        return subprocess.run([os.path.join(ROOT, "models", program), *arguments],
                              capture_output=True, text=True, check=False)

    def expect_error(self, result, code, text):
        self.assertEqual(result.returncode, code)
        self.assertIn(text, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)


class Probe(Program):
    def labels(self, task, text):
        result = self.call("depth/probe", task, self.write("f", text))
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.findall(r"^# label = (\d)\n# text", result.stdout, re.M)

    def test_tense(self):
        self.assertEqual(self.labels("tense", SAW + IS_SEEN + NO_VERB), ["1", "0"])

    def test_subject(self):
        self.assertEqual(self.labels("subject", SAW + IS_SEEN + NO_VERB), ["1", "0"])

    def test_object(self):
        self.assertEqual(self.labels("object", IS_SEEN + SAW), ["1"])

    def test_last_sentence_may_lack_its_empty_line(self):
        self.assertEqual(self.labels("tense", (IS_SEEN + SAW).rstrip("\n")), ["0", "1"])

    def test_errors(self):
        path = self.write("f", IS_SEEN + "1\tdogs\n")
        self.expect_error(self.call("depth/probe", "tense", path), 1,
                          f"{path}:6: expected 10 columns between tabs, but got 2")
        self.expect_error(self.call("depth/probe", "mood", path), 2,
                          "expected a task (tense, subject, object) and a file, but got 'mood")
        self.expect_error(self.call("depth/probe", "tense", path + "x"), 1, path + "x")


class Pieces(Program):
    """Without a tokenizer: what is wrong with a file is said before it is asked."""

    def pieces(self, text):
        return self.call("probing/pieces", "tokenizer.json", self.write("f", text))

    def test_errors(self):
        self.expect_error(self.pieces(SAW), 1,
                          "f:6: expected a comment '# label = N' in the sentence above")
        self.expect_error(self.pieces("# label = 1\n1\tdogs\n"), 1,
                          "f:2: expected 10 columns between tabs, but got 2")
        self.expect_error(self.pieces("# label = 1\n"), 1, "f: expected sentences")
        self.expect_error(self.call("probing/pieces", "a"), 2,
                          "expected a tokenizer and a file, but got 'a'")


class Prepare(Program):
    def prepare(self, train, test):
        return self.call("exit/prepare", self.write("train", train),
                         self.write("test", test), "--out", self.folder)

    def read(self, part):
        with open(os.path.join(self.folder, f"{part}.tsv"), encoding="utf-8") as file:
            return file.read()

    def test_parts_and_encodings(self):
        lines = "".join(f"{n % 6} question  {n} ?\n" for n in range(20))
        result = self.prepare(lines, b"3 caf\xe9 ?\n4 caf\xc3\xa9 !\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.read("dev"), "3\t[CLS] question 9 ?\n1\t[CLS] question 19 ?\n")
        self.assertEqual(self.read("train").count("\n"), 18)
        self.assertEqual(self.read("test"), "3\t[CLS] café ?\n4\t[CLS] café !\n")

    def test_errors(self):
        self.expect_error(self.prepare("0 a\nx b\n", "0 a\n"), 1,
                          "train:2: expected a class and words, but got 'x b'")
        self.expect_error(self.prepare("0 a\n", ""), 1,
                          "test: expected lines, but got none")


if __name__ == "__main__":
    unittest.main()
