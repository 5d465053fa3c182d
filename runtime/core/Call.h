//===-- runtime/core/Call.h - Running entries -------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_CALL_H
#define CAMBIUM_RUNTIME_CORE_CALL_H

#include "Batch.h"
#include "Session.h"
#include "Store.h"

namespace cambium::runtime {

/// What one call of an entry consists of.
struct CallArguments {
  const cambium_entry *entry = nullptr;
  const cambium_store *store = nullptr;
  const cambium_batch *batch = nullptr; // null for APPLY
  const cambium_buffer_t *outputs = nullptr;
  int64_t numOutputs = 0;
  const double *scalars = nullptr;
  int64_t step = 0;
  /// ACCUMULATE: takes the first output, whether the caller wants it or not.
  void *loss = nullptr;
};

/// The rows of an input or output of a call; the batch is null for APPLY.
int64_t numRowsOf(const cambium_batch *batch,
                  const cambium_tensor_info_t &info) noexcept;

/// Checks that the arguments belong together, runs the entry, returns its
/// error.
cambium_status_t runEntry(cambium_session &session,
                          const CallArguments &arguments);

/// Whether the entry is of that kind; else an error.
cambium_status_t checkKind(const cambium_entry &entry,
                           cambium_entry_kind_t kind);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_CALL_H
