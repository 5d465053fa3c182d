#!/usr/bin/env python3
#===-- test/Golden/make_metrics.py - What other packages measure ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: make_metrics.py FOLDER

Draws answers and what they should be, writes them as tables, and what sacrebleu
2.6, seqeval 1.2 and scikit-learn 1.9 say of them as expected.json. The package
that gives UAS and LAS is none: they are counted here, word by word."""

import json
import pathlib
import random
import sys

import sacrebleu
import seqeval.metrics as spans
from sklearn.metrics import f1_score, roc_auc_score, roc_curve

WORDS = ["the", "dog", "cats", "sees", "a", "small", "h\u00e4user", "on", "\u6a39", "it's", "."]
TAGS = ["B-LOC", "B-PER", "I-LOC", "I-PER", "O"]


def table(path, names, rows):
    lines = ["\t".join(names)] + ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def noisy(rng, items, others, rate):
    """Some replaced, some removed, some added."""
    result = []
    for item in items:
        draw = rng.random()
        if draw < rate:
            result.append(rng.choice(others))
        elif draw >= 2 * rate:
            result.append(item)
        if rng.random() < rate:
            result.append(rng.choice(others))
    return result


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        new = [i + 1]
        for j, y in enumerate(b):
            new.append(min(row[j] + (x != y), row[j + 1] + 1, new[j] + 1))
        row = new
    return row[-1]


def sequences(folder, rng):
    ids = {word: 4 + number for number, word in enumerate(WORDS)}
    (folder / "words.txt").write_text(
        "\n".join(["<pad>", "<unk>", "<s>", "</s>", *WORDS]) + "\n", encoding="utf-8")
    pairs = []
    for _ in range(60):
        target = [rng.choice(WORDS) for _ in range(rng.randint(0, 10))]
        pairs.append((target, noisy(rng, target, WORDS, 0.12)[:12]))
    rows = []
    for target, guess in pairs:
        numbers = [ids[word] for word in guess] + [3]
        rows.append((" ".join(target), " ".join(map(str, (numbers + [0] * 12)[:12]))))
    table(folder / "sequences.tsv", ("target:words", "guess:vector=12"), rows)
    guesses = [" ".join(guess) for _, guess in pairs]
    targets = [" ".join(target) for target, _ in pairs]
    bleu = sacrebleu.corpus_bleu(guesses, [targets], tokenize="none", force=True)
    return {"exact": sum(t == g for t, g in pairs) / len(pairs),
            "edit_distance": sum(distance(t, g) for t, g in pairs) / len(pairs),
            "bleu": bleu.score, "chrf": sacrebleu.corpus_chrf(guesses, [targets]).score}


def tags(folder, rng):
    pairs = []
    for _ in range(80):
        target = [rng.choice(TAGS) for _ in range(rng.randint(1, 9))]
        guess = [tag if rng.random() < 0.8 else rng.choice(TAGS) for tag in target]
        pairs.append((target, guess))
    table(folder / "spans.tsv", (f"labels:classes={','.join(TAGS)}", "guess:ids"),
          [(" ".join(t), " ".join(str(TAGS.index(x)) for x in g)) for t, g in pairs])
    targets, guesses = ([pair[k] for pair in pairs] for k in (0, 1))
    flat = [[TAGS.index(tag) for tags in side for tag in tags] for side in (targets, guesses)]
    return {"span_f1": spans.f1_score(targets, guesses),
            "span_precision": spans.precision_score(targets, guesses),
            "span_recall": spans.recall_score(targets, guesses),
            "macro_f1_all": f1_score(*flat, average="macro")}


def detection(folder, rng):
    labels = [int(rng.random() < 0.3) for _ in range(200)]
    scores = [round(rng.gauss(label, 1), 1) for label in labels]  # With equal ones.
    table(folder / "detection.tsv", ("label:id", "guess:number"),
          list(zip(labels, scores, strict=True)))
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    return {"auroc": roc_auc_score(labels, scores),
            "fpr95": min(f for f, t in zip(fpr, tpr, strict=True) if t >= 0.95)}


def heads(folder, rng):
    rows, right, labelled, words = [], 0, 0, 0
    for _ in range(40):
        count = rng.randint(1, 8)
        parents = [0] + [rng.randint(1, i) for i in range(1, count)]
        names = [rng.choice("abc") for _ in range(count)]
        guess = [p - 1 if rng.random() < 0.7 else rng.randint(-1, count - 1) for p in parents]
        guessed = ["abc".index(n) if rng.random() < 0.8 else rng.randint(0, 2) for n in names]
        for p, n, g, r in zip(parents, names, guess, guessed, strict=True):
            words += 1
            right += p - 1 == g
            labelled += p - 1 == g and "abc".index(n) == r
        rows.append([" ".join(map(str, x)) for x in (parents, names, guess, guessed)])
    table(folder / "heads.tsv",
          ("heads:heads", "relations:classes=a,b,c", "guess:ids", "guessed:ids"), rows)
    return {"uas": right / words, "las": labelled / words}


def main():
    folder, rng = pathlib.Path(sys.argv[1]), random.Random(14)
    expected = {make.__name__: make(folder, rng)
                for make in (sequences, tags, detection, heads)}
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
