//===-- runtime/core/Session.cpp - Workspace and threads of calls ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Session.h"
#include "Processors.h"

#include <algorithm>
#include <cstdio>
#include <new>

using namespace cambium::runtime;

void cambium_session::recordError(cambium_status_t status,
                                  const char *message) noexcept {
  std::lock_guard<std::mutex> lock(errorMutex);
  if (errorStatus)
    return;
  errorStatus = status ? status : CAMBIUM_STATUS_FAILED;
  std::snprintf(errorText, sizeof(errorText), "%s",
                message ? message : "no reason given");
}

static cambium_status_t startThreads(cambium_session &session) {
  const cambium_session_options_t &options = session.options;
  if (options.num_threads < 0 || options.num_threads > 4096)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "expected 0 to 4096 threads, but got %d", options.num_threads);
  if (options.memory_limit < 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "expected a memory limit of 0 or more, but got %lld",
                static_cast<long long>(options.memory_limit));
  session.arena.setLimit(options.memory_limit);
  if (options.parallel_for) {
    session.numThreads = 0;
    return CAMBIUM_STATUS_OK;
  }
  // A thread that has to wait for the processor of another one only delays it.
  int32_t wanted = options.num_threads == 1 ? 1 : numProcessors();
  if (options.num_threads > 0)
    wanted = std::min(wanted, options.num_threads);
  if (wanted == 1)
    return CAMBIUM_STATUS_OK;
  if (!session.pool.start(wanted))
    return fail(CAMBIUM_STATUS_OUT_OF_MEMORY, "cannot start %d threads",
                wanted);
  session.numThreads = wanted;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t
cambium_session_create(const cambium_session_options_t *options,
                       cambium_session_t **out_session) {
  CAMBIUM_CHECK_ARGUMENT(out_session);
  *out_session = nullptr;
  auto *session = new (std::nothrow) cambium_session();
  if (!session)
    return failOutOfMemory("a session");
  if (options)
    session->options = *options;
  if (cambium_status_t status = startThreads(*session)) {
    delete session;
    return status;
  }
  *out_session = session;
  return CAMBIUM_STATUS_OK;
}

cambium_session::~cambium_session() {
  if (!device)
    return;
  device->backend->end(onDevice);
  release(*device);
}

void cambium_session_destroy(cambium_session_t *session) { delete session; }

int32_t cambium_session_num_threads(const cambium_session_t *session) {
  if (!session)
    return 0;
  return session->numThreads;
}

int64_t cambium_session_memory_held(const cambium_session_t *session) {
  if (!session)
    return 0;
  if (session->device)
    return session->device->backend->held(session->onDevice);
  return session->arena.bytesHeld();
}

int64_t cambium_session_memory_peak(const cambium_session_t *session) {
  if (!session)
    return 0;
  if (session->device)
    return session->device->backend->peak(session->onDevice);
  return session->arena.peakBytes();
}

void cambium_session_trim(cambium_session_t *session) {
  if (!session)
    return;
  session->arena.trim();
  if (session->device)
    session->device->backend->trim(session->onDevice);
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

namespace {

/// Whether this thread runs a task of a loop: loops inside run in place.
thread_local bool insideTask = false;

struct Loop {
  cambium_task_fn fn;
  void *task;
};

void runPiece(void *loop, int64_t begin, int64_t end) {
  bool outer = insideTask;
  insideTask = true;
  static_cast<Loop *>(loop)->fn(static_cast<Loop *>(loop)->task, begin, end);
  insideTask = outer;
}

} // namespace

void cambium::runtime::parallelFor(cambium_session &session, cambium_task_fn fn,
                                   void *task, int64_t count, int64_t grain) {
  if (count <= 0)
    return;
  grain = std::max<int64_t>(grain, 1);
  bool hasHelp = session.numThreads != 1;
  if (insideTask || !hasHelp || count <= grain) {
    fn(task, 0, count);
    return;
  }
  Loop loop = {fn, task};
  if (session.options.parallel_for) {
    session.options.parallel_for(session.options.parallel_for_user, runPiece,
                                 &loop, count, grain);
    return;
  }
  if (session.isAlone) {
    fn(task, 0, count);
    return;
  }
  session.pool.run(runPiece, &loop, count, grain);
}
