//===-- test/Runtime/core/failure/Harness.cpp - Each operation fails once -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Harness.h"

#if defined(__GLIBC__) && !defined(CAMBIUM_SANITIZED)

#include <cstdio>
#include <dirent.h>
#include <fstream>
#include <iterator>

using namespace cambium;
using namespace cambium::test;

static int errors = 0;
static int64_t current = 0;
static std::string scenario;

int test::numErrors() { return errors; }

void test::require(bool condition, const char *text) {
  if (condition)
    return;
  Pause pause;
  ++errors;
  std::fprintf(stderr, "error: %s: %s (operation %lld, %s)\n", scenario.c_str(),
               text, static_cast<long long>(current), failedOperation());
}

void test::require(bool condition, const std::string &text) {
  require(condition, text.c_str());
}

std::string test::contentsOf(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> test::filesOf(const std::string &path) {
  std::set<std::string> names;
  DIR *listing = opendir(path.c_str());
  while (dirent *entry = readdir(listing))
    names.insert(entry->d_name);
  closedir(listing);
  return names;
}

std::string test::contentsOf(const cambium_store_t *store) {
  Pause pause;
  const cambium_module_t *module = cambium_store_module(store);
  std::string contents;
  for (int64_t i = 0; i < cambium_module_num_parameters(module); ++i) {
    const cambium_parameter_info_t *info = cambium_module_parameter(module, i);
    auto bytes =
        static_cast<size_t>(info->num_elements * cambium_type_size(info->type));
    contents.append(static_cast<const char *>(cambium_store_value(store, i)),
                    bytes);
    for (int32_t slot = 0; slot < info->state_slots; ++slot) {
      const void *state = cambium_store_state(store, i, slot);
      // What is not there yet counts as zeros.
      contents.append(state
                          ? std::string(static_cast<const char *>(state), bytes)
                          : std::string(bytes, '\0'));
    }
  }
  for (int64_t i = 0; i < cambium_store_num_metadata(store); ++i) {
    const char *key = cambium_store_metadata_key(store, i);
    contents += std::string(key) + "=" + cambium_store_metadata(store, key);
  }
  return contents + std::to_string(cambium_store_step_count(store, nullptr));
}

void test::injectEverywhere(const char *name, Failure failure,
                            const std::function<cambium_status_t()> &body,
                            const std::function<void(bool failed)> &check) {
  static constexpr const char *kNames[] = {"refused", "full", "interrupted",
                                           "short"};
  scenario = std::string(name) + ", " + kNames[static_cast<int>(failure)];
  bool hit = false;
  require(body() == CAMBIUM_STATUS_OK, cambium_last_error());
  check(false);
  int64_t failures = 0, number = 1;
  for (;; ++number) {
    int64_t before = livePieces();
    current = number;
    arm(number, failure);
    cambium_status_t status = body();
    const char *text = cambium_last_error();
    (void)disarm(hit);
    int64_t after = livePieces();
    failures += status != CAMBIUM_STATUS_OK;
    require(hit || !status, std::string("no reason to fail: ") + text);
    require(!status || *text, "a failure without a text");
    require(!status || failure == Failure::Refused || failure == Failure::Full,
            std::string("expected another try, but got: ") + text);
    check(status != CAMBIUM_STATUS_OK);
    // The text of the last error is the only thing that may stay.
    require(after - before <= 1,
            std::to_string(after - before) + " pieces of memory are lost");
    if (!hit)
      break;
    require(body() == CAMBIUM_STATUS_OK,
            std::string("does not work again: ") + cambium_last_error());
    check(false);
  }
  std::printf("%-44s %5lld operations %5lld failures\n", scenario.c_str(),
              static_cast<long long>(number - 1),
              static_cast<long long>(failures));
}

#endif
