//===-- runtime/core/Module.cpp - Loading modules -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Module.h"
#include "cambium/device.h"

#include <memory>

using namespace cambium::runtime;

uint32_t cambium_abi_version(void) { return CAMBIUM_ABI_VERSION; }

void cambium::runtime::retain(const cambium_module *module) {
  const_cast<cambium_module *>(module)->references.fetch_add(
      1, std::memory_order_relaxed);
}

void cambium::runtime::release(const cambium_module *module) {
  auto *mutableModule = const_cast<cambium_module *>(module);
  if (mutableModule &&
      mutableModule->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete mutableModule;
}

/// Connects the entries of the manifest with the functions of the module.
static cambium_status_t connectEntries(cambium_module &module) {
  for (cambium_entry &entry : module.manifest.entries) {
    entry.module = &module;
    for (int64_t i = 0; i < module.abi->num_entries; ++i)
      if (std::strcmp(module.abi->entries[i].name, entry.info.name) == 0)
        entry.fn = module.abi->entries[i].fn;
    if (!entry.fn)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "module '%s': the manifest names the entry '%s', but the "
                  "module has no such function",
                  module.name.c_str(), entry.info.name);
  }
  return CAMBIUM_STATUS_OK;
}

/// Connects the entries with their code for devices. Code of another version is
/// left alone: the module still runs on the CPU.
static void connectDevice(cambium_module &module,
                          const cambium_abi_device_module_t *device) {
  if (!device || device->magic != CAMBIUM_ABI_DEVICE_MAGIC ||
      device->version != CAMBIUM_DEVICE_ABI_VERSION)
    return;
  module.device = device;
  for (cambium_entry &entry : module.manifest.entries)
    for (int64_t i = 0; i < device->num_entries; ++i)
      if (std::strcmp(device->entries[i].name, entry.info.name) == 0)
        entry.device = &device->entries[i];
}

/// Checks what the query functions returned; that of devices may be null.
static cambium_status_t initialize(cambium_module &module,
                                   cambium_abi_query_fn query,
                                   cambium_abi_device_query_fn deviceQuery) {
  const char *name = module.name.c_str();
  module.abi = query();
  if (!module.abi)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "module '%s': its query function returned nothing", name);
  if (module.abi->magic != CAMBIUM_ABI_MAGIC)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "module '%s': expected the magic number 0x%08x, but got 0x%08x",
                name, CAMBIUM_ABI_MAGIC, module.abi->magic);
  if (module.abi->abi_version != CAMBIUM_ABI_VERSION)
    return fail(CAMBIUM_STATUS_INCOMPATIBLE,
                "module '%s': expected ABI version %u, but got %u: compile the "
                "model again with a compiler of this release",
                name, CAMBIUM_ABI_VERSION, module.abi->abi_version);
  CAMBIUM_TRY(
      checkCpuFeatures(module.abi->cpu_features, module.abi->cpu, name));
  if (!module.abi->manifest ||
      (module.abi->num_entries > 0 && !module.abi->entries))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "module '%s': expected a manifest and entries, but got none",
                name);
  if (cambium_status_t status =
          parseManifest(module.abi->manifest, module.manifest)) {
    prefixError("manifest of module '%s': ", name);
    return status;
  }
  CAMBIUM_TRY(connectEntries(module));
  if (deviceQuery)
    connectDevice(module, deviceQuery());
  log(CAMBIUM_LOG_INFO, "loaded module '%s': %zu entries, %zu parameters", name,
      module.manifest.entries.size(), module.manifest.parameters.size());
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_module_load(const char *path,
                                     cambium_module_t **out_module) {
  CAMBIUM_CHECK_ARGUMENT(out_module);
  *out_module = nullptr;
  CAMBIUM_CHECK_ARGUMENT(path);
  return guarded("a module", [&]() -> cambium_status_t {
    auto module = std::make_unique<cambium_module>();
    module->name = path;
    cambium_abi_query_fn query = nullptr;
    cambium_abi_device_query_fn deviceQuery = nullptr;
    CAMBIUM_TRY(module->file.load(path, query, deviceQuery));
    CAMBIUM_TRY(initialize(*module, query, deviceQuery));
    *out_module = module.release();
    return CAMBIUM_STATUS_OK;
  });
}

cambium_status_t
cambium_module_from_query(const struct cambium_abi_module *(*query)(void),
                          cambium_module_t **out_module) {
  CAMBIUM_CHECK_ARGUMENT(out_module);
  *out_module = nullptr;
  CAMBIUM_CHECK_ARGUMENT(query);
  return cambium_module_from_queries(query, nullptr, out_module);
}

cambium_status_t cambium_module_from_queries(
    const struct cambium_abi_module *(*query)(void),
    const struct cambium_abi_device_module *(*device_query)(void),
    cambium_module_t **out_module) {
  CAMBIUM_CHECK_ARGUMENT(out_module);
  *out_module = nullptr;
  CAMBIUM_CHECK_ARGUMENT(query);
  return guarded("a module", [&]() -> cambium_status_t {
    auto module = std::make_unique<cambium_module>();
    module->name = "static";
    CAMBIUM_TRY(initialize(*module, query, device_query));
    *out_module = module.release();
    return CAMBIUM_STATUS_OK;
  });
}

void cambium_module_destroy(cambium_module_t *module) { release(module); }
