#===-- test/Models/Inputs/sick_pages.py - Data and rows of SICK's page -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Small data in the form of SICK's files, and the rows of its table of results."""

import json
import random
import re

from system_pages import WORDS, check_models, options_of

# The row of each model in the table of results.
SICK = {"bow": "bag of words", "lstm": "LSTM", "bilstm": "BiLSTM",
        "nary_tree_lstm": "N-ary Tree-LSTM",
        "child_sum_tree_lstm": "Child-Sum Tree-LSTM", "cyk": "chart of all spans",
        "structured_alignment": "structured alignment", "gru": "GRU",
        "attentive_tree_lstm": "attentive Child-Sum Tree-LSTM", "infersent": "InferSent"}


def binary_parents(rng, count):
    """A random binary tree over so many words as SICK's files have it: parents from
    1, first those of the words; 0 at the root."""
    parents, open_nodes = [0] * (2 * count - 1), list(range(count))
    for inner in range(count, 2 * count - 1):
        at = rng.randrange(len(open_nodes) - 1)
        for child in open_nodes[at:at + 2]:
            parents[child] = inner + 1
        open_nodes[at:at + 2] = [inner]
    return " ".join(map(str, parents))


def heads(rng, count):
    root = rng.randrange(count)
    return " ".join("0" if i == root else str(root + 1) for i in range(count))


def write_sick(folder, pairs=12):
    rng = random.Random(1)
    labels = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
    number = 0
    for part, file in (("train", "train"), ("dev", "trial"), ("test", "test_annotated")):
        parsed = folder / "SICK" / "parsed" / part
        parsed.mkdir(parents=True)
        rows = {name: [] for name in ("id.txt", "a.toks", "a.parents", "a.cparents",
                                      "b.toks", "b.parents", "b.cparents")}
        table = ["pair_ID\tsentence_A\tsentence_B\trelatedness_score\t"
                 "entailment_judgment"]
        for _ in range(pairs):
            number += 1
            rows["id.txt"].append(str(number))
            sentences = []
            for side in "ab":
                words = rng.choices(WORDS, k=rng.randint(1, 6))
                sentences.append(" ".join(words))
                rows[f"{side}.toks"].append(" ".join(words))
                rows[f"{side}.parents"].append(heads(rng, len(words)))
                rows[f"{side}.cparents"].append(binary_parents(rng, len(words)))
            table.append(f"{number}\t{sentences[0]}\t{sentences[1]}\t"
                         f"{rng.randint(10, 50) / 10}\t{rng.choice(labels)}")
        for name, lines in rows.items():
            (parsed / name).write_text("\n".join(lines) + "\n")
        (folder / "SICK" / f"SICK_{file}.txt").write_text("\n".join(table) + "\n")
    (folder / "transformed.txt").write_text(
        "\n".join(line + "\t" + ("transformation" if i == 0 else "negation")
                  for i, line in enumerate(table)) + "\n")
    (folder / "glove.txt").write_text("".join(
        word + "".join(f" {rng.gauss(0, 0.3):.4f}" for _ in range(300)) + "\n"
        for word in WORDS))


def sick_rows(text):
    check_models("sick", SICK)
    entailment, alone = re.findall(r"`(--step entailment [^`]*)`", text)
    for model, row in SICK.items():
        learning = options_of(text, row)
        if model in ("structured_alignment", "infersent"):  # They have no other step.
            steps = alone if model == "structured_alignment" else "--metric accuracy"
            yield {"MODEL": model, "--step relatedness": steps, "LEARNING": learning}
            continue
        yield {"MODEL": model, "LEARNING": learning}
        # The same rate without a warm-up.
        yield {"MODEL": model, "--step relatedness": entailment,
               "LEARNING": re.match(r"--lr \S+", learning)[0]}


def check_sick(folder, row):
    """Words are drawn at the nodes of both sentences."""
    run = folder / "run" / "seed-1"
    if "tree" not in row["MODEL"]:
        return
    examples = [json.loads(line) for line in (run / "trees.jsonl").open()]
    for example in examples:
        assert len(example["trees"]) == 2, example
        for tree in example["trees"]:
            words = [label for label in tree["labels"] if label]
            assert sorted(words) == sorted(tree["title"].split()), tree
