#===-- test/Models/Inputs/system_pages.py - Pages of published systems ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Data and rows of the pages of systems that read words."""

import json
import math
import pathlib
import random
import re
import subprocess

MODELS = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "models"
WORDS = ["the", "a", "cat", "dog", "man", "is", "sits", "runs", "old", "red"]


def options_of(text, row):
    """The options in backquotes in a row of a table."""
    line, = re.findall(rf"^\| {re.escape(row)} \|.*$", text, re.M)
    option, = re.findall(r"`(--[^`]*)`", line)
    return option


def check_models(folder, known):
    found = sorted(p.stem for p in (MODELS / folder).glob("*.mlir"))
    if found != sorted(known):
        raise ValueError(f"expected a row for each of {found}")


def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines))


def write_sentences(folder):
    rng = random.Random(1)
    lines = lambda classes, count: [
        f"{rng.choice(classes)} {' '.join(rng.choices(WORDS, k=rng.randint(1, 9)))}"
        for _ in range(count)]
    texts = folder / "DATA/sentconv"
    for name in ("rt-polarity", "custrev", "subj", "mpqa"):
        write_lines(texts / f"{name}.all", lines("01", 60))
    for part in ("train", "dev", "test"):
        write_lines(texts / f"stsa.binary.{part}", lines("01", 30))
        write_lines(texts / f"stsa.fine.{part}", lines("01234", 60))
        write_lines(texts / f"TREC.{part}.all", lines("012345", 60))
        write_lines(texts / f"raw/TREC.{part}", lines(("A:a", "A:b", "B:a"), 60))
    write_lines(folder / "DATA/sst/train.txt", [
        f"({i % 5} ({i // 5 % 5} {rng.choice(WORDS)}) (4 {rng.choice(WORDS)}))" for i in range(60)])
    intents = lambda: [line.split(" ", 1)[::-1] for line in lines(("play", "stop"), 40)]
    write_lines(folder / "DATA/clinc150/data_imbalanced.json", [json.dumps(
        {part: intents() for part in ("train", "val", "test")})])


def sentence_rows(text):
    """The rows of the table of results, of which each has a model, a set and options."""
    rows = re.findall(r"^\| `(\w+)` \| (\w+(?: --\w+)*) \|[^`]*"
                      r"\| `(--size [^`]*)?`? ?`?(--[^`]*)` \|$", text, re.M)
    # The LSTM has a table of its own, and options that all its rows share.
    shared, = re.findall(r"`(--lowercase --min-count [^`]*)`", text)
    rows += [("lstm", "mr", sizes, f"{shared} {step}") for sizes, step in re.findall(
        r"^\| i?(?:LSTM|ADV|VAT)[^|\]]* \|.*\| (?:`(--size [^`]*)`, )?`(--step [^`]*)` \|$", text, re.M)]
    known = {row[0] for row in rows}
    check_models("sentences", known)
    parts, whole = re.findall(r"`(--train data/[^`]*)`", text)
    for model, name, sizes, options in rows:
        yield {"MODEL": model, "SET": name, "SIZES": sizes, "OPTIONS": options,
               "FILES": whole if "--folds" in options else parts}


def write_corrections(folder):
    rng = random.Random(1)
    sentences = lambda count: [" ".join(rng.choices(WORDS, k=rng.randint(2, 7)))
                               for _ in range(count)]
    write_lines(folder / "RIGHT", sentences(30))
    for part, count in (("dev", 108), ("test", 8)):
        write_lines(folder / f"JFLEG/{part}/{part}.src", sentences(count))
        for number in range(4):
            write_lines(folder / f"JFLEG/{part}/{part}.ref{number}", sentences(count))


def write_weat(folder):
    subprocess.run([MODELS.parent / "test/Models/check-weat", "draw", folder / "drawn"],
                   check=True)
    write_lines(folder / "VECTORS", [line + " 0" * 19 for line in
                                     (folder / "drawn").read_text().splitlines()])


def write_tagging(folder):
    rng = random.Random(1)
    for part in ("train", "valid", "test"):
        texts = [rng.choices(WORDS, k=rng.randint(1, 6)) for _ in range(20)]
        labels = [["B-animal" if w in ("cat", "dog") else "O" for w in text]
                  for text in texts]
        for name, rows in (("seq.in", texts), ("seq.out", labels)):
            write_lines(folder / "snips" / part / name, map(" ".join, rows))
    for name in ("wnut17train.conll", "emerging.dev.conll", "emerging.test.annotated"):
        write_lines(folder / "wnut" / name, [
            f"{word}\t{'B-animal' if word in ('cat', 'dog') else 'O'}" if k % 5 else ""
            for k, word in enumerate(rng.choices(WORDS, k=60))])
    write_lines(folder / "GLOVE", [f"{word} {' '.join(['0.1'] * 25)}" for word in WORDS])


def tagging_rows(text):
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|[^`]*\| (?:`(--[^`]*)`)? ?\| `(--[^`]*)` \|$",
                      text, re.M)
    check_models("tagging", {"encoded_crf", *(row[0] for row in rows)})  # No row of its own.
    return [{"MODEL": model, "SET": name, "SIZES": sizes, "OPTIONS": options}
            for model, name, sizes, options in rows]


def write_cases(folder):
    for name, sign in (("money", "$"), ("other", "")):
        write_lines(folder / f"CASES/test_cases_{name}.txt", [
            f"{sign}{k}~{word}{' dollars' if sign else ''}" for k, word in enumerate(
                ("zero one two three four five six seven eight nine ten eleven").split())])


def write_parser(folder):
    """Sentences whose last word is the head of the others, as a treebank has them."""
    rng = random.Random(1)
    for part in ("train", "dev", "test"):
        lines = []
        for _ in range(130 if part == "train" else 12):  # The page takes some of them.
            words = rng.choices(WORDS, k=rng.randint(1, 6))
            heads = [len(words)] * (len(words) - 1) + [0]
            lines += ["\t".join((str(n), w, w, "X", "_", "_", str(h), "dep" if h else "root",
                                 "_", "_"))
                      for n, (w, h) in enumerate(zip(words, heads), 1)] + [""]
        write_lines(folder / f"EWT/en_ewt-ud-{part}.conllu", lines)


def write_contrastive(folder):
    """Documents of some sentences, in the form of UD English EWT."""
    rng = random.Random(1)
    for part in ("train", "dev", "test"):
        lines = []
        for document in range(4):
            lines.append(f"# newdoc id = {document}")
            for _ in range(3):
                words = rng.choices(WORDS, k=rng.randint(1, 6))
                lines += [f"{number}\t{word}\t_\t_\t_\t_\t{number - 1}\tdep\t_\t_"
                          for number, word in enumerate(words, 1)] + [""]
        write_lines(folder / f"EWT/en_ewt-ud-{part}.conllu", lines)


def rebuilding_rows(text):
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (\w+) \|$", text, re.M)
    check_models("rebuilding", {model for model, *_ in rows})
    return [{"MODEL": model, "STEP": step, "DATA": data} for model, step, data in rows]


def write_stance(folder):
    """Tweets on two topics, and vectors of some words."""
    rng = random.Random(1)
    text = lambda: " ".join(rng.choices(WORDS, k=rng.randint(1, 9)))
    for part in ("trainingdata", "testdata-taskA", "testdata-taskB"):
        write_lines(folder / f"SEMEVAL/{part}-all-annotations.txt",
                    ["ID\tTarget\tTweet\tStance\tOpinion towards\tSentiment"] + [
                        f"{i}\t{rng.choice(('Atheism', 'Donald Trump'))}\t@{text()} #SemST\t"
                        f"{rng.choice(('AGAINST', 'FAVOR', 'NONE'))}\tOTHER\tOTHER"
                        for i in range(40)])
    write_lines(folder / "VECTORS", [f"{word} {' '.join(['0.1'] * 25)}" for word in WORDS])


def write_opinions(folder):
    """Sentences with a thing in them, in the form of SemEval-2014."""
    rng = random.Random(1)
    for name in ("semeval14/Laptops_Train.xml.seg", "semeval14/Laptops_Test_Gold.xml.seg",
                 "semeval14/Restaurants_Train.xml.seg", "semeval14/Restaurants_Test_Gold.xml.seg",
                 "acl-14-short-data/train.raw", "acl-14-short-data/test.raw"):
        write_lines(folder / "DATA/absa" / name, [
            line for number in range(30) for line in (
                f"{name} {number} $T$ {' '.join(rng.choices(WORDS, k=3))}", rng.choice(WORDS),
                rng.choice(("-1", "0", "1")))])


def write_clinc(folder):
    rng = random.Random(1)
    pairs = lambda classes: [[" ".join(rng.choices(WORDS, k=rng.randint(1, 6))),
                              rng.choice(classes)] for _ in range(40)]
    write_lines(folder / "CLINC/data_full.json", [json.dumps(
        {"oos_test": pairs(["oos"]), **{part: pairs(["play", "stop"])
                                        for part in ("train", "val", "test")}})])


def write_tasks(folder):
    """Ten domains of one class each, in the form of CLINC150."""
    rng = random.Random(1)
    domains = {f"domain_{k}": [f"class_{k}"] for k in range(10)}
    sentences = lambda count: [[" ".join(rng.choices(WORDS, k=rng.randint(1, 6))), label]
                               for labels in domains.values() for label in labels * count]
    write_lines(folder / "CLINC/data_full.json", [json.dumps(
        {part: sentences(4) for part in ("train", "val", "test")})])
    write_lines(folder / "CLINC/domains.json", [json.dumps(domains)])


def write_protoword(folder):
    """Weights of the published sizes, all zero, and a few words."""
    ipa = ["<unk>", "<pad>", "<bos>", "<eos>", "<*>", "<:>", *"abcdefghi", "Italian",
           *(f"x{number}" for number in range(53))]
    languages = ["<unk>", "<pad>", "<bos>", "<eos>", "<*>", "<:>", "Romanian", "French",
                 "Italian", "Spanish", "Portuguese", "Latin", "separators"]
    numbers = lambda names: {name: number for number, name in enumerate(names)}
    (folder / "WEIGHTS").mkdir()
    (folder / "WEIGHTS/romance_orto_meloni.vocab.json").write_text(json.dumps(
        {"ipa_vocab": numbers(ipa), "dialect_vocab": numbers(languages)}))
    shapes = {"embeddings.char_embeddings.weight": [69, 51],
              "embeddings.lang_embeddings.weight": [13, 51],
              "embeddings.fc.weight": [51, 102], "embeddings.fc.bias": [51],
              "mlp.fc1.weight": [222, 130], "mlp.fc1.bias": [222],
              "mlp.fc2.weight": [111, 222], "mlp.fc2.bias": [111],
              "mlp.fc3.weight": [69, 111], "attention.W_query.weight": [130, 130],
              "attention.W_key.weight": [130, 130], "attention.W_c_s.weight": [130, 51]}
    for name, width in (("encoder", 51), ("decoder", 181)):
        shapes |= {f"{name}_rnn.weight_ih_l0": [390, width],
                   f"{name}_rnn.weight_hh_l0": [390, 130],
                   f"{name}_rnn.bias_ih_l0": [390], f"{name}_rnn.bias_hh_l0": [390]}
    header, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    head = json.dumps(header).encode()
    (folder / "WEIGHTS/romance_orto_meloni.safetensors").write_bytes(
        len(head).to_bytes(8, "little") + head + bytes(end))
    rng = random.Random(1)
    word = lambda: " ".join(rng.choices("abcdefghi", k=rng.randint(1, 6)))
    for part in ("train", "dev", "test"):
        write_lines(folder / f"WORDS/{part}.tsv", ["key\tLatin\tItalian\tSpanish"] + [
            f"{i}\t{word()}\t{word() if i else ''}\t{word()}" for i in range(12)])


def write_forest(folder):
    """A tree of three nodes that XGBoost might have saved, and two rows."""
    tree = {"left_children": [1, -1, -1], "right_children": [2, -1, -1],
            "split_indices": [1, 0, 0], "split_conditions": [0.5, -1.0, 2.0],
            "default_left": [True, False, False], "categories": []}
    model = {"learner": {"learner_model_param": {"base_score": "[5E-1]", "num_feature": "2"},
                         "objective": {"name": "reg:squarederror"},
                         "gradient_booster": {"model": {"trees": [tree]}}}}
    (folder / "MODELS").mkdir()
    (folder / "MODELS/MODEL.json").write_text(json.dumps(model))
    (folder / "MODELS/MODEL.json.csv").write_text("9.0,0.25,-0.5\n9.0,0.5,2.5\n")
