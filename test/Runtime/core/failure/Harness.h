//===-- test/Runtime/core/failure/Harness.h - Each operation fails once --*- C++
//-*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_RUNTIME_FAILURE_HARNESS_H
#define CAMBIUM_TEST_RUNTIME_FAILURE_HARNESS_H

#include "Injection.h"

#include "cambium/runtime.h"

#include <functional>
#include <set>
#include <string>

#define TRY(call)                                                              \
  do {                                                                         \
    if (cambium_status_t tried = (call))                                       \
      return tried;                                                            \
  } while (false)

namespace cambium::test {

/// How many requirements were not met.
int numErrors();
void require(bool condition, const char *text);
void require(bool condition, const std::string &text);

std::string contentsOf(const std::string &path);
std::set<std::string> filesOf(const std::string &path);
/// Values, state, metadata and step count.
std::string contentsOf(const cambium_store_t *store);

/// Runs `body` until it has no operation that could still fail. `body` frees
/// what it made; `check` looks at the world after each run.
void injectEverywhere(const char *name, Failure failure,
                      const std::function<cambium_status_t()> &body,
                      const std::function<void(bool failed)> &check);

} // namespace cambium::test

#endif // CAMBIUM_TEST_RUNTIME_FAILURE_HARNESS_H
