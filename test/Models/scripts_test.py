#===-- test/Models/scripts_test.py - Scripts of models, misused ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Scripts of models have help, say in one line what is wrong with a file, and end as a shell asks."""
import json
import os
import pathlib
import resource
import runpy
import signal
import subprocess
import sys
import tempfile
import unittest

import numpy  # noqa: F401  Once for all scripts, which run in forks of this process.

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "models"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import packages  # noqa: E402
import scripts  # noqa: E402

# What stands behind a script, with FILE for a file. Folders have the files behind the colon.
WAYS = {
    "adapters/join": ["DIR DIR DIR --out OUT: best.safetensors"],
    "albert/prepare": ["--tokenizer FILE --out OUT FILE"],
    "albert/texts": ["FILE", "DIR/a.conllu: a.conllu", "DIR/a.json: a.json"],
    "attacks/prepare": ["texts FILE --out OUT-texts", "ngrams FILE --out OUT"],
    "bert/vectors": ["texts FILE 2", "label FILE FILE", "spearman FILE 1 FILE FILE"],
    "coba/check_statistics": [
        "DIR random: random/train.tsv random/dev.tsv random/generalization.tsv"],
    "continual/opinions": ["tables DIR: 1-a/train.txt 1-a/train.vec"],
    "continual/prepare": ["DIR --out OUT: data_full.json domains.json"],
    "contrastive/prepare": ["DIR --out OUT: en_ewt-ud-train.conllu"],
    "coreference/prepare": ["score FILE FILE"],
    "correction/prepare": [
        "pairs FILE FILE", "triples FILE FILE FILE", "choose FILE FILE",
        "texts FILE --tokenizer FILE", "edits FILE FILE --tokenizer FILE",
        "join DIR DIR DIR DIR --out OUT: best.safetensors"],
    "depth/probe": ["tense FILE"],
    "dialogue/prepare": ["--score FILE FILE", "--acts FILE FILE"],
    "dual_encoder/prepare": ["sick DIR --out OUT: SICK_train.txt",
                             "stsb DIR --out OUT: sts-train.csv"],
    "exit/prepare": ["FILE FILE --out OUT"],
    "filtering/phsic": ["sif FILE FILE", "score FILE FILE", "auroc FILE FILE FILE",
                        "features FILE FILE FILE FILE FILE FILE"],
    "forest/convert": ["FILE --rows FILE --out OUT"],
    "intents/outliers": ["FILE FILE --venv OUT"],
    "intents/prepare": ["DIR --out OUT: data_full.json"],
    "language/prepare": ["known FILE FILE", "perplexity FILE", "told FILE it good",
                         "asked FILE it good", "right FILE FILE"],
    "listops/by_depth": ["FILE"],
    "listops/steps": ["FILE"],
    "multitask/prepare": [
        "DIR DIR --out OUT: en_ewt-ud-train.conllu SICK_train.txt"],
    "normalization/normalize": ["tables DIR --out OUT: a.txt", "score DIR FILE: classes.json"],
    "parser/attention": ["words FILE"],
    "parser/phrases": ["prepare DIR --out OUT: a-train.conllu a-dev.conllu a-test.conllu",
                       "score FILE FILE"],
    "parser/prepare": ["DIR --out OUT: a-train.conllu a-dev.conllu a-test.conllu",
                       "DIR --stanford --out OUT: a-train.conllu a-dev.conllu a-test.conllu"],
    "probing/pieces": ["FILE FILE"],
    "protoword/words": ["table FILE FILE", "score FILE FILE FILE"],
    "rebuilding/prepare": ["DIR: train.tsv"],
    "reranking/boost": ["FILE FILE --venv OUT"],
    "reranking/prepare": [
        "turn FILE", "union FILE --back FILE FILE", "list FILE FILE", "features FILE --score FILE", "rows FILE", "grid FILE FILE",
        "choose FILE FILE", "agree FILE FILE", "tell FILE FILE"],
    "round_trip/prepare": ["texts FILE FILE", "sources FILE", "features FILE FILE"],
    "sentences/analyse": ["heads FILE FILE --venv OUT",
                          "models FILE FILE FILE --labels FILE --venv OUT"],
    "sentences/prepare": ["DIR mr --out OUT: sentconv/rt-polarity.all",
                          "DIR clinc --out OUT: clinc150/data_imbalanced.json"],
    "sick/occurrences": ["words DIR: train/a.toks", "vectors FILE"],
    "stance/prepare": ["DIR Donald --out OUT: trainingdata-all-annotations.txt"],
    "tagging/pieces": ["words FILE", "table FILE FILE FILE"],
    "tagging/prepare": ["DIR --out OUT: wnut17train.conll",
                        "DIR --out OUT: train/seq.in train/seq.out"],
    "translation/prepare": ["FILE", "--score FILE FILE", "--cosines FILE FILE"],
    "uplift/prepare": ["trees FILE --out OUT", "set FILE --out OUT",
                       "forest FILE FILE --rows FILE --out OUT"],
    "weat/prepare": ["tests FILE", "tests FILE FILE", "chance FILE"],
}
# Any bytes, but for none, are a text where Latin-1 is read; lines of a list are one column.
KINDS = {"nothing": None, "folder": None, "empty": b"", "blank": b"\n \n",
         "bytes": b"\xff\xfe\x00a\n", "json": b"[1, {}]", "other": b"1\n2\t3\n"}
# What is a file of the script after all.
GOOD = {("albert/texts", "json"), ("albert/texts", "other"), ("filtering/phsic", "other"),
        ("sick/occurrences", "json"), ("sick/occurrences", "other"),
        ("sentences/prepare", "json"), ("sentences/prepare", "other"),
        ("correction/prepare triples", "json"), ("correction/prepare triples", "other")}


def run(script, *arguments, **options):
    """What the script prints and how it ends, in a fork: most of its time would be imports."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            os.dup2(options.get("stdout", output.fileno()), 1)
            os.dup2(errors.fileno(), 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            if "most" in options:  # Bytes of a file.
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (options["most"],) * 2)
            sys.argv = [str(MODELS / script), *map(str, arguments)]
            sys.path.insert(0, os.path.dirname(sys.argv[0]))
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
            sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)
            status = 70
            try:
                runpy.run_path(sys.argv[0], run_name="__main__")
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else bool(end.code)
                if isinstance(end.code, str):
                    print(end.code, file=sys.stderr)
            except BaseException as error:
                print("Traceback", repr(error), file=sys.stderr)
            for stream in (sys.stdout, sys.stderr):
                if stream and not stream.closed:
                    stream.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode("utf-8", errors="replace"))
        return status, *texts


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_help(self):
        """Every script prints its help and ends well."""
        found = [path for path in sorted(MODELS.glob("*/*"))
                 if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/python3")]
        self.assertGreater(len(found), 30)
        for script in found:
            with self.subTest(script=str(script)):
                status, output, errors = run(script.relative_to(MODELS), "--help")
                self.assertEqual((status, errors), (0, ""))
                self.assertTrue(output)

    def arguments(self, way, kind):
        """The arguments of a way, whose files are all of one kind."""
        text, _, names = way.partition(":")
        folder = self.folder / f"{kind}-folder"
        for path in [self.folder / kind, *(folder / name for name in names.split())]:
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "folder":
                path.mkdir(exist_ok=True)
            elif kind != "nothing":
                path.write_bytes(KINDS[kind])
        return text.replace("FILE", str(self.folder / kind)).replace(
            "DIR", str(folder)).replace("OUT", str(self.folder / "out")).split()

    def test_files(self):
        """No file, a folder, nothing in it, bytes, other forms: an error of one line, which names
        the file; and no output that is empty or half."""
        for script, ways in WAYS.items():
            for way in ways:
                for kind in KINDS:
                    if {(script, kind), (f"{script} {way.split()[0]}", kind)} & GOOD:
                        continue
                    with self.subTest(script=script, way=way, kind=kind):
                        status, _, errors = run(script, *self.arguments(way, kind))
                        self.assertEqual(status, 1, errors)
                        # Another program may have said before what is wrong.
                        self.assertRegex(errors, r"^([\w-]+: error: .*\n){1,2}$")
                        self.assertIn(str(self.folder / kind), errors)


def heed_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Ends(Scripts):
    test_help = test_files = None

    def test_full_disk(self):
        """The file is named, and neither it nor a part of it is there."""
        for script, arguments, name in (
                ("coreference/prepare", ["draw", "--out"], "train.tsv"),
                ("dialogue/prepare", ["--dialogues", "200", "--out"], "train.tsv"),
                ("uplift/prepare", ["draw", "--people", "200", "--out"], "train.tsv"),
                ("listops/generate", ["--train", "200", "--dev", "1", "--test", "1", "--out"],
                 "train.tsv")):
            with self.subTest(script=script):
                out = self.folder / script
                status, _, errors = run(script, *arguments, out, most=4096)
                self.assertEqual((status, list(out.iterdir())), (1, []))
                self.assertRegex(errors, rf"^\w+: error: {out}/{name}: File too large\n$")

    def test_standard_output(self):
        words = self.folder / "words"
        words.write_text("key\tLatin\tItalian\n" + "x\ta b\tb a\n" * 20000)
        with open("/dev/full", "wb") as full:
            status, _, errors = run("translation/prepare", words, stdout=full.fileno())
        self.assertEqual((status, errors), (
            1, "prepare: error: standard output: No space left on device\n"))
        ends = os.pipe()
        os.close(ends[0])
        status, _, errors = run("translation/prepare", words, stdout=ends[1])
        os.close(ends[1])
        self.assertEqual((status, errors), (-signal.SIGPIPE, ""))
        closed = subprocess.run(["sh", "-c", 'exec "$0" "$1" >&-', MODELS / "translation/prepare",
                                 words], capture_output=True, text=True, check=False)
        self.assertEqual((closed.returncode, closed.stderr), (
            1, "prepare: error: expected a standard output, but it is closed\n"))

    def test_interrupt(self):
        """No trace, nothing half, and the end that a shell asks for."""
        out = self.folder / "out"
        command = [MODELS / "listops/generate", "--out", out, "--train", "9000000"]
        # A shell has what it starts in the background ignore interrupts.
        with subprocess.Popen(command, text=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, preexec_fn=heed_interrupts) as process:
            while not out.exists():
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.communicate()[1], "")
        self.assertEqual((process.returncode, list(out.iterdir())), (-signal.SIGINT, []))

    def test_ends_of_lines(self):
        """Lines may end in CR LF, and the last one without an end."""
        found = []
        for text in ("key\tLatin\tItalian\nx\ta b\tb\u2028 a\n",
                     "key\tLatin\tItalian\r\nx\ta b\tb\u2028 a\r\n",
                     "key\tLatin\tItalian\nx\ta b\tb\u2028 a"):
            (self.folder / "words").write_bytes(text.encode())
            found.append(run("translation/prepare", self.folder / "words"))
        self.assertEqual(found, [(
            0, "source:words\ttarget:words+ends\n*Italian b\u2028 a\ta b\n", "")] * 3)


class Shared(unittest.TestCase):
    def test_written(self):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "file"
            scripts.write(path, "old\r\n")
            with self.assertRaises(KeyError), scripts.written(path) as file:
                file.write("new")
                raise KeyError
            self.assertEqual((os.listdir(name), path.read_bytes()), (["file"], b"old\r\n"))
            link = pathlib.Path(name) / "link"
            link.symlink_to(path)
            scripts.write(link, b"new")
            self.assertTrue(link.is_symlink())
            self.assertEqual(path.read_bytes(), b"new")
            scripts.write("/dev/null", "x")
            self.assertTrue(pathlib.Path("/dev/null").is_char_device())
            with self.assertRaisesRegex(OSError, "none/file"):
                scripts.write(pathlib.Path(name) / "none/file", "x")

    def test_one_installation_at_once(self):
        """Who comes second waits, says so, and finds what the first has made."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "list").write_text("")
            (folder / "go").mkdir()
            code = ("import pathlib, sys, time; sys.path.insert(0, sys.argv[1]); import packages\n"
                    "def make(venv, path, python):\n"
                    "    venv.mkdir(); (venv / 'made').touch()\n"
                    "    while (venv.parent / 'go').exists(): time.sleep(0.01)\n"
                    "packages.make = make\n"
                    "packages.install(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))\n")
            start = lambda: subprocess.Popen(
                [sys.executable, "-B", "-c", code, ROOT / "tools", folder / "venv",
                 folder / "list"], stderr=subprocess.PIPE, text=True)
            with start() as first:
                while not (folder / "venv/made").exists():
                    self.assertIsNone(first.poll())
                with start() as second:
                    self.assertIn("waiting for another process", second.stderr.readline())
                    (folder / "go").rmdir()
                    # `venv.mkdir` of the second would fail.
                    self.assertEqual((first.wait(), second.wait(), second.stderr.read()),
                                     (0, 0, ""))
            self.assertEqual(packages.install(folder / "venv", folder / "list"),
                             folder / "venv/bin/python")


if __name__ == "__main__":
    unittest.main()
