//===-- DescribeEntries.cpp - What the host has to know of kernels --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Kernels/Passes.h"
#include "cambium/abi.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cambium {
#define GEN_PASS_DEF_DESCRIBEENTRIES
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// A name for a kernel: letters, digits and underscores.
static std::string kernelName(StringRef entry) {
  std::string name = ("cambium_" + entry).str();
  for (char &letter : name)
    if (!llvm::isAlnum(letter))
      letter = '_';
  return name;
}

/// Which graph over a sequence the op makes, if it makes one.
static std::optional<cambium_abi_sequence_t> sequenceOf(Operation *op) {
  if (auto chain = dyn_cast<rt::ChainOp>(op))
    return chain.getReversed() ? CAMBIUM_ABI_REVERSED_CHAIN : CAMBIUM_ABI_CHAIN;
  if (isa<rt::ChartOp>(op))
    return CAMBIUM_ABI_CHART;
  return std::nullopt;
}

/// Makes arguments of the forests that the host can make: those of arguments.
/// They stand behind the other forests.
static LogicalResult bindChains(func::FuncOp entry,
                                SmallVectorImpl<int32_t> &numbers) {
  llvm::MapVector<std::pair<int32_t, int32_t>, BlockArgument> chains;
  unsigned numForests = 0;
  for (Type type : entry.getArgumentTypes())
    numForests += isa<ragged::RowsType, ragged::ForestType>(type);
  SmallVector<Operation *> ops;
  entry.walk([&](Operation *op) {
    if (sequenceOf(op))
      ops.push_back(op);
  });
  Builder builder(entry.getContext());
  for (Operation *op : ops) {
    auto rows = dyn_cast<BlockArgument>(op->getOperand(0));
    int32_t kind = *sequenceOf(op);
    bool isChart = kind == CAMBIUM_ABI_CHART;
    StringRef name = isChart ? "chart" : "chain";
    if (!rows || rows.getOwner() != &entry.getBody().front())
      return op->emitOpError("expected rows of an argument: GPU code makes no "
                             "other ")
             << name;
    int32_t space = rows.getArgNumber();
    BlockArgument &chain = chains[{space, kind}];
    if (!chain) {
      auto role = rt::ForestAttr::get(op->getContext(),
                                      builder.getStringAttr(name), space,
                                      /*arity=*/isChart ? -1 : 1,
                                      /*singleRoot=*/true);
      auto attrs =
          builder.getDictionaryAttr(builder.getNamedAttr(rt::kRoleAttr, role));
      unsigned place = numForests + chains.size() - 1;
      if (failed(entry.insertArgument(place, op->getResult(0).getType(), attrs,
                                      op->getLoc())))
        return failure();
      chain = entry.getArgument(place);
      numbers.append({space, kind});
    }
    op->getResult(0).replaceAllUsesWith(chain);
    op->erase();
  }
  return success();
}

namespace {
struct DescribeEntries : cambium::impl::DescribeEntriesBase<DescribeEntries> {
  using DescribeEntriesBase::DescribeEntriesBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (rt::isEntry(function))
        entries.push_back(function);
    for (func::FuncOp entry : entries)
      if (failed(describe(entry, symbols)))
        return signalPassFailure();
  }

  LogicalResult describe(func::FuncOp entry, SymbolTable &symbols) {
    SmallVector<int32_t> chains, statuses;
    SmallVector<StringRef> texts;
    if (failed(bindChains(entry, chains)))
      return failure();
    // The code of a failure is its number.
    entry.walk([&](rt::FailIfOp op) {
      statuses.push_back(op.getStatus());
      texts.push_back(op.getMessage());
    });
    func::FuncOp workspace = declareWorkspace(entry, symbols);
    OpBuilder builder(entry);
    TargetCosts costs = rt::getTargetCosts(entry);
    rt::DeviceEntryOp::create(builder, entry.getLoc(), entry.getSymName(),
                              kernelName(entry.getSymName()),
                              costs.blockThreads, /*shared=*/0, chains,
                              statuses, builder.getStrArrayAttr(texts),
                              /*stages=*/nullptr, workspace.getSymName());
    return success();
  }

  /// A function that needs nothing, until the allocations are known.
  static func::FuncOp declareWorkspace(func::FuncOp entry,
                                       SymbolTable &symbols) {
    OpBuilder builder(entry);
    auto function = func::FuncOp::create(
        builder, entry.getLoc(), (entry.getSymName() + ".workspace").str(),
        builder.getFunctionType(entry.getArgumentTypes(),
                                builder.getIndexType()));
    function.setPrivate();
    function.setArgAttrsAttr(entry.getArgAttrsAttr());
    builder.setInsertionPointToStart(function.addEntryBlock());
    Value none = arith::ConstantIndexOp::create(builder, entry.getLoc(), 0);
    func::ReturnOp::create(builder, entry.getLoc(), none);
    symbols.insert(function);
    return function;
  }
};
} // namespace
