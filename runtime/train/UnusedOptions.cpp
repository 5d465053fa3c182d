//===-- runtime/train/UnusedOptions.cpp - What would have no effect -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnusedOptions.h"

#include <algorithm>

using namespace cambium;
using namespace cambium::train;

/// "a, b or c".
static std::string alternatives(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

static bool isAmong(const std::vector<std::string> &names,
                    const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Status train::refuseUnusedByReader(const DataOptions &options) {
  const std::vector<std::string> brackets = {
      "ptb", "brackets", "constituents", "listops", "pairs", "table"};
  const struct {
    const char *name;
    bool isGiven;
    std::vector<std::string> formats;
  } all[] = {
      {"--layout", !options.layout.empty(), {"pairs", "text"}},
      {"--parses", !options.parses.empty(), {"pairs"}},
      {"--binarize", options.binarize != DataOptions().binarize, brackets},
      {"--collapse-unary", options.collapseUnary, brackets},
      {"--classes", !options.classes.empty(), {"ptb"}},
      {"--tokenizer", !options.tokenizer.empty(), {"text", "table"}},
      {"--max-tokens", options.maxTokens > 0, {"text", "table"}}};
  for (const auto &[name, isGiven, formats] : all)
    if (isGiven && !isAmong(formats, options.format))
      return Status::error(std::string("expected ") + name + " with --data " +
                           alternatives(formats) + ", but got --data " +
                           options.format);
  if (options.maxTokens > 0 && options.tokenizer.empty() &&
      options.format == "table")
    return Status::error("expected --max-tokens beside --tokenizer");
  const bool isCoba = options.format == "coba";
  const bool hasPieces = options.format == "text" && !options.tokenizer.empty();
  const std::pair<const char *, bool> ofWords[] = {
      {"--lowercase", options.lowercase},
      {"--min-count", options.minCount != DataOptions().minCount},
      {"--vocab", !options.vocabulary.empty()}};
  for (const auto &[name, isGiven] : ofWords)
    if (isGiven && (isCoba || hasPieces))
      return Status::error(std::string("expected ") + name +
                           " with data that has words, but got --data " +
                           options.format + (hasPieces ? " --tokenizer" : ""));
  return Status();
}

Status train::refuseWithoutTasks(const Options &options) {
  for (const char *name : {"memory", "memory-by", "replay", "before"})
    if (isGiven(*findOption(name), options))
      return Status::error(std::string("expected --") + name +
                           " beside --tasks");
  return Status();
}

Status train::refuseUnusedInTraining(const Options &options) {
  std::vector<std::string> kinds = {options.schedule};
  for (const std::string &text : options.groupSchedules)
    kinds.push_back(text.substr(text.find('=') + 1));
  const std::pair<const char *, std::vector<std::string>> uses[] = {
      {"power", {"polynomial"}},
      {"decay", {"exponential", "steps", "plateau"}},
      {"decay-every", {"exponential", "steps"}},
      {"final-factor",
       {"linear", "polynomial", "cosine", "inverse-sqrt", "exponential",
        "steps", "plateau"}}};
  for (const auto &[name, users] : uses) {
    const bool isUsed = std::any_of(
        kinds.begin(), kinds.end(),
        [&users = users](const auto &kind) { return isAmong(users, kind); });
    if (isGiven(*findOption(name), options) && !isUsed)
      return Status::error(std::string("expected --") + name +
                           " with a schedule that uses it, " +
                           alternatives(users) + ", but got '" +
                           options.schedule + "'");
  }
  for (const char *name : {"restart-gain", "restarts"})
    if (isGiven(*findOption(name), options) && options.restartAfter == 0)
      return Status::error(std::string("expected --") + name +
                           " beside --restart-after");
  return Status();
}
