//===-- tools/cambium-run/ExampleStream.cpp - Examples as they come -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExampleStream.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace cambium;
using namespace cambium::run;

ExampleStream::~ExampleStream() {
  if (descriptor > STDIN_FILENO)
    ::close(descriptor);
}

Status ExampleStream::open(const std::string &path) {
  source = path == "-" ? "<stdin>" : path;
  descriptor =
      path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return descriptor >= 0
             ? Status()
             : Status::error(path + ": cannot open: " + strerror(errno));
}

bool ExampleStream::isTerminal() const { return isatty(descriptor); }

Status ExampleStream::readMore(bool &isEnd) {
  constexpr size_t kPiece = 1 << 16;
  const size_t before = pending.size();
  pending.resize(before + kPiece);
  ssize_t size;
  do
    size = ::read(descriptor, pending.data() + before, kPiece);
  while (size < 0 && errno == EINTR);
  const int error = errno;
  pending.resize(before + (size > 0 ? static_cast<size_t>(size) : 0));
  isEnd = size <= 0;
  return size >= 0
             ? Status()
             : Status::error(source + ": cannot read: " + strerror(error));
}

/// Answers the examples of a text; those before a bad line all the same.
Status ExampleStream::take(std::string_view text, int64_t lines,
                           const Answer &answer) {
  const int64_t first = number;
  number += lines;
  data::Dataset dataset;
  dataset.source = source;
  const Status isText = data::checkText(text, source, first);
  if (!isText.ok() && lines > 1) {
    // The lines before the bad one, one by one.
    number = first;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      if (Status status = take(text.substr(begin, end - begin), 1, answer);
          !status.ok())
        return status;
      begin = end;
    }
    return Status();
  }
  if (!isText.ok())
    return isText;
  const Status read = reader.readText(text, source, first, dataset);
  if (dataset.size() == 0) {
    if (!hasExamples && seen.find_first_not_of(" \t\r\n") == std::string::npos)
      seen = text;
    return read;
  }
  hasExamples = true;
  const Status status = answer(dataset);
  return status.ok() ? read : status;
}

Status ExampleStream::takeAll(bool isEnd, const Answer &answer) {
  size_t begin = 0, end = 0, complete = 0;
  int64_t lines = 0, completeLines = 0, examples = 0;
  auto flush = [&]() -> Status {
    const std::string_view text =
        std::string_view(pending).substr(begin, complete - begin);
    begin = complete;
    lines -= completeLines;
    const int64_t count = completeLines;
    completeLines = examples = 0;
    return text.empty() ? Status() : take(text, count, answer);
  };
  Status status;
  while (status.ok()) {
    const size_t found = pending.find('\n', std::max(end, searched));
    if (found == std::string::npos && !(isEnd && end < pending.size()))
      break;
    const size_t next = found == std::string::npos ? pending.size() : found + 1;
    ++lines;
    if (reader.endsExample(std::string_view(pending).substr(end, next - end))) {
      complete = next;
      completeLines = lines;
      if (++examples >= most)
        status = flush();
    }
    end = next;
  }
  if (isEnd && status.ok()) {
    complete = pending.size();
    completeLines = lines;
  }
  if (status.ok())
    status = flush();
  pending.erase(0, begin);
  // A long line is not searched again with every piece of it.
  searched = lines == 0 ? pending.size() : 0;
  return status;
}

Status ExampleStream::forEach(const Answer &answer) {
  for (bool isEnd = false; !isEnd;) {
    Status status = readMore(isEnd);
    if (status.ok())
      status = takeAll(isEnd, answer);
    if (!status.ok() && (!isTerminal() || isEnd))
      return status;
    if (!status.ok())
      fprintf(stderr, "%s\n", status.message().c_str());
  }
  return hasExamples || isTerminal() ? Status()
                                     : data::lacksExamples(seen, source);
}
