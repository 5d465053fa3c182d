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

/// All that is given to what is called; the innermost call decides.
Numbers Instantiator::findNumbers() const {
  Numbers numbers;
  for (const Given &call : given)
    for (const auto &[name, number] : call.numbers)
      numbers[name] = number;
  return numbers;
}

void Instantiator::markUsed(StringAttr name) {
  for (Given &call : llvm::reverse(given))
    if (call.numbers.count(name)) {
      call.used.insert(name);
      return;
    }
}

/// Gives a size of the callee the number that is given for it, if there is one.
LogicalResult Instantiator::giveSize(CallOp call, SizeAttr size,
                                     SizeValues &values) {
  Numbers numbers = findNumbers();
  auto found = numbers.find(size.getName());
  if (found == numbers.end())
    return success();
  auto number = dyn_cast<IntegerAttr>(found->second);
  if (!number)
    // [NN-CALL-C5]
    return call.emitOpError()
           << "expected a whole number for size '" << size.getName().getValue()
           << "', but got " << found->second;
  values[size.getName()] = number.getInt();
  markUsed(size.getName());
  return success();
}

/// The sizes of the callee: those that the call gives, those that follow from
/// types, then those that calls around give.
LogicalResult Instantiator::solveSizes(CallOp call, FunctionOpInterface callee,
                                       ArrayRef<SizeAttr> sizes,
                                       SizeValues &values) {
  for (SizeAttr size : sizes)
    if (given.back().numbers.count(size.getName()) &&
        failed(giveSize(call, size, values)))
      return failure();
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
  for (SizeAttr size : sizes)
    if (size.getTerms().empty() && !values.count(size.getName()) &&
        failed(giveSize(call, size, values)))
      return failure();
  return completeSizes(sizes, values, [&] { return call.emitOpError(); });
}

/// The optimizer's group that a call gives to the parameters below it.
static StringAttr readGroup(CallOp call) {
  auto with = call.getWith();
  return with ? with->getAs<StringAttr>("group") : StringAttr();
}

/// The numbers that a call gives.
static FailureOr<Numbers> readWith(CallOp call) {
  Numbers numbers;
  for (NamedAttribute entry :
       call.getWith().value_or(DictionaryAttr::get(call.getContext()))) {
    if (entry.getName() == "group" && isa<StringAttr>(entry.getValue()))
      continue;
    Attribute number = getNumber(entry.getValue());
    if (!isa<IntegerAttr, FloatAttr, InitAttr>(number))
      // [NN-CALL-C3]
      return call.emitOpError()
             << "expected numbers, initializers and a group behind 'with', "
                "but got "
             << entry.getValue();
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
  if (failed(solveSizes(call, callee, sizes, values)))
    return failure();
  Numbers numbers = findNumbers(), unused = numbers;
  OwningOpRef<Operation *> owner(callee->clone());
  auto copy = cast<FunctionOpInterface>(*owner);
  if (failed(replaceSizes(copy, sizes, values)) ||
      failed(giveNumbers(copy, unused)))
    return failure();
  for (const auto &[name, number] : numbers)
    if (!unused.count(name))
      markUsed(name);
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

/// What a call gives has a name in what is called.
LogicalResult Instantiator::checkUsed(CallOp call, const Given &numbers) {
  for (const auto &[name, number] : numbers.numbers)
    if (!numbers.used.contains(name))
      // [NN-CALL-C11]
      return call.emitOpError()
             << "expected the names of numbers of '@" << call.getCallee()
             << "' behind 'with', but got '" << name.getValue() << "'";
  return success();
}

/// What is called declares its parameters in the group of the call, if it has
/// one, and of an inner call before an outer one.
LogicalResult Instantiator::enterGroup(CallOp call, FunctionOpInterface callee,
                                       Scope &scope) {
  StringAttr group = readGroup(call);
  if (group && !declares(callee))
    // [NN-CALL-C12]
    return call.emitOpError()
           << "expected a function that declares parameters for the group "
           << group << ", but got '@" << callee.getName() << "'";
  if (group)
    scope.group = group;
  return success();
}

LogicalResult Instantiator::expandCall(CallOp call, Scope scope) {
  auto callee =
      symbols.lookup<FunctionOpInterface>(call.getCalleeAttr().getAttr());
  if (failed(checkCall(call, callee)))
    return failure();
  if (call.getScope() && !call.getScope()->empty())
    scope.path = (scope.path + *call.getScope() + ".").str();
  FailureOr<Numbers> numbers = readWith(call);
  if (failed(numbers) || failed(enterGroup(call, callee, scope)))
    return failure();
  given.push_back({*numbers, {}});
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
  if (failed(result) || failed(checkUsed(call, given.pop_back_val())))
    return failure();
  call->replaceAllUsesWith(end->getOperands());
  Block *block = call->getBlock();
  block->getOperations().splice(Block::iterator(call), body.getOperations(),
                                body.begin(), Block::iterator(end));
  call.erase();
  return success();
}
