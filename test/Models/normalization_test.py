#===-- test/Models/normalization_test.py - How text is spoken -------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Tokens, classes and alignments of models/normalization."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "models/normalization"
sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER))

from normalizing import numbers
from normalizing.alignment import align
from normalizing.classes import Classes, spoken, tokens_of


def classes_of(written, said):
    return [name or words for name, words in align(tokens_of(written), spoken(said))]


class Numbers(unittest.TestCase):
    def test_words(self):
        said = lambda number, *link: " ".join(numbers.cardinal(number, *link))
        self.assertEqual(said(0), "zero")
        self.assertEqual(said(18000107), "eighteen million one hundred seven")
        self.assertEqual(said(18075, ["and"]), "eighteen thousand and seventy five")
        self.assertEqual(said(1801, ["and"]), "one thousand eight hundred and one")
        self.assertEqual(" ".join(numbers.ordinal(3242)),
                         "three thousand two hundred forty second")
        self.assertEqual(" ".join(numbers.ordinal(30)), "thirtieth")
        self.assertEqual(" ".join(numbers.in_pairs("1905")), "nineteen o five")
        self.assertEqual(" ".join(numbers.in_pairs("120")), "one twenty")
        self.assertEqual([numbers.roman(r) for r in ("xl", "iv", "so", "")], [40, 4, None, None])


class Alignment(unittest.TestCase):
    def test_tokens(self):
        self.assertEqual(tokens_of("C3PO is $1,234.5!"),
                         ["C", "3", "PO", "is", "1,234", "$", ".", "5", "!"])

    def test_written_classes(self):
        self.assertEqual(classes_of("july 25th 2012", "july twenty fifth twenty twelve"),
                         ["self", "ordinal", "ending", "pairs"])
        self.assertEqual(classes_of("1-2", "one two"), ["cardinal", "silent", "cardinal"])

    def test_generated_classes(self):
        self.assertEqual(classes_of("$5", "five dollars"), ["cardinal", ["dollars"]])
        # Less is generated where a written class says a part.
        self.assertEqual(classes_of("5 kg", "five kilograms"), ["cardinal", ["kilograms"]])
        self.assertIsNone(align(["a"], ["word"] * 9))

    def test_acceptance(self):
        classes = Classes()
        name = classes.generate("KG", ["kilograms"])
        self.assertEqual(classes.generate("kg", ["kilograms"]), name)
        self.assertEqual(classes.accepting("kg"), {"self": ["kg"], "letters": ["k", "g"],
                                                   name: ["kilograms"]})
        self.assertEqual(set(classes.accepting("5")), {
            "self", "cardinal", "cardinal-and", "ordinal", "digits", "digits-o"})


class Script(unittest.TestCase):
    def run_script(self, *arguments):
        result = subprocess.run([sys.executable, FOLDER / "normalize", *map(str, arguments)],
                                capture_output=True, text=True, check=False)
        return result.stdout if result.returncode == 0 else result.stderr

    def test_score(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            cases = [f"{k} kg~{numbers.ONES[k]} kilograms" for k in range(9)] + ["4 m~four meters"]
            (folder / "a.txt").write_text("\n".join(cases) + "\n")
            self.run_script("tables", folder, "--out", folder)
            test = json.loads((folder / "classes.json").read_text())["test"]
            # The last one needs a class that the others do not have.
            self.assertEqual([row[1] for row in test],
                             [["cardinal", "generated-0"], ["cardinal", None]])
            (folder / "answers").write_text("cardinal generated-0\tx\ncardinal self\tx\n")
            self.assertEqual(json.loads(self.run_script("score", folder, folder / "answers")), {
                "tokens": 4, "right": 75.0, "no class": 25.0, "texts": 2, "texts right": 50.0})
            (folder / "answers").write_text("cardinal generated-0\tx\ngenerated-0 self\tx\n")
            self.assertIn("expected a class that accepts '4', but got 'generated-0'",
                          self.run_script("score", folder, folder / "answers"))


if __name__ == "__main__":
    unittest.main()
