//===-- dialects/NN/Transforms/InstantiateModules.cpp - Modules become functions
//---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Transforms/Instance.h"
#include "dialects/NN/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cambium::nn {
#define GEN_PASS_DEF_INSTANTIATEMODULES
#include "dialects/NN/Transforms/Passes.h.inc"
} // namespace cambium::nn

using namespace cambium;
using namespace cambium::nn;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A number for the place of another one: whole numbers are good for both
/// kinds. An initializer for that of an initializer.
static Attribute fitNumber(Attribute number, Attribute place) {
  if (isa<InitAttr>(number) && isa<InitAttr>(place))
    return number;
  auto typed = dyn_cast<TypedAttr>(number), goal = dyn_cast<TypedAttr>(place);
  if (typed && goal && typed.getType() == goal.getType())
    return number;
  auto whole = dyn_cast<IntegerAttr>(number);
  auto real = dyn_cast<FloatAttr>(place);
  if (!whole || !real)
    return {};
  return FloatAttr::get(real.getType(), static_cast<double>(whole.getInt()));
}

static StringRef kindOf(Attribute number) {
  if (isa<InitAttr>(number))
    return "an initializer";
  return isa<IntegerAttr>(number) ? "a whole number" : "a number";
}

LogicalResult nn::giveNumbers(Operation *op, Numbers &numbers) {
  if (numbers.empty())
    return success();
  llvm::SmallDenseSet<StringAttr> used;
  Operation *at = op;
  bool fits = true;
  auto give = [&](StringAttr name, Attribute place) -> Attribute {
    auto found = numbers.find(name);
    if (found == numbers.end())
      return place;
    used.insert(name);
    if (Attribute number = fitNumber(found->second, place))
      return number;
    if (fits)
      // [NN-GIVEN-C2]
      at->emitOpError() << "expected " << kindOf(place) << " for '"
                        << name.getValue() << "', but got " << found->second;
    fits = false;
    return place;
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](GivenAttr given) -> Attribute {
    return GivenAttr::get(given.getContext(), given.getName(),
                          give(given.getName(), given.getValue()));
  });
  op->walk([&](Operation *nested) {
    at = nested;
    if (auto constant = dyn_cast<nn::ConstantOp>(nested))
      constant.setValueAttr(cast<FloatAttr>(
          give(constant.getNameAttr(), constant.getValueAttr())));
    replacer.replaceElementsIn(nested);
  });
  numbers.remove_if(
      [&](const auto &entry) { return used.contains(entry.first); });
  return success(fits);
}

void nn::settleNumbers(Operation *op) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](GivenAttr given) -> Attribute { return given.getValue(); });
  op->walk([&](Operation *nested) {
    replacer.replaceElementsIn(nested);
    auto constant = dyn_cast<nn::ConstantOp>(nested);
    if (!constant)
      return;
    OpBuilder builder(constant);
    RankedTensorType type = constant.getType();
    llvm::APFloat value = constant.getValue();
    bool isInexact = false;
    value.convert(cast<FloatType>(type.getElementType()).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &isInexact);
    constant.replaceAllUsesWith(Value(arith::ConstantOp::create(
        builder, constant.getLoc(), DenseElementsAttr::get(type, value))));
    constant.erase();
  });
}

//===----------------------------------------------------------------------===//
// Sizes of files
//===----------------------------------------------------------------------===//

SmallVector<SizeAttr> FileSizes::of(Operation *function) const {
  auto own = function->getAttrOfType<ArrayAttr>(kSizesAttr);
  return own ? llvm::to_vector(own.getAsRange<SizeAttr>()) : root;
}

namespace {
struct InstantiateModules
    : nn::impl::InstantiateModulesBase<InstantiateModules> {
  using Base::Base;
  void runOnOperation() override;

private:
  FailureOr<Numbers> readNumbers();
  LogicalResult takeSizes(const Numbers &numbers, SizeValues &values,
                          llvm::SmallDenseSet<StringAttr> &used);
  LogicalResult setSizes(Numbers numbers);
  LogicalResult instantiate();
  /// The functions of the root that stay.
  SmallVector<FunctionOpInterface> findEntries();

  FileSizes files;
};
} // namespace

/// The option: `name=number`.
FailureOr<Numbers> InstantiateModules::readNumbers() {
  Numbers numbers;
  Builder builder(&getContext());
  for (StringRef text : sizes) {
    auto [name, value] = text.split('=');
    int64_t whole = 0;
    double number = 0;
    if (name.empty() ||
        (value.getAsInteger(10, whole) && value.getAsDouble(number)))
      // [NN-SIZES-C9]
      return emitError(UnknownLoc::get(&getContext()),
                       "--size: expected name=number, but got '")
             << text << "'";
    bool isWhole = !value.getAsInteger(10, whole);
    Attribute given = isWhole ? Attribute(builder.getI64IntegerAttr(whole))
                              : Attribute(builder.getF64FloatAttr(number));
    // [NN-SIZES-C12]
    if (!numbers.try_emplace(builder.getStringAttr(name), given).second)
      return emitError(UnknownLoc::get(&getContext()),
                       "--size: expected each name once, but got '")
             << text << "' beside another number";
  }
  return numbers;
}

/// The names of what can be given, for a message.
static std::string listNumbers(ModuleOp module, ArrayRef<SizeAttr> sizes) {
  llvm::SetVector<StringRef> names;
  for (SizeAttr size : sizes)
    if (size.getTerms().empty())
      names.insert(size.getName().getValue());
  AttrTypeWalker walker;
  walker.addWalk([&](GivenAttr given) {
    if (!isa<InitAttr>(given.getValue()))
      names.insert(given.getName().getValue());
  });
  module.walk([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    if (auto constant = dyn_cast<nn::ConstantOp>(op))
      names.insert(constant.getName());
  });
  return names.empty() ? "no size at all" : "one of " + llvm::join(names, ", ");
}

/// The given numbers that are sizes, which are positive too.
LogicalResult
InstantiateModules::takeSizes(const Numbers &numbers, SizeValues &values,
                              llvm::SmallDenseSet<StringAttr> &used) {
  for (SizeAttr size : files.root) {
    auto found = numbers.find(size.getName());
    if (found == numbers.end() || !size.getTerms().empty())
      continue;
    auto number = dyn_cast<IntegerAttr>(found->second);
    if (!number || number.getInt() < 1)
      // [NN-SIZES-C3]
      return emitError(UnknownLoc::get(&getContext()), "--size: expected '")
             << size.getName().getValue() << "' as a whole number from 1, but "
             << "got " << found->second;
    values[size.getName()] = number.getInt();
    used.insert(size.getName());
  }
  return success();
}

/// Puts the given numbers into the functions and parameters of the root.
LogicalResult InstantiateModules::setSizes(Numbers numbers) {
  ModuleOp module = getOperation();
  auto ops = llvm::to_vector(module.getOps<SizesOp>());
  for (SizesOp op : ops)
    llvm::append_range(files.root, op.getSizes().getAsRange<SizeAttr>());
  if (ops.size() > 1)
    // [NN-SIZES-C8]
    return ops[1].emitOpError("expected one 'nn.sizes' in a file, but got two");
  SizeValues values;
  llvm::SmallDenseSet<StringAttr> used;
  if (failed(takeSizes(numbers, values, used)))
    return failure();
  if (failed(completeSizes(files.root, values, [&] {
        return emitError(ops.empty() ? module.getLoc() : ops[0].getLoc());
      })))
    return failure();
  for (Operation &op : *module.getBody())
    if (!op.hasAttr(kSizesAttr) &&
        failed(replaceSizes(&op, files.root, values)))
      return failure();
  // All at once, since a number may stand in several functions.
  if (failed(giveNumbers(module, numbers)))
    return failure();
  numbers.remove_if(
      [&](const auto &entry) { return used.contains(entry.first); });
  if (!numbers.empty())
    // [NN-SIZES-C10]
    return emitError(UnknownLoc::get(&getContext()), "--size: expected ")
           << listNumbers(module, files.root) << " to be given, but got '"
           << numbers.front().first.getValue() << "'";
  for (SizeAttr &size : files.root)
    size = SizeAttr::get(&getContext(), size.getName(),
                         values.lookup(size.getName()), size.getTerms());
  for (SizesOp op : ops)
    op.erase();
  return success();
}

SmallVector<FunctionOpInterface> InstantiateModules::findEntries() {
  ModuleOp module = getOperation();
  llvm::DenseSet<StringAttr> named;
  module.walk([&](Operation *op) {
    if (isa<CallOp>(op))
      return;
    for (NamedAttribute attribute : op->getAttrs())
      attribute.getValue().walk([&](SymbolRefAttr symbol) {
        named.insert(symbol.getRootReference());
      });
  });
  SmallVector<FunctionOpInterface> entries;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function->hasAttr(kSizesAttr) || function.isExternal())
      continue;
    if (function.isPublic() || named.contains(function.getNameAttr()))
      entries.push_back(function);
  }
  return entries;
}

LogicalResult InstantiateModules::instantiate() {
  Instantiator instances(getOperation(), files);
  SmallVector<FunctionOpInterface> entries = findEntries();
  // Functions are called as they are written: all are expanded before one is
  // replaced.
  SmallVector<OwningOpRef<Operation *>> copies;
  for (FunctionOpInterface entry : entries) {
    FailureOr<OwningOpRef<Operation *>> copy = instances.expand(entry);
    if (failed(copy))
      return failure();
    copies.push_back(std::move(*copy));
  }
  for (auto function :
       llvm::make_early_inc_range(getOperation().getOps<FunctionOpInterface>()))
    if (!function.isExternal() && !llvm::is_contained(entries, function))
      function.erase();
  for (auto [entry, copy] : llvm::zip_equal(entries, copies))
    entry.getFunctionBody().takeBody(
        cast<FunctionOpInterface>(*copy).getFunctionBody());
  return success();
}

/// Erases the functions of other files that no function of this one calls, by
/// whatever way: what is given must not seem to be used by one of them.
static void dropUncalled(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> called;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function->hasAttr(kSizesAttr))
      called.insert(function);
  for (size_t i = 0; i < called.size(); ++i)
    called[i]->walk([&](CallOp call) {
      if (Operation *callee = symbols.lookup(call.getCallee()))
        called.insert(callee);
    });
  for (auto function :
       llvm::make_early_inc_range(module.getOps<FunctionOpInterface>()))
    if (!called.contains(function))
      function.erase();
}

void InstantiateModules::runOnOperation() {
  files.root.clear();
  dropUncalled(getOperation());
  FailureOr<Numbers> numbers = readNumbers();
  if (failed(numbers) || failed(setSizes(*numbers)) || failed(instantiate()))
    return signalPassFailure();
  settleNumbers(getOperation());
}
