//===-- dialects/NN/Transforms/InstanceCalls.cpp - Calls of modules ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Transforms/Instance.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

/// More ops than any model has: calls that double with each function.
static constexpr int64_t kMaxInstantiatedOps = int64_t{1} << 20;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What a call says of the sizes of its callee.
static LogicalResult solveSizes(CallOp call, FunctionOpInterface callee,
                                ArrayRef<SizeAttr> sizes, Numbers &numbers,
                                SizeValues &values) {
  for (SizeAttr size : sizes) {
    auto given = numbers.find(size.getName());
    if (given == numbers.end())
      continue;
    auto number = dyn_cast<IntegerAttr>(given->second);
    if (!number)
      // [NN-CALL-C5]
      return call.emitOpError()
             << "expected a whole number for size '"
             << size.getName().getValue() << "', but got " << given->second;
    values[size.getName()] = number.getInt();
    numbers.erase(given);
  }
  auto unifyAll = [&](StringRef what, TypeRange written,
                      TypeRange actual) -> LogicalResult {
    for (auto [i, from, to] : llvm::enumerate(written, actual)) {
      if (succeeded(unify(from, to, sizes, values)))
        continue;
      // [NN-CALL-C4]
      InFlightDiagnostic diag = call.emitOpError()
                                << "expected " << what << " " << i << " to fit "
                                << from << ", but got " << to;
      for (auto [name, value] : values)
        diag.attachNote() << "size '" << name.getValue() << "' is " << value
                          << " by what stands before";
      diag.attachNote(callee.getLoc())
          << "'@" << callee.getName() << "' stands here";
      return diag;
    }
    return success();
  };
  if (failed(unifyAll("operand", callee.getArgumentTypes(),
                      call.getOperandTypes())) ||
      failed(
          unifyAll("result", callee.getResultTypes(), call.getResultTypes())))
    return failure();
  return completeSizes(sizes, values, [&] { return call.emitOpError(); });
}

/// The numbers that a call gives.
static FailureOr<Numbers> readWith(CallOp call) {
  Numbers numbers;
  for (NamedAttribute entry :
       call.getWith().value_or(DictionaryAttr::get(call.getContext()))) {
    // An #nn.given passes on what the caller was given.
    auto number = dyn_cast<TypedAttr>(getNumber(entry.getValue()));
    if (!number || !isa<IntegerAttr, FloatAttr>(number))
      // [NN-CALL-C3]
      return call.emitOpError()
             << "expected numbers behind 'with', but got " << entry.getValue();
    numbers[entry.getName()] = number;
  }
  return numbers;
}

/// Sizes that the callee cannot have: after the errors of its ops.
static LogicalResult failSizes(CallOp call, const SizeValues &values) {
  // [NN-CALL-C6]
  InFlightDiagnostic diag = call.emitOpError()
                            << "expected sizes that '@" << call.getCallee()
                            << "' can have, but got ";
  llvm::interleaveComma(values, diag, [&](const auto &value) {
    diag << value.first.getValue() << " = " << value.second;
  });
  return diag;
}

/// A copy of the callee for the types and the numbers of a call.
FailureOr<OwningOpRef<Operation *>>
Instantiator::specialize(CallOp call, FunctionOpInterface callee) {
  SmallVector<SizeAttr> sizes = files.of(callee);
  SizeValues values;
  FailureOr<Numbers> numbers = readWith(call);
  if (failed(numbers) ||
      failed(solveSizes(call, callee, sizes, *numbers, values)))
    return failure();
  OwningOpRef<Operation *> owner(callee->clone());
  auto copy = cast<FunctionOpInterface>(*owner);
  if (failed(replaceSizes(copy, sizes, values)) ||
      failed(giveNumbers(copy, *numbers)))
    return failure();
  if (!numbers->empty())
    // [NN-CALL-C11]
    return call.emitOpError()
           << "expected the names of numbers of '@" << callee.getName()
           << "' behind 'with', but got '" << numbers->front().first.getValue()
           << "'";
  bool isChanged = llvm::any_of(sizes, [&](SizeAttr size) {
    return values.lookup(size.getName()) != size.getValue();
  });
  if (copy.getArgumentTypes() == call.getOperandTypes() &&
      copy.getResultTypes() == call.getResultTypes() &&
      (!isChanged || succeeded(verify(copy))))
    return owner;
  (void)failSizes(call, values);
  return failure();
}

LogicalResult Instantiator::checkCall(CallOp call, FunctionOpInterface callee) {
  if (!callee)
    // [NN-CALL-C1]
    return call.emitOpError() << "expected the name of a function, but got '"
                              << call.getCallee() << "'";
  if (callee.isExternal() || !callee.getFunctionBody().hasOneBlock())
    // [NN-CALL-C7]
    return call.emitOpError() << "expected a function of one block, but got '@"
                              << callee.getName() << "'";
  auto *active = llvm::find(calls, callee);
  if (active != calls.end()) {
    // [NN-CALL-C8]
    InFlightDiagnostic diag = call.emitOpError()
                              << "expected no recursion, but '@"
                              << callee.getName() << "' calls itself";
    diag.attachNote(callee.getLoc()) << "it stands here";
    return diag;
  }
  if (numOps <= kMaxInstantiatedOps)
    return success();
  // [NN-CALL-C9]
  return call.emitOpError()
         << "expected at most " << kMaxInstantiatedOps
         << " ops in the functions of a model when all calls are instantiated";
}

LogicalResult Instantiator::expandCall(CallOp call, Scope scope) {
  auto callee =
      symbols.lookup<FunctionOpInterface>(call.getCalleeAttr().getAttr());
  if (failed(checkCall(call, callee)))
    return failure();
  if (call.getScope() && !call.getScope()->empty())
    scope.path = (scope.path + *call.getScope() + ".").str();
  FailureOr<OwningOpRef<Operation *>> copy = specialize(call, callee);
  if (failed(copy))
    return failure();
  Block &body = cast<FunctionOpInterface>(**copy).getFunctionBody().front();
  body.walk([&](Operation *op) {
    op->setLoc(CallSiteLoc::get(op->getLoc(), call.getLoc()));
    ++numOps;
  });
  Operation *end = body.getTerminator();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), call.getOperands()))
    argument.replaceAllUsesWith(operand);
  calls.push_back(callee);
  LogicalResult result = expandBlock(body, scope);
  calls.pop_back();
  if (failed(result))
    return failure();
  call->replaceAllUsesWith(end->getOperands());
  Block *block = call->getBlock();
  block->getOperations().splice(Block::iterator(call), body.getOperations(),
                                body.begin(), Block::iterator(end));
  call.erase();
  return success();
}
