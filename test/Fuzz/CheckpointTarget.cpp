//===-- test/Fuzz/CheckpointTarget.cpp - Any bytes as a checkpoint --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first byte holds the flags of the load and how the rest becomes a file:
/// as it stands; with its length in front and data behind, so that it need only
/// be a header; and with a checksum that is right. A load that fails leaves the
/// store as it was; one that succeeds can be saved and loaded again.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "cambium/abi.h"
#include "cambium/runtime.h"

#include "Checksum.h"

#include <cstring>

using namespace cambium::fuzz;

extern "C" const cambium_abi_module_t *fake_cambium_module_query(void);

namespace {

constexpr uint8_t kFlags = 7, kHeaderOnly = 8, kMendChecksum = 16;

/// All that a load may change.
std::string contentsOf(const cambium_store_t *store) {
  const cambium_module_t *module = cambium_store_module(store);
  std::string contents;
  for (int64_t i = 0; i < cambium_module_num_parameters(module); ++i) {
    const cambium_parameter_info_t *info = cambium_module_parameter(module, i);
    size_t bytes =
        static_cast<size_t>(info->num_elements * cambium_type_size(info->type));
    contents.append(static_cast<const char *>(cambium_store_value(store, i)),
                    bytes);
    for (int32_t slot = 0; slot < 2; ++slot)
      if (void *state = cambium_store_state(store, i, slot))
        contents.append(static_cast<char *>(state), bytes);
  }
  for (int64_t i = 0; i < cambium_store_num_metadata(store); ++i) {
    const char *key = cambium_store_metadata_key(store, i);
    contents.append(key).append(cambium_store_metadata(store, key));
  }
  return contents + std::to_string(cambium_store_step_count(store, nullptr));
}

/// Gives a header its length and as much data as the parameters take.
std::string wholeFile(std::string_view header) {
  uint64_t length = header.size();
  std::string file(reinterpret_cast<char *>(&length), sizeof length);
  file.append(header);
  constexpr size_t kPlain = 84, kWithState = 84 + 64 + 24;
  size_t data = header.find("#state") == header.npos ? kPlain : kWithState;
  for (size_t i = 0; i < data; ++i)
    file.push_back(static_cast<char>(i * 37));
  return file;
}

/// Puts the right checksum where the file has one.
void mendChecksum(std::string &file) {
  constexpr std::string_view kKey = "\"cambium.checksum\":\"";
  size_t place = file.find(kKey);
  if (place == file.npos || place + kKey.size() + 16 > file.size())
    return;
  place += kKey.size();
  file.replace(place, 16, 16, '0');
  cambium::runtime::Checksum checksum;
  checksum.add(file.data(), static_cast<int64_t>(file.size()));
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(checksum.finish()));
  file.replace(place, 16, digits);
}

cambium_store_t *newStore(const cambium_module_t *module) {
  cambium_store_t *store = nullptr;
  FUZZ_REQUIRE(!cambium_store_create(module, nullptr, &store),
               cambium_last_error());
  return store;
}

void saveAndLoadAgain(const cambium_store_t *store,
                      const cambium_module_t *module) {
  const std::string path =
      "/tmp/cambium-fuzz-" + std::to_string(getpid()) + ".safetensors";
  FUZZ_REQUIRE(!cambium_store_save(store, path.c_str(), 0),
               cambium_last_error());
  cambium_store_t *copy = newStore(module);
  FUZZ_REQUIRE(!cambium_store_load(copy, path.c_str(), 0),
               cambium_last_error());
  FUZZ_REQUIRE(contentsOf(copy) == contentsOf(store), "the same contents");
  cambium_store_destroy(copy);
  unlink(path.c_str());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static cambium_module_t *module = nullptr;
  if (!module)
    FUZZ_REQUIRE(!cambium_module_from_query(fake_cambium_module_query, &module),
                 cambium_last_error());
  if (size == 0)
    return 0;
  std::string contents(reinterpret_cast<const char *>(data + 1), size - 1);
  if (data[0] & kHeaderOnly)
    contents = wholeFile(contents);
  if (data[0] & kMendChecksum)
    mendChecksum(contents);
  MemoryFile file(contents);
  cambium_store_t *store = newStore(module);
  (void)cambium_store_set_metadata(store, "before", "kept");
  const std::string before = contentsOf(store);
  cambium_status_t status =
      cambium_store_load(store, file.path().c_str(), data[0] & kFlags);
  if (status) {
    FUZZ_REQUIRE(status == CAMBIUM_STATUS_MALFORMED ||
                     status == CAMBIUM_STATUS_MISMATCH,
                 cambium_last_error());
    FUZZ_REQUIRE(std::strlen(cambium_last_error()) > 0, "a text");
    FUZZ_REQUIRE(contentsOf(store) == before, cambium_last_error());
  } else {
    saveAndLoadAgain(store, module);
  }
  cambium_store_destroy(store);
  return 0;
}
