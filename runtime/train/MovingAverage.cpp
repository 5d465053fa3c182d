//===-- MovingAverage.cpp - Parameters averaged over updates --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovingAverage.h"

#include <algorithm>

using namespace cambium;
using namespace cambium::train;

/// Calls `visit` with each trained parameter of real numbers, its elements and
/// its average, until one fails.
template <typename Visit>
Status MovingAverage::visit(Engine &engine, Visit visit) {
  means.resize(engine.parameters.size());
  for (size_t i = 0; i < means.size(); ++i) {
    const ParameterSpec &spec = engine.parameters[i];
    if (!spec.trainable ||
        (spec.type != CAMBIUM_TYPE_F32 && spec.type != CAMBIUM_TYPE_F64))
      continue;
    const auto *elements = static_cast<const char *>(engine.value(i));
    if (!elements)
      return Status::error("--moving-average: the device does not give the "
                           "parameters back");
    if (Status status = visit(i, elements, means[i]); !status.ok())
      return status;
  }
  return Status();
}

Status MovingAverage::start(Engine &engine) {
  return visit(engine, [&](size_t parameter, const char *elements,
                           std::vector<char> &mean) {
    const ParameterSpec &spec = engine.parameters[parameter];
    mean.assign(elements,
                elements + spec.numElements * cambium_type_size(spec.type));
    return Status();
  });
}

template <typename T>
static void average(const char *elements, std::vector<char> &mean,
                    int64_t count, double decay) {
  const T *now = reinterpret_cast<const T *>(elements);
  T *all = reinterpret_cast<T *>(mean.data());
  for (int64_t i = 0; i < count; ++i)
    all[i] = static_cast<T>(decay * all[i] + (1 - decay) * now[i]);
}

/// The first parameters are far from good ones: the average begins with a
/// smaller decay.
Status MovingAverage::update(Engine &engine, int64_t updates) {
  const double n = static_cast<double>(updates);
  const double now = std::min(decay, n / (n + 9));
  return visit(engine, [&](size_t parameter, const char *elements,
                           std::vector<char> &mean) {
    const ParameterSpec &spec = engine.parameters[parameter];
    if (spec.type == CAMBIUM_TYPE_F32)
      average<float>(elements, mean, spec.numElements, now);
    else
      average<double>(elements, mean, spec.numElements, now);
    return Status();
  });
}

Status MovingAverage::swap(Engine &engine) {
  return visit(engine, [&](size_t parameter, const char *elements,
                           std::vector<char> &mean) {
    std::vector<char> old(elements, elements + mean.size());
    Status status = engine.setValue(parameter, mean.data());
    if (status.ok())
      mean = std::move(old);
    return status;
  });
}
