//===-- runtime/data/Labels.cpp - What classes are called -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>
#include <unistd.h>

using namespace cambium::data;

void Labels::count(std::string_view label) {
  if (ids.emplace(std::string(label), 0).second)
    counted.emplace_back(label);
}

static bool isNumber(std::string_view label) {
  int32_t number = -1;
  return parseInt(label, number) && number >= 0;
}

void Labels::build(bool hasUnknown) {
  std::vector<std::string> names = std::move(counted);
  counted.clear();
  std::sort(names.begin(), names.end());
  if (!hasUnknown && std::all_of(names.begin(), names.end(), isNumber))
    names.clear();
  if (hasUnknown)
    names.insert(names.begin(), kUnknownName);
  setNames(std::move(names));
}

void Labels::setNames(std::vector<std::string> names) {
  known = std::move(names);
  ids.clear();
  lowerIds.clear();
  for (size_t i = 0; i < known.size(); ++i) {
    ids.emplace(known[i], static_cast<int32_t>(i));
    // Of two that differ in case alone, neither is meant by a third one.
    auto [entry, isNew] =
        lowerIds.emplace(lowerCase(known[i]), static_cast<int32_t>(i));
    if (!isNew)
      entry->second = -1;
  }
}

int32_t Labels::idOf(std::string_view label) const {
  if (known.empty()) {
    int32_t number = -1;
    return parseInt(label, number) && number >= 0 ? number : -1;
  }
  if (auto found = ids.find(std::string(label)); found != ids.end())
    return found->second;
  if (auto found = lowerIds.find(lowerCase(label));
      found != lowerIds.end() && found->second >= 0)
    return found->second;
  return known.front() == kUnknownName ? 0 : -1;
}

std::string Labels::expectation() const {
  if (known.empty())
    return "a class that is a whole number from 0";
  constexpr size_t kMost = 12;
  std::string list;
  for (size_t i = 0; i < known.size() && i < kMost; ++i)
    list += (i ? ", " : "") + quote(known[i]);
  return "a label of the training data (" + list +
         (known.size() > kMost ? ", ...)" : ")");
}

const std::vector<std::string> &Reader::namesOf(std::string_view field) const {
  static const std::vector<std::string> none;
  auto found = labels.find(field);
  return found == labels.end() ? none : found->second.names();
}

Status Reader::saveLabels(const std::string &path) const {
  std::string text;
  for (const auto &[field, set] : labels) {
    for (const std::string &name : set.names())
      text += field + "\t" + name + "\n";
    // Numbers have no names.
    if (set.names().empty())
      text += field + "\t\n";
  }
  return writeFileAtomically(path, text);
}

Status Reader::loadLabels(const std::string &path) {
  if (::access(path.c_str(), F_OK) != 0)
    return Status();
  std::map<std::string, std::vector<std::string>> names;
  Status status = forEachLine(path, [&](const Line &line) {
    const std::vector<Column> columns = cutColumns(line.text);
    if (columns.size() != 2 || columns[0].text.empty())
      return line.expected(0, "a field, a tab and the name of a label",
                           quote(line.text));
    std::vector<std::string> &known = names[std::string(columns[0].text)];
    if (columns[1].text.empty())
      return Status();
    if (std::find(known.begin(), known.end(), columns[1].text) != known.end())
      return line.expected(columns[1].offset, "a name that no other label has",
                           quote(columns[1].text));
    known.emplace_back(columns[1].text);
    return Status();
  });
  for (auto &[field, known] : names)
    if (status.ok())
      labels[field].setNames(std::move(known));
  return status;
}
