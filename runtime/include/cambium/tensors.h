/*===-- cambium/tensors.h - Files of tensors -------------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Reads and writes safetensors files, and any file such that it appears whole
 * or not at all. Plain C11, with the conventions of cambium/runtime.h.
 *
 * Intended use: looking into checkpoints and weights made elsewhere, and
 * writing files that other programs read. Parameters of a model are saved and
 * loaded with a store. Thread-safety: an opened file is used by one thread at a
 * time.
 *
 *   cambium_tensors_t *file;
 *   cambium_tensors_open("model.safetensors", &file);
 *   const cambium_tensor_t *first = cambium_tensors_get(file, 0);
 *   cambium_tensors_read(file, 0, memory, first->bytes);
 *   cambium_tensors_close(file);
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_TENSORS_H
#define CAMBIUM_TENSORS_H

#include "cambium/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cambium_tensors cambium_tensors_t;

/* One tensor of a file. Belongs to the opened file. */
typedef struct cambium_tensor {
  const char *name;
  const char *type; /* as in the file: "F32", "BF16", "I64", ... */
  int32_t rank;
  const int64_t *shape; /* `rank` sizes */
  int64_t bytes;
} cambium_tensor_t;

/* Opens a file and checks its header: names, types, shapes and places, which
 * cover the data without overlap or gap. The data is read when it is asked for.
 * The caller closes `*out_tensors`. */
CAMBIUM_API cambium_status_t
cambium_tensors_open(const char *path, cambium_tensors_t **out_tensors);
CAMBIUM_API void cambium_tensors_close(cambium_tensors_t *tensors);

/* The tensors, in the order of their names; null when the index is out of
 * range. The index of one by name; -1 if there is none. */
CAMBIUM_API int64_t cambium_tensors_count(const cambium_tensors_t *tensors);
CAMBIUM_API const cambium_tensor_t *
cambium_tensors_get(const cambium_tensors_t *tensors, int64_t index);
CAMBIUM_API int64_t cambium_tensors_find(const cambium_tensors_t *tensors,
                                         const char *name);

/* A text of the header's metadata, or null. */
CAMBIUM_API const char *
cambium_tensors_metadata(const cambium_tensors_t *tensors, const char *key);

/* Compares the whole file with its checksum, if it has one: that files written
 * by this library have. */
CAMBIUM_API cambium_status_t cambium_tensors_verify(cambium_tensors_t *tensors);

/* Copies the elements of a tensor, row-major and little-endian as in the file,
 * to `out`, memory of exactly its `bytes`. */
CAMBIUM_API cambium_status_t cambium_tensors_read(cambium_tensors_t *tensors,
                                                  int64_t index, void *out,
                                                  int64_t bytes);

/* A tensor to be written. */
typedef struct cambium_tensor_data {
  const char *name;
  cambium_type_t type;
  int32_t rank;
  const int64_t *shape; /* `rank` sizes */
  const void *data;     /* row-major */
} cambium_tensor_data_t;

typedef struct cambium_tensor_metadata {
  const char *key, *value;
} cambium_tensor_metadata_t;

/* Writes a file with these tensors, in this order, and a checksum. It appears
 * whole or not at all; a file that was there is replaced. */
CAMBIUM_API cambium_status_t cambium_tensors_write(
    const char *path, const cambium_tensor_data_t *tensors, int64_t num_tensors,
    const cambium_tensor_metadata_t *metadata, int64_t num_metadata);

/* Writes any file such that it appears whole or not at all, also when the
 * machine stops meanwhile. */
CAMBIUM_API cambium_status_t cambium_file_write(const char *path,
                                                const void *data,
                                                int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_TENSORS_H */
