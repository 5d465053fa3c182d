#===-- tools/scoring/m2.py - Corrected sentences by edits ----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Precision, recall and F of the edits of corrected sentences (MaxMatch, Dahlmeier and Ng
2012). Of all ways to read an answer as edits of the source, with at most --unchanged words
that stay in one edit, the one counts that has the most edits of the annotator; of several
annotators the one of a sentence counts that makes F of all sentences so far the greatest."""

from .files import ScoreError, lines_of

NOTHING = "-NONE-"


class Sentence:
    """A source, and of each annotator edits (begin, end, corrections): words of the source
    from `begin` until before `end` become one of the corrections."""

    def __init__(self, words):
        self.words = words
        self.annotators = {}


def read_edit(line, place, sentence):
    fields = line[2:].split("|||")
    try:
        begin, end = (int(number) for number in fields[0].split())
        if len(fields) < 4:
            raise ValueError
        annotator = int(fields[-1])
    except ValueError:
        raise ScoreError(f"{place}: expected an edit 'A BEGIN END|||TYPE|||CORRECTION|||"
                         f"...|||ANNOTATOR', but got '{line[:60]}'") from None
    edits = sentence.annotators.setdefault(annotator, [])
    if begin < 0 or fields[1] == "noop":
        return
    if begin > end:
        raise ScoreError(f"{place}: expected an edit that ends behind its begin, but got "
                         f"{begin} to {end}")
    # Published files have edits behind the end of a sentence. Nothing matches them.
    corrections = [() if text.strip() == NOTHING else tuple(text.split())
                   for text in fields[2].split("||")]
    edits.append((begin, end, corrections))


def read(path):
    """The sentences of a file .m2."""
    sentences = []
    for number, line in enumerate(lines_of(path), 1):
        place = f"{path}:{number}"
        if line.startswith("S ") or line == "S":
            sentences.append(Sentence(line[2:].split()))
        elif line.startswith("A ") and sentences:
            read_edit(line, place, sentences[-1])
        elif line.strip():
            raise ScoreError(f"{place}: expected a line of 'S ' or 'A ', but got "
                             f"'{line[:40]}'")
    for sentence in sentences:
        if not sentence.annotators:
            sentence.annotators[0] = []
    return sentences


def shortest_steps(source, answer, replacing):
    """Steps of all shortest ways from one sentence to the other: (place, place after),
    where a place is (words read of the source, words written of the answer)."""
    rows, columns = len(source) + 1, len(answer) + 1
    cost = [[0] * columns for _ in range(rows)]
    before = {}
    for i in range(rows):
        for j in range(columns):
            options = []
            if i:
                options.append((cost[i - 1][j] + 1, (i - 1, j)))
            if j:
                options.append((cost[i][j - 1] + 1, (i, j - 1)))
            if i and j:
                price = 0 if source[i - 1] == answer[j - 1] else replacing
                options.append((cost[i - 1][j - 1] + price, (i - 1, j - 1)))
            if options:
                cost[i][j] = min(options)[0]
                before[i, j] = [place for price, place in options if price == cost[i][j]]
    steps, waiting, seen = set(), [(rows - 1, columns - 1)], set()
    while waiting:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        for earlier in before.get(place, ()):
            steps.add((earlier, place))
            waiting.append(earlier)
    return steps


def arcs_of(source, answer, unchanged):
    """Of each place, the places that one edit leads to: {place: {end: number of steps}}
    (the fewest), and the places that a word that stays leads to. An edit may hold at most
    `unchanged` words that stay; it is not made of them alone."""
    after = {}
    for begin, end in shortest_steps(source, answer, 1) | shortest_steps(source, answer, 2):
        after.setdefault(begin, []).append(end)
    arcs, stays = {}, {}
    for begin in after:
        # (place, words that stayed, whether one changed): the fewest steps to it.
        reached, waiting = {(begin, 0, False): 0}, [(begin, 0, False)]
        for state in waiting:  # Grows; steps lead on, and each costs one.
            place, kept, changed = state
            for end in after.get(place, ()):
                stay = (end[0] - place[0] == end[1] - place[1] == 1
                        and source[place[0]] == answer[place[1]])
                if stay and place == begin:
                    stays[begin] = end
                new = (end, kept + stay, changed or not stay)
                if new[1] <= unchanged and new not in reached:
                    reached[new] = reached[state] + 1
                    waiting.append(new)
        ends = arcs.setdefault(begin, {})
        for (end, _, changed), steps in reached.items():
            if changed:
                ends[end] = min(steps, ends.get(end, steps))
    return arcs, stays


def best_reading(source, answer, gold, arcs, stays):
    """(edits that GOLD has, edits) of the reading with the most of the former, then the
    fewest steps in others, then the fewest of these. Edits of GOLD are matched in their
    order, each once."""
    finish = (len(source), len(answer))
    # By place and by how many of GOLD are behind us: (-matched, steps, others).
    best = {(0, 0): {0: (0, 0, 0)}}
    for place in sorted({(0, 0), finish, *arcs, *stays}):
        for passed, (matched, steps, others) in sorted(best.get(place, {}).items()):
            moves = []
            if place in stays:
                moves.append((stays[place], passed, (matched, steps + 1, others)))
            for end, count in arcs.get(place, {}).items():
                words = tuple(answer[place[1]:end[1]])
                moves.append((end, passed, (matched, steps + count, others + 1)))
                for k in range(passed, len(gold)):
                    if gold[k][:2] == (place[0], end[0]) and words in gold[k][2]:
                        moves.append((end, k + 1, (matched - 1, steps, others)))
                        break
            for end, index, price in moves:
                known = best.setdefault(end, {})
                if index not in known or price < known[index]:
                    known[index] = price
    matched, _, others = min(best[finish].values())
    return -matched, others - matched


def f_of(matched, proposed, gold, beta):
    bottom = beta * beta * gold + proposed
    return (1 + beta * beta) * matched / bottom if bottom else 1.0


def measures(sentences, answers, beta=0.5, unchanged=2):
    """Precision, recall and F of split answers."""
    sums = (0, 0, 0)
    for sentence, answer in zip(sentences, answers):
        arcs, stays = arcs_of(sentence.words, answer, unchanged)
        choices = []
        for gold in sentence.annotators.values():
            matched, proposed = best_reading(sentence.words, answer, gold, arcs, stays)
            new = (sums[0] + matched, sums[1] + proposed, sums[2] + len(gold))
            choices.append((f_of(*new, beta), new[0], -(new[1] + beta * beta * new[2]), new))
        # The first of equal ones.
        sums = max(choices, key=lambda choice: choice[:3])[3]
    matched, proposed, gold = sums
    precision = matched / proposed if proposed else 1.0
    recall = matched / gold if gold else 1.0
    bottom = beta * beta * precision + recall
    return {"precision": precision, "recall": recall,
            f"f{beta:g}": (1 + beta * beta) * precision * recall / bottom if bottom else 0.0}


def run(options):
    if not 0 < options.beta <= 1e6 or options.unchanged < 0:
        raise ScoreError("expected --beta above 0 of at most 1e+06 and --unchanged of at least "
                         f"0, but got {options.beta:g} and {options.unchanged}")
    sentences, answers = read(options.gold), lines_of(options.answers)
    if len(answers) != len(sentences):
        raise ScoreError(f"{options.answers}: expected {len(sentences)} lines, one for each "
                         f"sentence of {options.gold}, but got {len(answers)}")
    return measures(sentences, [line.split() for line in answers], options.beta,
                    options.unchanged)
