#===-- test/Models/coreference_test.py - MUC and B3 ------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The measures of models/coreference/prepare beside the examples of their papers, and beside
their definitions, written once more."""
import importlib.machinery
import importlib.util
import itertools
import pathlib
import random
import sys
import unittest

sys.dont_write_bytecode = True
PREPARE = pathlib.Path(__file__).resolve().parent.parent.parent / "models/coreference/prepare"
loader = importlib.machinery.SourceFileLoader("prepare", str(PREPARE))
prepare = importlib.util.module_from_spec(importlib.util.spec_from_loader("prepare", loader))
loader.exec_module(prepare)


def sets(text):
    return [set(part) for part in text.split()]


def share(counts):
    return counts[0] / counts[1]


def links_needed(clusters):
    """The least links that hold each cluster together."""
    return sum(len(cluster) - 1 for cluster in clusters)


def muc_recall(key, response):
    """Of the links that the key needs, those that need not be added to the response's: counted by
    joining mentions one by one."""
    missing = 0
    for cluster in key:
        parent = {m: m for m in cluster}

        def root(m):
            while parent[m] != m:
                m = parent[m]
            return m

        for other in response:
            for a, b in itertools.pairwise(sorted(other & cluster)):
                parent[root(a)] = root(b)
        missing += len({root(m) for m in cluster}) - 1
    needed = links_needed(key)
    return (needed - missing, needed)


def b_cubed_recall(key, response):
    """The mean over mentions of how many of its event stand beside it."""
    find = lambda clusters, m: next(c for c in clusters if m in c)
    mentions = [m for cluster in key for m in cluster]
    total = 0.0
    for m in mentions:
        own, found = find(key, m), find(response, m)
        total += sum(other in found for other in own) / len(own)
    return total, len(mentions)


class Published(unittest.TestCase):
    """A. Bagga, B. Baldwin: Algorithms for Scoring Coreference Chains. 1998, figures 1 to 3."""

    KEY, FIRST, SECOND = sets("12345 67 89ABC"), sets("12345 6789ABC"), sets("1234589ABC 67")

    def test_muc(self):
        for response in (self.FIRST, self.SECOND):
            self.assertEqual(share(prepare.muc(self.KEY, response)), 1.0)
            self.assertAlmostEqual(share(prepare.muc(response, self.KEY)), 0.9)

    def test_b_cubed(self):
        for response, precision in ((self.FIRST, 0.762), (self.SECOND, 0.583)):
            self.assertEqual(share(prepare.b_cubed(self.KEY, response)), 1.0)
            self.assertAlmostEqual(share(prepare.b_cubed(response, self.KEY)), precision, 3)


class Definitions(unittest.TestCase):
    def test_random_documents(self):
        rng = random.Random(1)
        pairs = []
        for count in [1, 1, 2, *(rng.randint(2, 12) for _ in range(60))]:
            draw = lambda: prepare.clusters(rng.randrange(rng.randint(1, 5))
                                            for _ in range(count))
            key, response = draw(), draw()
            pairs.append((key, response))
            for a, b in ((key, response), (response, key)):
                self.assertEqual(prepare.muc(a, b), muc_recall(a, b))
                for x, y in zip(prepare.b_cubed(a, b), b_cubed_recall(a, b)):
                    self.assertAlmostEqual(x, y)
        for measure, own in ((prepare.muc, muc_recall), (prepare.b_cubed, b_cubed_recall)):
            recall, precision = (sum(n for n, _ in counts) / sum(d for _, d in counts)
                                 for counts in ([own(k, r) for k, r in pairs],
                                                [own(r, k) for k, r in pairs]))
            self.assertAlmostEqual(prepare.f1(measure, pairs),
                                   200 * recall * precision / (recall + precision))

    def test_links(self):
        self.assertEqual(prepare.follow([-1, 0, -1, 1, 2]), [0, 0, 2, 0, 2])


if __name__ == "__main__":
    unittest.main()
