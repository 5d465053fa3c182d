#===-- golden/system_examples.py - Examples of published systems ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Drawn examples: sentences, trees, dialogues and what else a system reads."""

from . import documents


def sentences(rng):
    return [{"tokens": [rng.randrange(9) for _ in range(n)], "label": rng.randrange(2)}
            for n in (1, 2, 7, 4)]


def keyed(rng):
    return [{**e, "key": rng.getrandbits(63)} for e in sentences(rng)[1::2]]


def in_pieces(rng):
    return [{**e, "pieces": [rng.randrange(7) for _ in range(len(e["tokens"]) + more)]}
            for e, more in zip(sentences(rng), (0, 3, 1, 2))]


def parts_of_documents(rng):
    return [{"tokens": e["tokens"], "document": rng.randrange(4)} for e in sentences(rng)]


def sets_of_sentences(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"tokens": [row(n) for n in lengths]} for lengths in ((3, 1, 4, 2), (2,), (1, 5))]


def sets_of_trees(rng):
    heads = lambda n: [rng.randrange(i) if i else -1 for i in range(n)]
    return [{"tokens": e["tokens"], "heads": [heads(len(row)) for row in e["tokens"]]}
            for e in sets_of_sentences(rng)]


def sets_of_classes(rng):
    row = lambda n, most: [rng.randrange(most) for _ in range(n)]
    return [{"tokens": [row(n, 9) for n in lengths], "label": row(len(lengths), 3)}
            for lengths in ((2, 1), (1,))]


def mentions(rng):
    def document(words, count):
        row = lambda n, most: [rng.randrange(most) for _ in range(n)]
        first = row(count, words)
        return {"tokens": row(words, 9), "first": first,
                "last": [rng.randrange(i, min(i + 2, words)) for i in first],
                **{name: row(count, 4) for name in documents.FEATURES}, "event": row(count, 3)}
    return [document(*counts) for counts in ((1, 1), (5, 4))]


def labelled_words(rng):
    row = lambda n, most: [rng.randrange(most) for _ in range(n)]
    return [{"words": row(n, 9), "prefixes": row(n, 5), "suffixes": row(n, 5),
             "labels": row(n, 3)} for n in (1, 2, 5)]


def encoded_words(rng):
    """Those with the states of an encoder, one for each word."""
    state = lambda: [round(rng.gauss(0, 1), 3) for _ in range(3)]
    return [{**e, "states": [state() for _ in e["words"]]} for e in labelled_words(rng)]


def parsed_words(rng):
    row = lambda n, most: [rng.randrange(most) for _ in range(n)]
    return [{"words": row(n, 9), "prefixes": row(n, 5), "suffixes": row(n, 5),
             "heads": [rng.randrange(-1, n) for _ in range(n)], "relations": row(n, 4)}
            for n in (1, 2, 5, 4)]


def origins(rng):
    row = lambda n, most: [rng.randrange(most) for _ in range(n)]
    return [{"letters": row(n, 69), "languages": row(n, 13), "start": [2],
             "word": row(m, 69)}
            for n, m in ((1, 1), (6, 3), (9, 5))]


def rebuilt(*names):
    """Sentences with others that are written behind them."""
    def examples(rng):
        found = []
        for n, m in ((1, 1), (2, 5), (6, 3)):
            row = lambda n: [rng.randrange(9) for _ in range(n)]
            example = {"tokens": row(n)}
            for name in names:
                example |= {name + ".in": row(m), name + ".out": row(m)}
            found.append(example)
        return found
    return examples


def texts(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"text.in": row(n), "text.out": row(n)} for n in (1, 2, 6)]


def translated(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"source": row(n), "target.in": [2] + row(m - 1), "target.out": row(m - 1) + [3]}
            for n, m in ((1, 1), (5, 3), (3, 7))]


def dialogues_with(**more):
    """Dialogues, with further fields by the lengths of their utterances."""
    def examples(rng):
        row = lambda n: [rng.randrange(9) for _ in range(n)]
        return [{"context": row(sum(lengths)),
                 "turns": [i for i, n in enumerate(lengths) for _ in range(n)],
                 "within": [j for n in lengths for j in range(n)],
                 "target.in": [2] + row(m - 1), "target.out": row(m - 1) + [3],
                 **{name: field(rng, lengths) for name, field in more.items()}}
                for lengths, m in (((1,), 1), ((2, 1, 3), 3))]
    return examples


def starts(rng, lengths):
    return [sum(lengths[:i]) for i in range(len(lengths))]


def acts(rng, lengths):
    return [float(rng.randrange(2)) for _ in range(3)]


def read_words(rng, lengths):
    return [2, *(4 + i for i in range(len(lengths)))]


def written_words(rng, lengths):
    return [*(4 + i for i in range(len(lengths))), 3]


def translated_by_key(rng):
    return [{**e, "key": rng.getrandbits(63)} for e in translated(rng)]


def related(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"words_a": row(n), "words_b": row(m), "score": score}
            for n, m, score in ((1, 1, 1.5), (4, 2, 3.7), (3, 5, 4.25))]


def related_and_parsed(rng):
    heads = lambda n: [rng.randrange(i) if i else -1 for i in range(n)]
    return [{**e, "words": e["words_b"], "heads": heads(len(e["words_b"]))} for e in related(rng)]


def entailed(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"words_a": row(n), "words_b": row(m), "label": rng.randrange(3)}
            for n, m in ((1, 1), (4, 2), (3, 5))]


def stepped(rng):
    """Sentences with the steps of trees that are drawn."""
    def steps(n):
        if n == 1:
            return [0]
        left = rng.randrange(1, n)
        return [*steps(left), *steps(n - left), 1]
    return [{**e, "steps": steps(len(e["tokens"]))} for e in sentences(rng)]


def pieces(rng):
    return [{**e, "segments": [0] * len(e["tokens"])} for e in sentences(rng)]


def pieces_of_task(rng):
    return [{**e, "segments": [0] * len(e["tokens"]), "task": 1, "s": 1.5} for e in sentences(rng)]


def long_pieces(rng):
    return [{"tokens": [rng.randrange(9) for _ in range(n)], "segments": [0] * n}
            for n in (2, 7, 4)]


def stances(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"text": row(n), "topic": row(m), "label": rng.randrange(3),
             "which": rng.randrange(2), "rho": 0.5} for n, m in ((1, 1), (5, 2), (3, 4))]


def vectors_of_task(rng):
    return [{"x": [round(rng.gauss(0, 1), 3) for _ in range(5)], "task": 2, "s": 1.5,
             "label": rng.randrange(3)} for _ in range(4)]
