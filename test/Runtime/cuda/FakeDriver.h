/*===-- test/Runtime/cuda/FakeDriver.h - A driver that lies --------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_TEST_RUNTIME_DEVICE_FAKEDRIVER_H
#define CAMBIUM_TEST_RUNTIME_DEVICE_FAKEDRIVER_H

#include <stdint.h>

/* What the driver shows as `fake_driver`. */
typedef struct fake_driver {
  int count, sm, version, processors; /* GPUs, their architecture, ... */
  int64_t memory;                     /* bytes, of GPU and pinned */
  int is_cooperative;
  int is_lost; /* like a GPU after a bad access: every call fails */
  int held;    /* contexts, modules, streams and memory */
  char fail_name[64];
  int fail_at, fail_seen; /* which call of that function fails */
  int fail_result;        /* 0: CUDA_ERROR_LAUNCH_FAILED */
  char calls[65536];      /* names of all calls, each with a space */
  char image[64];         /* the beginning of the last image that was loaded */
  int blocks;             /* of a kernel that fit on a multiprocessor */
} fake_driver_t;

#endif
