//===-- Library.cpp - Code for GPUs that is written in MLIR ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Library.h"
#include "Stages.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace cambium;

static constexpr StringLiteral kParts[] = {
#include "Library/rows.inc"
    ,
#include "Library/order.inc"
    ,
#include "Library/forests.inc"
    ,
#include "Library/levels.inc"
};

Library::Library(MLIRContext *context)
    : module(ModuleOp::create(UnknownLoc::get(context))) {
  for (StringRef text : kParts) {
    OwningOpRef<ModuleOp> part = parseSourceString<ModuleOp>(text, context);
    assert(part && "expected the library to be MLIR");
    module->getBody()->getOperations().splice(module->getBody()->end(),
                                              part->getBody()->getOperations());
  }
}

void Library::emit(OpBuilder &builder, StringRef name, Value number,
                   ValueRange arguments) {
  auto function = module->lookupSymbol<func::FuncOp>(name);
  assert(function && "expected a function of the library");
  IRMapping mapping;
  mapping.map(function.getArgument(0), number);
  mapping.map(function.getArguments().drop_front(), arguments);
  for (Operation &op : function.front().without_terminator())
    builder.clone(op, mapping);
}

void Library::emitStage(OpBuilder &builder, Location loc, StringRef name,
                        Value count, ValueRange arguments,
                        const TargetCosts &costs) {
  OpBuilder::InsertionGuard guard(builder);
  Value number = beginStage(builder, loc, count, rt::Unit::Thread, costs);
  emit(builder, name, number, arguments);
}
