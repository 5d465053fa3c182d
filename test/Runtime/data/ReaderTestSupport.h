//===-- test/Runtime/data/ReaderTestSupport.h - Shared by tests -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_READERTESTSUPPORT_H
#define CAMBIUM_TEST_READERTESTSUPPORT_H

#include "cambium/data.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cambium::data::test {

using Ints = std::vector<int32_t>;

inline Ints intsOf(const Dataset &dataset, const char *name, int64_t example) {
  const Field *field = dataset.find(name);
  if (!field)
    return {-999};
  return Ints(field->intsOf(example),
              field->intsOf(example) + field->rows(example));
}

inline ReaderOptions noTargets() {
  ReaderOptions options;
  options.requireTargets = false;
  return options;
}

/// The error of reading a text; empty if there is none.
inline std::string errorOf(const char *format, std::string_view text,
                           const ReaderOptions &options = {}) {
  std::unique_ptr<Reader> reader = createReader(format);
  reader->options = options;
  Dataset dataset;
  return reader->readText(text, "f", 1, dataset).message();
}

inline Dataset parse(Reader &reader, std::string_view text) {
  Dataset dataset;
  Status status = reader.readText(text, "f", 1, dataset);
  EXPECT_TRUE(status.ok()) << status.message();
  return dataset;
}

/// A folder of its own for a test, which is empty at first.
class Folder {
public:
  Folder() {
    const auto *test = testing::UnitTest::GetInstance()->current_test_info();
    path = testing::TempDir() + "/cambium_" + std::to_string(getpid()) +
           test->test_suite_name() + "_" + test->name();
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  /// Writes a file below the folder; its path.
  std::string write(const std::string &name, std::string_view text) const {
    const std::string file = path + "/" + name;
    std::filesystem::create_directories(
        std::filesystem::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  std::string path;
};

} // namespace cambium::data::test

#endif // CAMBIUM_TEST_READERTESTSUPPORT_H
