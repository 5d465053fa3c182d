//===-- runtime/data/PairParses.h - Trees of sentence pairs -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A folder of parallel files, one line per pair of sentences:
///
///   id.txt              the pair
///   a.toks b.toks       the words of its sentences, between spaces
///   a.parents ...       the head of each word, from 1; 0 at the root
///   a.cparents ...      the parents of a binary tree of phrases: first those
///                       of the words, then those of the inner nodes
///
/// or a folder of such folders (train, dev, test). The trees are optional, but
/// what one folder has all must have, and for both sentences.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_PAIRPARSES_H
#define CAMBIUM_DATA_PAIRPARSES_H

#include "Trees.h"

namespace cambium::data {

/// What is known about a sentence.
struct ParsedSentence {
  std::vector<std::string> words;
  std::vector<int32_t> heads; ///< Per word, -1 at the root.
  LeafTree phrases;           ///< In preorder.
};

/// The parses of all pairs of a folder.
class PairParses {
public:
  struct Pair {
    ParsedSentence sentences[2];
  };

  Status load(const std::string &folder);
  /// The parses of a pair, or null.
  const Pair *find(std::string_view id) const;

private:
  Status loadFolder(const std::string &folder);
  Status loadSide(const std::string &folder, int side, size_t first);

  std::vector<Pair> pairs;
  std::unordered_map<std::string, size_t> byId;
  int64_t counts[2] = {0, 0}; ///< Files of heads and of phrases.
  int64_t numSides = 0;
};

} // namespace cambium::data

#endif // CAMBIUM_DATA_PAIRPARSES_H
