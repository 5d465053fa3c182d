//===-- OutputTable.h - All outputs of a function as columns ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_OUTPUTTABLE_H
#define CAMBIUM_TRAIN_OUTPUTTABLE_H

#include "Setup.h"

#include <cstdio>
#include <utility>

namespace cambium::train {

/// Makes a table (docs/Tables.md) of what a function returns: a line per
/// example, a column per output, which `--data table` reads again to the last
/// bit. Behind the columns of the data, where that is a table too. An output
/// with the name of one of these has that of the function before its own.
class OutputTable {
public:
  explicit OutputTable(const Setup &setup) : setup(setup) {}

  /// Appends the lines of a data set to `text`; before the first one the names
  /// of the columns.
  Status append(const data::Dataset &dataset, std::string &text);
  /// What to tell of the names, in lines; once.
  std::string takeNotes() { return std::exchange(notes, {}); }

private:
  Status chooseName(const data::Dataset &dataset, const std::string &name,
                    std::string &column);
  Status writeNames(const data::Dataset &dataset, std::string &text);

  const Setup &setup;
  bool hasNames = false;
  std::string notes;
};

/// A file that grows, and appears under its name when it is whole. A pipe or a
/// device is written to as it is.
class GrowingFile {
public:
  explicit GrowingFile(std::string path) : path(std::move(path)) {}
  GrowingFile(const GrowingFile &) = delete;
  GrowingFile &operator=(const GrowingFile &) = delete;
  /// Removes what is not whole.
  ~GrowingFile();

  /// Opens the file, where it is not open yet, and appends to it.
  Status append(std::string_view text);
  /// Writes what is buffered, and gives the file its name.
  Status close();

private:
  Status fail(const char *what) const;

  const std::string path;
  std::string temporary; ///< The name until then.
  FILE *file = nullptr;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_OUTPUTTABLE_H
