/*===-- test/Packaging/runtime/describe.c - What is in a module -*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/
#include <cambium/runtime.h>

#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: describe MODULE\n");
    return 2;
  }
  cambium_module_t *module = NULL;
  if (cambium_module_load(argv[1], &module)) {
    fprintf(stderr, "describe: error: %s\n", cambium_last_error());
    return 1;
  }
  printf("runtime %s, abi %u\n", cambium_version(), cambium_abi_version());
  for (int64_t i = 0; i < cambium_module_num_entries(module); ++i)
    printf("%s\n", cambium_entry_info(cambium_module_entry(module, i))->name);
  cambium_module_destroy(module);
  return 0;
}
