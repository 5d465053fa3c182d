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
namespace fs = std::filesystem;

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

run::Status run::checkReadable(const std::vector<std::string> &files) {
  if (std::count(files.begin(), files.end(), "-") > 1)
    return Status::error("expected the standard input once, but got '-' twice");
  for (const std::string &file : files)
    if (file != "-" && access(file.c_str(), R_OK) != 0)
      return Status::error(file + ": cannot open: " + strerror(errno));
  return Status();
}

run::Status run::checkWritable(const std::string &path, bool grows) {
  std::error_code error;
  const fs::file_status target = fs::status(path, error);
  auto cannot = [&](int reason) {
    return Status::error(path + ": cannot create: " + strerror(reason));
  };
  if (fs::is_directory(target))
    return cannot(EISDIR);
  // Pipes and devices are written to as they are.
  if (fs::exists(target) && !fs::is_regular_file(target))
    return Status();
  // A new file takes the place of an old one.
  std::string place = fs::path(path).parent_path().string();
  place = grows && fs::exists(target) ? path
          : place.empty()             ? "."
                                      : place + "/.";
  return access(place.c_str(), W_OK) == 0 ? Status() : cannot(errno);
}

run::Status run::checkOutput(const std::string &option,
                             const std::string &output,
                             const train::Source &source,
                             std::vector<std::string> inputs, const char *own) {
  std::error_code error;
  auto refused = [&](const char *others) {
    return Status::error("expected " + option + " with another file than " +
                         others + ", but got '" + output + "'");
  };
  for (const std::string &file : train::inputsOf(source.options))
    inputs.push_back(file);
  inputs.push_back(source.checkpoint);
  if (fs::is_regular_file(output, error))
    for (const std::string &input : inputs)
      if (fs::equivalent(output, input == "-" ? "/dev/stdin" : input, error))
        return refused("those that are read");
  std::vector<std::string> runs = source.with;
  runs.push_back(source.run);
  for (const std::string &run : runs)
    if (!run.empty() && train::RunFolder(run).holds(output) &&
        !(run == source.run && fs::path(output).filename() == own))
      return refused("those of a run");
  return checkWritable(output);
}
