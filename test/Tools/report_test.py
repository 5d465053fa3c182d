#===-- test/Tools/report_test.py - Tests of tools/report -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The report holds what the run folder holds, and bad folders are refused."""

import html.parser
import json
import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
REPORT = os.path.normpath(os.path.join(ROOT, "tools", "report"))
EPOCH = {"event": "epoch", "train_loss": 1.5, "dev_loss": 2.5, "dev_metric": 9.0,
         "seconds": 2.0}


class Page(html.parser.HTMLParser):
    """Collects headings, texts and references; checks that tags are balanced."""

    VOID = {"meta", "br", "img", "path", "use", "circle", "line"}

    def __init__(self, text):
        super().__init__()
        self.open, self.headings, self.texts, self.references = [], [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.references += [v for k, v in attributes
                            if k in ("src", "href", "xlink:href") and v]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.references += [v for k, v in attributes
                            if k in ("src", "href", "xlink:href") and v]

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open and self.open[-1] == tag, (tag, self.open)
            self.open.pop()

    def handle_data(self, data):
        if data.strip():
            self.texts.append(data.strip())
            if self.open and self.open[-1] in ("h1", "h2"):
                self.headings.append(data.strip())


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def write_log(self, *events):
        self.write("log.jsonl", "".join(json.dumps(e) + "\n" for e in events))

    def run_report(self, *arguments):
        return subprocess.run([REPORT, self.folder, *arguments], capture_output=True,
                              text=True, check=False)

    def page(self, *arguments):
        result = self.run_report(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(self.folder, "report.html"), encoding="utf-8") as file:
            return Page(file.read())

    def expect_error(self, pattern):
        result = self.run_report()
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^report: error: .*" + pattern)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "report.html")))

    def write_all(self):
        self.write_log({**EPOCH, "epoch": 1},
                       {**EPOCH, "epoch": 2, "dev_metric": 4.25, "best": True},
                       {"event": "stop", "reason": "epochs", "best_epoch": 2},
                       {"event": "eval", "data": "a/generalization.tsv",
                        "examples": 4, "loss": 1, "metric": 5.125, "seconds": 0.5})
        self.write("config.json", json.dumps(
            {"model": "m/tree_lstm.mlir", "metric": "rmse", "options": {"lr": 0.001}}))
        self.write("predictions.tsv",
                   "example\ttarget\tprediction\tsize\theight\ttuple\tlevel\n"
                   "0\t10\t12\t3\t1\t0\t0\n1\t10\t15\t1\t0\t0\t1\n"
                   "2\t20\t20\t5\t2\t1\t0\n3\t20\t16\t3\t1\t1\t2\n")
        self.write("tree.json", json.dumps(
            {"title": "+ 4 <5>", "parents": [-1, 0, 0], "labels": ["+", "4", "<5>"],
             "targets": ["9", "4", "5"], "predictions": ["8", "4", "5"]}))

    def test_all_parts(self):
        self.write_all()
        page = self.page("--next", "try `cambium-run --help`")
        self.assertEqual(page.headings[1:], [
            "Result", "Learning curve", "Where the errors are", "One tree",
            "Configuration", "What to try next"])
        self.assertTrue(page.headings[0].startswith("tree_lstm"))
        text = " ".join(page.texts)
        self.assertIn("5.125", text)  # the evaluation
        # Of the expressions: sqrt((4 + 0) / 2); partners: sqrt((9 + 16) / 2).
        self.assertIn("RMSE of expressions 1.414", text)
        self.assertIn("RMSE between partners 3.536", text)
        self.assertIn("mean of both 2.475", text)
        self.assertIn("+ 4 <5>", page.texts)
        self.assertIn("(9)", page.texts)  # what is right, beside the node
        self.assertIn("cambium-run --help", page.texts)

    def test_is_self_contained(self):
        self.write_all()
        for reference in self.page().references:
            self.assertRegex(reference, r"^(#|data:)")

    def test_every_text_is_escaped(self):
        """Whatever has a name in a run folder is given one that is a tag."""
        evil = "<img src=x onerror=alert(1)>\"'&\x1b[31m\u202e\ud800$\\frac{"
        tree = {"title": evil, "name": evil, "parents": [-1, 0], "labels": [evil, evil],
                "targets": [evil, "2"], "predictions": ["1", evil],
                "probabilities": [0.5, None], "nodes": {evil: [0.5, 1]},
                "edges": {evil: [None, 0.5]}}
        self.write_log({**EPOCH, "epoch": 1, "dev": {evil: 1.5}},
                       {"event": "eval", "data": evil, "metric": 5.125, "metrics": {evil: 2}})
        self.write("config.json", json.dumps(
            {"model": evil, "metric": evil, "format": evil, "seed": evil, "command": evil,
             "examples": {evil: 3}, "options": {evil: [evil]}, evil: evil}))
        name = "<img src=x onerror=alert(1)>\x1b"
        self.write("predictions.tsv", f"target\tprediction\theight\t{name}\n" +
                   f"{name}\tno\t1\t{name}\n" * 3 + f"no\t{name}\t2\tb\n" * 3)
        self.write("tree.json", json.dumps(tree))
        self.write("trees.jsonl", "".join(json.dumps(
            {"example": evil, "rank": rank, "target": evil, "prediction": evil,
             "probability": 0.5, "trees": [tree]}) + "\n" for rank in ("worst", "best")))
        self.write_rows(function=evil, rows=evil, by={evil: [{"value": evil, "rows": 1,
                                                              "mean": 1}]},
                        examples=[{"names": [evil], "values": [1]}], log=False)
        told = evil.replace("\ud800", "")
        self.page("--title", told, "--next", f"{told} `{told}`")
        with open(os.path.join(self.folder, "report.html"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("&lt;img src=x onerror=alert(1)&gt;", text)
        self.assertNotIn("<img src=x", text)
        self.assertRegex(text, "<meta http-equiv=\"Content-Security-Policy\" "
                         "content=\"default-src &#x27;none&#x27;;")
        self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")

    def test_html_is_made_in_one_place(self):
        folder = os.path.join(ROOT, "tools", "reporting")
        names = [name for name in sorted(os.listdir(folder)) if name.endswith(".py")]
        self.assertIn("pictures.py", names)
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            if name != "elements.py":
                text = text.replace('text.index("<svg")', "")  # of matplotlib
                self.assertNotRegex(text, r"[\"'>]<[/a-z]", name)
                self.assertEqual(text.count("Html("), name == "pictures.py", name)

    def test_the_terminal_sees_no_control_characters(self):
        self.write_log({**EPOCH, "epoch": 1})
        self.write("tree.json", json.dumps({"parents": [-1], "labels": ["a"],
                                            "nodes": {"\x1b[2J": []}}))
        self.expect_error("expected the list '\ufffd\\[2J' with 1 entries")

    def test_same_folder_same_page(self):
        self.write_all()
        self.assertEqual(self.page().texts, self.page().texts)

    def test_log_alone_is_enough(self):
        self.write_log({**EPOCH, "epoch": 1, "dev_loss": None})
        self.assertEqual(self.page().headings[1:],
                         ["Result", "Learning curve"])

    def test_resumed_epochs_replace_earlier_ones(self):
        self.write_log({**EPOCH, "epoch": 1}, {**EPOCH, "epoch": 2, "dev_metric": 7712.5},
                       {**EPOCH, "epoch": 2, "dev_metric": 3.75})
        text = " ".join(self.page().texts)
        self.assertIn("3.75 (epoch 2 of 2)", text)
        self.assertNotIn("7712", text)  # longer than what a folder is called by chance

    def test_last_line_may_be_cut(self):
        self.write_log({**EPOCH, "epoch": 1})
        with open(os.path.join(self.folder, "log.jsonl"), "a", encoding="utf-8") as file:
            file.write('{"event": "epo')
        self.assertIn("epoch 1 of 1", " ".join(self.page().texts))

    def test_classes(self):
        self.write_log({**EPOCH, "epoch": 1})
        self.write("predictions.tsv", "target\tprediction\theight\n" +
                   "yes\tno\t1\n" * 3 + "yes\tyes\t2\n" * 3)
        texts = self.page().texts
        self.assertIn("errors (%)", texts)
        self.assertIn("100", texts)  # the bar of height 1
        self.assertIn("50 %", texts)  # how many of "yes" were found

    def test_deep_tree_is_not_drawn(self):
        self.write_log({**EPOCH, "epoch": 1})
        count = 100_000
        self.write("tree.json", json.dumps(
            {"parents": list(range(-1, count - 1)), "labels": ["x"] * count}))
        self.assertIn("The tree has 100000 nodes; up to 200 are drawn.",
                      self.page().texts)

    def test_errors(self):
        self.expect_error(r"log.jsonl: expected a file")
        self.write("log.jsonl", "{}\n{}\n")
        self.expect_error(r"log.jsonl:1: expected a JSON object per line")
        self.write_log({**EPOCH, "epoch": "one"})
        self.expect_error(r"log.jsonl:1: expected the number 'epoch'")
        self.write_log({**EPOCH, "epoch": 1})
        self.write("predictions.tsv", "a\tb\n")
        self.expect_error(r"predictions.tsv:1: expected the columns target and")
        self.write("predictions.tsv", "target\tprediction\n1\n")
        self.expect_error(r"predictions.tsv:2: expected 2 columns, but got 1")
        self.write("predictions.tsv", "target\tprediction\n1\t2\n")
        self.write("tree.json", '{"parents": [-1, 7], "labels": ["a", "b"]}')
        self.expect_error(r"tree.json: expected the index of another node or -1 as "
                          r"parent of node 1, but got 7")
        self.write("tree.json", '{"parents": [-1, -1], "labels": ["a", "b"]}')
        self.expect_error(r"tree.json: expected one root, but got 2")
        self.write("tree.json", '{"parents": [-1], "labels": ["a", "b"]}')
        self.expect_error(r"tree.json: expected the list 'labels' with 1 entries")
        self.write("tree.json", "[")
        self.expect_error(r"tree.json: expected JSON")
        os.remove(os.path.join(self.folder, "tree.json"))
        os.mkfifo(os.path.join(self.folder, "tree.json"))
        self.expect_error(r"tree.json: expected a regular file, but got a pipe")

    def write_rows(self, log=True, **changed):
        if log:
            self.write_log({**EPOCH, "epoch": 1})
        self.write("rows.json", json.dumps({
            "function": "steps", "data": "d", "rows": 7, "mean": 2.25, "deviation": 0.5,
            "active": [1.0, 0.875, 0.375],
            "by": {"relations": [{"value": "nsubj", "rows": 6, "mean": 2.5,
                                  "deviation": 0.25},
                                 {"value": "a <b>", "rows": 1, "mean": 1, "deviation": None}]},
            "examples": [{"example": 3, "names": ["dogs", "<sleep>"], "values": [1, 3]}],
            **changed}))

    def test_rows(self):
        self.write_rows()
        page = self.page()
        self.assertIn("steps of rows of d", page.headings)
        for text in ("87.5", "37.5", "nsubj (6)", "a <b> (1)", "dogs", "<sleep>",
                     "7 rows, mean 2.25, deviation 0.5", "Mean by relations"):
            self.assertIn(text, page.texts)
        # The word with the greater number is warmer, and its number stands below it.
        self.assertEqual(page.texts[page.texts.index("<sleep>") + 1], "3")
        with open(os.path.join(self.folder, "report.html"), encoding="utf-8") as file:
            shades = re.findall(r"rgba\(179,64,46,([0-9.]+)\);color:[^>]*>(?:dogs|&lt;sleep)",
                                file.read())
        self.assertEqual(shades, ["0.05", "0.85"])

    def test_rows_without_counts(self):
        self.write_rows(active=[], by={}, examples=[])
        page = self.page()
        self.assertNotIn("Rows that take part in each iteration", page.texts)
        self.assertNotIn("Row by row", page.texts)

    def test_rows_without_numbers(self):
        self.write_rows(mean=None, by={"tag": [{"value": "t", "rows": 1, "mean": None}]},
                        examples=[{"names": ["a", "b"], "values": [None, 2]}])
        page = self.page()
        self.assertEqual(page.texts[page.texts.index("a") + 1], "–")
        self.assertNotIn("Mean by tag", page.texts)

    def test_errors_of_rows(self):
        for changed, pattern in (
                ({"active": [1, "x"]}, "expected the list 'active' of numbers"),
                ({"by": []}, "expected the object 'by' of lists"),
                ({"by": {"tag": [{"rows": 1}]}},
                 "expected the numbers 'rows' and 'mean' of each entry of 'tag'"),
                ({"examples": {}}, "expected the list 'examples'"),
                ({"examples": [{"names": ["a"], "values": []}]},
                 "expected the lists 'names' and 'values', of one length, of example 0"),
                ({"examples": [{"names": ["a"], "values": ["x"]}]},
                 "expected numbers as values of example 0")):
            self.write_rows(**changed)
            self.expect_error("rows.json: " + pattern)

    def test_cycle_is_not_drawn(self):
        self.write_log({**EPOCH, "epoch": 1})
        self.write("tree.json", '{"parents": [-1, 2, 1], "labels": ["a", "b", "c"]}')
        self.assertTrue(any("cycle" in t for t in self.page().texts))

    def test_unwritable(self):
        self.write_log({**EPOCH, "epoch": 1})
        result = self.run_report("--out", os.path.join(self.folder, "log.jsonl", "x"))
        self.assertEqual(result.returncode, 1)
        self.assertTrue(re.match("report: error: cannot write .*: Not a directory",
                                 result.stderr), result.stderr)

    def test_what_a_run_holds_stays(self):
        self.write_log({**EPOCH, "epoch": 1})
        log = os.path.join(self.folder, "log.jsonl")
        with open(log, encoding="utf-8") as file:
            before = file.read()
        for out in (log, os.path.join(self.folder, ".", "log.jsonl")):
            result = self.run_report("--out", out)
            self.assertEqual((result.returncode, result.stderr), (
                1, "report: error: expected --out with another file than those of a run, but "
                f"got {out}\n"))
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        for _ in range(2):  # A page takes the place of the one before.
            result = self.run_report("--out", os.path.join(self.folder, "page.html"))
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_output_that_takes_nothing(self):
        self.write_log({**EPOCH, "epoch": 1})
        for channel, reason in (("/dev/full", "No space left on device"),
                                ("&-", "it is closed")):
            result = subprocess.run(["sh", "-c", f'exec "$0" "$1" >{channel}', REPORT,
                                     self.folder], capture_output=True, text=True,
                                    check=False)
            self.assertEqual((result.returncode, result.stderr), (
                1, f"report: error: <stdout>: cannot write: {reason}\n"))


if __name__ == "__main__":
    unittest.main()
