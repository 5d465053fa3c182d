//===-- runtime/train/Format.cpp - Numbers, tables and the terminal -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"

#include <algorithm>
#include <cmath>

using namespace cambium;

std::string train::formatNumber(double value, int digits) {
  char buffer[64];
  snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

std::string train::formatCount(int64_t value) {
  std::string digits = std::to_string(value);
  size_t first = digits[0] == '-' ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string train::formatBytes(int64_t bytes) {
  const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 999.5 && unit < 4) {
    value /= 1000;
    ++unit;
  }
  return formatNumber(value, 3) + " " + units[unit];
}

std::string train::formatDuration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0)
    return "?";
  int64_t whole = std::llround(seconds);
  if (whole < 60)
    return std::to_string(whole) + " s";
  if (whole < 3600)
    return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) +
           " s";
  return std::to_string(whole / 3600) + " h " +
         std::to_string(whole % 3600 / 60) + " min";
}

std::string train::formatShape(const std::vector<int64_t> &shape) {
  std::string result = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    result += (i ? ", " : "") + std::to_string(shape[i]);
  return result + "]";
}

std::string train::plainColumn(const std::string &text) {
  std::string result = text;
  for (char &c : result)
    if (c == '\t' || c == '\n' || c == '\r')
      c = ' ';
  return result;
}

std::string train::printable(const std::string &text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next =
        static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool isC1 = c == 0xC2 && next >= 0x80 && next < 0xA0;
    if (isC1 || c == 0x7F || (c < 0x20 && c != '\n' && c != '\t'))
      result += "\xEF\xBF\xBD";
    else
      result += text[i];
    i += isC1;
  }
  return result;
}

/// Characters, not bytes.
static size_t width(const std::string &text) {
  return std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
}

static bool isNumber(const std::string &text) {
  return text.find_first_not_of("0123456789.,-+e") == std::string::npos;
}

std::string
train::formatTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  std::vector<bool> isRight;
  for (size_t row = 0; row < rows.size(); ++row) {
    widths.resize(std::max(widths.size(), rows[row].size()), 0);
    isRight.resize(widths.size(), true);
    for (size_t i = 0; i < rows[row].size(); ++i) {
      widths[i] = std::max(widths[i], width(rows[row][i]));
      isRight[i] = isRight[i] && (row == 0 || isNumber(rows[row][i]));
    }
  }
  std::string lines;
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - width(row[i]), ' ');
      line += (i ? "  " : "") + (isRight[i] ? space + row[i] : row[i] + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}
