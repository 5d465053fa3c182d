#===-- test/Models/scripts_test.py - Scripts of models, misused ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Scripts of models have help, and say in one line what is wrong with a file."""
import pathlib
import subprocess
import tempfile
import unittest

MODELS = pathlib.Path(__file__).resolve().parent.parent.parent / "models"
# Files as arguments, by the script and what stands before them.
OF_FILES = {"translation/prepare": [[], ["--score"], ["--cosines"]], "listops/steps": [[]],
            "language/prepare": [["known"], ["perplexity"]], "coreference/prepare": [["score"]],
            "parser/attention": [["words"]]}


def run(script, *arguments):
    return subprocess.run(["/usr/bin/python3", "-B", script, *map(str, arguments)], check=False,
                          capture_output=True, encoding="utf-8", errors="replace", timeout=60,
                          stdin=subprocess.DEVNULL)


class Scripts(unittest.TestCase):
    def test_help(self):
        """Every script prints its help and ends well."""
        scripts = [path for path in sorted(MODELS.glob("*/*"))
                   if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/python3")]
        self.assertGreater(len(scripts), 30)
        for script in scripts:
            with self.subTest(script=str(script)):
                done = run(script, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout)

    def test_files(self):
        """No file, a folder, bytes, no lines and other columns: an error of one line."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            files = {"none": None, "bytes": b"\xff\xfe\x00a", "other": b"1\n2\t3\n"}
            for file, contents in files.items():
                if contents is not None:
                    (folder / file).write_bytes(contents)
            (folder / "folder").mkdir()
            for script, ways in OF_FILES.items():
                for way in ways:
                    for file in (*files, "folder"):
                        path = folder / file
                        count = 2 if way and way != ["perplexity"] else 1
                        with self.subTest(script=script, way=way, file=file):
                            done = run(MODELS / script, *way, *[path] * count)
                            self.assertNotIn("Traceback", done.stderr)
                            self.assertEqual(done.returncode, 1)
                            self.assertRegex(done.stderr, rf"^\w+: error: .*{file}.*\n$")


if __name__ == "__main__":
    unittest.main()
