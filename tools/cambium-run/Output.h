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

#include "cambium/data.h"

namespace cambium::run {

using data::Status;

/// printf to the standard output. Failures are kept for outputStatus().
[[gnu::format(printf, 1, 2)]] void print(const char *format, ...);
void printText(std::string_view text);
/// Writes what is buffered; whether everything so far was written.
Status flushOutput();

/// An error if a file that an option names would replace one that is read.
Status checkReplaces(const std::string &option, const std::string &output,
                     const std::vector<std::string> &inputs);

} // namespace cambium::run

#endif // CAMBIUM_RUN_OUTPUT_H
