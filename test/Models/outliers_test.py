#===-- test/Models/outliers_test.py - Vectors that belong to no class ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/intents/outliers says what its definitions say, in numpy, of drawn vectors. Skipped
where scikit-learn has not been installed for it."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTLIERS = ROOT / "models" / "intents" / "outliers"
DATA_HOME = pathlib.Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
VENV = pathlib.Path(os.environ.get("CAMBIUM_INTENTS_VENV") or DATA_HOME / "cambium/intents")


def write(path, head, labels, vectors):
    lines = [f"{head}\tx:vector={vectors.shape[1]}"]
    lines += [f"{label}\t{' '.join(f'{x:.6f}' for x in v)}"
              for label, v in zip(labels, vectors, strict=True)]
    path.write_text("\n".join(lines) + "\n")


def squares(a, b):
    return ((a[:, None] - b[None]) ** 2).sum(2)


def mahalanobis(train, classes, known):
    means = np.stack([train[classes == k].mean(0) for k in np.unique(classes)])
    centered = train - means[classes]
    inverse = np.linalg.inv(centered.T @ centered / len(train))
    away = known[:, None] - means[None]
    return np.einsum("nci,ij,ncj->nc", away, inverse, away).min(1)


def from_all(train, known):
    away = known - train.mean(0)
    return np.einsum("ni,ij,nj->n", away, np.linalg.inv(np.cov(train.T, bias=True)), away)


def outlier_factor(train, known, k):
    """Breunig et al. 2000, definitions 3 to 7."""
    inner = np.sqrt(squares(train, train))
    np.fill_diagonal(inner, np.inf)
    order, reach = np.argsort(inner, 1)[:, :k], np.sort(inner, 1)[:, k - 1]
    density = 1 / np.maximum(np.take_along_axis(inner, order, 1), reach[order]).mean(1)
    outer = np.sqrt(squares(known, train))
    near = np.argsort(outer, 1)[:, :k]
    own = 1 / np.maximum(np.take_along_axis(outer, near, 1), reach[near]).mean(1)
    return density[near].mean(1) / own


def measures(belongs, distances):
    inside, outside = distances[belongs == 1], distances[belongs == 0]
    auroc = np.mean((inside[:, None] < outside) + 0.5 * (inside[:, None] == outside))
    bound = np.sort(inside)[int(np.ceil(0.95 * len(inside))) - 1]
    return 100 * auroc, 100 * np.mean(outside <= bound)


class Outliers(unittest.TestCase):
    @unittest.skipUnless((VENV / "made-from").exists(), f"{VENV} is not there")
    def test_definitions(self):
        rng = np.random.default_rng(1)
        places = rng.normal(size=(4, 5)) * 3
        classes = rng.integers(0, 4, 200)
        train = places[classes] + rng.normal(size=(200, 5)) * [1, 0.3, 2, 1, 0.5]
        labels = rng.integers(0, 2, 120)
        known = places[rng.integers(0, 4, 120)] + rng.normal(size=(120, 5)) * [1, 0.3, 2, 1, 0.5]
        known[labels == 0] += rng.normal(size=(np.sum(labels == 0), 5)) * 2
        with tempfile.TemporaryDirectory() as folder:
            paths = pathlib.Path(folder, "train.tsv"), pathlib.Path(folder, "known.tsv")
            write(paths[0], "label:class", [f"c{k}" for k in classes], train)
            write(paths[1], "label:id", labels, known)
            result = subprocess.run([OUTLIERS, *paths, "--venv", VENV], capture_output=True,
                                    text=True, check=True)
            found = {row[0]: (float(row[2]), float(row[4]))
                     for row in map(str.split, result.stdout.splitlines())}
            euclid = squares(known, np.stack([train[classes == k].mean(0)
                                              for k in range(4)])).min(1)
            nearest = mahalanobis(train, classes, known)
            for name, distances in (("gda", nearest),
                                    ("gda_relative", nearest - from_all(train, known)),
                                    ("gda_euclid", euclid),
                                    ("lof", outlier_factor(train, known, 20))):
                np.testing.assert_allclose(found[name], measures(labels, distances), atol=0.02)
            for bad, text in (("label:id\ty\n1\t2\n", "expected a column 'x', but got label, y"),
                              ("label:id\tx:vector=1\n", "expected lines"),
                              ("label:id\tx:vector=1\n1\ta\n", "could not convert")):
                paths[1].write_text(bad)
                result = subprocess.run([OUTLIERS, *paths, "--venv", VENV], text=True,
                                        capture_output=True, check=False)
                self.assertEqual(result.returncode, 1)
                self.assertIn(text, result.stderr)


if __name__ == "__main__":
    unittest.main()
