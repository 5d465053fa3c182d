//===-- test/Fuzz/ManifestTarget.cpp - Any bytes as a module's manifest ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A module with the manifest at hand, and a function for every entry that it
/// names. What was accepted can be asked for everything, takes a store and
/// batches, and every entry can be called with an example that fits.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "cambium/abi.h"
#include "cambium/runtime.h"

#include "Module.h"

#include <vector>

using namespace cambium::fuzz;

static const cambium_abi_module_t *current;
static const cambium_abi_module_t *query() { return current; }
static int32_t doNothing(cambium_abi_call_t *) { return 0; }

static void askParameters(const cambium_module_t *module) {
  for (int64_t i = 0; i < cambium_module_num_parameters(module); ++i) {
    const cambium_parameter_info_t *info = cambium_module_parameter(module, i);
    FUZZ_REQUIRE(cambium_module_find_parameter(module, info->name) == i,
                 info->name);
    int64_t elements = 1;
    for (int32_t d = 0; d < info->rank; ++d)
      elements *= info->shape[d];
    FUZZ_REQUIRE(elements == info->num_elements, info->name);
  }
}

/// An example with one row in every space, whose tree is a single node.
static void callWithOneExample(const cambium_entry_t *entry,
                               cambium_session_t *session,
                               cambium_store_t *store) {
  const cambium_entry_info_t *info = cambium_entry_info(entry);
  cambium_batch_t *batch = nullptr;
  if (cambium_batch_create(entry, &batch))
    return;
  bool fits = !cambium_batch_begin_example(batch, 7);
  const int32_t parents[] = {-1};
  for (int64_t i = 0; i < info->num_trees; ++i)
    fits = fits && !cambium_batch_set_tree_parents(batch, i, 1, parents);
  constexpr int64_t kLargest = 1 << 16;
  for (int64_t i = 0; i < info->num_inputs && fits; ++i) {
    const cambium_tensor_info_t *input = cambium_entry_input(entry, i);
    if (input->row_bytes > kLargest) {
      fits = false;
      break;
    }
    std::vector<char> zeros(static_cast<size_t>(input->row_bytes) + 8);
    int64_t rows = input->edges_of >= 0 ? 0 : 1;
    fits = !cambium_batch_set_input(batch, i, input->type, rows, zeros.data());
  }
  fits =
      fits && !cambium_batch_end_example(batch) && !cambium_batch_finish(batch);
  for (int64_t i = 0; fits && i < info->num_outputs; ++i)
    FUZZ_REQUIRE(cambium_batch_output_bytes(batch, i) >= 0, info->name);
  if (fits && store && info->kind == CAMBIUM_ENTRY_FUNCTION) {
    // Outputs may be larger than the session's memory.
    const cambium_status_t status =
        cambium_call(session, entry, store, batch, nullptr, 0);
    FUZZ_REQUIRE(!status || status == CAMBIUM_STATUS_OUT_OF_MEMORY,
                 cambium_last_error());
  }
  cambium_batch_destroy(batch);
}

static void use(const cambium_module_t *module) {
  askParameters(module);
  cambium_store_options_t options = {};
  options.memory_limit = 1 << 20;
  cambium_store_t *store = nullptr;
  (void)cambium_store_create(module, &options, &store);
  cambium_session_options_t plain = {};
  plain.num_threads = 1;
  plain.memory_limit = 1 << 24;
  cambium_session_t *session = nullptr;
  FUZZ_REQUIRE(!cambium_session_create(&plain, &session), cambium_last_error());
  for (int64_t i = 0; i < cambium_module_num_entries(module); ++i) {
    const cambium_entry_t *entry = cambium_module_entry(module, i);
    const char *name = cambium_entry_info(entry)->name;
    FUZZ_REQUIRE(cambium_module_find_entry(module, name) == entry, name);
    callWithOneExample(entry, session, store);
  }
  const cambium_entry_t *accumulate = nullptr, *apply = nullptr;
  (void)cambium_module_find_step(module, nullptr, &accumulate, &apply);
  cambium_session_destroy(session);
  cambium_store_destroy(store);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  // Which entries does it name?
  cambium::runtime::Manifest manifest;
  if (cambium::runtime::parseManifest(text.c_str(), manifest)) {
    FUZZ_REQUIRE(*cambium_last_error(), "a text");
    return 0;
  }
  std::vector<cambium_abi_entry_t> entries;
  for (const cambium_entry &entry : manifest.entries)
    entries.push_back({entry.info.name, doNothing});
  cambium_abi_module_t abi = {};
  abi.magic = CAMBIUM_ABI_MAGIC;
  abi.abi_version = CAMBIUM_ABI_VERSION;
  abi.cpu = "";
  abi.cpu_features = "";
  abi.manifest = text.c_str();
  abi.entries = entries.data();
  abi.num_entries = static_cast<int64_t>(entries.size());
  current = &abi;
  cambium_module_t *module = nullptr;
  FUZZ_REQUIRE(!cambium_module_from_query(query, &module),
               cambium_last_error());
  use(module);
  cambium_module_destroy(module);
  return 0;
}
