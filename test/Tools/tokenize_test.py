#===-- test/Tools/tokenize_test.py - Tests of tools/cambium-tokenize ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Vocabularies are learned, texts become ids at once, and what is wrong is named.
Skipped where tools/setup did not install the packages."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = SOURCE / "tools" / "cambium-tokenize"
HOME = pathlib.Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
PYTHON = os.environ.get("CAMBIUM_PYTHON") or str(HOME / "cambium/python/bin/python")
TEXTS = ["the small dog sees the old man", "a small man sees the dog", "",
         "old dogs see small men", "Älter wird der Hund"] * 4


def has_packages():
    try:
        return subprocess.run([PYTHON, "-c", "import tokenizers, sentencepiece"],
                              capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def run(*arguments, text=b"", environment=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], input=text,
                          capture_output=True, check=False,
                          env=dict(os.environ, **(environment or {})))


@unittest.skipUnless(has_packages(), f"{PYTHON} has no tokenizers (tools/setup)")
class Tokenize(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="cambium-tokenize-")
        cls.folder = pathlib.Path(cls.scratch.name)
        (cls.folder / "texts").write_text("\n".join(TEXTS))
        for model in ("wordpiece", "unigram"):
            made = run("train", "--model", model, "--size", 60, "--out",
                       cls.folder / f"{model}.json", cls.folder / "texts")
            assert made.returncode == 0, made.stderr
        subprocess.run(
            [PYTHON, "-c", "import sentencepiece as s, sys; "
             "s.SentencePieceTrainer.train(input=sys.argv[1], model_prefix=sys.argv[2], "
             "vocab_size=40, hard_vocab_limit=False, minloglevel=2, "
             "control_symbols=['[CLS]', '[SEP]'])",
             str(cls.folder / "texts"), str(cls.folder / "piece")], check=True,
            capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def answer(self, *arguments, text=b""):
        result = run(*arguments, text=text)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.decode().splitlines()

    def mistake(self, expected, *arguments, **options):
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, 1)
        error = result.stderr.decode()
        self.assertIn("cambium-tokenize: error: ", error)
        self.assertIn(expected, error)
        self.assertNotIn("Traceback", error)
        return result.stdout.decode().splitlines()

    def test_specials_come_first(self):
        for model in ("wordpiece", "unigram"):
            info = json.loads(self.answer("info", self.folder / f"{model}.json")[0])
            self.assertEqual(info["specials"], {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2,
                                                "[SEP]": 3, "[MASK]": 4})
            self.assertLessEqual(info["size"], 60)

    def test_pieces_spell_the_text(self):
        text = "Älter wird der Hund"
        for model, join in (("wordpiece.json", lambda p: " ".join(p).replace(" ##", "")),
                            ("unigram.json", lambda p: "".join(p).replace("▁", " ")),
                            ("piece.model", lambda p: "".join(p).replace("▁", " "))):
            row, = self.answer("encode", self.folder / model, "--pieces",
                               text=text.encode())
            pieces = row.split()
            self.assertEqual((pieces[0], pieces[-1]), ("[CLS]", "[SEP]"))
            plain = text if model == "piece.model" else "alter wird der hund"
            self.assertEqual(join(pieces[1:-1]).strip(), plain)

    def test_ids_become_texts(self):
        texts = b"the small dog sees the old man\n\nold dogs see small men\n"
        for model in ("wordpiece.json", "unigram.json", "piece.model"):
            ids = run("encode", self.folder / model, text=texts)
            again = run("decode", self.folder / model, text=ids.stdout)
            self.assertEqual((again.returncode, again.stdout), (0, texts), model)
            for wrong in (b"4\n5 x\n", b"4\n999\n", b"4\n-1\n"):
                bad = run("decode", self.folder / model, text=wrong)
                self.assertEqual(bad.returncode, 1)
                word = wrong.split()[-1].decode()
                self.assertIn(f"<stdin>:2: expected ids of pieces, but got '{word}'",
                              bad.stderr.decode())

    def test_a_line_for_each_line(self):
        for model in ("wordpiece.json", "unigram.json", "piece.model"):
            rows = self.answer("encode", self.folder / model, self.folder / "texts")
            self.assertEqual(len(rows), len(TEXTS))
            self.assertEqual(len(rows[2].split()), 2)  # The empty line.
            self.assertEqual(rows[0], rows[5])

    def test_pairs_have_types(self):
        for model in ("wordpiece.json", "unigram.json", "piece.model"):
            row, = self.answer("encode", self.folder / model, "--pairs", "--types",
                               "--pieces", text=b"the dog\tthe old man\n")
            pieces, types = (column.split() for column in row.split("\t"))
            first = pieces.index("[SEP]") + 1
            self.assertEqual(types, ["0"] * first + ["1"] * (len(pieces) - first))
            self.assertEqual((pieces.count("[SEP]"), pieces[-1]), (2, "[SEP]"))

    def test_long_texts_are_cut(self):
        for model in ("wordpiece.json", "unigram.json", "piece.model"):
            row, = self.answer("encode", self.folder / model, "--max-tokens", "5",
                               "--pieces", text=b"the small dog sees the man")
            pieces = row.split()
            self.assertEqual(len(pieces), 5)
            self.assertEqual((pieces[0], pieces[-1]), ("[CLS]", "[SEP]"))
            self.mistake("expected --max-tokens above 3", "encode", self.folder / model,
                         "--max-tokens", "3")

    def test_lines_are_answered_at_once(self):
        with subprocess.Popen([PROGRAM, "encode", self.folder / "wordpiece.json"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for text in (b"the dog\n", b"the man\n"):
                process.stdin.write(text)
                process.stdin.flush()
                self.assertRegex(process.stdout.readline().decode(), r"^2 .* 3\n$")
            process.stdin.close()
            self.assertEqual(process.wait(20), 0)

    def test_messages_hold_no_control_characters(self):
        result = run("info", "a\x1b[31mb.json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a\ufffd[31mb.json: expected a file", result.stderr.decode())
        self.assertNotIn(b"\x1b", result.stderr)

    def test_a_full_disk_is_an_error(self):
        model, texts = self.folder / "wordpiece.json", self.folder / "texts"
        for arguments in (["--help"], ["info", model], ["encode", model, texts]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run([PROGRAM, *arguments], stdout=full,
                                        stderr=subprocess.PIPE, text=True,
                                        check=False)
            self.assertEqual(result.returncode, 1)
            self.assertEqual(result.stderr, "cambium-tokenize: error: <stdout>: "
                             "cannot write: No space left on device\n")

    def test_a_closed_output_is_an_error(self):
        result = subprocess.run(["sh", "-c", 'exec "$0" --help >&-', PROGRAM],
                                capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (
            1, "cambium-tokenize: error: <stdout>: cannot write: it is closed\n"))

    def test_bad_bytes_are_named(self):
        model = self.folder / "wordpiece.json"
        rows = self.mistake("<stdin>:2:3: expected UTF-8, but got the byte 0xFF",
                            "encode", model, text="the\nä \xff".encode("latin-1")
                            .replace(b"\xe4", "ä".encode()))
        self.assertEqual(len(rows), 1)
        self.mistake("<stdin>:1:2: expected a text, but got the byte 0x00", "encode",
                     model, text=b"a\0b")
        self.mistake("<stdin>:1: expected one text, or two", "encode", model, "--pairs",
                     text=b"a\tb\tc")

    def test_bad_files_are_named(self):
        (self.folder / "bad.json").write_text("{}")
        (self.folder / "bad.model").write_text("{}")
        (self.folder / "blank").write_text("\n \n")
        self.mistake("bad.json: expected a tokenizer.json", "info",
                     self.folder / "bad.json")
        self.mistake("bad.model: expected a model of SentencePiece", "info",
                     self.folder / "bad.model")
        self.mistake("none.json: expected a file", "encode", self.folder / "none.json")
        out = self.folder / "out.json"
        self.mistake("expected a text, but got nothing", "train", "--out", out,
                     self.folder / "blank")
        self.mistake("none: cannot read: No such file", "train", "--out", out,
                     self.folder / "none")
        self.mistake("expected --size above 5", "train", "--out", out, "--size", "5",
                     self.folder / "texts")
        self.mistake("cannot write", "train", "--out", self.folder / "no/out.json",
                     self.folder / "texts")
        self.assertFalse(out.exists())

    def test_numbers_have_bounds(self):
        """What the libraries cannot take is a message, no traceback and no signal."""
        pieces = self.folder / "wordpiece.json"
        for number in (1 << 32, 10**30, int("9" * 4000), "9" * 5000):
            failed = run("decode", pieces, text=f"{number}\n".encode())
            self.assertEqual(failed.returncode, 1)
            self.assertIn(b"<stdin>:1: expected ids of pieces, but got '", failed.stderr)
        for option, number in (("--size", 10**10), ("--size", 10**30)):
            failed = run("train", option, number, "--out", self.folder / "x.json", "-")
            self.assertEqual(failed.returncode, 2)
            self.assertIn(f"{option}: expected at most 10000000, but got {number}",
                          failed.stderr.decode())
        failed = run("encode", "--max-tokens", 10**30, pieces)
        self.assertEqual(failed.returncode, 2)
        self.assertIn(b"--max-tokens: expected at most 1000000000", failed.stderr)

    def test_what_is_read_stays(self):
        texts = self.folder / "read"
        texts.write_text("\n".join(TEXTS))
        with open(texts, "rb") as file:
            same = subprocess.run([PROGRAM, "train", "--out", texts, "-"], stdin=file,
                                  capture_output=True, check=False)
        for failed in (run("train", "--out", texts, self.folder / "texts", texts), same):
            self.assertEqual(failed.returncode, 1)
            self.assertIn(b"expected --out with another file than those that are read",
                          failed.stderr)
        self.assertEqual(texts.read_text(), "\n".join(TEXTS))

    def test_a_place_is_looked_at_before_the_texts(self):
        for out, why in (("none/t.json", "No such file or directory"),
                         ("texts/t.json", "Not a directory"),
                         ("", "Is a directory")):
            failed = run("train", "--out", f"{self.folder}/{out}", self.folder / "bad")
            self.assertEqual(failed.returncode, 1)
            self.assertIn(f"cannot write: {why}", failed.stderr.decode())

    def test_a_pipe_stays_one(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
            subprocess.run([PROGRAM, "train", "--size", "40", "--out", pipe,
                            self.folder / "texts"], check=True, capture_output=True)
            self.assertTrue(pipe.is_fifo())
            self.assertIn(b'"version"', reader.communicate(timeout=60)[0])


class WithoutPackages(unittest.TestCase):
    def test_says_how_to_get_them(self):
        result = run("info", __file__, environment={
            "CAMBIUM_PYTHON": "/nonexistent/python", "PYTHONPATH": "/nonexistent"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("expected the package tokenizers of PyPI", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
