//===-- runtime/data/Reader.cpp - What all readers share ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"

#include <iterator>

using namespace cambium::data;

Reader::~Reader() = default;

Status Reader::fit(const std::string &) { return Status(); }

bool Reader::describe(std::string_view, std::string_view, TreeText &) const {
  return false;
}

Status Reader::read(const std::string &path, Dataset &dataset) {
  std::string text;
  if (Status status = readTextFile(path, text); !status.ok())
    return status;
  const std::string source = path == "-" ? "<stdin>" : path;
  int64_t before = dataset.size();
  dataset.source = source;
  if (Status status = readText(text, source, 1, dataset); !status.ok())
    return status;
  if (dataset.size() == before)
    return Status::error(source + ": expected at least one example, but got " +
                         (text.empty() ? "an empty file" : "blank lines only"));
  return Status();
}

std::unique_ptr<Reader> cambium::data::createReader(std::string_view format) {
  if (format == "ptb")
    return createPtbReader();
  if (format == "coba")
    return createCobaReader();
  if (format == "pairs")
    return createPairReader();
  if (format == "conllu")
    return createConlluReader();
  if (format == "brackets")
    return createBracketsReader();
  if (format == "constituents")
    return createConstituentsReader();
  if (format == "listops")
    return createListOpsReader();
  if (format == "table")
    return createTableReader();
  if (format == "text")
    return createTextReader();
  return nullptr;
}

static constexpr FormatInfo kFormats[] = {
    {"ptb",
     "labelled trees, one per line: (3 (2 It) (4 (2 's) (4 good))). "
     "Fields: tree (nodes in preorder), words (per node; 0 at inner "
     "nodes), labels (per node), label (of the root), weights (per node: 1, "
     "or 0 where there is no label, or no class of it), tokens (the words "
     "alone)"},
    {"coba",
     "arithmetic, tab-separated: an expression in prefix notation "
     "(* + 2 3 4), its value from 1 to 100, and any further columns. "
     "Fields: tree (nodes in prefix order), tokens (per node: numbers "
     "1 to 100, + is 101, * is 102), numbers (the same, 0 at operators), "
     "operators (+ is 1, * is 2, 0 at numbers), value (class: value - 1), "
     "target "
     "(the value, f32)"},
    {"pairs",
     "pairs of sentences, tab-separated, with the columns sentence_A, "
     "sentence_B, relatedness_score, entailment_judgment, pair_ID in any "
     "order (SICK), or without names: sentence, sentence, score, label. Or "
     "trees as in brackets, without names: label, tree, tree, score, id. "
     "Fields: words_a, words_b, score (f32), label (0 contradiction, 1 "
     "neutral, 2 entailment); with --parses also tree_a, tree_b (words that "
     "depend on words); with --parses or trees ctree_a, ctree_b (phrases, "
     "nodes in preorder) and cwords_a, cwords_b (their words; 0 at inner "
     "nodes)"},
    {"conllu",
     "dependency trees of Universal Dependencies. Fields: tree (words in the "
     "order of the sentence), words, labels (the part of speech of each "
     "word, "
     "in alphabetical order from 0, ADJ, to 16, X), label (of the root)"},
    {"brackets",
     "words in brackets, one tree per line, ( ( The cat ) sits ), after its "
     "class and a tab. Fields: tree (nodes in preorder), words (per node; 0 "
     "at inner nodes), tokens (the words alone), label (the class, from 0)"},
    {"constituents",
     "the same with labels, (S (NP (DT The) (NN cat)) (VP sits)), which are "
     "the words of inner nodes: [NP]. Fields: as of brackets"},
    {"listops",
     "a class, a tab and an expression, in brackets, ( ( ( [MAX 2 ) 9 ) ] ), "
     "or in prefix notation, [MAX 2 9 ]; the column 'depth' of predictions "
     "counts nested operators. Fields: as of brackets; in prefix notation "
     "operators are the words of inner nodes"},
    {"table",
     "tab-separated columns; the first line gives each a name and a type "
     "(tokens:ids) of id, ids (whole numbers between spaces), number, "
     "numbers and text. Fields: the columns; answers are compared with label "
     "(id), labels (ids, per row; negative: none) or target (number)"},
    {"text",
     "a text per line, or two with a tab between them, perhaps after a class "
     "and a tab; or a first line names the columns text, text_b, label, "
     "score "
     "and others in any order. Cut into pieces by --tokenizer, else into "
     "words. Fields: tokens, segments (per token: 0, and 1 in the second "
     "text), label (the class, from 0), score (f32)"}};

const std::vector<FormatInfo> &cambium::data::formats() {
  static const std::vector<FormatInfo> all(std::begin(kFormats),
                                           std::end(kFormats));
  return all;
}
