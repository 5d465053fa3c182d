/*===-- cambium/cuda.h - GPUs in static programs ----------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * For programs that are linked with libcambium_runtime.a and libcambium_cuda.a.
 * The shared runtime opens libcambium_cuda.so.1 by itself.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_CUDA_H
#define CAMBIUM_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

struct cambium_backend;

/* What runs modules on NVIDIA's GPUs. To be called once, before the first
 * device is opened:
 *
 *   cambium_device_register(cambium_cuda_backend());
 */
const struct cambium_backend *cambium_cuda_backend(void);

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_CUDA_H */
