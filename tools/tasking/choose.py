#===-- tools/tasking/choose.py - Which lines a memory keeps --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Which lines of a task are kept: drawn, or the nearest ones to the centres of K-means
(Lloyd 1982, begun as by Arthur and Vassilvitskii 2007)."""

import random

import numpy as np


def drawn(count, size, seed):
    """So many of SIZE lines, in their order."""
    return sorted(random.Random(seed).sample(range(size), count))


def distances(points, centers):
    """Squares of the distances: a row per point, a column per centre."""
    squares = (points ** 2).sum(1)[:, None] - 2 * points @ centers.T + (centers ** 2).sum(1)
    return np.maximum(squares, 0)


def first_centers(points, count, rng):
    """Each next one far from those that there are, with the chance of its square."""
    centers = [points[rng.integers(len(points))]]
    nearest = ((points - centers[0]) ** 2).sum(1)
    while len(centers) < count:
        total = nearest.sum()
        chances = nearest / total if total > 0 else None  # Equal points: any of them.
        centers.append(points[rng.choice(len(points), p=chances)])
        nearest = np.minimum(nearest, ((points - centers[-1]) ** 2).sum(1))
    return np.array(centers)


def kmeans(points, count, seed, rounds=100):
    """COUNT centres. Of a centre that no point is nearest to, the place stays."""
    points = np.asarray(points, dtype=np.float64)
    centers = first_centers(points, count, np.random.default_rng(seed))
    for _ in range(rounds):
        owners = distances(points, centers).argmin(1)
        new = centers.copy()
        for k in np.unique(owners):
            new[k] = points[owners == k].mean(0)
        if np.array_equal(new, centers):
            break
        centers = new
    return centers


def central(points, count, seed):
    """The numbers of COUNT different points: of each centre in turn, the nearest point that
    is still free. In the order of the points."""
    points = np.asarray(points, dtype=np.float64)
    away = distances(points, kmeans(points, count, seed))
    chosen = []
    for k in range(count):
        column = away[:, k].copy()
        column[chosen] = np.inf
        chosen.append(int(column.argmin()))
    return sorted(chosen)
