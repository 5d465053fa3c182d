//===-- Record.cpp - Calls with their results, in a file ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Record.h"
#include <vector>

using namespace cambium;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

void Record::append(const Twine &name, cambium_type_t type, const void *data,
                    int64_t count) {
  Array &array = arrays.try_emplace(name.str(), Array{type, {}}).first->second;
  array.bytes.append(static_cast<const char *>(data),
                     count * cambium_type_size(type));
}

std::string Record::inCall(const Twine &name) const {
  return (Twine(numCalls - 1) + "/" + name).str();
}

void Record::addParameter(StringRef name, cambium_type_t type, const void *data,
                          int64_t count) {
  append("param/" + name, type, data, count);
}

void Record::beginCall(StringRef kind, StringRef name) {
  calls += (kind + " " + name + "\n").str();
  ++numCalls;
}

void Record::addKey(uint64_t key) {
  append(inCall("keys"), CAMBIUM_TYPE_I64, &key, 1);
}

void Record::addTree(int64_t tree, ArrayRef<int32_t> parents) {
  int64_t nodes = static_cast<int64_t>(parents.size());
  append(inCall("tree/" + Twine(tree) + "/nodes"), CAMBIUM_TYPE_I64, &nodes, 1);
  append(inCall("tree/" + Twine(tree) + "/parents"), CAMBIUM_TYPE_I32,
         parents.data(), nodes);
}

void Record::addInput(int64_t input, cambium_type_t type, int64_t rows,
                      const void *data, int64_t count) {
  append(inCall("input/" + Twine(input) + "/rows"), CAMBIUM_TYPE_I64, &rows, 1);
  append(inCall("input/" + Twine(input) + "/values"), type, data, count);
}

void Record::addOutput(int64_t output, double value) {
  append(inCall("output/" + Twine(output)), CAMBIUM_TYPE_F64, &value, 1);
}

void Record::addDerivative(StringRef parameter, int64_t index, double value) {
  std::string name = inCall("gradient/" + parameter);
  append(name + "/index", CAMBIUM_TYPE_I64, &index, 1);
  append(name + "/value", CAMBIUM_TYPE_F64, &value, 1);
}

cambium_status_t Record::write(const std::string &path) const {
  std::vector<cambium_tensor_data_t> tensors;
  std::deque<int64_t> sizes; // whose elements stay where they are
  for (const auto &[name, array] : arrays) {
    int64_t bytes = static_cast<int64_t>(array.bytes.size());
    sizes.push_back(bytes / cambium_type_size(array.type));
    tensors.push_back(
        {name.c_str(), array.type, 1, &sizes.back(), array.bytes.data()});
  }
  cambium_tensor_metadata_t metadata{"calls", calls.c_str()};
  return cambium_tensors_write(path.c_str(), tensors.data(),
                               static_cast<int64_t>(tensors.size()), &metadata,
                               1);
}
