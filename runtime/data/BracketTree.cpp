//===-- runtime/data/BracketTree.cpp - Binarization of trees --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BracketTree.h"

using namespace cambium::data;

void BracketTree::clear() {
  parents.clear();
  labels.clear();
  words.clear();
}

int32_t BracketTree::add(int32_t parent, std::string_view label,
                         std::string_view word) {
  parents.push_back(parent);
  labels.push_back(label);
  words.push_back(word);
  return static_cast<int32_t>(parents.size() - 1);
}

namespace {

/// The children of all nodes, one node after the other.
class Children {
public:
  explicit Children(const BracketTree &tree) : first(tree.size() + 1) {
    for (int32_t parent : tree.parents)
      if (parent >= 0)
        ++first[parent + 1];
    for (int64_t node = 0; node < tree.size(); ++node)
      first[node + 1] += first[node];
    all.resize(first.back());
    std::vector<int32_t> next(first.begin(), first.end() - 1);
    for (int64_t node = 0; node < tree.size(); ++node)
      if (int32_t parent = tree.parents[node]; parent >= 0)
        all[next[parent]++] = static_cast<int32_t>(node);
  }
  int32_t count(int32_t node) const { return first[node + 1] - first[node]; }
  int32_t at(int32_t node, int32_t i) const { return all[first[node] + i]; }

private:
  std::vector<int32_t> first, all;
};

/// The children [begin, end) of a node of the old tree, which become a node
/// below `parent` of the new one.
struct Part {
  int32_t node, begin, end, parent;
};

/// Writes the new tree in preorder.
class Reshaper {
public:
  Reshaper(const ReaderOptions &options, const BracketTree &tree)
      : options(options), tree(tree), children(tree) {}

  BracketTree run();

private:
  Part whole(int32_t node, int32_t parent) const {
    return {node, 0, children.count(node), parent};
  }
  void push(int32_t node, int32_t parent) {
    open.push_back(whole(node, parent));
  }
  void expand(const Part &part, int32_t node);

  const ReaderOptions &options;
  const BracketTree &tree;
  const Children children;
  std::vector<Part> open; ///< The last one is written next.
};

} // namespace

/// Opens the children of a part that has become `node`, the last one first.
void Reshaper::expand(const Part &part, int32_t node) {
  const int32_t count = part.end - part.begin;
  if (options.binarize == Binarize::None || count <= 2) {
    for (int32_t i = part.end; i-- > part.begin;)
      push(children.at(part.node, i), node);
  } else if (options.binarize == Binarize::Left) {
    push(children.at(part.node, part.end - 1), node);
    open.push_back({part.node, part.begin, part.end - 1, node});
  } else {
    open.push_back({part.node, part.begin + 1, part.end, node});
    push(children.at(part.node, part.begin), node);
  }
}

BracketTree Reshaper::run() {
  BracketTree result;
  push(0, -1);
  while (!open.empty()) {
    Part part = open.back();
    open.pop_back();
    // The uppermost node of a chain that has a label keeps it.
    std::string_view label = tree.labels[part.node];
    while (options.collapseUnary && children.count(part.node) == 1) {
      part = whole(children.at(part.node, 0), part.parent);
      label = label.empty() ? tree.labels[part.node] : label;
    }
    expand(part, result.add(part.parent, label, tree.words[part.node]));
  }
  return result;
}

void cambium::data::reshapeTree(const ReaderOptions &options,
                                BracketTree &tree) {
  if (options.collapseUnary || options.binarize != Binarize::None)
    tree = Reshaper(options, tree).run();
}

/// A node whose children have been written as `inside`.
static std::string writeNode(const BracketTree &tree, int64_t node,
                             BracketStyle style, const std::string &inside) {
  const std::string word(tree.words[node]), label(tree.labels[node]);
  if (style == BracketStyle::Plain)
    return inside.empty() ? word
           : word.empty() ? "( " + inside + " )"
                          : word + " " + inside + " ]";
  return "(" + label + (label.empty() ? "" : " ") +
         (word.empty() ? inside : word) + ")";
}

bool cambium::data::describeTree(const BracketTree &tree, BracketStyle style,
                                 TreeText &result) {
  constexpr int64_t kMostNodes = 1000;
  if (tree.size() > kMostNodes)
    return false;
  result = TreeText();
  result.subtrees.resize(tree.size());
  for (std::string_view word : tree.words) {
    result.nodes.emplace_back(word);
    if (!word.empty())
      result.title.append(result.title.empty() ? "" : " ").append(word);
  }
  // Children stand behind their parents, so each is complete before it is moved
  // to the front of what its parent has so far.
  for (int64_t node = tree.size(); node-- > 0;) {
    std::string &text = result.subtrees[node];
    text = writeNode(tree, node, style, text);
    if (int32_t parent = tree.parents[node]; parent >= 0) {
      std::string &above = result.subtrees[parent];
      above = above.empty() ? text : text + " " + above;
    }
  }
  return true;
}
