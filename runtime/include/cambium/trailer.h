/*===-- cambium/trailer.h - The end of a module's file ----------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The last bytes of a shared object that cambium-compile wrote, behind what the
 * dynamic loader reads: a checksum of all bytes before, which the runtime
 * verifies before it loads the file. Plain C11.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_TRAILER_H
#define CAMBIUM_TRAILER_H

#include <stdint.h>

/* The number at its end changes with the struct. */
#define CAMBIUM_TRAILER_MAGIC "CMBMSUM1"

typedef struct cambium_trailer {
  char magic[8];     /* without a null */
  uint64_t size;     /* bytes before the trailer */
  uint64_t checksum; /* their XXH64, seed 0 */
} cambium_trailer_t;

#endif /* CAMBIUM_TRAILER_H */
