//===-- test/Fuzz/VocabularyTarget.cpp - Any bytes as a vocabulary --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A vocabulary that was read gives every word the id of its line.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "cambium/data.h"

using namespace cambium::data;
using namespace cambium::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file({reinterpret_cast<const char *>(data), size});
  Vocabulary vocabulary;
  Status status = vocabulary.load(file.path());
  if (!status.ok()) {
    FUZZ_REQUIRE(status.message().compare(0, file.path().size(), file.path()) ==
                     0,
                 status.message());
    FUZZ_REQUIRE(vocabulary.size() == 2, "a failure leaves it as it was");
    return 0;
  }
  FUZZ_REQUIRE(vocabulary.size() >= 2, "reserved words");
  FUZZ_REQUIRE(!vocabulary.wordOf(-1), "an id below the range");
  FUZZ_REQUIRE(!vocabulary.wordOf(vocabulary.size()), "an id above the range");
  for (int64_t id = 2; id < vocabulary.size(); ++id) {
    const std::string *word = vocabulary.wordOf(id);
    FUZZ_REQUIRE(word && !word->empty(), std::to_string(id));
    FUZZ_REQUIRE(vocabulary.idOf(*word) == id, *word);
  }
  return 0;
}
