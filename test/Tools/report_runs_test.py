#===-- test/Tools/report_runs_test.py - Classes, trees, several runs ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Confusion, calibration, drawn examples with weights on arcs, and several runs on
one page, on run folders whose numbers are known."""

import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
TOOLS = os.path.normpath(os.path.join(ROOT, "tools"))
sys.path.insert(0, TOOLS)

from reporting import drawing, elements, measures, run as runs  # noqa: E402

TREE = {"title": "not <good>", "parents": [-1, 0, 0], "labels": ["", "not", "<good>"],
        "targets": ["0", "1", "2"], "predictions": ["2", "1", "2"],
        "probabilities": [0.9, 0.5, 0.8],
        "edges": {"attention": [None, 0.25, 0.75]}, "nodes": {"gate": [0.1, 0.2, 0.3]}}


class Texts(html.parser.HTMLParser):
    """The texts of a page but for its style, and what else stands in it."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.tags, self.references, self.skipped = [], [], [], 0
        self.feed(text)
        self.text = " ".join(self.texts)

    def handle_starttag(self, tag, attributes):
        self.skipped += tag == "style"
        self.tags.append((tag, dict(attributes)))
        self.references += [v for k, v in attributes
                            if k in ("src", "href", "xlink:href") and v]

    def handle_endtag(self, tag):
        self.skipped -= tag == "style"

    def handle_data(self, data):
        if data.strip() and not self.skipped:
            self.texts.append(data.strip())


def write_run(folder, seed, metric, said, options=None):
    """A run of two epochs that says `said` of examples with the targets 0 0 1 1, and again."""
    os.makedirs(folder, exist_ok=True)

    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    results = {"accuracy": metric, "loss": 1 - metric}
    events = [{"event": "epoch", "epoch": n, "train_loss": 1.0 / n, "dev_loss": 1.5 / n,
               "dev_metric": metric / (3 - n), "dev": results, "seconds": 1.0}
              for n in (1, 2)]
    events += [{"event": "stop", "reason": "epochs", "best_epoch": 2},
               {"event": "eval", "data": "data/test.txt", "examples": 4,
                "metric": metric, "metrics": results, "seconds": 0.1}]
    write("log.jsonl", "".join(json.dumps(e) + "\n" for e in events))
    write("config.json", json.dumps(
        {"model": "models/bow.mlir", "metric": "accuracy", "seed": seed,
         "options": {"lr": ["0.1"], "epochs": 2, **(options or {})}}))
    rows = [f"{i}\t{i // 2 % 2}\t{p}\t{3 + i}\t{1 + i % 2}\t{0.55 + 0.1 * (i % 4)}\t"
            f"{('on $5 or $6', 'off')[i % 2]}" for i, p in enumerate(said + said)]
    write("predictions.tsv", "\n".join(
        ["example\ttarget\tprediction\tsize\theight\tprobability\tkind", *rows, ""]))
    examples = [{"example": 3, "rank": "worst", "error": 1.9, "target": "0",
                 "prediction": "2", "probability": 0.9, "trees": [TREE]},
                {"example": 1, "rank": "best", "error": 0.1, "target": "2",
                 "prediction": "2", "probability": 0.9, "trees": [TREE, TREE]}]
    write("trees.jsonl", "".join(json.dumps(e) + "\n" for e in examples))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write_sweep(self, name, metrics):
        """A folder of as many seeds as there are metrics."""
        found = []
        for seed, metric in enumerate(metrics, 1):
            write_run(self.path(name, f"seed-{seed}"), seed, metric, [0, 0, 1, seed % 2])
            found.append({"seed": seed, "folder": f"seed-{seed}"})
        with open(self.path(name, "summary.json"), "w", encoding="utf-8") as file:
            json.dump({"metric": "accuracy", "seeds": 9, "runs": found}, file)
        return self.path(name)

    def report(self, *folders):
        out = self.path("page.html")
        result = subprocess.run([os.path.join(TOOLS, "report"), *folders, "--out", out],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(out, encoding="utf-8") as file:
            page = Texts(file.read())
        for reference in page.references:
            self.assertRegex(reference, r"^(#|data:)")
        return page


class OneRun(Folder):
    def test_classes_and_trees(self):
        write_run(self.path("run"), 1, 0.5, [0, 1, 1, 0])
        page = self.report(self.path("run"))
        for part in ("Confusion", "Calibration", "Error by length",
                     "Error by height of the tree", "Error by kind", "on $5 or $6 (4)",
                     "The worst examples",
                     "The best examples"):
            self.assertIn(part, page.texts)
        self.assertIn("not <good>", page.texts)
        self.assertIn("0.75", page.texts)  # the weight on an arc
        self.assertEqual(sum(t == "svg" and "tree" in a.get("class", "")
                             for t, a in page.tags), 3)
        self.assertIn("prediction 2, target 0, probability 0.9, gate 0.1", page.text)

    def write_lines(self, name, *objects):
        with open(self.path("run", name), "a", encoding="utf-8") as file:
            file.write("".join(json.dumps(o) + "\n" for o in objects))

    def test_pictures_name_their_file(self):
        """Two files of one name were evaluated, first the one that is shown."""
        write_run(self.path("run"), 1, 0.5, [0, 1, 1, 0])
        os.remove(self.path("run", "trees.jsonl"))
        source = {"data": "a/test.txt", "digest": "0123456789abcdef"}
        other = {"data": "b/test.txt", "digest": "fedcba9876543210"}
        self.write_lines("log.jsonl", *(
            {"event": "eval", **s, "metric": m, "metrics": {"accuracy": m}, "shown": shown}
            for s, m, shown in ((source, 0.625, True), (other, 0.375, False),
                                ({**other, "differs": "--average 3"}, 0.5, False))))
        self.write_lines("trees.jsonl", *(
            {**s, "example": n, "rank": "worst", "target": "0", "prediction": "2",
             "trees": [{**TREE, **s, "title": title}]}
            for s, n, title in ((source, 3, "shown"), (other, 4, "not shown"))))
        self.write_lines("tree.json", {**TREE, **source, "title": "shown"})
        page = self.report(self.path("run"))
        for part in ("accuracy on test.txt (01234567)", "accuracy on test.txt (fedcba98)",
                     "accuracy on test.txt (fedcba98, --average 3)",
                     "The worst examples of test.txt (01234567)",
                     "test.txt (01234567). In brackets, the number of examples."):
            self.assertIn(part, page.texts)
        # The file of the pictures leads; errors of one never stand beside examples of the
        # other, and no tree is drawn twice.
        tiles = [t for t in page.texts if t.startswith("accuracy on test.txt (")]
        self.assertEqual(tiles[0], "accuracy on test.txt (01234567)")
        self.assertEqual(page.texts.count("shown"), 1)
        self.assertNotIn("not shown", page.texts)
        self.assertFalse(any(t.startswith("One tree") for t in page.texts))

    def test_a_bad_tree_is_refused(self):
        write_run(self.path("run"), 1, 0.5, [0, 1, 1, 0])
        for change, message in (
                ({"edges": {"attention": [None]}}, "list 'attention' with 3 entries"),
                ({"edges": [1]}, "expected the object 'edges'"),
                ({"parents": [-1, 0, 9]}, "but got 9")):
            with open(self.path("run", "trees.jsonl"), "w", encoding="utf-8") as file:
                file.write(json.dumps({"trees": [{**TREE, **change}]}) + "\n")
            with self.assertRaisesRegex(runs.RunError, "trees.jsonl:1: .*" + message):
                runs.read_run(self.path("run"))


class SeveralRuns(Folder):
    def test_a_sweep(self):
        page = self.report(self.write_sweep("sweep", [0.5, 0.75, 1.0]))
        self.assertIn("3 seeds", page.texts)
        self.assertIn("0.75 ± 0.25", page.texts)  # of 0.5, 0.75 and 1
        self.assertIn("Seed 3, the best on dev", page.texts)
        # Seeds 1 and 3 say the same, seed 2 differs in one of four examples.
        self.assertIn("0.833 on average", page.text)
        self.assertIn("Thin lines: the seeds; thick ones: their mean.", page.texts)

    def test_runs_side_by_side(self):
        sweep = self.write_sweep("sweep", [0.5, 0.6])
        write_run(self.path("other"), 1, 0.9, [0, 0, 1, 1], {"lr": ["0.7"]})
        page = self.report(sweep, self.path("other"))
        self.assertIn("sweep (2 seeds), other", page.texts)
        self.assertIn("0.550 ± 0.071", page.text)
        self.assertIn("options.lr 0.1 0.7", page.text)
        self.assertNotIn("The worst examples", page.texts)

    def test_a_run_without_predictions(self):
        sweep = self.write_sweep("sweep", [0.5, 0.6])
        write_run(self.path("young"), 1, 0.4, [0, 0, 1, 1])
        os.remove(self.path("young", "predictions.tsv"))
        page = self.report(self.path("young"), sweep)
        self.assertIn("Error by length", page.texts)
        self.assertIn("sweep, seed 2", page.texts)  # in the table of agreement

    def test_many_seeds(self):
        page = self.report(self.write_sweep("sweep", [0.5 + n / 100 for n in range(15)]))
        self.assertIn("15 seeds", page.texts)
        self.assertIn("seed 12", page.texts)
        self.assertIn("Agreement", page.texts)

    def test_the_same_folder_twice(self):
        write_run(self.path("run"), 1, 0.5, [0, 1, 1, 0])
        with self.assertRaisesRegex(runs.RunError, "expected different run folders"):
            runs.read_groups([self.path("run"), self.path("run", "")[:-1]])

    def test_a_bad_summary(self):
        for text, message in (("[]", "expected one JSON object"),
                              ('{"runs": []}', "expected the list 'runs' with a run"),
                              ('{"runs": [{}]}', "expected the name 'folder'")):
            with open(self.path("summary.json"), "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaisesRegex(runs.RunError, "summary.json: " + message):
                runs.read_group(self.folder, "x")


def predictions(**columns):
    return runs.Predictions(columns, False)


class Measures(unittest.TestCase):
    def test_confusion(self):
        found = measures.confusion(predictions(target=[0., 0., 1., 2.],
                                               prediction=[0., 1., 1., 1.]))
        self.assertEqual(found.labels, [0, 1, 2])
        self.assertEqual(found.counts, [[1, 1, 0], [0, 1, 0], [0, 1, 0]])
        self.assertEqual(found.recall(0), 0.5)
        self.assertAlmostEqual(found.precision(1), 1 / 3)
        self.assertIsNone(found.precision(2))

    def test_calibration(self):
        points, gap = measures.calibration(predictions(
            target=[1., 1., 1., 1.], prediction=[1., 0., 1., 1.],
            probability=[0.62, 0.68, 0.9, 1.0]))
        self.assertEqual([n for _, _, n in points], [2, 2])
        self.assertAlmostEqual(points[0][0], 0.65)
        self.assertEqual(points[0][1], 0.5)
        self.assertAlmostEqual(gap, (0.15 * 2 + 0.05 * 2) / 4)

    def test_errors_by_texts(self):
        found = predictions(target=[0.] * 6, prediction=[0., 1., 1., 0., 0., 0.],
                            kind=["b", "b", "a", "a", "a", "b"], size=[1.] * 6,
                            words=list("uvwxyz"))
        self.assertEqual(measures.text_columns(found), ["kind"])
        rows = measures.error_by_text(found, "kind")
        self.assertEqual([(value, n) for value, _, n in rows], [("a", 3), ("b", 3)])
        self.assertAlmostEqual(rows[0][1], 100 / 3)

    def test_groups_hold_every_value_once(self):
        values = [i // 3 for i in range(100)]
        groups = measures.groups_of(values)
        self.assertLessEqual(len(groups), measures.MOST_GROUPS)
        covered = [v for first, last in groups for v in range(first, last + 1)]
        self.assertEqual(covered, sorted(set(values)))

    def test_plus_minus(self):
        self.assertEqual(elements.plus_minus(86.4875, 0.1279), "86.49 ± 0.13")
        self.assertEqual(elements.plus_minus(0.5, 0.0712), "0.500 ± 0.071")
        self.assertEqual(elements.plus_minus(3.0, 0.0), "3 ± 0")
        self.assertEqual(elements.plus_minus(12.0, None), "12")
        self.assertEqual(elements.plus_minus(None, None), "–")


class Drawing(unittest.TestCase):
    def test_nodes_of_a_row_do_not_overlap(self):
        parents = [-1, 0, 0, 1, 1, 2, 2, 3, 6, 6, 6, 2]
        tree = {"parents": parents, "labels": ["a long label", "b"] * 6}
        svg, _ = drawing.draw_tree(tree)
        places = [tuple(map(float, m)) for m in
                  re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)]
        self.assertEqual(len(places), len(parents))
        for row in {y for _, y in places}:
            xs = sorted(x for x, y in places if y == row)
            for left, right in zip(xs, xs[1:]):
                self.assertGreater(right - left, 2 * drawing.RADIUS)


if __name__ == "__main__":
    unittest.main()
