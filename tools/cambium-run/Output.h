//===-- tools/cambium-run/Output.h - What is printed ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The standard output of the commands. Every write is checked: what could not
/// be written (a full disk) is an error of the command.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_OUTPUT_H
#define CAMBIUM_RUN_OUTPUT_H

#include "runtime/train/Setup.h"

namespace cambium::run {

using data::Status;

/// printf to the standard output. Failures are kept for outputStatus().
[[gnu::format(printf, 1, 2)]] void print(const char *format, ...);
void printText(std::string_view text);
/// Writes what is buffered; whether everything so far was written.
Status flushOutput();

/// Before the work with the first of them: an error if one of several files
/// cannot be read, or if two of them are the standard input.
Status checkReadable(const std::vector<std::string> &files);

/// Before the work that leads to it: an error if a file cannot be made, or,
/// where it `grows`, not be added to.
Status checkWritable(const std::string &path, bool grows = false);

/// The same of a file that an option names, which must not replace one that is
/// read either, nor one of the runs that answer. `inputs` are those beside what
/// `source` names; `own` is a file of its run that may be replaced.
Status checkOutput(const std::string &option, const std::string &output,
                   const train::Source &source, std::vector<std::string> inputs,
                   const char *own = "");

} // namespace cambium::run

#endif // CAMBIUM_RUN_OUTPUT_H
