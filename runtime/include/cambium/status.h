/*===-- cambium/status.h - Outcomes, messages and types ------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 * Part of cambium/runtime.h.
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_STATUS_H
#define CAMBIUM_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CAMBIUM_API __attribute__((visibility("default")))
#else
#define CAMBIUM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*
 * Status and errors
 *===----------------------------------------------------------------------===*/

/* The outcome of a function. The numbers are stable: generated code passes them
 * to the `fail` service (cambium/abi.h). */
typedef enum cambium_status {
  CAMBIUM_STATUS_OK = 0,
  /* An argument, or the data of an example, breaks a rule. */
  CAMBIUM_STATUS_INVALID_ARGUMENT = 1,
  /* No entry, input, parameter, file, ... of that name. */
  CAMBIUM_STATUS_NOT_FOUND = 2,
  /* An index or an id is outside its range, or a size overflows. */
  CAMBIUM_STATUS_OUT_OF_RANGE = 3,
  /* The module was made for another ABI version, CPU or runtime. */
  CAMBIUM_STATUS_INCOMPATIBLE = 4,
  /* The memory limit, or the machine's memory, is exhausted. */
  CAMBIUM_STATUS_OUT_OF_MEMORY = 5,
  /* The operating system refused to read or write a file. */
  CAMBIUM_STATUS_IO_ERROR = 6,
  /* A module, manifest or checkpoint is malformed or damaged. */
  CAMBIUM_STATUS_MALFORMED = 7,
  /* A checkpoint does not fit the parameters of the module. */
  CAMBIUM_STATUS_MISMATCH = 8,
  /* The loss is infinite or not a number. */
  CAMBIUM_STATUS_NOT_FINITE = 9,
  /* Functions called in an order that makes no sense. */
  CAMBIUM_STATUS_WRONG_STATE = 10,
  /* Compiled code failed without saying more. */
  CAMBIUM_STATUS_FAILED = 11,
  /* There is no device of that name, or no driver for it. */
  CAMBIUM_STATUS_NO_DEVICE = 12,
  /* A device or its driver failed; the text has the driver's reason. */
  CAMBIUM_STATUS_DEVICE_ERROR = 13
} cambium_status_t;

/* The name of a status, as "out of memory". Never null; static.
 * Thread-safe. */
CAMBIUM_API const char *cambium_status_name(cambium_status_t status);

/* The text of the last failure of a function of this library *on the calling
 * thread*: "input 'tokens' of example 3 has 7 rows, expected 9 as 'tree'".
 * Empty when nothing has failed yet; successes do not clear it. Never null;
 * valid until the next call into the library on this thread. Thread-safe. */
CAMBIUM_API const char *cambium_last_error(void);

/* The version of this library ("1.0.0") and of the ABI that modules must have.
 * Thread-safe. */
CAMBIUM_API const char *cambium_version(void);
CAMBIUM_API uint32_t cambium_abi_version(void);

/*===----------------------------------------------------------------------===*
 * Logging
 *===----------------------------------------------------------------------===*/

typedef enum cambium_log_level {
  CAMBIUM_LOG_DEBUG = 0,   /* workspace growth, sizes */
  CAMBIUM_LOG_INFO = 1,    /* a module or checkpoint was loaded or saved */
  CAMBIUM_LOG_WARNING = 2, /* a checkpoint without a checksum, ... */
  CAMBIUM_LOG_ERROR = 3    /* the text of every failure */
} cambium_log_level_t;

/* Receives one message, without a line end. May be called from any thread, also
 * from several at once; must not call back into this library. */
typedef void (*cambium_log_fn)(void *user, cambium_log_level_t level,
                               const char *message);

/* Sends messages of `level` and above to `fn`; null turns logging off, which is
 * the default. One setting per process. Thread-safe. */
CAMBIUM_API void cambium_set_logger(cambium_log_fn fn, void *user,
                                    cambium_log_level_t level);

/*===----------------------------------------------------------------------===*
 * Types of elements
 *===----------------------------------------------------------------------===*/

typedef enum cambium_type {
  CAMBIUM_TYPE_F32 = 0,
  CAMBIUM_TYPE_F64 = 1,
  CAMBIUM_TYPE_I32 = 2,
  CAMBIUM_TYPE_I64 = 3,
  CAMBIUM_TYPE_I8 = 4,
  CAMBIUM_TYPE_I1 = 5 /* one byte, 0 or 1 */
} cambium_type_t;

/* The size of an element in bytes (0 for an unknown type) and the name of a
 * type as in the manifest ("f32"). Thread-safe. */
CAMBIUM_API int64_t cambium_type_size(cambium_type_t type);
CAMBIUM_API const char *cambium_type_name(cambium_type_t type);

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_STATUS_H */
