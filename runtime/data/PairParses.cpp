//===-- runtime/data/PairParses.cpp - Trees of sentence pairs -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairParses.h"

#include <algorithm>
#include <filesystem>
#include <functional>

using namespace cambium::data;
namespace fs = std::filesystem;

static bool exists(const std::string &path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// Calls `take` with each line of a file, which must have `count` of them, and
/// its number from 0.
static Status
forEachOf(const std::string &path, size_t count,
          const std::function<Status(const Line &, size_t)> &take) {
  size_t index = 0;
  Status status = forEachLine(path, [&](const Line &line) {
    if (index == count)
      return line.expected(0,
                           "the end of the file after " +
                               std::to_string(count) + " lines, as in id.txt",
                           quote(line.text));
    return take(line, index++);
  });
  if (status.ok() && index < count)
    return Status::error(path + ": expected " + std::to_string(count) +
                         " lines, as in id.txt, but got " +
                         std::to_string(index));
  return status;
}

static Status readWords(const Line &line, ParsedSentence &sentence) {
  for (const Column &word : cutWords(line.text))
    sentence.words.emplace_back(word.text);
  return sentence.words.empty()
             ? line.expected(0, "the words of a sentence", "an empty line")
             : Status();
}

static Status readHeads(const Line &line, ParsedSentence &sentence) {
  const std::vector<Column> columns = cutWords(line.text);
  const size_t count = sentence.words.size();
  if (columns.size() != count)
    return line.expected(
        0, std::to_string(count) + " heads, one per word of the sentence",
        std::to_string(columns.size()));
  return readParents(line, columns, "word", sentence.heads);
}

static Status readPhrases(const Line &line, ParsedSentence &sentence) {
  const std::vector<Column> columns = cutWords(line.text);
  const size_t count = sentence.words.size();
  if (columns.size() != 2 * count - 1)
    return line.expected(0,
                         std::to_string(2 * count - 1) +
                             " parents, for the nodes of a binary tree over " +
                             std::to_string(count) + " words",
                         std::to_string(columns.size()));
  std::vector<int32_t> parents;
  if (Status status = readParents(line, columns, "node", parents); !status.ok())
    return status;
  std::vector<int> numChildren(parents.size());
  for (size_t node = 0; node < parents.size(); ++node)
    if (parents[node] >= 0 && ++numChildren[parents[node]] > 2)
      return line.expected(columns[node].offset,
                           "two children of node " +
                               std::to_string(parents[node] + 1),
                           "a third one, node " + std::to_string(node + 1));
  if (!orderByLeaves(parents, count, sentence.phrases))
    return line.expected(
        0, "a tree whose leaves are the nodes 1 to " + std::to_string(count),
        "another one");
  return Status();
}

Status PairParses::loadSide(const std::string &folder, int side, size_t first) {
  const std::string base = folder + (side == 0 ? "/a" : "/b");
  const size_t count = pairs.size() - first;
  using Take = Status (*)(const Line &, ParsedSentence &);
  auto load = [&](const std::string &path, Take take) {
    return forEachOf(path, count, [&](const Line &line, size_t index) {
      return take(line, pairs[first + index].sentences[side]);
    });
  };
  Status status = load(base + ".toks", readWords);
  const char *endings[] = {".parents", ".cparents"};
  const Take takes[] = {readHeads, readPhrases};
  for (int kind : {0, 1}) {
    if (!status.ok())
      return status;
    const std::string path = base + endings[kind];
    if (exists(path)) {
      status = load(path, takes[kind]);
      ++counts[kind];
    }
    if (status.ok() && counts[kind] != 0 && counts[kind] != numSides + 1)
      status = Status::error(path + ": expected such a file for all sentences "
                                    "or for none, but got some");
  }
  ++numSides;
  return status;
}

Status PairParses::loadFolder(const std::string &folder) {
  const size_t first = pairs.size();
  Status status = forEachLine(folder + "/id.txt", [&](const Line &line) {
    if (line.text.empty())
      return line.expected(0, "the id of a pair", "an empty line");
    if (!byId.emplace(std::string(line.text), pairs.size()).second)
      return line.expected(0, "an id that no other pair has", quote(line.text));
    pairs.emplace_back();
    return Status();
  });
  if (!status.ok())
    return status;
  for (int side : {0, 1})
    if (Status status = loadSide(folder, side, first); !status.ok())
      return status;
  return Status();
}

Status PairParses::load(const std::string &folder) {
  if (exists(folder + "/id.txt"))
    return loadFolder(folder);
  std::vector<std::string> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (exists(at->path().string() + "/id.txt"))
      folders.push_back(at->path().string());
  if (error)
    return Status::error(folder +
                         ": cannot read the folder: " + error.message());
  if (folders.empty())
    return Status::error(folder + ": expected id.txt, a.toks, b.toks, ... in "
                                  "the folder or in its folders, but got none");
  std::sort(folders.begin(), folders.end());
  for (const std::string &each : folders)
    if (Status status = loadFolder(each); !status.ok())
      return status;
  return Status();
}

const PairParses::Pair *PairParses::find(std::string_view id) const {
  auto found = byId.find(std::string(id));
  return found == byId.end() ? nullptr : &pairs[found->second];
}
