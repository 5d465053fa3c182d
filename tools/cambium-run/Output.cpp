//===-- tools/cambium-run/Output.cpp - What is printed --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "runtime/train/Format.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>

using namespace cambium;

/// The first failure; later ones may be other ones.
static int failure = 0;

static void note(bool isGood) {
  if (!isGood && failure == 0)
    failure = errno ? errno : EIO;
}

void run::print(const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = vsnprintf(nullptr, 0, format, arguments);
  std::string text(static_cast<size_t>(std::max(size, 0)) + 1, '\0');
  if (size >= 0)
    vsnprintf(text.data(), text.size(), format, again);
  text.pop_back();
  va_end(again);
  va_end(arguments);
  note(size >= 0);
  printText(text);
}

void run::printText(std::string_view text) {
  // What stands in data and in names must not command a terminal; a file gets
  // it as it is.
  static const bool isTerminal = isatty(STDOUT_FILENO);
  std::string shown;
  if (isTerminal)
    text = shown = train::printable(std::string(text));
  note(fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

run::Status run::flushOutput() {
  note(fflush(stdout) == 0 && !ferror(stdout));
  return failure == 0 ? Status()
                      : Status::error(std::string("<stdout>: cannot write: ") +
                                      strerror(failure));
}

run::Status run::checkReplaces(const std::string &option,
                               const std::string &output,
                               const std::vector<std::string> &inputs) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(output, error))
    return Status();
  for (const std::string &input : inputs)
    if (std::filesystem::equivalent(output, input == "-" ? "/dev/stdin" : input,
                                    error))
      return Status::error("expected " + option +
                           " with another file than those that are read, but "
                           "got '" +
                           output + "'");
  return Status();
}
