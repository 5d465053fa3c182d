//===-- runtime/emulator/Counters.cpp - What kernels did ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Counters.h"

#include "Module.h"

#include <algorithm>

using namespace cambium::emulator;

namespace {

using Member = int64_t cambium_emulator_counters_t::*;
using C = cambium_emulator_counters_t;

/// By `Kind`.
constexpr Member kKinds[] = {&C::integer, &C::floating,  &C::fused_multiply_add,
                             &C::special, &C::convert,   &C::move,
                             &C::compare, &C::global,    &C::shared,
                             &C::local,   &C::parameter, &C::atomic,
                             &C::fence,   &C::warp,      &C::matrix,
                             &C::control, &C::barrier};
static_assert(sizeof kKinds / sizeof *kKinds ==
                  static_cast<size_t>(Kind::NumKinds),
              "expected a counter for each kind");

struct Name {
  const char *name;
  Member member;
};
#define CAMBIUM_COUNTER(NAME) {#NAME, &C::NAME}
constexpr Name kNames[] = {
    CAMBIUM_COUNTER(launches),
    CAMBIUM_COUNTER(instructions),
    CAMBIUM_COUNTER(lane_operations),
    CAMBIUM_COUNTER(integer),
    CAMBIUM_COUNTER(floating),
    CAMBIUM_COUNTER(fused_multiply_add),
    CAMBIUM_COUNTER(special),
    CAMBIUM_COUNTER(convert),
    CAMBIUM_COUNTER(move),
    CAMBIUM_COUNTER(compare),
    CAMBIUM_COUNTER(global),
    CAMBIUM_COUNTER(shared),
    CAMBIUM_COUNTER(local),
    CAMBIUM_COUNTER(parameter),
    CAMBIUM_COUNTER(atomic),
    CAMBIUM_COUNTER(fence),
    CAMBIUM_COUNTER(warp),
    CAMBIUM_COUNTER(matrix),
    CAMBIUM_COUNTER(control),
    CAMBIUM_COUNTER(barrier),
    CAMBIUM_COUNTER(block_barriers),
    CAMBIUM_COUNTER(grid_barriers),
    CAMBIUM_COUNTER(global_load_requests),
    CAMBIUM_COUNTER(global_load_bytes),
    CAMBIUM_COUNTER(global_load_sectors),
    CAMBIUM_COUNTER(global_store_requests),
    CAMBIUM_COUNTER(global_store_bytes),
    CAMBIUM_COUNTER(global_store_sectors),
    CAMBIUM_COUNTER(shared_requests),
    CAMBIUM_COUNTER(bank_conflicts),
    CAMBIUM_COUNTER(driver_calls),
    CAMBIUM_COUNTER(uploads),
    CAMBIUM_COUNTER(uploaded_bytes),
    CAMBIUM_COUNTER(downloads),
    CAMBIUM_COUNTER(downloaded_bytes),
    CAMBIUM_COUNTER(synchronizations),
    CAMBIUM_COUNTER(allocations),
};

} // namespace

void Counters::collect(Module &module) {
  for (const auto &function : module.functions)
    for (size_t i = 0; i < function->code.size(); ++i) {
      Executions &executions = function->executions[i];
      auto warps = static_cast<int64_t>(executions.warps);
      auto kind = static_cast<size_t>(function->code[i].kind);
      instructions += warps;
      lane_operations += static_cast<int64_t>(executions.lanes);
      this->*kKinds[kind] += warps;
      function->totals[i] += executions.warps;
      executions = Executions();
    }
}

Counters Counters::since(const Counters &before) const {
  Counters result;
  for (const Name &name : kNames)
    result.*name.member = this->*name.member - before.*name.member;
  return result;
}

std::string Counters::text() const {
  std::string text;
  for (const Name &name : kNames)
    text += std::string(name.name) + " " + std::to_string(this->*name.member) +
            "\n";
  return text;
}

cambium_emulator_loop_t cambium::emulator::measureLoop(const Function &function,
                                                       const Loop &loop) {
  cambium_emulator_loop_t result{0, 0, INT32_MAX, 0};
  for (uint32_t i = loop.begin; i < loop.end; ++i) {
    const Instruction &instruction = function.code[i];
    auto warps = static_cast<int64_t>(function.totals[i]);
    auto line = static_cast<int32_t>(instruction.line);
    result.instructions += warps;
    if (instruction.kind == Kind::FusedMultiplyAdd ||
        instruction.kind == Kind::Matrix)
      result.products += warps;
    result.first_line = std::min(result.first_line, line);
    result.last_line = std::max(result.last_line, line);
  }
  return result;
}
