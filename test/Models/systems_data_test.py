#===-- test/Models/systems_data_test.py - Data and scores of systems ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What the scripts of models/sentences, tagging, protoword, parser, bert, ... make."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

MODELS = pathlib.Path(__file__).resolve().parent.parent.parent / "models"


def run(script, *arguments):
    result = subprocess.run([sys.executable, MODELS / script, *map(str, arguments)],
                            capture_output=True, text=True, check=False)
    return result.stdout if result.returncode == 0 else result.stderr


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


class Sentences(Case):
    def test_folds_are_disjoint_and_complete(self):
        lines = [f"{i % 2} sentence {i}" for i in range(40)]
        self.file("sentconv/rt-polarity.all", "\n".join([*lines, "1 ", ""]))
        tests = []
        for fold in range(10):
            out = self.folder / str(fold)
            run("sentences/prepare", self.folder, "mr", "--out", out, "--fold", fold)
            parts = [(out / f"{part}.tsv").read_text().splitlines()
                     for part in ("train", "dev", "test")]
            self.assertEqual({part[0] for part in parts}, {"label\ttext"})
            found = sorted(line.replace("\t", " ") for part in parts for line in part[1:])
            self.assertEqual(found, sorted(lines))
            tests += parts[2][1:]
        self.assertEqual(len(set(tests)), 40)

    def test_latin_1_and_rare_classes(self):
        self.file("sentconv/raw/TREC.train",
                  "".join(f"A:a w{i}\n" for i in range(30)).encode() + b"B:b caf\xe9\n")
        self.file("sentconv/raw/TREC.test", "A:a w\n")
        run("sentences/prepare", self.folder, "trec50", "--out", self.folder)
        self.assertIn("B:b\tcafé", (self.folder / "train.tsv").read_text())

    def test_words_of_kim(self):
        text = "it's a re-run , (of \"don't\") he'd we've..."
        self.file("sentconv/mpqa.all", f"1 {text}\n0 ...\n" + "0 a\n" * 8)
        run("sentences/prepare", self.folder, "mpqa", "--out", self.folder, "--clean")
        lines = (self.folder / "all.tsv").read_text().splitlines()
        self.assertIn("1\tit 's a re run , ( of do n't ) he 'd we 've", lines)
        self.assertEqual(len(lines), 10)  # Of dots nothing is left.

    def test_phrases_of_trees(self):
        self.file("sst/train.txt", "(3 (2 Not) (4 (3 very) (1 -LRB-)))\n(3 (3 very) (2 bad))\n")
        for part in ("train", "dev", "test"):
            for kind, label in (("fine", "4"), ("binary", "1")):
                self.file(f"sentconv/stsa.{kind}.{part}", f"{label} so\\/so\n")
        for name in ("sst5", "sst2"):
            run("sentences/prepare", self.folder, name, "--out", self.folder, "--phrases",
                "--clean")
            words = {"sst5": ("Not", "very", "LRB", "very LRB", "Not very LRB", "bad", "very bad"),
                     "sst2": ("very", "LRB", "very LRB", "Not very LRB", "very bad")}[name]
            labels = {"sst5": "2314323", "sst2": "10111"}[name]
            self.assertEqual((self.folder / "train.tsv").read_text().splitlines()[1:],
                             [f"{label}\t{text}" for label, text in zip(labels, words)])
            self.assertTrue((self.folder / "test.tsv").read_text().endswith("\tso so\n"))
        self.assertIn("expected --phrases with sst2 or sst5, but got mr",
                      run("sentences/prepare", self.folder, "mr", "--out", self.folder,
                          "--phrases"))
        self.file("sst/train.txt", "(3 (2 a)))\n")
        self.assertIn("train.txt:1: expected a tree, but got '(3 (2 a)))'",
                      run("sentences/prepare", self.folder, "sst2", "--out", self.folder,
                          "--phrases"))

    def test_missing_data(self):
        self.assertIn("prepare: error:", run("sentences/prepare", self.folder / "none", "mr",
                                             "--out", self.folder))


class Tags(Case):
    def test_lines_of_wnut(self):
        for name in ("wnut17train.conll", "emerging.dev.conll", "emerging.test.annotated"):
            self.file(name, "New\tB-place\nYork\tI-place\n\n\t\nis\tO\n")
        run("tagging/prepare", self.folder, "--out", self.folder)
        self.assertEqual((self.folder / "dev.tsv").read_text().splitlines(), [
            "words:words=words\tprefixes:words=prefixes\tsuffixes:words=suffixes\t"
            "labels:classes=B-place,I-place,O",
            "new york\tNew Yor\tNew ork\tB-place I-place", "is\tis\tis\tO"])
        self.file("emerging.dev.conll", "New B-place\n")
        self.assertIn("emerging.dev.conll:1: expected a word and a label, but got 'New B-place'",
                      run("tagging/prepare", self.folder, "--out", self.folder))


    def test_pieces_of_words(self):
        table = self.file("table", "words:words=words\tlabels:classes\nnew yorkers\tO O\nnew\tO\n")
        words = run("tagging/pieces", "words", table)
        self.assertEqual(words, "new\nyorkers\n")
        pieces = self.file("pieces", "101 7 102\n101 8 9 102\n")
        table_of = lambda: run("tagging/pieces", "table", table, self.file("words", words), pieces)
        self.assertEqual(table_of().splitlines(), [
            "tokens:ids\tsegments:ids\tword:ids\tnumber:ids\twords:words=words\tlabels:classes",
            "101 7 8 9 102\t0 0 0 0 0\t-1 0 1 1 -1\t0 1\tnew yorkers\tO O",
            "101 7 102\t0 0 0\t-1 0 -1\t0\tnew\tO"])
        self.file("pieces", "101 7 102\n101 102\n")  # No piece of the second.
        self.assertIn("101 7 100 102\t0 0 0 0\t-1 0 1 -1\t0 1\t", table_of())
        self.file("pieces", "101 7 102\n")
        self.assertIn("expected a line for each of", table_of())
        words = "new\nother\n"
        self.file("pieces", "101 7 102\n101 8 102\n")
        self.assertIn("expected the word 'yorkers', but got 2 others", table_of())


class Words(Case):
    VOCABULARY = {"ipa_vocab": {"<unk>": 0, "<pad>": 1, "<bos>": 2, "<eos>": 3, "<*>": 4,
                                "<:>": 5, "a": 6, "a:": 7, "b": 8, "French": 9},
                  "dialect_vocab": {"French": 7, "Latin": 11, "separators": 12}}

    def test_table_and_score(self):
        vocabulary = self.file("vocab.json", json.dumps(self.VOCABULARY))
        words = self.file("words", "key\tLatin\tItalian\tFrench\nx\ta: b\t\tb a\ny\tb\t\ta\n")
        line = run("protoword/words", "table", vocabulary, words).splitlines()[1].split("\t")
        self.assertEqual(line[0], "2 4 9 5 8 6 4 3")
        self.assertEqual(line[1], "12 12 12 12 7 7 12 12")
        self.assertEqual(line[3:5], ["2 7 8 3", "2 7 8 3"])
        # The first is right, the second has a letter too many behind a wrong one.
        answers = self.file("answers", "2 7 8 3\t-0.5\tx\n2 6 6 3\t-2\ty\n")
        self.assertEqual(run("protoword/words", "score", vocabulary, words, answers),
                         "2 words: right 0.5000, edit distance 1.0000\n")


class Documents(Case):
    def test_pieces_hold_whole_documents(self):
        lines = []
        for number, count in enumerate((2, 1, 3, 2, 2)):
            lines += [f"# newdoc id = {number}", *(["1\tw\t_\t_\t_\t_\t0", ""] * count)]
        for part in ("train", "dev", "test"):
            self.file(f"en_ewt-ud-{part}.conllu", "\n".join(lines))
        run("contrastive/prepare", self.folder, "--out", self.folder, "--piece", "4")
        rows = [line.split("\t") for line in (self.folder / "dev.tsv").read_text().splitlines()]
        self.assertEqual(rows[0], ["document:id", "tokens:words", "heads:ids", "piece:id"])
        # The document of one sentence is left out.
        self.assertEqual([(row[0], row[3]) for row in rows[1:]],
                         [("1", "1")] * 2 + [("3", "1")] * 3 + [("4", "2")] * 2 + [("5", "2")] * 2)


class Occurrences(Case):
    def test_words_of_several_pieces(self):
        for side, text in (("a", "no owl hoots\nno owl"), ("b", "no owl hoots\nhoots")):
            path = self.folder / f"parsed/train/{side}.toks"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n")
        parsed = self.folder / "parsed"
        self.assertEqual(run("sick/occurrences", "words", parsed), "hoots\nno\nowl\n")
        words = self.file("words", "hoots\nno\nowl\n")
        pieces = self.file("pieces", "1 7 8 2\n1 5 2\n1 6 2\n")
        run("sick/occurrences", "tables", parsed, words, pieces, "--out", self.folder / "out")
        self.assertEqual((self.folder / "out/parsed/train/b.toks").read_text(),
                         "0:0 0:1 0:2\n2:0\n")
        rows = (self.folder / "out/sentences.tsv").read_text().splitlines()
        self.assertEqual(rows[1], "1 5 6 7 8 2\t0 0 0 0 0 0\t-1 0 1 2 2 -1\t0 1 2")
        self.assertEqual(rows[3], "1 7 8 2\t0 0 0 0\t-1 0 0 -1\t0")
        outputs = self.file("outputs", "number:ids\tout0:vectors=2\n0 1\t1 2 3 4\n0\t5 6\n")
        self.assertEqual(run("sick/occurrences", "vectors", outputs),
                         "0:0 1 2\n0:1 3 4\n1:0 5 6\n")


class Parser(Case):
    def test_texts(self):
        texts = self.file("texts", "A na\u00efve\u00a0owl hoots\n\nNo\n")
        self.assertEqual(run("parser/prepare", texts),
                         "words:words\tprefixes:words=prefixes\tsuffixes:words=suffixes\n"
                         "A na\u00efve\u00a0owl hoots\tA na\u00ef hoo\tA owl ots\n"
                         "\t\t\nNo\tNo\tNo\n")
        self.assertIn("prepare: error: ", run("parser/prepare", self.folder / "none"))

    def test_stanford(self):
        """Prepositions above nouns, a copula above them, "and" below the first; no punctuation."""
        lines = ["He 5 nsubj", "is 5 cop", "in 5 case", "the 5 det", "house 0 root", ". 5 punct", "",
                 "cats 0 root", ", 1 punct", "and 4 cc", "dogs 1 conj", "'s 4 case", "of 7 case",
                 "men 4 nmod", "( 9 punct", "tall 7 dep", ""]
        for part in ("train", "dev", "test"):
            number, rows = 0, []
            for line in lines:
                number = number + 1 if line else 0
                word, head, relation = line.split(" ") if line else ("", "", "")
                rows.append(f"{number}\t{word}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_"
                            if line else "")
            self.file(f"a-{part}.conllu", "\n".join(rows) + "\n")
        run("parser/prepare", self.folder, "--stanford", "--out", self.folder / "out")
        rows = (self.folder / "out/dev.tsv").read_text().splitlines()
        self.assertEqual([row.split("\t")[::3] for row in rows], [
            ["words:words", "heads:heads"], ["He is in the house", "2 0 2 5 3"],
            ["cats and dogs 's of men tall", "0 1 1 3 3 5 6"]])

    def test_first_pieces(self):
        """Of words of two pieces and one; a column that holds no words stays as it is."""
        for side, lines in (("a.toks", "no owl hoots\nhoots\n"), ("b.toks", "owl\nno hoots no\n"),
                            ("sim.txt", "3.5\n1\n")):
            self.file(side, lines)
        table = self.file("table", run("parser/attention", "pairs", self.folder))
        self.assertEqual(table.read_text().splitlines()[1], "no owl hoots\towl\t3.5")
        self.assertEqual(run("parser/attention", "words", table), "hoots\nno\nowl\n")
        words = self.file("words", "hoots\nno\nowl\n")
        pieces = self.file("pieces", "1 7 8 2\n1 5 2\n1 6 2\n")
        self.assertEqual(run("parser/attention", "pieces", table, words, pieces).splitlines(), [
            "words_a:words\tpieces_a:ids\tfirst_a:ids\twords_b:words\tpieces_b:ids\tfirst_b:ids\t"
            "target:number",
            "no owl hoots\t1 5 6 7 8 2\t1 2 3\towl\t1 6 2\t1\t3.5",
            "hoots\t1 7 8 2\t1\tno hoots no\t1 5 7 8 5 2\t1 2 4\t1"])
        few, one = self.file("few", "no\n"), self.file("one", "1 5 2\n")
        self.assertIn("few: expected the word 'hoots'",
                      run("parser/attention", "pieces", table, few, one))
        self.assertIn("attention: error: ", run("parser/attention", "pieces", table, few, pieces))
        self.assertIn("expected a column of type 'words'", run("parser/attention", "words", few))

    def test_head_of_a_layer(self):
        names = run("parser/attention", "names", 4, 3).splitlines()
        self.assertEqual(names[0], "encoder.layer.4.attention.self.query.weight[96:128]  "
                                   "parser.query.W  transpose")
        self.assertEqual(names[4:6], ["encoder.layer.4.**  -", "encoder.layer.5.**  -"])
        self.assertTrue(any(line.split() == ["embeddings.word_embeddings.weight",
                                             "parser.embeddings.words"] for line in names))
        self.assertIn("expected layers 0 to 5", run("parser/attention", "names", 6, 0))


class Vectors(Case):
    def test_spearman_with_ties(self):
        pairs = self.file("pairs", "a\tb\t1\na\tb\t2\na\tb\t2\na\tb\t4\n")
        left = self.file("left", "1 0\tx\n1 0\tx\n1 0\tx\n1 0\tx\n")
        right = self.file("right", "0 1\tx\n1 1\tx\n2 1\tx\n1 0\tx\n")
        # Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3: 4.5 / sqrt(4.5 * 5).
        self.assertEqual(run("bert/vectors", "spearman", pairs, 3, left, right),
                         "4 pairs: Spearman 94.87\n")

    def test_label(self):
        lines = self.file("lines", "label\ttext\nyes\tan apple\nno\ta pear\n")
        vectors = self.file("vectors", "0.5 1\tan apple\n2 3\ta pear\n")
        self.assertEqual(run("bert/vectors", "texts", lines, 2), "an apple\na pear\n")
        self.assertEqual(run("bert/vectors", "label", lines, vectors),
                         "label:class\tx:vector=2\nyes\t0.5 1\nno\t2 3\n")

    def test_files_without_what_is_asked_for(self):
        lines = self.file("lines", "label\ttext\nyes\tan apple\n")
        names = self.file("names", "label\ttext\n")
        blank = self.file("blank", "\n \n")
        none = self.file("none", "\tan apple\n")
        for arguments, error in (
                (("texts", blank, 2), "blank: expected lines, but got blank ones only"),
                (("texts", names, 2), "names: expected lines below the names of the columns"),
                (("label", lines, blank), "blank: expected lines, but got blank ones only"),
                (("label", lines, none), "none: expected lines of equally many numbers, but got: none"),
                (("label", names, none), "names: expected lines below the names of the columns")):
            with self.subTest(arguments):
                got = run("bert/vectors", *arguments)
                self.assertTrue(got.startswith("vectors: error: "), got)
                self.assertIn(error, got)

    def test_means_of_pieces(self):
        pieces = self.file("pieces", "0 2 0\n2\n")
        states = self.file("states", "out0:vectors=2\n1 2 3 4 5 6\n0 1\n")
        out = self.folder / "means.safetensors"
        self.assertEqual(run("bert/vectors", "means", pieces, states, 4, out), "")
        data = out.read_bytes()
        length, = struct.unpack("<Q", data[:8])
        self.assertEqual(json.loads(data[8:8 + length])["words"],
                         {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]})
        self.assertEqual(struct.unpack("<8f", data[8 + length:]), (3, 4, 0, 0, 1.5, 2.5, 0, 0))
        self.assertIn("expected pieces below 2, but got 2",
                      run("bert/vectors", "means", pieces, states, 2, out))
        states.write_text("out0:vectors=2\n1 2 3 4\n0 1\n")
        self.assertIn("expected states of 3 pieces, but got 4 numbers",
                      run("bert/vectors", "means", pieces, states, 4, out))
        states.write_text("y:vectors=2\n")
        self.assertIn("expected a column 'out0'",
                      run("bert/vectors", "means", pieces, states, 4, out))


class Pairs(Case):
    def test_partners_and_contradictions(self):
        lines = ["a\tA man sits.\tThe man sits\t4.5\tENTAILMENT",
                 "b\tThe man sits\tNobody sits\t2\tCONTRADICTION",
                 "c\tA dog runs\tA man sits.\t1\tNEUTRAL"]
        for name in ("train", "trial", "test_annotated"):
            self.file(f"SICK_{name}.txt", "\n".join(["names", *lines, ""]))
        run("dual_encoder/prepare", "sick", self.folder, "--out", self.folder)
        self.assertEqual((self.folder / "train.tsv").read_text(), "a:words\tb:words\t"
                         "target:number\na man sits .\tthe man sits\t4.5\n")
        self.assertEqual((self.folder / "negatives.tsv").read_text().splitlines()[1],
                         "the man sits\ta man sits .\t4.5\tnobody sits")
        self.assertEqual(len((self.folder / "test.tsv").read_text().splitlines()), 4)


class Texts(Case):
    def test_known_words(self):
        words = self.file("words", "<pad>\n<unk>\nthe\ncat\n")
        texts = self.file("texts", "text:words+ends\nThe old cat\n")
        self.assertEqual(run("language/prepare", "known", words, texts),
                         "<s> the _unk_ cat </s>\n")

    def test_perplexity_is_by_words(self):
        found = self.file("found", "text:words+ends\tout0:number\na\t0\na b c d e\t4\n")
        # Two words and ends at 0, six at 4: exp(3).
        self.assertEqual(run("language/prepare", "perplexity", found),
                         "8 words and ends: perplexity 20.1\n")

    def test_prompts(self):
        table = self.file("table", "label\ttext\n1\tgood food\n0\tbad\n")
        self.assertEqual(run("language/prepare", "told", table, "it is", "poor", "fine"),
                         "text:words+ends\ngood food it is fine\nbad it is poor\n")
        asked = run("language/prepare", "asked", table, "it is", "poor", "fine")
        self.assertEqual(asked.splitlines()[2:4], ["good food it is fine\t0 0 0 0 1 0",
                                                   "bad it is poor\t0 0 0 1 0"])
        lines = zip(asked.splitlines(), ["out0:number", -3, -2, -4, -1])
        found = self.file("found", "".join(f"{line}\t{number}\n" for line, number in lines))
        self.assertEqual(run("language/prepare", "right", table, found),
                         "2 texts, 2 words: right 0.5000\n")
        short = self.file("short", found.read_text().rsplit("\n", 2)[0] + "\n")
        for arguments, error in ((("right", table, short), "2 texts, but got 3"),
                                 (("told", table, "it is", "poor"), "a word of class 1, but got 1"),
                                 (("told", found, "it is", "poor"), "classes 0, 1, ... in front")):
            self.assertIn(error, run("language/prepare", *arguments))


class Unions(Case):
    def test_pairs_that_models_made(self):
        table = self.file("table", "source\ttarget\na\tA\nb\tB\nc\tC\n")
        back = self.file("back", "source\ttarget\nD\td\nE\te\n")
        written = self.file("written", "0\t-1\tx y\n1\t-1\tz\n")
        union = lambda *flags: run("reranking/prepare", "union", table, *flags).splitlines()[1:]
        self.assertEqual(union("--back", back, written, "--tagged"),
                         ["a\tA", "b\tB", "c\tC", "<BT> x y\tD", "<BT> z\tE"])
        # Four made pairs: the first known one is there twice.
        self.assertEqual(union("--back", back, written, "--forward", back, written),
                         ["a\tA", "b\tB", "c\tC", "a\tA", "x y\tD", "z\tE", "D\tx y", "E\tz"])
        self.assertIn("answers to 3 sources, but got 2",
                      run("reranking/prepare", "union", table, "--back", table, written))
        self.assertIn("pairs that models made, but got 3 and 0",
                      run("reranking/prepare", "union", table))


class Clauses(Case):
    # it was late because we came , but she went home
    TREE = (("It", "PRON", 3, "nsubj"), ("was", "AUX", 3, "cop"), ("late", "VERB", 0, "root"),
            ("because", "SCONJ", 6, "mark"), ("we", "PRON", 6, "nsubj"),
            ("came", "VERB", 3, "advcl:because"), ("here", "ADV", 6, "advmod"),
            (",", "PUNCT", 10, "punct"), ("but", "CCONJ", 10, "cc"), ("went", "VERB", 3, "conj"),
            ("she", "PRON", 10, "nsubj"), ("home", "ADV", 10, "advmod"))

    def write(self, tree):
        lines = [f"{k}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"
                 for k, (word, tag, head, relation) in enumerate(tree, 1)]
        for part, file in (("train", "train"), ("dev", "trial"), ("test", "test_annotated")):
            self.file(f"en_ewt-ud-{part}.conllu", "".join(lines) + "\n")
            self.file(f"SICK_{file}.txt", "pair_ID\tsentence_A\tsentence_B\tentailment_judgment\n"
                      "1\tA man\tA dog\tNEUTRAL\n")
        out = self.folder / "out"
        return out, run("multitask/prepare", self.folder, self.folder, "--out", out)

    def test_clauses_of_a_tree(self):
        out, _ = self.write(self.TREE)
        self.assertEqual((out / "markers-dev.tsv").read_text().splitlines()[1:], [
            "it was late but went she home\twe came here\tbecause",
            "it was late because we came here\twent she home\tbut"])
        self.assertEqual((out / "entailment-test.tsv").read_text().splitlines()[1:],
                         ["A man\tA dog\tNEUTRAL"])
        self.assertEqual((out / "vocabulary.txt").read_text().split(),
                         ["<pad>", "<unk>", "<s>", "</s>", "a"])

    def test_trees_that_are_none(self):
        around = list(self.TREE)  # Two words hang on each other.
        around[5] = ("came", "VERB", 7, "advcl")
        self.assertIn("pairs", self.write(around)[1])
        around[5] = ("came", "VERB", 20, "advcl")
        self.assertIn("train.conllu:13: expected heads among the 12 words", self.write(around)[1])
        self.assertIn("clauses that one of and, but", self.write(self.TREE[:3])[1])


class RoundTrips(Case):
    def test_texts_and_what_came_back(self):
        table = self.file("table", "source\ttarget\nx\ta b c\ny\tb\nz\tc d\nw\tc\n")
        first = self.file("first", "0\t-1\ta b d\n1\t-1\ta\n2\t-1\tc d\n3\t-1\ta\n")
        second = self.file("second", "0\t-1\ta\n1\t-1\tb c d e f a b\n2\t-1\td\n3\t-1\t\n")
        # They take turns; the third is the person's own text, and of the fourth there is none.
        texts = "label:class=person,machine\tsource:words\tlength:text\n" + "".join(
            "\t".join(row) + "\n" for row in (
                ("person", "a b c", "1-6"), ("machine", "a b d", "1-6"),
                ("person", "b", "1-6"), ("machine", "b c d e f a b", "7-9")))
        self.assertEqual(run("round_trip/prepare", "texts", table, first, second), texts)
        self.assertEqual(run("round_trip/prepare", "sources", second).splitlines()[4], "3\t")
        back = self.file("back", "0\t-1\ta b d\n1\t-1\ta b d\n2\t-1\t\n3\t-1\ta b\n")
        found = run("round_trip/prepare", "features", self.file("texts", texts), back).splitlines()
        self.assertEqual(found[:4], [
            "label:class=person,machine\ttext:words\tback1:words\tx:vector=5\tlength:text",
            "person\ta b c\ta b d\t0.666667 0.666667 0.5 0 0\t1-6",
            "machine\ta b d\ta b d\t1 1 1 1 1\t1-6", "person\tb\t<nothing>\t0 0 0 0 0\t1-6"])
        # Both words of "a b" are there, "b" once: 2 * 2 / (7 + 2), 2 * 1 / (6 + 1).
        self.assertIn("\t0.285714 0.444444 0.285714 0 0\t7-9", found[4])
        self.assertIn("back: expected 4 answers, but got 2", run(
            "round_trip/prepare", "features", self.file("texts", texts),
            self.file("back", "0\t-1\ta\n1\t-1\tb\n")))


if __name__ == "__main__":
    unittest.main()
