//===-- test/Runtime/core/SaveTool.cpp - Saves a checkpoint ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// usage: CambiumRuntimeSaveTool PATH; exits with the status of the last call.
#include "cambium/runtime.h"

#include <cstdio>

extern "C" const struct cambium_abi_module *fake_cambium_module_query(void);

int main(int argc, char **argv) {
  cambium_module_t *module = nullptr;
  cambium_store_t *store = nullptr;
  cambium_status_t status =
      cambium_module_from_query(fake_cambium_module_query, &module);
  if (!status)
    status = cambium_store_create(module, nullptr, &store);
  if (!status && argc == 2)
    status = cambium_store_save(store, argv[1], 0);
  if (status)
    std::fprintf(stderr, "%s\n", cambium_last_error());
  cambium_store_destroy(store);
  cambium_module_destroy(module);
  return status;
}
