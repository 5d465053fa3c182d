#===-- test/Tools/noise_test.py - Sentences with mistakes ----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""tools/noise makes the mistakes that it is asked for, as often, and no others."""

import collections
import pathlib
import subprocess
import tempfile
import unittest

NOISE = pathlib.Path(__file__).resolve().parents[2] / "tools" / "noise"


def run(*arguments, text=""):
    data = text if isinstance(text, bytes) else text.encode()
    return subprocess.run([NOISE, *map(str, arguments)], input=data, capture_output=True,
                          check=False)


def noise(*arguments, text):
    result = run(*arguments, text=text)
    assert result.returncode == 0, result.stderr
    return result.stdout.decode()


def lines(count, width=10):
    """Words that all differ, so that each one is found again."""
    return "".join(" ".join(f"w{row}x{k}" for k in range(width)) + "\n" for row in range(count))


class Noise(unittest.TestCase):
    def test_words_as_often_as_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "source")
            source.write_text("red red red blue\n")
            text = lines(1000)
            found = noise("words", "--from", source, text=text)
        before, after = text.splitlines(), found.splitlines()
        self.assertEqual(len(after), len(before))
        counts = collections.Counter()
        for old, new in zip(before, after, strict=True):
            kept = [w for w in new.split() if w.startswith("w")]
            self.assertEqual(kept, [w for w in old.split() if w in set(kept)])  # In order.
            for word, following in zip([""] + new.split(), new.split()):
                if following in ("red", "blue"):
                    self.assertTrue(word.startswith("w"))  # Behind a word of the line.
            counts.update("kept" if w.startswith("w") else w for w in new.split())
        # 10,000 words: 0.2 + 0.25 stay, 0.3 are masked, 0.25 get one, a quarter blue.
        for name, expected in (("kept", 4500), ("<mask>", 3000), ("red", 1875), ("blue", 625)):
            self.assertAlmostEqual(counts[name], expected, delta=200)

    def test_what_is_kept_and_masked(self):
        text = lines(20)
        self.assertEqual(noise("words", "--keep", 1, "--mask", 0, text=text), text)
        found = noise("words", "--keep", 0, "--mask", 1, text=text)
        self.assertEqual(found, (" ".join(["<mask>"] * 10) + "\n") * 20)
        self.assertEqual(noise("words", text="\n\n a \n").count("\n"), 3)

    def test_characters(self):
        self.assertEqual(noise("characters", "--rate", 0, text="a b\n\nh\u00e4us \u6a39\n"),
                         "a b\n\nh\u00e4us \u6a39\n")
        text = "".join(chr(0x4e00 + k) for k in range(20000)) + "\n"
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "source")
            source.write_text("y")
            found = noise("characters", "--rate", 0.1, "--from", source, text=text)
        known = {c: k for k, c in enumerate(text)}
        left = [known[c] for c in found if c != "y" and c != "\n"]
        swapped = sum(a == b + 1 for a, b in zip(left, left[1:]))
        # Of 2,000 mistakes: a quarter swaps, insertions, replacements, deletions.
        self.assertAlmostEqual(swapped, 500, delta=100)
        self.assertAlmostEqual(found.count("y"), 1000, delta=130)
        self.assertAlmostEqual(20000 - len(left), 1000, delta=130)

    def test_a_line_depends_on_its_number_and_the_seed(self):
        text = lines(30)
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "source")
            source.write_text(text)
            first = noise("words", "--from", source, text=text)
            self.assertEqual(first, noise("words", source, text=""))
            part = noise("words", "--from", source, text=lines(7))
            self.assertEqual(first.splitlines()[:7], part.splitlines())
            self.assertNotEqual(first, noise("words", "--from", source, "--seed", 2, text=text))

    def test_errors(self):
        for arguments, data, text in (
                (("words", "--keep", 0.8, "--mask", 0.3), "a\n", "expected --keep and --mask"),
                (("words", "--keep", 2), "a\n", "expected a number from 0 to 1, but got 2"),
                (("characters", "--rate", "nan"), "a\n", "expected a number from 0 to 1"),
                (("words",), b"a\n\xff\n", "-:2: expected a text in UTF-8"),
                (("words", "--from", "/dev/null"), "a\n", "/dev/null: expected lines, but got"),
                (("words",), "", "-: expected lines, but got none"),
                (("words", "/no/file"), "", "No such file")):
            result = run(*arguments, text=data)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(text, result.stderr.decode())
            self.assertNotIn("Traceback", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
