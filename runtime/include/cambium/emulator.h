/*===-- cambium/emulator.h - The emulator of a GPU --------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * \file
 * What the emulator of a GPU (libcambium_cuda_emulator.so) offers besides the
 * functions of a CUDA driver: counters, findings, and configuration while it
 * runs. docs/GPUEmulator.md explains them. C11; may be called from any thread.
 *
 */
#ifndef CAMBIUM_EMULATOR_H
#define CAMBIUM_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What kernels did since the last `cambium_emulator_clear_counters`.
 * Instructions count once per warp, lane operations once per lane. */
typedef struct cambium_emulator_counters_t {
  int64_t launches;
  int64_t instructions, lane_operations;
  /* By kind; they add up to `instructions`. */
  int64_t integer, floating, fused_multiply_add, special, convert, move,
      compare;
  int64_t global, shared, local, parameter, atomic, fence, warp, matrix,
      control;
  int64_t barrier;
  /* Barriers that all warps of a block passed; those of them that the first
   * block passed knowing more of every other block. */
  int64_t block_barriers, grid_barriers;
  /* Requests of warps to global memory, bytes that lanes asked for, sectors of
   * 32 bytes that hold them. */
  int64_t global_load_requests, global_load_bytes, global_load_sectors;
  int64_t global_store_requests, global_store_bytes, global_store_sectors;
  /* Requests to shared memory, and passes that conflicts of banks add. */
  int64_t shared_requests, bank_conflicts;
  /* Calls of the driver. */
  int64_t driver_calls, uploads, uploaded_bytes, downloads, downloaded_bytes;
  int64_t synchronizations, allocations;
} cambium_emulator_counters_t;

/* Reads `CAMBIUM_EMULATOR`'s syntax: `sm=90,blocks=3,seed=7`. What is not named
 * gets its default; counts of `fail` begin anew. Returns 0, or 1 where the text
 * is wrong, which `cambium_emulator_finding` then tells. */
int cambium_emulator_configure(const char *text);

void cambium_emulator_read_counters(cambium_emulator_counters_t *out_counters);
void cambium_emulator_clear_counters(void);

/* An innermost loop of a kernel or function: the instructions that warps
 * executed in it, those of them that are fused multiply-adds or matrix
 * products, and its first and last line in the PTX. */
typedef struct cambium_emulator_loop_t {
  int64_t instructions, products;
  int32_t first_line, last_line;
} cambium_emulator_loop_t;

/* Fills in up to `capacity` loops of the function of this name in all modules
 * that are loaded, the most executed first; returns how many there are. */
size_t cambium_emulator_loops(const char *function,
                              cambium_emulator_loop_t *out_loops,
                              size_t capacity);

/* What was found since the start or `cambium_emulator_clear_findings`: texts of
 * races, bad accesses, leaks. Null at `index` >= the number of findings. The
 * text lives until findings are cleared. */
size_t cambium_emulator_num_findings(void);
const char *cambium_emulator_finding(size_t index);
void cambium_emulator_clear_findings(void);

#ifdef __cplusplus
}
#endif
#endif
