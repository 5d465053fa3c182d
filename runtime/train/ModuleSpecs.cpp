//===-- runtime/train/ModuleSpecs.cpp - What a module says of itself ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleSpecs.h"
#include "Format.h"

using namespace cambium;
using namespace cambium::train;

static TensorSpec tensorSpec(const cambium_tensor_info_t &info) {
  TensorSpec spec;
  spec.name = info.name;
  spec.type = info.type;
  spec.shape.assign(info.shape, info.shape + info.rank);
  for (int64_t size : spec.shape)
    spec.rowElements *= size;
  spec.space = info.space;
  spec.edgesOf = info.edges_of;
  spec.limit = info.limit;
  return spec;
}

EntrySpec train::entrySpec(const cambium_entry_t *entry, size_t index) {
  const cambium_entry_info_t &info = *cambium_entry_info(entry);
  EntrySpec spec;
  spec.index = index;
  spec.name = info.name;
  spec.kind = info.kind;
  spec.step = info.step ? info.step : "";
  spec.random = info.random;
  for (int64_t i = 0; i < info.num_spaces; ++i) {
    spec.spaces.emplace_back(cambium_entry_space(entry, i)->name);
    spec.outerSpaces.push_back(cambium_entry_space_in(entry, i));
  }
  for (int64_t i = 0; i < info.num_trees; ++i) {
    const cambium_tree_info_t &tree = *cambium_entry_tree(entry, i);
    spec.trees.push_back({tree.name, tree.space, tree.arity, tree.single_root});
  }
  for (int64_t i = 0; i < info.num_inputs; ++i)
    spec.inputs.push_back(tensorSpec(*cambium_entry_input(entry, i)));
  for (int64_t i = 0; i < info.num_outputs; ++i)
    spec.outputs.push_back(tensorSpec(*cambium_entry_output(entry, i)));
  for (int64_t i = 0; i < info.num_scalars; ++i)
    spec.scalars.emplace_back(cambium_entry_scalar(entry, i));
  return spec;
}

static std::string initText(const cambium_init_t &init) {
  const std::string a = formatNumber(init.a), b = formatNumber(init.b);
  switch (init.kind) {
  case CAMBIUM_INIT_ZEROS:
    return "zeros";
  case CAMBIUM_INIT_CONSTANT:
    return "constant(" + a + ")";
  case CAMBIUM_INIT_UNIFORM:
    return "uniform(" + a + ", " + b + ")";
  case CAMBIUM_INIT_NORMAL:
    return "normal(" + a + ", " + b + ")";
  case CAMBIUM_INIT_TRUNCATED_NORMAL:
    return "truncated_normal(" + a + ", " + b + ")";
  case CAMBIUM_INIT_XAVIER_UNIFORM:
    return "xavier_uniform(" + a + ")";
  case CAMBIUM_INIT_XAVIER_NORMAL:
    return "xavier_normal(" + a + ")";
  case CAMBIUM_INIT_ORTHOGONAL:
    return "orthogonal(" + a + ")";
  case CAMBIUM_INIT_SINUSOIDAL:
    return "sinusoidal(" + a + ")";
  case CAMBIUM_INIT_FILE:
    return std::string("file(") + (init.path ? init.path : "") + ", " +
           (init.tensor ? init.tensor : "") + ")";
  }
  return "unknown";
}

ParameterSpec train::parameterSpec(const cambium_parameter_info_t &info) {
  ParameterSpec spec;
  spec.name = info.name;
  spec.type = info.type;
  spec.shape.assign(info.shape, info.shape + info.rank);
  spec.numElements = info.num_elements;
  spec.trainable = info.trainable;
  spec.decay = info.decay;
  spec.rowSparse = info.row_sparse;
  spec.group = info.group ? info.group : "";
  spec.init = initText(info.init);
  return spec;
}
