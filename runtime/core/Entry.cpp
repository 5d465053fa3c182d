//===-- runtime/core/Entry.cpp - What a module and its entries hold -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Module.h"

using namespace cambium::runtime;

/// The element at `index`, or null.
template <typename T>
static const T *elementAt(const std::vector<T> &elements, int64_t index) {
  if (index < 0 || index >= static_cast<int64_t>(elements.size()))
    return nullptr;
  return &elements[static_cast<size_t>(index)];
}

/// The index of the element with that name, or -1.
template <typename T>
static int64_t indexOf(const std::vector<T> &elements, const char *name) {
  for (size_t i = 0; name && i < elements.size(); ++i)
    if (std::strcmp(elements[i].name, name) == 0)
      return static_cast<int64_t>(i);
  return -1;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

const char *cambium_module_manifest(const cambium_module_t *module) {
  if (!module)
    return "";
  return module->abi->manifest;
}

const char *cambium_module_cpu(const cambium_module_t *module) {
  if (!module)
    return "";
  return module->abi->cpu ? module->abi->cpu : "";
}

const char *cambium_module_cpu_features(const cambium_module_t *module) {
  if (!module)
    return "";
  return module->abi->cpu_features ? module->abi->cpu_features : "";
}

int64_t cambium_module_num_entries(const cambium_module_t *module) {
  if (!module)
    return 0;
  return static_cast<int64_t>(module->manifest.entries.size());
}

const cambium_entry_t *cambium_module_entry(const cambium_module_t *module,
                                            int64_t index) {
  if (!module)
    return nullptr;
  return elementAt(module->manifest.entries, index);
}

const cambium_entry_t *cambium_module_find_entry(const cambium_module_t *module,
                                                 const char *name) {
  if (!module)
    return nullptr;
  for (const cambium_entry &entry : module->manifest.entries)
    if (name && std::strcmp(entry.info.name, name) == 0)
      return &entry;
  return nullptr;
}

int64_t cambium::runtime::findStep(const cambium_module &module,
                                   const char *name) {
  const std::vector<const char *> &steps = module.manifest.steps;
  if (!name && steps.size() == 1)
    return 0;
  for (size_t i = 0; name && i < steps.size(); ++i)
    if (std::strcmp(steps[i], name) == 0)
      return static_cast<int64_t>(i);
  if (steps.empty())
    fail(CAMBIUM_STATUS_NOT_FOUND, "module '%s' has no training step",
         module.name.c_str());
  else if (!name)
    fail(CAMBIUM_STATUS_NOT_FOUND,
         "module '%s' has %zu training steps: expected the name of one",
         module.name.c_str(), steps.size());
  else
    fail(CAMBIUM_STATUS_NOT_FOUND, "module '%s' has no training step '%s'",
         module.name.c_str(), name);
  return -1;
}

cambium_status_t
cambium_module_find_step(const cambium_module_t *module, const char *name,
                         const cambium_entry_t **out_accumulate,
                         const cambium_entry_t **out_apply) {
  CAMBIUM_CHECK_ARGUMENT(module);
  int64_t step = findStep(*module, name);
  if (step < 0)
    return CAMBIUM_STATUS_NOT_FOUND;
  const char *wanted = module->manifest.steps[static_cast<size_t>(step)];
  for (const cambium_entry &entry : module->manifest.entries) {
    if (std::strcmp(entry.info.step, wanted) != 0)
      continue;
    bool isApply = entry.info.kind == CAMBIUM_ENTRY_APPLY;
    if (const cambium_entry_t **out = isApply ? out_apply : out_accumulate)
      *out = &entry;
  }
  return CAMBIUM_STATUS_OK;
}

int64_t cambium_module_num_parameters(const cambium_module_t *module) {
  if (!module)
    return 0;
  return static_cast<int64_t>(module->manifest.parameters.size());
}

const cambium_parameter_info_t *
cambium_module_parameter(const cambium_module_t *module, int64_t index) {
  if (!module)
    return nullptr;
  return elementAt(module->manifest.parameters, index);
}

int64_t cambium_module_find_parameter(const cambium_module_t *module,
                                      const char *name) {
  if (!module)
    return -1;
  return indexOf(module->manifest.parameters, name);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

const cambium_entry_info_t *cambium_entry_info(const cambium_entry_t *entry) {
  if (!entry)
    return nullptr;
  return &entry->info;
}

const cambium_module_t *cambium_entry_module(const cambium_entry_t *entry) {
  if (!entry)
    return nullptr;
  return entry->module;
}

const cambium_space_info_t *cambium_entry_space(const cambium_entry_t *entry,
                                                int64_t index) {
  if (!entry)
    return nullptr;
  return elementAt(entry->spaces, index);
}

int32_t cambium_entry_space_in(const cambium_entry_t *entry, int64_t index) {
  if (!entry)
    return CAMBIUM_SPACE_EXAMPLE;
  const int32_t *in = elementAt(entry->outerSpaces, index);
  return in ? *in : CAMBIUM_SPACE_EXAMPLE;
}

const cambium_tree_info_t *cambium_entry_tree(const cambium_entry_t *entry,
                                              int64_t index) {
  if (!entry)
    return nullptr;
  return elementAt(entry->trees, index);
}

const cambium_tensor_info_t *cambium_entry_input(const cambium_entry_t *entry,
                                                 int64_t index) {
  if (!entry)
    return nullptr;
  return elementAt(entry->inputs, index);
}

const cambium_tensor_info_t *cambium_entry_output(const cambium_entry_t *entry,
                                                  int64_t index) {
  if (!entry)
    return nullptr;
  return elementAt(entry->outputs, index);
}

const char *cambium_entry_scalar(const cambium_entry_t *entry, int64_t index) {
  if (!entry)
    return nullptr;
  const char *const *name = elementAt(entry->scalars, index);
  return name ? *name : nullptr;
}

int64_t cambium_entry_find_tree(const cambium_entry_t *entry,
                                const char *name) {
  if (!entry)
    return -1;
  return indexOf(entry->trees, name);
}

int64_t cambium_entry_find_input(const cambium_entry_t *entry,
                                 const char *name) {
  if (!entry)
    return -1;
  return indexOf(entry->inputs, name);
}

int64_t cambium_entry_find_output(const cambium_entry_t *entry,
                                  const char *name) {
  if (!entry)
    return -1;
  return indexOf(entry->outputs, name);
}
