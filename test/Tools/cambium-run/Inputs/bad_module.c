/*===-- test/Tools/cambium-run/Inputs/bad_module.c - A module to refuse ---===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A module without entries. VERSION, FEATURES and BROKEN say what is wrong
 * with it; without QUERY it is no module at all.
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/abi.h"

#ifndef VERSION
#define VERSION CAMBIUM_ABI_VERSION
#endif
#ifndef FEATURES
#define FEATURES ""
#endif
#ifdef BROKEN
#define MANIFEST "{\"abi\": 6, \"entries\": [{\"name\": 3}]}"
#else
#define MANIFEST "{\"abi\": 6, \"entries\": []}"
#endif
#ifndef QUERY
#define QUERY cambium_module_query
#endif

static const cambium_abi_module_t module = {
    CAMBIUM_ABI_MAGIC, VERSION, "other", FEATURES, MANIFEST, 0, 0};

__attribute__((visibility("default"))) const cambium_abi_module_t *QUERY(void);
const cambium_abi_module_t *QUERY(void) { return &module; }
