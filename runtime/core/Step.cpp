//===-- runtime/core/Step.cpp - Training steps ----------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <cfloat>
#include <cmath>

using namespace cambium::runtime;

/// The loss in the first output, whose type is f32 or f64.
static double readLoss(const cambium_entry &entry, const void *loss) {
  if (entry.outputs[0].type == CAMBIUM_TYPE_F64) {
    double value;
    std::memcpy(&value, loss, sizeof(value));
    return value;
  }
  float value;
  std::memcpy(&value, loss, sizeof(value));
  return static_cast<double>(value);
}

cambium_status_t cambium_step_accumulate(
    cambium_session_t *session, const cambium_entry_t *entry,
    cambium_store_t *store, const cambium_batch_t *batch,
    const cambium_buffer_t *outputs, int64_t num_outputs, double *out_loss) {
  CAMBIUM_CHECK_ARGUMENT(session);
  CAMBIUM_CHECK_ARGUMENT(entry);
  CAMBIUM_CHECK_ARGUMENT(store);
  CAMBIUM_CHECK_ARGUMENT(batch);
  CAMBIUM_TRY(checkKind(*entry, CAMBIUM_ENTRY_ACCUMULATE));
  CAMBIUM_TRY(store->allocateTraining());
  alignas(kAlignment) double loss = 0;
  CallArguments arguments;
  arguments.entry = entry;
  arguments.store = store;
  arguments.batch = batch;
  arguments.outputs = outputs;
  arguments.numOutputs = num_outputs;
  arguments.loss = &loss;
  CAMBIUM_TRY(runEntry(*session, arguments));
  ++store->pendingCalls;
  bool callerHasIt = num_outputs > 0 && outputs[0].data;
  double value = readLoss(*entry, callerHasIt ? outputs[0].data : &loss);
  if (out_loss)
    *out_loss = value;
  if (session->options.check_loss && !std::isfinite(value))
    return fail(CAMBIUM_STATUS_NOT_FINITE,
                "entry '%s': expected a finite loss, but got %g (step %lld)",
                entry->info.name, value,
                static_cast<long long>(
                    cambium_store_step_count(store, entry->info.step)));
  return CAMBIUM_STATUS_OK;
}

/// The rate for a group: the one that names it, else the one without a name.
static const cambium_learning_rate_t *
findRate(const cambium_learning_rate_t *rates, int64_t numRates,
         const char *group) {
  const cambium_learning_rate_t *found = nullptr;
  for (int64_t i = 0; i < numRates; ++i) {
    if (rates[i].group && std::strcmp(rates[i].group, group) == 0)
      return &rates[i];
    if (!rates[i].group)
      found = &rates[i];
  }
  return found;
}

/// Every rate that names a group names one of this step.
static cambium_status_t checkRates(const cambium_entry &entry,
                                   const cambium_learning_rate_t *rates,
                                   int64_t numRates) {
  if (!rates && numRates > 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "entry '%s': argument 'rates' is null", entry.info.name);
  for (int64_t i = 0; i < numRates; ++i) {
    // Parameters of f32 could not take a step of a larger one.
    if (!(std::fabs(rates[i].value) <= FLT_MAX))
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "entry '%s': expected a learning rate of at most %g%s%s%s, "
                  "but got %g",
                  entry.info.name, static_cast<double>(FLT_MAX),
                  rates[i].group ? " for group '" : "",
                  rates[i].group ? rates[i].group : "",
                  rates[i].group ? "'" : "", rates[i].value);
    bool known = !rates[i].group;
    for (const char *scalar : entry.scalars)
      known |= std::strncmp(scalar, "lr.", 3) == 0 && rates[i].group &&
               std::strcmp(scalar + 3, rates[i].group) == 0;
    if (!known)
      return fail(CAMBIUM_STATUS_NOT_FOUND,
                  "step '%s' has no parameter group '%s'", entry.info.step,
                  rates[i].group);
  }
  return CAMBIUM_STATUS_OK;
}

static cambium_status_t makeScalars(const cambium_entry &entry,
                                    const cambium_learning_rate_t *rates,
                                    int64_t numRates, double gradientScale,
                                    std::vector<double> &scalars) {
  CAMBIUM_TRY(checkRates(entry, rates, numRates));
  for (const char *name : entry.scalars) {
    if (std::strcmp(name, "gradient_scale") == 0) {
      if (!(std::fabs(gradientScale) <= FLT_MAX))
        return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                    "step '%s': expected a gradient scale of at most %g, but "
                    "got %g",
                    entry.info.step, static_cast<double>(FLT_MAX),
                    gradientScale);
      scalars.push_back(gradientScale);
      continue;
    }
    const cambium_learning_rate_t *rate = findRate(rates, numRates, name + 3);
    if (!rate)
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "step '%s': expected a learning rate for group '%s'",
                  entry.info.step, name + 3);
    scalars.push_back(rate->value);
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_step_apply(cambium_session_t *session,
                                    const cambium_entry_t *entry,
                                    cambium_store_t *store,
                                    const cambium_learning_rate_t *rates,
                                    int64_t num_rates, double gradient_scale) {
  CAMBIUM_CHECK_ARGUMENT(session);
  CAMBIUM_CHECK_ARGUMENT(entry);
  CAMBIUM_CHECK_ARGUMENT(store);
  CAMBIUM_TRY(checkKind(*entry, CAMBIUM_ENTRY_APPLY));
  if (store->module == entry->module && store->pendingCalls == 0)
    return fail(CAMBIUM_STATUS_WRONG_STATE,
                "step '%s': no gradient was accumulated since the last update",
                entry->info.step);
  std::vector<double> scalars;
  CAMBIUM_TRY(guarded("learning rates", [&] {
    scalars.reserve(entry->scalars.size());
    return makeScalars(*entry, rates, num_rates, gradient_scale, scalars);
  }));
  CallArguments arguments;
  arguments.entry = entry;
  arguments.store = store;
  arguments.scalars = scalars.data();
  arguments.step = cambium_store_step_count(store, entry->info.step);
  if (arguments.step == INT64_MAX)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "step '%s': expected a step count that can grow, but got %lld",
                entry->info.step, static_cast<long long>(arguments.step));
  CAMBIUM_TRY(runEntry(*session, arguments));
  store->pendingCalls = 0;
  ++store->stepCounts[static_cast<size_t>(
      findStep(*store->module, entry->info.step))];
  return CAMBIUM_STATUS_OK;
}

cambium_status_t cambium_step(cambium_session_t *session,
                              cambium_store_t *store,
                              const cambium_batch_t *batch,
                              const cambium_learning_rate_t *rates,
                              int64_t num_rates, double *out_loss) {
  CAMBIUM_CHECK_ARGUMENT(store);
  CAMBIUM_CHECK_ARGUMENT(batch);
  const cambium_entry *accumulate = batch->entry, *apply = nullptr;
  CAMBIUM_TRY(checkKind(*accumulate, CAMBIUM_ENTRY_ACCUMULATE));
  CAMBIUM_TRY(cambium_module_find_step(accumulate->module,
                                       accumulate->info.step, nullptr, &apply));
  // Rates are checked first, so that a wrong one costs no work.
  CAMBIUM_TRY(guarded("learning rates", [&] {
    std::vector<double> scalars;
    return makeScalars(*apply, rates, num_rates, 1, scalars);
  }));
  cambium_status_t status = cambium_step_accumulate(
      session, accumulate, store, batch, nullptr, 0, out_loss);
  if (status) {
    store->clearGradients();
    return status;
  }
  status = cambium_step_apply(session, apply, store, rates, num_rates, 1);
  if (status)
    store->clearGradients();
  return status;
}
