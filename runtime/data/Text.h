//===-- runtime/data/Text.h - Lines and places in a text --------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all readers share: cutting a text into lines, and errors with places.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_TEXT_H
#define CAMBIUM_DATA_TEXT_H

#include "cambium/data.h"

#include <functional>
#include <new>

namespace cambium::data {

/// One line of a file, without its end, and where it stands.
struct Line {
  std::string_view text;
  const std::string *source;
  int64_t number;

  /// "FILE:LINE:COLUMN: expected WHAT, but got GOT". The column of the byte
  /// `offset` counts characters from 1.
  Status expected(size_t offset, std::string_view what,
                  std::string_view got) const;
};

/// Does something with a file; a lack of memory is an error that names it.
template <typename Action>
Status guarded(const std::string &path, Action &&action) try {
  return action();
} catch (const std::bad_alloc &) {
  return Status::error(path + ": not enough memory for the file");
}

/// Cuts a text into lines. Ends may be LF or CRLF; a byte order mark at the
/// beginning of the text is skipped; lines may be of any length.
class LineCutter {
public:
  LineCutter(std::string_view text, const std::string &source,
             int64_t firstLine);
  /// The next line; false at the end.
  bool next(Line &line);

private:
  std::string_view rest;
  const std::string *source;
  int64_t number;
};

/// Calls `take` with each line of a text, in order, until it fails.
using LineTaker = std::function<Status(const Line &)>;
Status forEachLine(std::string_view text, const std::string &source,
                   int64_t firstLine, const LineTaker &take);
/// The same with the lines of a file.
Status forEachLine(const std::string &path, const LineTaker &take);

/// A part of a line and the byte where it begins.
struct Column {
  std::string_view text;
  size_t offset;
};

/// The tab-separated columns of a line.
std::vector<Column> cutColumns(std::string_view text);

/// The names between commas.
std::vector<std::string> cutNames(std::string_view text);

/// The words of a text: what stands between spaces and tabs. Any other
/// character belongs to a word, U+00A0 included. Offsets count from `offset`.
std::vector<Column> cutWords(std::string_view text, size_t offset = 0);

/// Words with a space between them.
std::string joinWords(const std::vector<std::string_view> &words);

/// ASCII letters in lower case.
std::string lowerCase(std::string_view text);

/// Whether there are spaces and tabs only.
bool isBlank(std::string_view text);

/// An error if a path names something that has no end, or waits for it: a pipe
/// or a device.
Status expectRegular(const std::string &path);

/// As readFile, also of what can be read only once: a pipe.
Status readStream(const std::string &path, std::string &contents);

/// A piece of a text for a message: quoted, cut, control characters escaped.
std::string quote(std::string_view text);

/// The whole of `text` as a number; false if it is none or out of range.
bool parseInt(std::string_view text, int32_t &result);

/// The whole of `text` as a finite number; false if it is none.
bool parseFloat(std::string_view text, float &result);

/// The field `name`, which is made if the data set does not have it yet. The
/// reference is valid until the next call.
size_t fieldIndex(Dataset &dataset, std::string_view name, FieldKind kind,
                  bool perRow);

/// Removes what was appended to the fields since the last complete example.
void dropUnfinished(Dataset &dataset);

} // namespace cambium::data

#endif // CAMBIUM_DATA_TEXT_H
