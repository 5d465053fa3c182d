//===-- runtime/core/ManifestReader.h - Reading manifests -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_MANIFESTREADER_H
#define CAMBIUM_RUNTIME_CORE_MANIFESTREADER_H

#include "Json.h"
#include "Module.h"

namespace cambium::runtime {

/// Reads a manifest into its structs, remembering texts there.
class ManifestReader {
public:
  explicit ManifestReader(Manifest &manifest) : manifest(manifest) {}
  cambium_status_t read(const Json &root);

private:
  cambium_status_t readText(const Json &json, const char *&text);
  cambium_status_t readName(const Json &json, const char *&text);
  cambium_status_t readType(const Json &json, cambium_type_t &type);
  cambium_status_t readShape(const Json &json, int32_t &rank,
                             const int64_t *&shape, int64_t &elements);
  cambium_status_t readIndex(const Json &json, int64_t size, const char *what,
                             int32_t &index);
  cambium_status_t readParameter(const Json &json);
  cambium_status_t readInit(const Json &json, cambium_parameter_info_t &info);
  cambium_status_t checkInit(const Json &json,
                             const cambium_parameter_info_t &info);
  cambium_status_t readEntry(const Json &json);
  cambium_status_t readKind(const Json &json, cambium_entry &entry);
  cambium_status_t readSpaces(const Json &json, cambium_entry &entry);
  cambium_status_t readTrees(const Json &json, cambium_entry &entry);
  cambium_status_t readTensors(const Json &json, const cambium_entry &entry,
                               std::vector<cambium_tensor_info_t> &tensors);
  cambium_status_t readScalars(const Json &json, cambium_entry &entry);
  cambium_status_t checkSteps(const Json &entries);

  Manifest &manifest;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_MANIFESTREADER_H
