//===-- runtime/core/Call.cpp - Running entries ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Clock.h"

using namespace cambium::runtime;

namespace {

/// Marks the session as busy for the length of a call.
class Occupied {
public:
  explicit Occupied(cambium_session &session)
      : session(session), isFirst(!session.busy.exchange(true)) {}
  Occupied(const Occupied &) = delete;
  Occupied &operator=(const Occupied &) = delete;
  ~Occupied() {
    if (isFirst)
      session.busy = false;
  }
  explicit operator bool() const { return isFirst; }

private:
  cambium_session &session;
  bool isFirst;
};

cambium_status_t checkArguments(const CallArguments &arguments) {
  const cambium_entry &entry = *arguments.entry;
  if (arguments.store->module != entry.module)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "entry '%s': the store belongs to another module ('%s')",
                entry.info.name, arguments.store->module->name.c_str());
  if (entry.info.kind != CAMBIUM_ENTRY_FUNCTION)
    CAMBIUM_TRY(arguments.store->expectAllValues("training"));
  if (arguments.numOutputs < 0 || arguments.numOutputs > entry.info.num_outputs)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "entry '%s' has %lld outputs, but got %lld buffers",
                entry.info.name, static_cast<long long>(entry.info.num_outputs),
                static_cast<long long>(arguments.numOutputs));
  if (!arguments.outputs && arguments.numOutputs > 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "entry '%s': argument 'outputs' is null", entry.info.name);
  const cambium_batch *batch = arguments.batch;
  if (!batch)
    return CAMBIUM_STATUS_OK;
  if (batch->state != cambium_batch::State::Finished)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "entry '%s': the batch is not finished: call "
                "cambium_batch_finish first",
                entry.info.name);
  if (!haveSameInputs(entry, *batch->entry))
    return fail(
        CAMBIUM_STATUS_INVALID_ARGUMENT,
        "entry '%s': the batch was made for entry '%s', which has other "
        "inputs",
        entry.info.name, batch->entry->info.name);
  return CAMBIUM_STATUS_OK;
}

/// The addresses of the outputs; what is not wanted goes to the workspace, or
/// is null where that of a device is used.
cambium_status_t placeOutputs(cambium_session &session,
                              const CallArguments &arguments, void **&out) {
  const cambium_entry &entry = *arguments.entry;
  std::string message;
  out = static_cast<void **>(session.arena.allocate(
      entry.info.num_outputs * static_cast<int64_t>(sizeof(void *)), message));
  for (int64_t i = 0; out && i < entry.info.num_outputs; ++i) {
    const cambium_tensor_info_t &info = entry.outputs[static_cast<size_t>(i)];
    int64_t bytes = numRowsOf(arguments.batch, info) * info.row_bytes;
    const cambium_buffer_t *buffer =
        i < arguments.numOutputs ? &arguments.outputs[i] : nullptr;
    if (buffer && buffer->data) {
      if (buffer->size < bytes)
        return fail(
            CAMBIUM_STATUS_INVALID_ARGUMENT,
            "entry '%s': output '%s' needs %lld bytes, but got a buffer "
            "of %lld",
            entry.info.name, info.name, static_cast<long long>(bytes),
            static_cast<long long>(buffer->size));
      out[i] = buffer->data;
    } else if (i == 0 && arguments.loss) {
      out[i] = arguments.loss;
    } else if (session.device) {
      out[i] = nullptr;
    } else if (!(out[i] = session.arena.allocate(bytes, message))) {
      break;
    }
  }
  if (!message.empty())
    return fail(CAMBIUM_STATUS_OUT_OF_MEMORY, "entry '%s': %s", entry.info.name,
                message.c_str());
  return CAMBIUM_STATUS_OK;
}

/// On one thread or on all, whichever takes less time.
int32_t runUpdate(cambium_session &session, const cambium_entry &entry,
                  cambium_abi_call_t &call) {
  auto number = static_cast<uint64_t>(entry.accumulate);
  FasterWay &way = session.updates[number % std::size(session.updates)];
  session.isAlone = way.next() == 0;
  int64_t begin = nanoseconds();
  int32_t result = entry.fn(&call);
  way.took(nanoseconds() - begin);
  session.isAlone = false;
  return result;
}

cambium_status_t runHere(cambium_session &session,
                         const CallArguments &arguments,
                         cambium_abi_call_t &call) {
  CAMBIUM_TRY(arguments.store->copies.pull());
  // FUNCTION entries only read parameters.
  call.params =
      const_cast<cambium_abi_param_t *>(arguments.store->parameters.data());
  cambium_entry_kind_t kind = arguments.entry->info.kind;
  if (kind == CAMBIUM_ENTRY_FUNCTION)
    CAMBIUM_TRY(arguments.store->panels.update(session));
  else
    arguments.store->panels.hideOld();
  int32_t result = kind == CAMBIUM_ENTRY_APPLY && session.numThreads > 1
                       ? runUpdate(session, *arguments.entry, call)
                       : arguments.entry->fn(&call);
  if (kind != CAMBIUM_ENTRY_FUNCTION)
    arguments.store->copies.changed();
  if (kind == CAMBIUM_ENTRY_APPLY)
    arguments.store->panels.changed();
  if (result && !session.errorStatus)
    return fail(CAMBIUM_STATUS_FAILED, "entry '%s' failed with code %d",
                arguments.entry->info.name, result);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t invoke(cambium_session &session,
                        const CallArguments &arguments) {
  void **outputs = nullptr;
  CAMBIUM_TRY(placeOutputs(session, arguments, outputs));
  const cambium_batch *batch = arguments.batch;
  cambium_abi_call_t call = {};
  call.services = &kServices;
  call.host = &session;
  call.outputs = outputs;
  call.scalars = arguments.scalars;
  call.step = arguments.step;
  if (batch) {
    call.num_examples = batch->numExamples;
    call.spaces = batch->spaces.data();
    call.forests = batch->forests.data();
    call.inputs = batch->inputData.data();
    call.example_keys = batch->keys.data();
  }
  session.errorStatus = CAMBIUM_STATUS_OK;
  cambium_status_t status = session.device
                                ? runOnDevice(session, arguments, call)
                                : runHere(session, arguments, call);
  if (session.errorStatus)
    return fail(session.errorStatus, "entry '%s': %s",
                arguments.entry->info.name, session.errorText);
  return status;
}

} // namespace

cambium_status_t cambium::runtime::runEntry(cambium_session &session,
                                            const CallArguments &arguments) {
  Occupied occupied(session);
  if (!occupied)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "entry '%s': the session is in use by another call",
                arguments.entry->info.name);
  session.hasStages = false;
  CAMBIUM_TRY(checkArguments(arguments));
  retain(arguments.entry->module);
  cambium_status_t status =
      guarded("a call", [&] { return invoke(session, arguments); });
  session.arena.reset();
  release(arguments.entry->module);
  return status;
}

int64_t
cambium::runtime::numRowsOf(const cambium_batch *batch,
                            const cambium_tensor_info_t &info) noexcept {
  if (batch)
    return batch->numRows(info);
  return info.space == CAMBIUM_SPACE_CALL ? 1 : 0;
}

cambium_status_t cambium::runtime::checkKind(const cambium_entry &entry,
                                             cambium_entry_kind_t kind) {
  static const char *const functions[] = {
      "cambium_call", "cambium_step_accumulate", "cambium_step_apply"};
  if (entry.info.kind == kind)
    return CAMBIUM_STATUS_OK;
  return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
              "entry '%s' is called with %s, not with %s", entry.info.name,
              functions[entry.info.kind], functions[kind]);
}

cambium_status_t
cambium_call(cambium_session_t *session, const cambium_entry_t *entry,
             const cambium_store_t *store, const cambium_batch_t *batch,
             const cambium_buffer_t *outputs, int64_t num_outputs) {
  CAMBIUM_CHECK_ARGUMENT(session);
  CAMBIUM_CHECK_ARGUMENT(entry);
  CAMBIUM_CHECK_ARGUMENT(store);
  CAMBIUM_CHECK_ARGUMENT(batch);
  CAMBIUM_TRY(checkKind(*entry, CAMBIUM_ENTRY_FUNCTION));
  CallArguments arguments;
  arguments.entry = entry;
  arguments.store = store;
  arguments.batch = batch;
  arguments.outputs = outputs;
  arguments.numOutputs = num_outputs;
  return runEntry(*session, arguments);
}
