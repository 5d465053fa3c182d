//===-- tools/cambium-run/ExampleStream.h - Examples as they come -*- C++ -*-=//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_EXAMPLESTREAM_H
#define CAMBIUM_RUN_EXAMPLESTREAM_H

#include "cambium/data.h"

#include <functional>

namespace cambium::run {

using data::Status;

/// Reads examples from a file, a pipe or a terminal and hands them on as soon
/// as they are there: those that have arrived together, up to a number of them,
/// together. Memory does not grow with the input.
class ExampleStream {
public:
  using Answer = std::function<Status(const data::Dataset &)>;

  ExampleStream(data::Reader &reader, int64_t most)
      : reader(reader), most(most) {}
  ExampleStream(const ExampleStream &) = delete;
  ExampleStream &operator=(const ExampleStream &) = delete;
  ~ExampleStream();

  Status open(const std::string &path); ///< "-": the standard input.
  bool isTerminal() const;
  /// Answers everything. Examples before the first bad line are answered all
  /// the same; on a terminal so are those after it. Elsewhere than there, no
  /// example at all is an error.
  Status forEach(const Answer &answer);

private:
  /// Appends what is there, after waiting for it; false at the end.
  Status readMore(bool &isEnd);
  /// Takes the examples out of `pending` that are complete.
  Status takeAll(bool isEnd, const Answer &answer);
  Status take(std::string_view text, int64_t lines, const Answer &answer);

  data::Reader &reader;
  const int64_t most;
  std::string source;
  int descriptor = -1;
  std::string pending;
  size_t searched = 0; ///< No line end is before it.
  int64_t number = 1;  ///< Of the first line of `pending`.
  bool hasExamples = false;
  std::string seen; ///< Of before the first example; blank where all that is.
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_EXAMPLESTREAM_H
