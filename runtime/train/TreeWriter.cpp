//===-- runtime/train/TreeWriter.cpp - Trees with answers -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TreeWriter.h"
#include "Format.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

using namespace cambium;
using namespace cambium::train;
using data::Dataset;
using data::Field;

/// A number that a user reads; null for none.
static Json rounded(double value) {
  return std::isfinite(value)
             ? Json(strtod(formatNumber(value, 6).c_str(), nullptr))
             : Json();
}

/// The class of an example, or of a row, by its name.
static Json answer(const Evaluator &evaluator, double value) {
  return std::isnan(value) ? Json() : Json(evaluator.nameOf(value, 9));
}

static Json rowAnswer(const Evaluator &evaluator, double value) {
  return std::isnan(value) ? Json() : Json(evaluator.nameOfRow(value, 9));
}

TreeWriter::TreeWriter(const Dataset &dataset, const Setup &setup,
                       const Predictions &predictions)
    : dataset(dataset), setup(setup), evaluator(setup.evaluator),
      predictions(predictions) {
  // A picture is small, and half of one is none.
  evaluator.shouldStop = [] { return false; };
  const EntrySpec &entry = *evaluator.predict;
  for (size_t i = 0; i < entry.trees.size(); ++i) {
    const Field *field = fieldOf(dataset, evaluator.feeds, entry.trees[i].name);
    if (field && field->kind == data::FieldKind::Tree)
      trees.push_back({&entry.trees[i], i, field});
  }
}

Status TreeWriter::evaluate(std::vector<int32_t> examples) {
  chosen = std::move(examples);
  return evaluator.callAll(dataset, chosen, batch, outputs);
}

/// What stands at the nodes: by the reader, or else the words with as many
/// rows; "tree_a" goes with "words_a".
std::vector<std::string> TreeWriter::labelsOf(const DrawnTree &tree,
                                              int64_t example) const {
  const int64_t count = tree.parents->rows(example);
  std::vector<std::string> labels(count);
  const std::string &name = tree.parents->name;
  const size_t at = name.find("tree");
  std::vector<std::string> fields = {name + ".words"};
  for (const char *kind : {"words", "tokens"})
    if (at != std::string::npos)
      fields.push_back(std::string(name).replace(at, 4, kind));
  for (const std::string &kind : fields) {
    const Field *field = dataset.find(kind);
    const data::Vocabulary *words = setup.reader->vocabularyOf(kind);
    if (!words || !field || field->kind != data::FieldKind::I32 ||
        field->rows(example) != count)
      continue;
    for (int64_t node = 0; node < count; ++node) {
      const int32_t id = field->intsOf(example)[node];
      const std::string *word = words->wordOf(id);
      if (word && id != data::Vocabulary::kPadding)
        labels[node] = *word;
    }
    break;
  }
  return labels;
}

bool TreeWriter::describeText(const DrawnTree &tree, int64_t example,
                              data::TreeText &text) const {
  return setup.reader->describe(dataset.texts[example], tree.parents->name,
                                text) &&
         static_cast<int64_t>(text.nodes.size()) == tree.parents->rows(example);
}

/// The answers for the trees below each node, each as an example of its own.
Status TreeWriter::addSubtreeAnswers(const data::TreeText &text,
                                     Json &result) const {
  std::string lines;
  for (const std::string &line : text.subtrees)
    lines += line + "\n";
  Dataset subtrees;
  subtrees.source = "a part of a tree";
  Evaluation below;
  // What stands below a node may have no target of its own.
  data::ReaderOptions &options = setup.reader->options;
  const bool required = std::exchange(options.requireTargets, false);
  Status status = setup.reader->readText(lines, subtrees.source, 1, subtrees);
  options.requireTargets = required;
  if (status.ok())
    status = evaluator.predictAll(subtrees, below);
  if (!status.ok())
    return status;
  Json::Array targets, said, sure;
  for (int64_t node = 0; node < subtrees.size(); ++node) {
    targets.push_back(answer(evaluator, targetOf(subtrees, evaluator, node)));
    said.push_back(answer(evaluator, below.predictions.values[node]));
    sure.push_back(rounded(below.predictions.probabilities[node]));
  }
  if (subtrees.hasTargets)
    result.set("targets", targets);
  result.set("predictions", said);
  if (evaluator.answerKind() == AnswerKind::Class)
    result.set("probabilities", sure);
  return Status();
}

/// Targets and predictions of nodes. A model that answers for every node may
/// look at the whole tree; of others, parts of the tree are asked.
Status TreeWriter::addAnswers(const DrawnTree &tree, int64_t example,
                              const data::TreeText &text, Json &result) const {
  const int64_t count = tree.parents->rows(example);
  const TensorSpec &output = evaluator.predict->outputs[0];
  if (output.space < 0 || output.space != tree.spec->space)
    return text.subtrees.empty() ? Status() : addSubtreeAnswers(text, result);
  const Field *labels = classField(dataset, evaluator.targets.perRow, true);
  const Field *weights = dataset.find(evaluator.targets.rowWeight);
  const bool hasTargets =
      dataset.hasTargets && labels && labels->rows(example) == count;
  Json::Array targets, said, sure;
  for (int64_t node = 0; node < count; ++node) {
    const int64_t row = predictions.rowOffsets[example] + node;
    said.push_back(rowAnswer(evaluator, predictions.rowValues[row]));
    sure.push_back(rounded(predictions.rowProbabilities[row]));
    if (!hasTargets)
      continue;
    const int32_t label = labels->intsOf(example)[node];
    const bool counts =
        label >= 0 && (!weights || weights->floatsOf(example)[node] != 0);
    targets.push_back(rowAnswer(
        evaluator, counts ? label + evaluator.targets.classOffset : kNone));
  }
  if (hasTargets)
    result.set("targets", targets);
  result.set("predictions", said);
  if (evaluator.answerKind() == AnswerKind::Class)
    result.set("probabilities", sure);
  return Status();
}

static int64_t numEdges(const Field &parents, int64_t example) {
  const int32_t *first = parents.intsOf(example);
  return std::count_if(first, first + parents.rows(example),
                       [](int32_t parent) { return parent >= 0; });
}

/// Values of the edges, each at its child: edges stand grouped by parent, in
/// the order of the nodes.
Json TreeWriter::edgeRow(const DrawnTree &tree, size_t place, size_t output,
                         int64_t element) const {
  const Field &parents = *tree.parents;
  int64_t row = 0;
  for (size_t i = 0; i < place; ++i)
    row += numEdges(parents, chosen[i]);
  const int32_t *up = parents.intsOf(chosen[place]);
  std::vector<int64_t> children(parents.rows(chosen[place]));
  std::iota(children.begin(), children.end(), 0);
  std::sort(children.begin(), children.end(), [&](int64_t a, int64_t b) {
    return std::pair(up[a], a) < std::pair(up[b], b);
  });
  const int64_t width = evaluator.predict->outputs[output].rowElements;
  Json::Array values(children.size());
  for (int64_t child : children)
    if (up[child] >= 0)
      values[child] = rounded(outputs[output].at(row++ * width + element));
  return values;
}

/// Further outputs of the model with a few numbers per edge, or per node: those
/// whose name begins with "edge" are about the edge to the parent.
void TreeWriter::addRows(const DrawnTree &tree, size_t place,
                         Json &result) const {
  constexpr int64_t kMostElements = 4;
  Json nodes = Json::object(), edges = Json::object();
  const std::vector<TensorSpec> &specs = evaluator.predict->outputs;
  for (size_t i = 1; i < specs.size(); ++i) {
    const TensorSpec &spec = specs[i];
    const bool isEdge = spec.edgesOf == static_cast<int32_t>(tree.index);
    const bool isNode = !isEdge && spec.space == tree.spec->space;
    if ((!isEdge && !isNode) || spec.rowElements > kMostElements)
      continue;
    for (int64_t k = 0; k < spec.rowElements; ++k) {
      const std::string name =
          spec.name + (spec.rowElements > 1 ? "." + std::to_string(k) : "");
      if (isEdge) {
        edges.set(name.c_str(), edgeRow(tree, place, i, k));
        continue;
      }
      const int32_t *offsets = batch->spaceOffsets(spec.space);
      Json::Array values;
      for (int32_t row = offsets[place]; row < offsets[place + 1]; ++row)
        values.push_back(rounded(outputs[i].at(row * spec.rowElements + k)));
      const bool isOfEdge = spec.name.rfind("edge", 0) == 0;
      (isOfEdge ? edges : nodes).set(name.c_str(), values);
    }
  }
  if (!nodes.members().empty())
    result.set("nodes", nodes);
  if (!edges.members().empty())
    result.set("edges", edges);
}

Status TreeWriter::describe(const DrawnTree &tree, size_t place,
                            Json &result) const {
  const int64_t example = chosen[place];
  data::TreeText text;
  const bool hasText = describeText(tree, example, text);
  Json::Array parents;
  for (int64_t node = 0; node < tree.parents->rows(example); ++node)
    parents.emplace_back(
        static_cast<int64_t>(tree.parents->intsOf(example)[node]));
  result = Json::object();
  result.set("data", dataset.source);
  result.set("digest", dataset.digest);
  if (!setup.differs.empty())
    result.set("differs", setup.differs);
  result.set("name", tree.parents->name);
  result.set("title",
             hasText ? text.title : plainColumn(dataset.texts[example]));
  result.set("parents", parents);
  result.set("labels", hasText ? text.nodes : labelsOf(tree, example));
  if (Status status = addAnswers(tree, example, text, result); !status.ok())
    return status;
  addRows(tree, place, result);
  return Status();
}

Status TreeWriter::describe(size_t place, const char *rank, double error,
                            Json &result) const {
  const int64_t example = chosen[place];
  result = Json::object();
  result.set("data", dataset.source);
  result.set("digest", dataset.digest);
  if (!setup.differs.empty())
    result.set("differs", setup.differs);
  result.set("example", example);
  result.set("rank", rank);
  result.set("error", rounded(error));
  result.set("target",
             answer(evaluator, targetOf(dataset, evaluator, example)));
  result.set("prediction", answer(evaluator, predictions.values[example]));
  result.set("probability", rounded(predictions.probabilities[example]));
  Json::Array described;
  for (const DrawnTree &tree : trees) {
    Json one;
    if (Status status = describe(tree, place, one); !status.ok())
      return status;
    described.push_back(one);
  }
  result.set("trees", described);
  return Status();
}
