/*===-- cambium/device.h - Calls on a GPU -----------------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * What a host program uses besides cambium/runtime.h to run and to train models
 * on a GPU. Plain C11, with the conventions of that header.
 *
 * Intended use: open a device once, create sessions on it, share it among all
 * threads. A call in such a session runs on the device; batches, outputs and
 * stores are used as ever. The module needs code for the device: it is compiled
 * with --gpu-arch.
 *
 * The first call brings the arrays of the store to the device, where they stay.
 * A step changes them there: the host arrays of cambium_store_value and the
 * like are stale until cambium_store_pull. What this library does with a store
 * (save, load, calls on the CPU or on another device) finds the newest arrays
 * by itself. After DEVICE_ERROR of a step the parameters may be those of before
 * or of after it: load a checkpoint.
 *
 * Calls make the device's context that of the calling thread. Thread-safe: a
 * device may be used by several threads at once. Sessions and stores keep it
 * open.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_DEVICE_H
#define CAMBIUM_DEVICE_H

#include "cambium/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cambium_device cambium_device_t;
struct cambium_backend;           /* cambium/cuda.h */
struct cambium_abi_device_module; /* cambium/device_abi.h */

/* Opens "gpu:N", the GPU of that number from 0 on, or "gpu", the first one.
 * Without one, or a driver for it, NO_DEVICE with the reason. The caller owns
 * `*out_device`. */
CAMBIUM_API cambium_status_t cambium_device_open(const char *name,
                                                 cambium_device_t **out_device);
/* Gives the handle back. */
CAMBIUM_API void cambium_device_close(cambium_device_t *device);

/* What it is: "NVIDIA H200, sm_90, 132 multiprocessors, 139.8 GiB, CUDA 12.8".
 */
CAMBIUM_API const char *cambium_device_describe(const cambium_device_t *device);

/* A session whose calls run on a device. Threads are those of the device:
 * `num_threads` and `parallel_for` are not used. `memory_limit` is about memory
 * of the device, which also holds inputs and outputs. */
CAMBIUM_API cambium_status_t cambium_session_create_on(
    cambium_device_t *device, const cambium_session_options_t *options,
    cambium_session_t **out_session);

/* A part of an entry's kernel, from one barrier of all blocks to the next. */
typedef struct cambium_stage_time {
  const char *stage; /* what it does, and where the model says so; a text of the
                        module */
  int64_t count;     /* how often it ran */
  double seconds;    /* of all runs together */
  double waited; /* of them, seconds that the first block waited for others */
} cambium_stage_time_t;

/* Fills in up to `capacity` stages of the last call of the session, in the
 * order of the code, and returns how many there are: 0 unless the module was
 * compiled with --gpu-profile and the call ran on a device and succeeded. */
CAMBIUM_API int64_t cambium_session_stages(const cambium_session_t *session,
                                           cambium_stage_time_t *out_stages,
                                           int64_t capacity);

/* Brings the host arrays up to date with what steps on a device did. As
 * changing the store where there is something to bring. */
CAMBIUM_API cambium_status_t cambium_store_pull(cambium_store_t *store);

/* To be called after writing gradients or state through the pointers of a store
 * that was on a device: the host arrays are the newest now, whatever a device
 * has. Values are set by cambium_store_set_value, which needs no push. Copies
 * them to `device` at once; null: each device gets them at its next call. As
 * changing the store. */
CAMBIUM_API cambium_status_t cambium_store_push(cambium_store_t *store,
                                                cambium_device_t *device);

/* For programs that have this library inside of them: devices are opened by
 * `backend`, the result of cambium_cuda_backend() of libcambium_cuda.a, instead
 * of a library beside this one. */
CAMBIUM_API cambium_status_t
cambium_device_register(const struct cambium_backend *backend);

/* As cambium_module_from_query, for a module with code for devices:
 * `device_query` is the function `<prefix>_cambium_device_query` of the
 * archive. Null: the module has none. */
CAMBIUM_API cambium_status_t cambium_module_from_queries(
    const struct cambium_abi_module *(*query)(void),
    const struct cambium_abi_device_module *(*device_query)(void),
    cambium_module_t **out_module);

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_DEVICE_H */
