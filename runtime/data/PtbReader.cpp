//===-- runtime/data/PtbReader.cpp - Labelled trees in brackets -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// tree = "(" label ( word | tree+ ) ")", one per line, as the Stanford
/// Sentiment Treebank has them. Labels are numbers, and optional where no
/// targets are required.
///
//===----------------------------------------------------------------------===//

#include "BracketTree.h"
#include "Readers.h"

using namespace cambium::data;

namespace {

class PtbReader : public Reader {
public:
  const char *name() const override { return "ptb"; }
  TargetFields targets() const override {
    return {"label", "labels", "", 0, "accuracy", "weights"};
  }
  Vocabulary *vocabulary() override { return &words; }
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;
  bool describe(std::string_view text, std::string_view tree,
                TreeText &result) const override;

private:
  Status learn(const std::string &path) override;
  /// The tree of a line in its final shape.
  Status parse(const Line &line, bool requireLabels, BracketTree &tree) const;
  /// The word as the vocabulary knows it.
  std::string normalize(std::string_view word) const;
  /// The classes of labels, 0 where there is none; the nodes that have one get
  /// the weight 1, the others 0.
  void classify(const BracketTree &tree, std::vector<int32_t> &labels,
                std::vector<float> &weights) const;
  void append(const BracketTree &tree, const std::vector<int32_t> &labels,
              const std::vector<float> &weights, Dataset &dataset) const;

  Vocabulary words;
};

} // namespace

std::string PtbReader::normalize(std::string_view word) const {
  return options.lowercase ? lowerCase(word) : std::string(word);
}

Status PtbReader::parse(const Line &line, bool requireLabels,
                        BracketTree &tree) const {
  const BracketStyle style =
      requireLabels ? BracketStyle::Labelled : BracketStyle::MaybeLabelled;
  Status status = parseBrackets(line, 0, line.text.size(), style, tree);
  if (status.ok())
    reshapeTree(options, tree);
  return status;
}

/// The labels as numbers, 0 where there is none; `all` tells whether every node
/// has one.
static Status numberLabels(const Line &line, const BracketTree &tree,
                           std::vector<int32_t> &numbers, bool &all) {
  numbers.assign(tree.size(), 0);
  all = true;
  for (int64_t node = 0; node < tree.size(); ++node) {
    const std::string_view label = tree.labels[node];
    all &= !label.empty();
    if (!label.empty() &&
        (!parseInt(label, numbers[node]) || numbers[node] < 0))
      return line.expected(label.data() - line.text.data(),
                           "a label that is a whole number from 0",
                           quote(label));
  }
  return Status();
}

Status PtbReader::learn(const std::string &path) {
  BracketTree tree;
  Status status = forEachLine(path, [&](const Line &line) {
    if (isBlank(line.text))
      return Status();
    if (Status status = parse(line, false, tree); !status.ok())
      return status;
    for (std::string_view word : tree.words)
      if (!word.empty())
        words.count(normalize(word));
    return Status();
  });
  if (status.ok())
    words.build(options.minCount, limitOf(wordFields()));
  return status;
}

Status PtbReader::readText(std::string_view text, const std::string &source,
                           int64_t firstLine, Dataset &dataset) {
  BracketTree tree;
  std::vector<int32_t> labels;
  std::vector<float> weights;
  return forEachLine(text, source, firstLine, [&](const Line &line) {
    if (isBlank(line.text))
      return Status();
    bool hasLabels = false;
    Status status = parse(line, options.requireTargets, tree);
    if (status.ok())
      status = numberLabels(line, tree, labels, hasLabels);
    if (!status.ok())
      return status;
    classify(tree, labels, weights);
    if (options.requireTargets && weights.front() == 0)
      return Status();
    append(tree, labels, weights, dataset);
    dataset.hasTargets &= hasLabels && weights.front() != 0;
    dataset.texts.emplace_back(line.text);
    dataset.lines.push_back(line.number);
    dataset.extras.emplace_back();
    return Status();
  });
}

void PtbReader::classify(const BracketTree &tree, std::vector<int32_t> &labels,
                         std::vector<float> &weights) const {
  weights.assign(labels.size(), 0);
  for (size_t node = 0; node < labels.size(); ++node) {
    if (tree.labels[node].empty())
      continue;
    if (options.classes.empty()) {
      weights[node] = 1;
      continue;
    }
    const auto found = options.classes.find(labels[node]);
    labels[node] = found == options.classes.end() ? 0 : found->second;
    weights[node] = found == options.classes.end() ? 0 : 1;
  }
}

void PtbReader::append(const BracketTree &tree,
                       const std::vector<int32_t> &labels,
                       const std::vector<float> &weights,
                       Dataset &dataset) const {
  size_t parents = fieldIndex(dataset, "tree", FieldKind::Tree, true);
  size_t ids = fieldIndex(dataset, "words", FieldKind::I32, true);
  size_t classes = fieldIndex(dataset, "labels", FieldKind::I32, true);
  size_t label = fieldIndex(dataset, "label", FieldKind::I32, false);
  size_t counts = fieldIndex(dataset, "weights", FieldKind::F32, true);
  size_t tokens = fieldIndex(dataset, "tokens", FieldKind::I32, true);
  std::vector<Field> &fields = dataset.fields;
  for (int64_t node = 0; node < tree.size(); ++node) {
    int32_t id = Vocabulary::kPadding;
    if (!tree.words[node].empty()) {
      id = words.idOf(normalize(tree.words[node]));
      fields[tokens].ints.push_back(id);
    }
    fields[parents].ints.push_back(tree.parents[node]);
    fields[ids].ints.push_back(id);
    fields[classes].ints.push_back(labels[node]);
    fields[counts].floats.push_back(weights[node]);
  }
  fields[label].ints.push_back(labels.front());
  for (Field &field : fields)
    field.endExample();
}

bool PtbReader::describe(std::string_view text, std::string_view,
                         TreeText &result) const {
  const std::string source;
  const Line line = {text, &source, 1};
  BracketTree tree;
  if (!parse(line, false, tree).ok())
    return false;
  return describeTree(tree, BracketStyle::MaybeLabelled, result);
}

std::unique_ptr<Reader> cambium::data::createPtbReader() {
  return std::make_unique<PtbReader>();
}
