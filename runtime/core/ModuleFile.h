//===-- runtime/core/ModuleFile.h - Shared objects of modules ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_MODULEFILE_H
#define CAMBIUM_RUNTIME_CORE_MODULEFILE_H

#include "Support.h"
#include "cambium/abi.h"
#include "cambium/device_abi.h"

namespace cambium::runtime {

/// A sealed copy of a module's file in memory, and the library loaded from it.
/// What was checked is what is loaded, whatever happens to the file.
class ModuleFile {
public:
  ModuleFile() = default;
  ModuleFile(const ModuleFile &) = delete;
  ModuleFile &operator=(const ModuleFile &) = delete;
  /// Unloads the library.
  ~ModuleFile();

  /// Reads the file, verifies its checksum and what it holds, and only then
  /// hands it to the dynamic loader.
  cambium_status_t load(const char *path, cambium_abi_query_fn &out_query,
                        cambium_abi_device_query_fn &out_device);

private:
  cambium_status_t copy(const char *path);
  cambium_status_t check(const char *path, bool &outHasDevice) const;

  /// Open as long as the library is loaded: the loader knows the library by the
  /// name of this descriptor.
  int memory = -1;
  int64_t numBytes = 0;
  void *library = nullptr;
};

/// Checks that the bytes are a shared object for this machine which the dynamic
/// loader can load without running code of it: inside its bounds, without
/// constructors, dependencies, thread-local variables or text relocations, and
/// with the query functions as the only symbols that it shows; that of devices,
/// which it need not have, sets `outHasDevice`. `where` names
/// it: "module 'path'".
cambium_status_t checkElf(const char *bytes, int64_t size, const char *where,
                          bool &outHasDevice);

/// Verifies the checksum at the end of a module's file.
cambium_status_t checkTrailer(const char *bytes, int64_t size,
                              const char *where);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_MODULEFILE_H
