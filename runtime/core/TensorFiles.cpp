//===-- runtime/core/TensorFiles.cpp - The C API of files of tensors ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Safetensors.h"
#include "cambium/tensors.h"

#include <cstring>
#include <memory>

using namespace cambium::runtime;

/// An opened file, and its tensors as the API shows them.
struct cambium_tensors {
  TensorReader reader;
  std::vector<cambium_tensor_t> infos;
  std::vector<const FileTensor *> tensors;
};

cambium_status_t cambium_tensors_open(const char *path,
                                      cambium_tensors_t **out_tensors) {
  CAMBIUM_CHECK_ARGUMENT(path);
  CAMBIUM_CHECK_ARGUMENT(out_tensors);
  *out_tensors = nullptr;
  return guarded("a file of tensors", [&] {
    auto opened = std::make_unique<cambium_tensors>();
    CAMBIUM_TRY(opened->reader.open(path, "file"));
    for (const auto &[name, tensor] : opened->reader.tensors) {
      opened->tensors.push_back(&tensor);
      opened->infos.push_back({name.c_str(), tensor.type.c_str(),
                               static_cast<int32_t>(tensor.shape.size()),
                               tensor.shape.data(), tensor.end - tensor.begin});
    }
    *out_tensors = opened.release();
    return CAMBIUM_STATUS_OK;
  });
}

void cambium_tensors_close(cambium_tensors_t *tensors) { delete tensors; }

int64_t cambium_tensors_count(const cambium_tensors_t *tensors) {
  return tensors ? static_cast<int64_t>(tensors->infos.size()) : 0;
}

const cambium_tensor_t *cambium_tensors_get(const cambium_tensors_t *tensors,
                                            int64_t index) {
  return index >= 0 && index < cambium_tensors_count(tensors)
             ? &tensors->infos[static_cast<size_t>(index)]
             : nullptr;
}

int64_t cambium_tensors_find(const cambium_tensors_t *tensors,
                             const char *name) {
  for (int64_t i = 0; name && i < cambium_tensors_count(tensors); ++i)
    if (std::strcmp(tensors->infos[static_cast<size_t>(i)].name, name) == 0)
      return i;
  return -1;
}

const char *cambium_tensors_metadata(const cambium_tensors_t *tensors,
                                     const char *key) {
  if (!tensors || !key)
    return nullptr;
  auto found = tensors->reader.metadata.find(key);
  return found == tensors->reader.metadata.end() ? nullptr
                                                 : found->second.c_str();
}

cambium_status_t cambium_tensors_verify(cambium_tensors_t *tensors) {
  CAMBIUM_CHECK_ARGUMENT(tensors);
  return guarded("a file of tensors", [&] { return tensors->reader.verify(); });
}

cambium_status_t cambium_tensors_read(cambium_tensors_t *tensors, int64_t index,
                                      void *out, int64_t bytes) {
  CAMBIUM_CHECK_ARGUMENT(tensors);
  const cambium_tensor_t *info = cambium_tensors_get(tensors, index);
  if (!info)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "expected a tensor from 0 to %lld, but got %lld",
                static_cast<long long>(cambium_tensors_count(tensors) - 1),
                static_cast<long long>(index));
  if (bytes != info->bytes || (bytes > 0 && !out))
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "tensor '%s': expected memory of %lld bytes, but got %lld%s",
                info->name, static_cast<long long>(info->bytes),
                static_cast<long long>(bytes), out ? "" : " at null");
  return guarded("a tensor", [&] {
    return tensors->reader.read(*tensors->tensors[static_cast<size_t>(index)],
                                out);
  });
}

/// Checks a tensor that the caller wants to be written.
static cambium_status_t describe(const cambium_tensor_data_t &tensor,
                                 TensorToWrite &result) {
  // A caller in C may have any number there, which C++ must not read as a type.
  int32_t type = 0;
  static_assert(sizeof(type) == sizeof(tensor.type));
  std::memcpy(&type, &tensor.type, sizeof(type));
  bool isType = type >= CAMBIUM_TYPE_F32 && type <= CAMBIUM_TYPE_I1;
  int64_t bytes = isType ? cambium_type_size(tensor.type) : 0;
  bool isGood = tensor.name && bytes > 0 && tensor.rank >= 0 &&
                (tensor.rank == 0 || tensor.shape);
  for (int32_t i = 0; isGood && i < tensor.rank; ++i)
    isGood = tensor.shape[i] >= 0 &&
             !__builtin_mul_overflow(bytes, tensor.shape[i], &bytes);
  if (!isGood || (bytes > 0 && !tensor.data))
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "tensor '%s': expected a name, a type, a shape that fits and "
                "data",
                tensor.name ? tensor.name : "");
  result = {tensor.name, tensor.type, tensor.shape,
            tensor.rank, tensor.data, bytes};
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_tensors_write(
    const char *path, const cambium_tensor_data_t *tensors, int64_t num_tensors,
    const cambium_tensor_metadata_t *metadata, int64_t num_metadata) {
  CAMBIUM_CHECK_ARGUMENT(path);
  if (num_tensors > 0)
    CAMBIUM_CHECK_ARGUMENT(tensors);
  if (num_metadata > 0)
    CAMBIUM_CHECK_ARGUMENT(metadata);
  return guarded("a file of tensors", [&] {
    std::vector<TensorToWrite> list;
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, int, std::less<>> names;
    for (int64_t i = 0; i < num_tensors; ++i) {
      CAMBIUM_TRY(describe(tensors[i], list.emplace_back()));
      if (++names[list.back().name] > 1)
        return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                    "tensor '%s': the name is given twice", tensors[i].name);
    }
    for (int64_t i = 0; i < num_metadata; ++i) {
      CAMBIUM_CHECK_ARGUMENT(metadata[i].key);
      CAMBIUM_CHECK_ARGUMENT(metadata[i].value);
      // The writer's own.
      if (std::strcmp(metadata[i].key, kChecksumKey) != 0)
        texts[metadata[i].key] = metadata[i].value;
    }
    return writeTensors(path, list, texts);
  });
}
