//===-- CallBudget.cpp - How large calls make a model --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/CallBudget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace cambium;

/// Ops of a function with all that it calls. Such a model takes minutes.
static constexpr uint64_t kMaxOps = 250'000;

namespace {
/// What is known of a function.
struct Inlined {
  SmallVector<func::CallOp> calls;
  /// Its own ops, then with those of what it calls.
  uint64_t ops = 0;
};

class CallBudget {
public:
  explicit CallBudget(ModuleOp module) : symbols(module) {
    for (auto function : module.getOps<func::FuncOp>()) {
      Inlined &entry = functions[function];
      function.walk([&](Operation *op) {
        ++entry.ops;
        if (auto call = dyn_cast<func::CallOp>(op))
          entry.calls.push_back(call);
      });
    }
  }

  LogicalResult verify() {
    for (auto &[function, entry] : functions)
      if (cast<func::FuncOp>(function).isPublic() && failed(visit(function)))
        return failure();
    return success();
  }

private:
  Operation *calleeOf(func::CallOp call) {
    Operation *callee = symbols.lookup(call.getCallee());
    return functions.contains(callee) ? callee : nullptr;
  }

  /// Counts what is called first; without recursion of ours, since a chain of
  /// calls may be long.
  LogicalResult visit(Operation *root) {
    SmallVector<std::pair<Operation *, size_t>> path{{root, 0}};
    while (!path.empty()) {
      auto &[function, next] = path.back();
      Inlined &entry = functions[function];
      if (done.contains(function) || next == entry.calls.size()) {
        if (done.insert(function).second && failed(add(function)))
          return failure();
        path.pop_back();
        continue;
      }
      func::CallOp call = entry.calls[next++];
      Operation *callee = calleeOf(call);
      if (!callee || done.contains(callee))
        continue;
      if (llvm::any_of(path, [&](auto &each) { return each.first == callee; }))
        return recursive(call);
      path.push_back({callee, 0});
    }
    return success();
  }

  LogicalResult add(Operation *function) {
    Inlined &entry = functions[function];
    for (func::CallOp call : entry.calls)
      if (Operation *callee = calleeOf(call))
        entry.ops += functions[callee].ops;
    if (entry.ops <= kMaxOps)
      return success();
    InFlightDiagnostic diag =
        emitError(function->getLoc())
        << "expected function '" << cast<func::FuncOp>(function).getSymName()
        << "' to have at most " << kMaxOps
        << " ops with all that it calls, but got " << entry.ops;
    // The end of a long chain says no more.
    constexpr int maxNotes = 20;
    for (int i = 0; i < maxNotes && function; ++i)
      function = noteLargest(diag, function);
    return diag;
  }

  /// Notes the call that adds most, and gives what it calls.
  Operation *noteLargest(InFlightDiagnostic &diag, Operation *function) {
    ArrayRef<func::CallOp> calls = functions[function].calls;
    if (calls.empty())
      return nullptr;
    auto opsOf = [&](func::CallOp call) {
      Operation *callee = calleeOf(call);
      return callee ? functions[callee].ops : 0;
    };
    func::CallOp largest = calls.front();
    for (func::CallOp call : calls)
      if (opsOf(call) > opsOf(largest))
        largest = call;
    auto times = llvm::count_if(calls, [&](func::CallOp call) {
      return call.getCallee() == largest.getCallee();
    });
    diag.attachNote(largest.getLoc())
        << "'" << largest.getCallee() << "' with " << opsOf(largest)
        << " ops is called here" << (times > 1 ? ", one of " : "")
        << (times > 1 ? std::to_string(times) + " calls" : "");
    return calleeOf(largest);
  }

  static LogicalResult recursive(func::CallOp call) {
    return call.emitOpError()
           << "expected no recursion, but got a call of '" << call.getCallee()
           << "' within itself (recursion is 'tree.fold')";
  }

  SymbolTable symbols;
  llvm::MapVector<Operation *, Inlined> functions;
  DenseSet<Operation *> done;
};
} // namespace

LogicalResult cambium::verifyCallBudget(ModuleOp module) {
  return CallBudget(module).verify();
}
