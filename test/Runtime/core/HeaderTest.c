/*===-- test/Runtime/core/HeaderTest.c - The C API is C11 ------------------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/runtime.h"

#include "cambium/abi.h"
#include "cambium/cuda.h"
#include "cambium/device.h"
#include "cambium/device_abi.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  cambium_forest_t *forest = NULL;
  const int32_t trees[] = {0, 3}, parents[] = {2, 2, -1};
  if (cambium_abi_version() != CAMBIUM_ABI_VERSION ||
      cambium_forest_create(&forest) != CAMBIUM_STATUS_OK ||
      cambium_forest_build_from_parents(forest, NULL, 1, trees, parents) !=
          CAMBIUM_STATUS_OK ||
      cambium_forest_view(forest)->num_levels != 2) {
    fprintf(stderr, "error: %s\n", cambium_last_error());
    return 1;
  }
  cambium_forest_destroy(forest);
  return strcmp(cambium_status_name(CAMBIUM_STATUS_OK), "ok") != 0;
}
