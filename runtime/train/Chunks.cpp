//===-- runtime/train/Chunks.cpp - The lines of each example --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chunks.h"

using namespace cambium;
using namespace cambium::train;

/// Cuts a text behind the lines that end an example.
static std::vector<std::pair<int64_t, std::string>>
cutChunks(const data::Reader &reader, const std::string &text) {
  std::vector<std::pair<int64_t, std::string>> chunks; // Its last line.
  std::string chunk;
  int64_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    chunk += line;
    ++number;
    if (reader.endsExample(line) || end == text.size()) {
      if (chunk.back() != '\n')
        chunk += '\n';
      if (!reader.endsExample(line))
        chunk += '\n'; // Whatever comes behind it.
      chunks.emplace_back(number, std::exchange(chunk, {}));
    }
    begin = end;
  }
  return chunks;
}

Status Chunks::read(Setup &setup, const std::string &path, const char *purpose,
                    data::Dataset &dataset) {
  std::string text;
  Status status = setup.reader->read(path, dataset);
  if (status.ok())
    status = data::readTextFile(path, text);
  if (!status.ok())
    return status;
  size_t example = 0;
  for (auto &[last, chunk] : cutChunks(*setup.reader, text)) {
    const size_t before = example;
    while (example < dataset.lines.size() && dataset.lines[example] <= last)
      ++example;
    if (example == before + 1)
      chunks.push_back(std::move(chunk));
    else if (example == 0)
      header += chunk;
  }
  return chunks.size() == dataset.texts.size()
             ? Status()
             : Status::error(path +
                             ": expected lines of one example each for " +
                             purpose);
}
