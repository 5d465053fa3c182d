//===-- runtime/core/Session.h - Workspace and threads of calls ----*- C++ -*-//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_SESSION_H
#define CAMBIUM_RUNTIME_CORE_SESSION_H

#include "Arena.h"
#include "Device.h"
#include "FasterWay.h"
#include "Forest.h"
#include "ThreadPool.h"

#include <atomic>
#include <mutex>
#include <string>

struct cambium_session {
  cambium_session() = default;
  cambium_session(const cambium_session &) = delete;
  cambium_session &operator=(const cambium_session &) = delete;
  ~cambium_session();

  cambium_session_options_t options = {};
  cambium::runtime::Arena arena;
  /// The default pool; without workers when loops run on the calling thread or
  /// by the host.
  cambium::runtime::ThreadPool pool;
  /// Updates move memory, which threads do not always make faster: gradients
  /// may lie in the cache of another processor. The work is the same each time.
  /// Of some entries, by their number: 0 on the calling thread, 1 on all.
  cambium::runtime::FasterWay updates[8];
  /// Loops of the call run on the calling thread.
  bool isAlone = false;
  /// 0: those of the host.
  int32_t numThreads = 1;
  /// Set while a call runs, to find forbidden concurrent use.
  std::atomic<bool> busy{false};
  /// Scratch of the from_parents service.
  cambium::runtime::TreeList parentTrees;
  /// Where entries run; null: here.
  cambium_device *device = nullptr;
  cambium::runtime::BackendSession *onDevice = nullptr;
  /// Whether the last call succeeded there: only then it has stages.
  bool hasStages = false;

  // The first error of the call.
  std::mutex errorMutex;
  cambium_status_t errorStatus = CAMBIUM_STATUS_OK;
  char errorText[1024] = "";

  /// Records an error unless there is one already.
  void recordError(cambium_status_t status, const char *message) noexcept;
};

namespace cambium::runtime {

/// The functions that compiled code may call. `host` of the call is the
/// session.
extern const cambium_abi_services_t kServices;

/// Runs fn over [0, count) with the threads of the session.
void parallelFor(cambium_session &session, cambium_task_fn fn, void *task,
                 int64_t count, int64_t grain);

/// Runs `body` with a session of so many threads.
template <typename Body>
cambium_status_t withThreads(int32_t count, Body &&body) {
  cambium_session_options_t options = {};
  options.num_threads = count;
  cambium_session *session = nullptr;
  CAMBIUM_TRY(cambium_session_create(&options, &session));
  cambium_status_t status = body(*session);
  cambium_session_destroy(session);
  return status;
}

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_SESSION_H
