//===-- dialects/Depth/IR/DepthOps.cpp - Ops of the depth dialect ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Depth/IR/Depth.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

#define GET_OP_CLASSES
#include "dialects/Depth/IR/DepthOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses `(%x = %init : type, ...)`.
static ParseResult
parseCarried(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &args,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() {
    return failure(parser.parseArgument(args.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) ||
                   parser.parseColonType(args.back().type));
  });
}

/// The counts: one per row if the carried values are rows, else one.
static Type stepsType(Type carried) {
  Type i32 = IntegerType::get(carried.getContext(), 32);
  if (hasRows(carried))
    return RankedTensorType::get({ShapedType::kDynamic}, i32);
  return RankedTensorType::get({}, i32);
}

static ParseResult parseForm(OpAsmParser &parser, OperationState &state) {
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword, {"compact", "masked"})))
    return success();
  state.addAttribute(
      "form", FormAttr::get(parser.getContext(), *symbolizeForm(keyword)));
  return success();
}

ParseResult IterateOp::parse(OpAsmParser &parser, OperationState &state) {
  IntegerAttr max;
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<OpAsmParser::UnresolvedOperand> init;
  if (parser.parseKeyword("max") ||
      parser.parseAttribute(max, parser.getBuilder().getI64Type(), "max",
                            state.attributes) ||
      parseForm(parser, state) || parser.parseKeyword("carried") ||
      parseCarried(parser, args, init))
    return failure();
  if (args.empty())
    // [DEPTH-ITERATE-C2]
    return parser.emitError(parser.getNameLoc(),
                            "expected at least one carried value");
  for (auto [arg, operand] : llvm::zip_equal(args, init)) {
    if (parser.resolveOperand(operand, arg.type, state.operands))
      return failure();
    state.addTypes(arg.type);
  }
  state.addTypes(stepsType(args.front().type));
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), args))
    return failure();
  ensureTerminator(*state.regions[0], parser.getBuilder(), state.location);
  return success();
}

void IterateOp::print(OpAsmPrinter &printer) {
  printer << " max " << getMaxAttr().getInt();
  if (getForm() != Form::Auto)
    printer << " " << stringifyForm(getForm());
  printer << " carried(";
  llvm::interleaveComma(llvm::zip_equal(getBody().getArguments(), getInit()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair) << " : "
                                  << std::get<0>(pair).getType();
                        });
  printer << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"max", "form"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

YieldOp IterateOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

LogicalResult IterateOp::verify() {
  // [DEPTH-ITERATE-C1]
  int64_t max = getMaxAttr().getInt();
  if (max < 1)
    return emitOpError()
           << "expected a positive maximum of iterations, but got " << max;
  if (getInit().empty())
    return emitOpError("expected at least one carried value");
  bool perRow = hasRows(getInit().front().getType());
  for (auto [i, type] : llvm::enumerate(getInit().getTypes()))
    // [DEPTH-ITERATE-C3]
    if (hasRows(type) != perRow)
      return emitOpError()
             << "expected all carried values to be rows, or none, "
                "but got "
             << getInit().front().getType() << " and " << type;
  SmallVector<Type> expected(getInit().getTypes());
  expected.push_back(stepsType(expected.front()));
  if (TypeRange(expected) != TypeRange(getResultTypes()))
    return emitOpError() << "expected results of types (" << expected
                         << "), but got (" << getResultTypes() << ")";
  return success();
}

LogicalResult IterateOp::verifyRegions() {
  // [DEPTH-ITERATE-C4]
  if (getBody().getArgumentTypes() != getInit().getTypes())
    return emitOpError() << "expected region arguments of types ("
                         << getInit().getTypes() << "), but got ("
                         << getBody().getArgumentTypes() << ")";
  YieldOp yield = getYield();
  // [DEPTH-ITERATE-C5]
  SmallVector<Type> expected{cast<RankedTensorType>(getSteps().getType())
                                 .clone(IntegerType::get(getContext(), 1))};
  llvm::append_range(expected, getInit().getTypes());
  if (TypeRange(expected) != TypeRange(yield.getOperandTypes())) {
    InFlightDiagnostic diag = emitOpError()
                              << "expected to yield flags and the next values ("
                              << expected << "), but got ("
                              << yield.getOperandTypes() << ")";
    diag.attachNote(yield.getLoc()) << "it is yielded here";
    return diag;
  }
  // [DEPTH-ITERATE-C6]
  for (Operation &op : getBody().front())
    if (!isa<CallOpInterface>(op) && !isMemoryEffectFree(&op)) {
      InFlightDiagnostic diag = emitOpError(
          "expected a body without side effects: it is computed for the rows "
          "that go on, and an unknown number of times");
      diag.attachNote(op.getLoc()) << "this op has one";
      return diag;
    }
  return success();
}
