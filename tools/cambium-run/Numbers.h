//===-- tools/cambium-run/Numbers.h - What numbers options take -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_NUMBERS_H
#define CAMBIUM_RUN_NUMBERS_H

#include <CLI/CLI.hpp>

namespace cambium::run {

/// A check of an option: `expected a positive number, but got '0'`. CLI11's own
/// ones print the greatest number that there is.
inline CLI::Validator checkNumber(const char *what, const char *shown,
                                  bool (*isGood)(double)) {
  auto check = [=](std::string &text) -> std::string {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && isGood(number))
      return {};
    return std::string("expected ") + what + ", but got '" + text + "'";
  };
  return CLI::Validator(check, shown);
}

inline const CLI::Validator kPositive = checkNumber(
    "a positive number", "POSITIVE", [](double number) { return number > 0; });
inline const CLI::Validator kNotNegative =
    checkNumber("a number that is not negative", "NONNEGATIVE",
                [](double number) { return number >= 0; });

} // namespace cambium::run

#endif // CAMBIUM_RUN_NUMBERS_H
