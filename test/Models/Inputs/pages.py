#===-- test/Models/Inputs/pages.py - Data and rows of the models' pages ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What stands in place of the capitals in the commands of a page: the models, with
the options that the page's table of results gives them; and data in the form of the
files that the page names."""

import itertools
import json
import pathlib
import random
import re
import subprocess
import sys

from sick_pages import check_sick, sick_rows, write_sick
from system_pages import (WORDS, check_models, options_of, rebuilding_rows, sentence_rows,
                          tagging_rows, write_cases, write_clinc, write_contrastive,
                          write_corrections, write_forest, write_lines,
                          write_opinions, write_parser, write_protoword, write_sentences,
                          write_stance, write_tagging, write_tasks,
                          write_weat)

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent.parent
# The row of each model in the table of results.
SST = {"tree_lstm": "Tree-LSTM", "tree_lstm_two": "Tree-LSTM, two classes",
       "mv_rnn": "MV-RNN", "tree_rnn": "TreeRNN", "bilstm": "BiLSTM"}


def models_of(folder):
    return sorted(p.stem for p in (SOURCE / "models" / folder).glob("*.mlir"))


#===-- Data and rows ------------------------------------------------------===#

def write_sst(folder):
    (folder / "SST").mkdir()
    for seed, part in enumerate(("train", "dev", "test")):
        trees = subprocess.run([sys.executable, "-B", HERE / "make_phrases.py", "30",
                                str(seed)], capture_output=True, check=True).stdout
        (folder / "SST" / f"{part}.txt").write_bytes(trees)


def write_depth(folder):
    """Those of SST, and sentences of four words to which all probing tasks apply."""
    write_sst(folder)
    rng = random.Random(1)
    (folder / "UD").mkdir()
    for part in ("train", "dev", "test"):
        lines = []
        for _ in range(12):
            subject, thing = rng.choice(("Sing", "Plur")), rng.choice(("Sing", "Plur"))
            tense = rng.choice(("Pres", "Past"))
            for number, (tag, features, head, relation) in enumerate((
                    ("NOUN", f"Number={subject}", 2, "nsubj"),
                    ("VERB", f"Tense={tense}|VerbForm=Fin", 0, "root"),
                    ("NOUN", f"Number={thing}", 2, "obj"), ("PUNCT", "_", 2, "punct")), 1):
                lines.append(f"{number}\t{rng.choice(WORDS)}\t_\t{tag}\t_\t{features}\t"
                             f"{head}\t{relation}\t_\t_")
            lines.append("")
        (folder / f"UD/en_ewt-ud-{part}.conllu").write_text("\n".join(lines) + "\n")


def write_probing(folder):
    """Those of depth, a tokenizer, and a part of what a pre-training leaves."""
    write_depth(folder)
    for name in ("table", "PRETRAINED"):
        (folder / name).mkdir()
    (folder / "words.txt").write_text("\n".join(WORDS) + "\n")
    subprocess.run([SOURCE / "tools/cambium-tokenize", "train", "--size", "60", "--out",
                    folder / "table/tokenizer.json", folder / "words.txt"], check=True,
                   capture_output=True)
    header = json.dumps({"halting.W": {"dtype": "F32", "shape": [64, 1],
                                 "data_offsets": [0, 256]}}).encode()
    (folder / "PRETRAINED/best.safetensors").write_bytes(
        len(header).to_bytes(8, "little") + header + bytes(256))


def check_probing(folder, row):
    found = json.loads((folder / f"run-{row['TASK']}" / "rows.json").read_text())
    relations = {group["value"] for group in found["by"]["relations"]}
    assert relations == {"[CLS]", "[SEP]", "nsubj", "root", "obj", "punct"}, relations
    assert found["examples"][0]["names"][0] == "[CLS]", found["examples"][0]


def check_probe(folder, row):
    found = json.loads((folder / f"run-{row['TASK']}" / "rows.json").read_text())
    if found["rows"] != 48 or len(found["by"]["relations"]) != 4:
        raise ValueError("expected 48 words of four relations in rows.json")


def sst_rows(text):
    check_models("sst", SST)
    for model, row in SST.items():
        yield {"MODEL": model, "OPTIONS": options_of(text, row)}


def write_listops(folder):
    """The published files are made by the generator, too."""
    for depth in (8, 10, 14, 20):
        small = folder / f"depth{depth}"
        subprocess.run([SOURCE / "models/listops/generate", "--out", small, "--depth",
                        str(depth), "--train", "1", "--dev", "1", "--test", "20"],
                       capture_output=True, check=True)
        (folder / "LISTOPS").mkdir(exist_ok=True)
        (small / "test.tsv").rename(folder / "LISTOPS" / f"test_d{depth}.tsv")


def write_trec(folder):
    rng = random.Random(1)
    (folder / "TREC").mkdir()
    for part, count in (("train", 60), ("test", 12)):
        lines = [f"{rng.randrange(6)} {' '.join(rng.choices(WORDS, k=rng.randint(3, 9)))} ?"
                 for _ in range(count)]
        # Some of the lines of the real files are in Latin-1.
        text = "\n".join(["0 What is a caf\xe9 ?", *lines]) + "\n"
        (folder / f"TREC/TREC.{part}.all").write_bytes(text.encode("latin-1"))


def check_curve(folder, row):
    if "mean layers" not in (folder / "curve.svg").read_text():
        raise ValueError("expected a picture of layers in curve.svg")


def coba_rows(text):
    """A partition for each model; the adaptive one is the last that is trained."""
    partitions = itertools.cycle(("random", "productivity", "substitutivity",
                                  "systematicity", "localism"))
    rows = [{"MODEL": model, "PARTITION": partition, "EPOCHS": "1",
             "DIMENSION": "128" if model.endswith("bert") else "256"}
            for model, partition in zip(models_of("coba"), partitions)]
    return rows[::-1]


def write_texts(folder):
    """A few sentences in the form of each data set that `texts` reads."""
    rng = random.Random(3)
    sentence = lambda: " ".join(rng.choices(WORDS, k=rng.randint(6, 12))) + " ."
    some = lambda form: "".join(form(sentence()) + "\n" for _ in range(15))
    document = lambda: "# newdoc id = d\n" + some(lambda s: f"# text = {s}\n1\t{s}\n")
    pair = lambda s: f"1\t{s}\t{sentence()}\t4.5\tNEUTRAL"
    files = {
        "ud_english_ewt/en_ewt-ud-train.conllu": document() + document(),
        "sick/SICK_train.txt": "pair_ID\tsentence_A\tsentence_B\trelatedness_score\t"
                               "entailment_judgment\n" + some(pair),
        "stsb/sts-dev.csv": some(lambda s: f"a\tb\tc\t1\t3.0\t{s}\t{sentence()}"),
        "slu_snips/train/seq.in": some(str),
        "clinc150/data_full.json": json.dumps({"train": [[sentence(), "a"]] * 9}),
        **{f"sentconv/{name}.all": some("1 {}".format)
           for name in ("rt-polarity", "subj", "custrev")}}
    for name, text in files.items():
        path = folder / "DATA" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def albert_rows(text):
    """The settings: a name, tau, max, what b_h begins with, and what it starts from."""
    for name, tau, most, bias, start in re.findall(
            r"^\| (\w+) \| (0\.\d+) \| (\d+) \| (-\d\.\d) \| `(\S+)` \|$", text, re.M):
        yield {"NAME": name, "SETTING": f"--size layers={most} --size tau={tau} --size bias={bias}",
               "START": start}


def check_albert(folder):
    for name in ("steps", "angles"):
        assert "<svg" in (folder / "pictures" / f"{name}.svg").read_text(), name


def write_bert(folder):
    """Random weights of the published sizes, and a tokenizer: `fetch` leaves files
    that are there already."""
    from bert_reference import random_weights, write  # Needs numpy, others do not.
    (folder / "minilm").mkdir()
    (folder / "TEXTS").write_text("\n".join(
        " ".join(random.Random(i).choices(WORDS, k=5)) for i in range(8)) + "\n")
    subprocess.run([SOURCE / "tools/cambium-tokenize", "train", "--size", "60", "--out",
                    folder / "minilm/tokenizer.json", folder / "TEXTS"], check=True,
                   capture_output=True)
    write(folder / "minilm/model.safetensors", random_weights(6, 384, 1536, 30522, 512))
    write_sentences(folder)
    write_lines(folder / "PAIRS", [f"{' '.join(rng.choices(WORDS, k=3))}\tcat sits\t{i}"
                                   for i, rng in enumerate(map(random.Random, range(8)))])


def write_neighbours(folder):
    """And vectors of a few numbers for some of the words."""
    write_contrastive(folder)
    write_sentences(folder)
    rng = random.Random(2)
    write_lines(folder / "glove.txt", [
        " ".join([word, *(f"{rng.gauss(0, 0.3):.4f}" for _ in range(25))]) for word in WORDS])


def write_treebank(folder):
    write_parser(folder)
    write_sick(folder, 45)  # The page takes each 90th sentence.


def write_continual(folder):
    write_tasks(folder)
    write_bert(folder)
    write_opinions(folder)


def write_clauses(folder):
    """Documents with sentences of two clauses, SICK, and vectors of words."""
    write_sick(folder)
    write_neighbours(folder)  # Vectors of 25 numbers in place of those of SICK's page.
    clauses = (("it", 2, "nsubj"), ("was", 3, "cop"), ("late", 0, "root"), ("", 7, "mark"),
               ("we", 7, "nsubj"), ("all", 5, "det"), ("came", 3, "advcl"))
    for part in ("train", "dev", "test"):
        with open(folder / f"EWT/en_ewt-ud-{part}.conllu", "a", encoding="utf-8") as file:
            for marker in ("because", "when", "if") * 3:
                file.writelines(
                    f"{k}\t{word or marker}\t_\tVERB\t_\t_\t{head}\t{relation}\t_\t_\n"
                    for k, (word, head, relation) in enumerate(clauses, 1))
                file.write("\n")


def write_pairs(folder):
    """SICK, of which a sentence contradicts another one, STS-B, and a published encoder."""
    write_bert(folder)
    write_sick(folder)
    with open(folder / "SICK/SICK_train.txt", "a", encoding="utf-8") as file:
        file.write("90\ta cat sits\tthe cat sits\t4.5\tENTAILMENT\n"
                   "91\ta cat sits\tthe cat runs\t2.5\tCONTRADICTION\n")
    for part in ("train", "dev", "test"):
        write_lines(folder / f"STSB/sts-{part}.csv", [
            f"a\tb\tc\t{i}\t{3 + i % 3}\ta {word} sits\tthe {word}"
            for i, word in enumerate(WORDS)])


def pair_rows(text):
    """The rows of the table of results; vectors have 300 dimensions."""
    rows = re.findall(r"\| (\w+) \| (\w+) \| (\w+) \| (\w+) \| `(--[^`]*)` \|", text)
    check_models("dual_encoder", {row[3] for row in rows})
    sizes, words, pieces = (re.search(f"`({begin}[^`]*)`", text)[1]
                            for begin in ("--size", "--lowercase", "--tokenizer"))
    for row in rows:
        tuned = row[3] == "minilm"
        yield {**dict(zip(("SET", "FOLDER", "PAIRS", "MODEL", "OPTIONS"), row)),
               "KIND": "--pieces" if tuned else "", "SIZES": "" if tuned else sizes,
               "TEXTS": pieces if tuned else words.replace("VECTORS", "glove.txt")}


def write_intents(folder):
    write_bert(folder)
    write_clinc(folder)


def check_bert(folder, _):
    lines = (folder / "vectors.txt").read_text().splitlines()
    assert [len(line.split("\t")[0].split()) for line in lines] == [384] * 8, lines


PAGES = {
    "common": {"rows": lambda text: []},
    "bert": {"data": write_bert, "check": check_bert, "rows": lambda text: [
        {"LEFT": "1", "RIGHT": "2", "SCORE": "3", "SET": "trec", "CLASSES": "6",
         "FUNCTION": "words_alike"}]},
    "sick": {"data": write_sick, "rows": sick_rows, "check": check_sick,
             "inline": lambda text: [{"FILE": "transformed.txt"}]},
    "sst": {"data": write_sst, "rows": sst_rows},
    "sentences": {"data": write_sentences, "rows": sentence_rows},
    "tagging": {"data": write_tagging, "rows": tagging_rows},
    "attacks": {"data": write_sentences, "rows": lambda text: [
        {"RANKING": "olm", "KEEP": "0.7"}]},
    "normalization": {"data": write_cases, "rows": lambda text: [
        {"MODEL": model} for model in models_of("normalization")]},
    "parser": {"data": write_treebank, "rows": lambda text: [{"KIND": "hundred", "LEARNING": ""}]},
    "forest": {"data": write_forest, "rows": lambda text: [{}]},
    "continual": {"data": write_continual, "rows": lambda text: [{}]},
    "uplift": {"rows": lambda text: [{"SEED": "1", "SCORE": "lr"}]},
    "coreference": {"rows": lambda text: [{}]},
    "dialogue": {"rows": lambda text: [{"MODEL": model} for model in
                                       ("hier_cls", "marco", "hier_joint")]},
    "dual_encoder": {"data": write_pairs, "rows": pair_rows},
    "contrastive": {"data": write_neighbours, "rows": lambda text: [
        {"SET": "mr", "VECTORS": "glove.txt", "LEARNING": "--lr 0.001 --epochs 1"}]},
    "imitation": {"data": write_sentences, "rows": lambda text: [
        {"EXPERT": "train",
         "STEP": "mix_drawn --predict predict_drawn --loss drawn_loss --metric accuracy"}]},
    "documents": {"data": write_contrastive, "rows": lambda text: [
        {"STEP": "dbow", "NEW": "new_dbow", "LOSS": "dbow_loss"}]},
    "filtering": {"data": write_pairs, "rows": lambda text: [{"VECTORS": "glove.txt"}]},
    "weat": {"data": write_weat, "rows": lambda text: [{}]},
    "correction": {"data": write_corrections, "rows": lambda text: [{"ABOVE": "0"}]},
    "language": {"data": write_neighbours, "rows": lambda text: [{"STEP": "virtual"}]},
    "rebuilding": {"data": write_contrastive, "rows": rebuilding_rows},
    "equilibrium": {"data": write_sentences, "rows": lambda text: [{}]},
    "stance": {"data": write_stance, "rows": lambda text: [{"TOPIC": "Donald"}]},
    "adapters": {"data": write_bert, "rows": lambda text: [{"SET": "mr", "TEXTS": "9"}]},
    "intents": {"data": write_intents, "rows": lambda text: [{"RUN": "run"}]},
    "protoword": {"data": write_protoword, "rows": lambda text: [{}]},
    "translation": {"data": write_protoword, "rows": lambda text: [
        {"STEP": "shape", "EXIT": "0.9", "ROUNDS": "1",
         "KEPT": "1"}]},
    "multilingual": {"data": write_protoword, "rows": lambda text: [{}]},
    "reranking": {"data": write_protoword, "rows": lambda text: [{"MADE": "tagged"}]},
    "multitask": {"data": write_clauses, "rows": lambda text: [
        {"VECTORS": "glove.txt", "SET": "cr", "RUN": "all", "LEARNING": "--lr 0.001 --epochs 1"}]},
    "round_trip": {"data": write_protoword, "rows": lambda text: [
        {"STEP": "compared --predict predict_compared --loss compared_loss"}]},
    "depth": {"data": write_depth, "check": check_probe, "rows": lambda text: [
        {"MODEL": model, "TASK": task} for model, task in zip(
            itertools.cycle(models_of("depth")), ("tense", "subject", "object"))]},
    "probing": {"data": write_probing, "check": check_probing, "rows": lambda text: [
        {"TASK": task} for task in ("tense", "subject", "object")]},
    "listops": {"data": write_listops,
                "rows": lambda text: [{"MODEL": m} for m in models_of("listops")
                                      if m not in ("cyk", "spinn")]},
    "coba": {"rows": coba_rows, "inline": lambda text: coba_rows(text)[-1:]},
    "exit": {"data": write_trec, "check": check_curve,
             "rows": lambda text: [{"MODEL": m} for m in models_of("exit")]},
    "albert": {"data": write_texts, "rows": albert_rows, "after": check_albert},
    "cells": {"rows": lambda text: [], "inline": lambda text: [
        {"FILE": f"models/cells/{m}.mlir"} for m in models_of("cells")
        if re.search(r"nn\.sizes {[^}]*input = [^}]*hidden = ",
                     (SOURCE / f"models/cells/{m}.mlir").read_text())]},
    "heads": {"rows": lambda text: [], "inline": lambda text: [
        {"FILE": f"models/heads/{m}.mlir"} for m in models_of("heads")]},
}
