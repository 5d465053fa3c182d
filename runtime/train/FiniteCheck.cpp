//===-- runtime/train/FiniteCheck.cpp - Refuses weights that are none -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FiniteCheck.h"
#include "cambium/tensors.h"

#include <cmath>

using namespace cambium::train;

Status cambium::train::check(cambium_status_t status) {
  if (status == CAMBIUM_STATUS_OK)
    return Status();
  std::string text = cambium_last_error();
  return Status::error(text.empty() ? cambium_status_name(status) : text);
}

namespace {

/// The tensors of a file that is opened when the first of them is asked for.
class LazyFile {
public:
  explicit LazyFile(const std::string &path) : path(path) {}

  /// The elements of a tensor, until the next one is read.
  Status read(const char *name, const void *&data) {
    cambium_tensors_t *opened = nullptr;
    if (!file)
      if (Status status = check(cambium_tensors_open(path.c_str(), &opened));
          !status.ok())
        return status;
    if (!file)
      file.reset(opened);
    const int64_t index = cambium_tensors_find(file.get(), name);
    const cambium_tensor_t *tensor = cambium_tensors_get(file.get(), index);
    elements.resize(tensor ? tensor->bytes : 0);
    data = elements.data();
    return check(cambium_tensors_read(file.get(), index, elements.data(),
                                      elements.size()));
  }

private:
  struct Close {
    void operator()(cambium_tensors_t *t) const { cambium_tensors_close(t); }
  };
  const std::string &path;
  std::unique_ptr<cambium_tensors_t, Close> file;
  std::vector<char> elements;
};

} // namespace

/// The index of the first element that is infinite or not a number; -1 if there
/// is none.
template <typename T>
static int64_t findNotFinite(const void *data, int64_t size) {
  const T *values = static_cast<const T *>(data);
  for (int64_t i = 0; i < size; ++i)
    if (!std::isfinite(values[i]))
      return i;
  return -1;
}

static int64_t findNotFinite(const cambium_parameter_info_t &info,
                             const void *data) {
  if (info.type == CAMBIUM_TYPE_F32)
    return findNotFinite<float>(data, info.num_elements);
  if (info.type == CAMBIUM_TYPE_F64)
    return findNotFinite<double>(data, info.num_elements);
  return -1;
}

Status cambium::train::checkFinite(const cambium_module_t &module,
                                   const cambium_store_t &store,
                                   const std::string &path) {
  LazyFile file(path);
  for (int64_t i = 0; i < cambium_module_num_parameters(&module); ++i) {
    const cambium_parameter_info_t &info =
        *cambium_module_parameter(&module, i);
    const void *data = cambium_store_value(&store, i);
    if (!data)
      if (Status status = file.read(info.name, data); !status.ok())
        return status;
    if (int64_t bad = findNotFinite(info, data); bad >= 0)
      return Status::error("checkpoint '" + path +
                           "': expected finite numbers, but element " +
                           std::to_string(bad) + " of '" + info.name +
                           "' is infinite or not a number");
  }
  return Status();
}
