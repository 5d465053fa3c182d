//===-- runtime/core/Module.h - Modules, entries and manifests --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_MODULE_H
#define CAMBIUM_RUNTIME_CORE_MODULE_H

#include "Backend.h"
#include "ModuleFile.h"
#include "Support.h"
#include "cambium/abi.h"
#include "cambium/device_abi.h"

#include <atomic>
#include <forward_list>
#include <string>
#include <vector>

/// One function of a module. All texts belong to the module's manifest.
struct cambium_entry {
  const cambium_module *module = nullptr;
  cambium_abi_entry_fn fn = nullptr;
  /// Null: there is no code of it for devices.
  const cambium_abi_device_entry_t *device = nullptr;
  cambium_entry_info_t info = {};
  /// APPLY: index of the ACCUMULATE entry; -1 when the manifest does not say.
  int64_t accumulate = -1;
  std::vector<cambium_space_info_t> spaces;
  /// Of each space, that whose rows have its rows, or CAMBIUM_SPACE_EXAMPLE.
  std::vector<int32_t> outerSpaces;
  std::vector<cambium_tree_info_t> trees;
  std::vector<cambium_tensor_info_t> inputs;
  std::vector<cambium_tensor_info_t> outputs;
  std::vector<const char *> scalars;
};

namespace cambium::runtime {

/// What panels hold: values, or words of 32 bits as abi.h describes them.
enum class PanelFormat { Values, BF16, Int8 };

/// The columns of a parameter's panels (0: it has none), what they hold, and
/// whether functions read nothing else of it.
struct PanelShape {
  int64_t columns;
  PanelFormat format;
  bool areAlone;
};

/// Memory that calls keep rows in, and the bytes at its beginning that say
/// which there are.
struct KeptShape {
  int64_t bytes, marks;
};

/// What a manifest says. Owns all texts and shapes that the infos point to.
struct Manifest {
  std::vector<cambium_parameter_info_t> parameters;
  /// What each parameter's optimizer state looks like.
  std::vector<StateShape> states;
  /// The panels of each parameter.
  std::vector<PanelShape> panels;
  KeptShape kept = {0, 0};
  std::vector<cambium_entry> entries;
  /// Names of the training steps, in order of appearance.
  std::vector<const char *> steps;

  const char *intern(const char *text, size_t size) {
    texts.emplace_front(text, size);
    return texts.front().c_str();
  }
  const int64_t *keep(std::vector<int64_t> shape) {
    shapes.push_front(std::move(shape));
    return shapes.front().data();
  }

private:
  std::forward_list<std::string> texts;
  std::forward_list<std::vector<int64_t>> shapes;
};

/// Reads the JSON text of a manifest. Any text is answered with a manifest that
/// can be relied on or with an error.
cambium_status_t parseManifest(const char *text, Manifest &manifest);

/// Checks that this machine has all features of a comma-separated list.
cambium_status_t checkCpuFeatures(const char *features, const char *cpu,
                                  const char *moduleName);

} // namespace cambium::runtime

struct cambium_module {
  std::atomic<int64_t> references{1};
  /// The path or "static module", for messages.
  std::string name;
  /// Of a shared object.
  cambium::runtime::ModuleFile file;
  const cambium_abi_module_t *abi = nullptr;
  /// Null: there is no code for devices, or of another version.
  const cambium_abi_device_module_t *device = nullptr;
  cambium::runtime::Manifest manifest;
};

namespace cambium::runtime {

/// Stores, batches and calls hold references to their module.
void retain(const cambium_module *module);
void release(const cambium_module *module);

/// The index of a step by name (null: the only one); -1 after an error.
int64_t findStep(const cambium_module &module, const char *name);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_MODULE_H
