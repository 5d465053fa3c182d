#===-- test/Models/listops_data_test.py - The data of ListOps ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Properties of what models/listops/generate writes."""
import os
import statistics
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
GENERATE = os.path.join(SOURCE, "models", "listops", "generate")
ALL = "MAX,MIN,MED,SM,FIRST,LAST"


def generate(folder, *options):
    return subprocess.run([sys.executable, GENERATE, "--out", folder, *options],
                          capture_output=True, text=True, check=False)


def rows(folder, part):
    with open(os.path.join(folder, part + ".tsv"), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def evaluate(text):
    """The value, another way: innermost operators first, brackets dropped."""
    stack = []
    for word in text.split():
        if word == "]":
            values = []
            while isinstance(stack[-1], int):
                values.insert(0, stack.pop())
            name = stack.pop()
            stack.append({
                "[MAX": lambda: sorted(values)[-1], "[MIN": lambda: sorted(values)[0],
                "[MED": lambda: int(statistics.median(values)),
                "[SM": lambda: sum(values) % 10, "[FIRST": lambda: values[0],
                "[LAST": lambda: values[-1]}[name]())
        elif word not in "()":
            stack.append(word if word.startswith("[") else int(word))
    value, = stack
    return value


def depth(text):
    nested = deepest = 0
    for word in text.split():
        nested += word.startswith("[")
        nested -= word == "]"
        deepest = max(deepest, nested)
    return deepest


class ListOpsData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.options = ("--operators", ALL, "--arguments", "5", "--share", "0.25",
                       "--train", "3000", "--dev", "200", "--test", "300")
        done = generate(cls.folder, *cls.options)
        assert done.returncode == 0, done.stderr
        cls.parts = {part: rows(cls.folder, part) for part in ("train", "dev", "test")}

    def test_values_are_right(self):
        for part in self.parts.values():
            for value, text in part:
                self.assertEqual(int(value), evaluate(text), text)

    def test_counts_and_differences(self):
        self.assertEqual([len(part) for part in self.parts.values()], [3000, 200, 300])
        texts = [text for part in self.parts.values() for _, text in part]
        self.assertEqual(len(set(texts)), len(texts))

    def test_brackets_are_binary(self):
        for _, text in self.parts["train"]:
            words = [word for word in text.split() if word not in "()"]
            self.assertEqual(text.split().count("("), len(words) - 1)

    def test_depth_and_operators(self):
        with tempfile.TemporaryDirectory() as folder:
            done = generate(folder, "--depth", "5", "--train", "2000", "--dev", "10",
                            "--test", "10", "--operators", "FIRST,MAX")
            self.assertEqual(done.returncode, 0, done.stderr)
            texts = [text for _, text in rows(folder, "train")]
            self.assertEqual(max(map(depth, texts)), 4)
            names = {word for text in texts for word in text.split() if word[0] == "["}
            self.assertEqual(names, {"[FIRST", "[MAX"})

    def test_same_seed_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            generate(folder, *self.options)
            self.assertEqual(rows(folder, "train"), self.parts["train"])
            generate(folder, *self.options, "--seed", "1")
            self.assertNotEqual(rows(folder, "train"), self.parts["train"])

    def test_excludes(self):
        with tempfile.TemporaryDirectory() as folder:
            generate(folder, *self.options, "--exclude",
                     os.path.join(self.folder, "train.tsv"))
            known = {text for _, text in self.parts["train"]}
            self.assertFalse(known & {text for _, text in rows(folder, "train")})

    def test_errors(self):
        for options, expected in (
                (("--operators", "MAX,PM"), "but got 'PM'"),
                (("--share", "0.5"), "expected --share above 0, and below 0.400"),
                (("--depth", "1"), "expected --depth from 2 to 200, but got 1"),
                (("--exclude", "none.tsv"), "none.tsv: No such file or directory"),
                (("--depth", "2", "--operators", "MAX", "--train", "5000"),
                 "different expressions")):
            done = generate(os.path.join(self.folder, "errors"), *options)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
