/*===-- cambium/device_abi.h - Device code and the runtime ------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The binary interface between the device code of a compiled module and the
 * runtime, beside cambium/abi.h. Hosts use cambium/runtime.h; only the
 * compiler's code generation and the runtime include this file. Plain C11,
 * nothing but fixed-width types.
 *
 * A module with device code is a module as abi.h describes it that exports a
 * second symbol, `cambium_device_query` (in a static archive
 * `<prefix>_cambium_device_query`), which returns a constant
 * `cambium_abi_device_module_t`. The entries keep their CPU functions.
 *
 * What the host does for a call of an entry:
 * 1. It derives the forests of `chains` and puts them behind those of the
 *    entry's tree inputs: chain c is `forests[number of tree inputs + c]`, for
 *    `workspace` and for kernels alike.
 * 2. It asks `workspace` how many bytes the call needs, and provides them.
 * 3. It writes a `cambium_abi_device_call_t`, with everything that it points
 *    to, into device memory.
 * 4. It starts the kernels of `launches`, one after the other. Each takes one
 *    parameter, the device address of the `cambium_abi_device_call_t` (64
 *    bits). What one kernel wrote is visible to the next, workspace included.
 * 5. It copies the state and the outputs back. A failure code becomes the
 *    status and the text of `messages[code - 1]`; the outputs are then
 *    undefined.
 *
 * Memory. All of it is allocated by the host before the first kernel starts;
 * kernels allocate nothing and free nothing. All pointers in the call, and in
 * what it points to, are device addresses of global memory. Every array begins
 * at a multiple of CAMBIUM_ABI_DEVICE_ALIGNMENT bytes; nothing is promised
 * about what lies behind its end. Zeroed for each call: the state, the barriers
 * and the times of stages. Not initialized: workspace and outputs. Kept between
 * calls: parameters, gradients, optimizer state, rows touched, and their table
 * `call.params`, of which kernels may change `num_touched` alone. Everything
 * else is read-only.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_DEVICE_ABI_H
#define CAMBIUM_DEVICE_ABI_H

#include "cambium/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a struct below, or one of abi.h that kernels read, changes
 * its meaning or layout. */
#define CAMBIUM_DEVICE_ABI_VERSION 2u
#define CAMBIUM_ABI_DEVICE_MAGIC 0x56444d43u /* "CMDV" */
#define CAMBIUM_ABI_DEVICE_QUERY_SYMBOL "cambium_device_query"
/* In bytes; also what code has to keep between arrays in the workspace that it
 * wants aligned so. */
#define CAMBIUM_ABI_DEVICE_ALIGNMENT 128

/*===-- On the device ---------------------------------------------------===*/

/* How a call ended: 128 bytes, zeroed before the first kernel of a call. The
 * first failure wins: who finds `code` 0 and replaces it (compare and swap)
 * writes `row`, nobody else does. A kernel may read the code behind a barrier,
 * to stop where going on makes no sense. */
typedef struct cambium_abi_device_state {
  int32_t code;    /* 0: no failure; else 1 + an index into `messages` */
  int32_t has_row; /* whether `row` belongs to the text: "text: row 7" */
  int64_t row;
  int64_t reserved[14]; /* kernels leave it alone */
} cambium_abi_device_state_t;

/* The grid barrier of one launch: 128 bytes, zeroed before the first kernel of
 * a call. Blocks count themselves; barrier k (from 0) of a kernel is passed
 * when `arrived` has reached (k + 1) * number of blocks, modulo 2^32: compare
 * the difference as a signed number. */
typedef struct cambium_abi_device_barrier {
  uint32_t arrived;
  uint32_t reserved[31]; /* kernels leave it alone */
} cambium_abi_device_barrier_t;

/* How long a stage of an entry took, as the first block saw it, by the GPU's
 * clock of nanoseconds (%globaltimer): 32 bytes, zeroed before the first kernel
 * of a call. Written by the first thread of the first block alone. */
typedef struct cambium_abi_stage_time {
  int64_t count;       /* how often it ended */
  int64_t nanoseconds; /* from the end of the stage before it to its own */
  int64_t waited;      /* of them, the block for the other ones */
  int64_t passed;      /* of the first stage: when the last one ended */
} cambium_abi_stage_time_t;

/* The parameter of every kernel. */
typedef struct cambium_abi_device_call {
  /* As an entry of abi.h gets it, but for device addresses; `services` and
   * `host` are null, and `forests` has the chains behind the tree inputs. All
   * outputs are there, wanted by the caller or not. */
  cambium_abi_call_t call;
  void *workspace;         /* may be null where workspace_bytes is 0 */
  int64_t workspace_bytes; /* as the entry's function `workspace` said */
  cambium_abi_device_state_t *state;
  cambium_abi_device_barrier_t *barriers; /* one for each launch */
  cambium_abi_stage_time_t *times;        /* one for each of `stages` */
} cambium_abi_device_call_t;

/*===-- On the host: an entry -------------------------------------------===*/

/* A forest that the host derives: a graph over every segment of row space
 * `space` (an index into `call.spaces`), as the service `sequence` of abi.h
 * makes it. */
typedef struct cambium_abi_chain {
  int32_t space;
  int32_t kind; /* cambium_abi_sequence_t */
} cambium_abi_chain_t;

/* Bits of `flags`. */
enum {
  /* All blocks run at the same time, so that grid barriers work. */
  CAMBIUM_ABI_LAUNCH_COOPERATIVE = 1
};

/* A kernel, and how it is started: one-dimensional blocks of `threads` threads,
 * `blocks_per_processor` on each multiprocessor, `max_blocks` at most. The
 * kernel reads the number of blocks that it got (%nctaid.x), which may be any
 * from 1 on; results must not depend on it. */
typedef struct cambium_abi_launch {
  const char *kernel;           /* the name in the image */
  int32_t threads;              /* of a block */
  int32_t shared_bytes;         /* of dynamic shared memory of a block */
  int32_t blocks_per_processor; /* at least 1; fewer where they do not fit */
  int32_t max_blocks;           /* 0: no limit */
  int32_t flags;                /* CAMBIUM_ABI_LAUNCH_... */
  int32_t reserved;             /* 0 */
} cambium_abi_launch_t;

/* What a failure code means. */
typedef struct cambium_abi_message {
  int32_t status;   /* a cambium_status_t that is a failure */
  int32_t reserved; /* 0 */
  const char *text;
} cambium_abi_message_t;

/* Host code: the bytes of workspace that a call needs. `call` has host
 * addresses, the chains behind the forests, and all counts; `services`, `host`,
 * `outputs` and `params` are null. It calls nothing and writes nothing. A
 * negative number stands for a size that 63 bits do not hold. */
typedef int64_t (*cambium_abi_workspace_fn)(const cambium_abi_call_t *call);

typedef struct cambium_abi_device_entry {
  const char *name;                   /* that of the entry in the manifest */
  cambium_abi_workspace_fn workspace; /* null: none is needed */
  const cambium_abi_launch_t *launches;
  int64_t num_launches; /* at least 1 */
  const cambium_abi_chain_t *chains;
  int64_t num_chains;
  const cambium_abi_message_t *messages; /* failure code c is number c - 1 */
  int64_t num_messages;
  /* What each stage does that the kernels measure, and where the model says so;
   * none unless the module was compiled for it. */
  const char *const *stages;
  int64_t num_stages;
} cambium_abi_device_entry_t;

/*===-- On the host: the module -----------------------------------------===*/

typedef enum cambium_abi_image_kind {
  CAMBIUM_ABI_IMAGE_PTX = 0, /* text */
  CAMBIUM_ABI_IMAGE_CUBIN = 1
} cambium_abi_image_kind_t;

/* The kernels of all entries, for one architecture. An architecture that ends
 * with "a" ("sm_90a") runs on devices of this very number; another one on its
 * own and on later ones, a cubin within the same generation (first digits).
 * The runtime takes the exact "a" architecture where there is one, else the
 * highest that runs; of two images for that one the cubin, and if the driver
 * refuses it, the PTX. */
typedef struct cambium_abi_image {
  const char *arch;  /* "sm_80", "sm_90a" */
  int32_t kind;      /* a cambium_abi_image_kind_t */
  int32_t reserved;  /* 0 */
  const void *bytes; /* a PTX text has a 0 behind its end */
  int64_t size;      /* without that 0 */
} cambium_abi_image_t;

typedef struct cambium_abi_device_module {
  uint32_t magic;
  uint32_t version;
  const cambium_abi_image_t *images;
  int64_t num_images;
  const cambium_abi_device_entry_t *entries; /* in any order; those without
                                                device code are missing */
  int64_t num_entries;
} cambium_abi_device_module_t;

typedef const cambium_abi_device_module_t *(*cambium_abi_device_query_fn)(void);

#ifdef __cplusplus
}
#endif

/* Layout is part of the contract: offsets are used by code generation. */
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_device_state_t) == 128);
CAMBIUM_ABI_ASSERT(offsetof(cambium_abi_device_state_t, row) == 8);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_device_barrier_t) == 128);
CAMBIUM_ABI_ASSERT(offsetof(cambium_abi_device_call_t, call) == 0);
CAMBIUM_ABI_ASSERT(offsetof(cambium_abi_device_call_t, workspace) == 88);
CAMBIUM_ABI_ASSERT(offsetof(cambium_abi_device_call_t, times) == 120);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_device_call_t) == 128);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_stage_time_t) == 32);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_chain_t) == 8);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_launch_t) == 32);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_message_t) == 16);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_device_entry_t) == 80);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_image_t) == 32);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_device_module_t) == 40);

#endif /* CAMBIUM_DEVICE_ABI_H */
