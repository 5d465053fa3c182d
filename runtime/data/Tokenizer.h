//===-- runtime/data/Tokenizer.h - Texts to ids by a program ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_TOKENIZER_H
#define CAMBIUM_DATA_TOKENIZER_H

#include "cambium/data.h"

#include <sys/types.h>

namespace cambium::data {

/// The pieces of a text: an id for each, and whether it is of the first text
/// (0) or of the second one.
struct Pieces {
  std::vector<int32_t> ids, segments;
};

/// cambium-tokenize (docs/Tokenization.md), started with the first text and
/// kept for the next ones. It never waits for a program that has ended, nor
/// longer than ReaderOptions::tokenizerSeconds for one that says nothing.
class Tokenizer {
public:
  Tokenizer() = default;
  Tokenizer(const Tokenizer &) = delete;
  Tokenizer &operator=(const Tokenizer &) = delete;
  ~Tokenizer() { stop(); }

  /// The pieces of each line: a text, or two with a tab between them. Lines
  /// have no ends, and are UTF-8.
  Status encode(const ReaderOptions &options,
                const std::vector<std::string> &lines,
                std::vector<Pieces> &pieces);

private:
  Status start(const ReaderOptions &options);
  /// Ends the program; the result is that of waitpid.
  int stop();
  Status exchange(const ReaderOptions &options, std::string_view questions,
                  size_t numAnswers);
  bool readAnswers();
  void readErrors();
  /// Why there are no more answers.
  Status ended(const ReaderOptions &options);

  pid_t process = -1;
  int input = -1, output = -1, errors = -1; ///< Of the program.
  std::string answers, complaints;
  size_t numLines = 0; ///< Of `answers`.
};

} // namespace cambium::data

#endif // CAMBIUM_DATA_TOKENIZER_H
