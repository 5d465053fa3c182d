//===-- runtime/train/Format.h - Numbers, tables and the terminal ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_FORMAT_H
#define CAMBIUM_TRAIN_FORMAT_H

#include <cstdint>
#include <string>
#include <vector>

namespace cambium::train {

/// A number in at most `digits` significant digits: "0.1", "1e-05".
std::string formatNumber(double value, int digits = 6);
/// "1,234,567".
std::string formatCount(int64_t value);
/// "2.4 MB".
std::string formatBytes(int64_t bytes);
/// "3 min 20 s", "1 h 5 min", "12 s".
std::string formatDuration(double seconds);
/// "[100, 256]".
std::string formatShape(const std::vector<int64_t> &shape);
/// The text with everything that a tab-separated column must not hold (tabs,
/// line ends) replaced by spaces.
std::string plainColumn(const std::string &text);

/// The text with its control characters but for tabs and ends of lines replaced
/// by U+FFFD: what is safe to show on a terminal, whatever a file says.
std::string printable(const std::string &text);

/// Rows of equally many cells as lines with aligned columns; the first row is
/// the head. Columns that hold numbers only are aligned to the right.
std::string formatTable(const std::vector<std::vector<std::string>> &rows);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_FORMAT_H
