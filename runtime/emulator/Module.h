//===-- runtime/emulator/Module.h - PTX text that was read ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_MODULE_H
#define CAMBIUM_EMULATOR_MODULE_H

#include "Instruction.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace cambium::emulator {

/// Addresses tell their space by their upper bits: no such address is ever one
/// of the host, which faults on it. Within a space, addresses are offsets.
constexpr int kSpaceShift = 48;
constexpr uint64_t kOffsetMask = (uint64_t{1} << kSpaceShift) - 1;
enum Window : uint64_t {
  kGlobalWindow = 1,
  kSharedWindow = 2,
  kLocalWindow = 3,
  kParamWindow = 4,
  kCodeWindow = 5,
};

/// Shared memory begins here, so that null points to nothing.
constexpr uint32_t kSharedBegin = 1024;

/// Text that is not PTX, or not for this device.
class ParseError : public std::runtime_error {
public:
  enum class Reason { Text, Version, Target, Memory };
  ParseError(uint32_t line, const std::string &text,
             Reason reason = Reason::Text)
      : std::runtime_error("PTX line " + std::to_string(line) + ": " + text),
        reason(reason) {}
  Reason reason;
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  uint64_t align = 1, size = 0;
  /// An address in its space.
  uint64_t address = 0;
  /// Dynamic shared memory.
  bool dynamic = false;
  /// Of shared memory: the function that declares it, or -1.
  int owner = -1;
  std::vector<uint8_t> bytes;
};

struct Parameter {
  std::string name;
  uint32_t offset = 0, size = 0, align = 1;
};

/// A value that all lanes share; with a variable, its address is added.
struct Constant {
  uint64_t bits = 0;
  uint8_t width = 8;
  uint32_t offset = 0;
  int variable = -1;
};

struct CallSite {
  int callee = -1;
  /// Of a call through a pointer.
  Operand pointer;
  /// Places in the caller's parameter memory.
  std::vector<Parameter> arguments, results;
};

/// An innermost loop: places of instructions.
struct Loop {
  uint32_t begin = 0, end = 0;
};

/// How often an instruction was executed.
struct Executions {
  uint64_t warps = 0, lanes = 0;
};

struct Function {
  std::string name;
  bool isEntry = false, isDefined = false;
  uint32_t line = 0;
  std::vector<Parameter> parameters, results;
  /// Of a lane: parameters, results, and those of calls.
  uint32_t parameterBytes = 0;
  /// Of all lanes.
  uint32_t registerBytes = 0;
  /// Of a lane.
  uint32_t localBytes = 0;
  /// Registers that hold addresses of local variables: (register, offset).
  std::vector<std::pair<uint32_t, uint32_t>> localPointers;
  uint32_t staticShared = 0;
  uint32_t maxThreads = 0;
  std::vector<Instruction> code;
  std::vector<Operand> operands;
  std::vector<CallSite> calls;
  std::vector<std::vector<int32_t>> tables;
  std::vector<Constant> constants;
  uint32_t constantBytes = 0;
  std::unique_ptr<uint64_t[]> constantLanes;
  std::vector<Loop> loops;
  /// Of the launch at hand; warps of all launches.
  std::vector<Executions> executions;
  std::vector<uint64_t> totals;
};

struct Module {
  /// Lines of the text, for messages.
  std::vector<std::string> lines;
  int version = 0, target = 0;
  bool exactTarget = false;
  std::vector<std::unique_ptr<Function>> functions;
  std::unordered_map<std::string, int> functionsByName;
  std::vector<Variable> variables;
  std::unordered_map<std::string, int> variablesByName;
  /// Where dynamic shared memory begins.
  uint32_t dynamicBegin = kSharedBegin;

  std::string text(uint32_t line) const {
    return line && line <= lines.size() ? lines[line - 1] : std::string();
  }
};

/// What a module needs of its device.
class Placement {
public:
  virtual ~Placement() = default;
  /// An address for a global or constant variable; throws std::bad_alloc.
  virtual uint64_t place(const Variable &variable) = 0;
  /// Writes the initial bytes.
  virtual void initialize(const Variable &variable) = 0;
  int architecture = 90, driverVersion = 12080;
};

/// Reads `text`; throws ParseError.
std::unique_ptr<Module> parseModule(const std::string &text,
                                    Placement &placement);

/// Puts the blocks of a function in an order in which every block stands behind
/// those that lead to it, but for loops, which are contiguous: lanes that took
/// different ways meet when the first of them in this order goes first. Finds
/// the innermost loops.
void orderBlocks(Function &function);

} // namespace cambium::emulator
#endif
