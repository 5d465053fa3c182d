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
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"compact", "masked"})))
    state.addAttribute(
        "form", FormAttr::get(parser.getContext(), *symbolizeForm(keyword)));
  if (succeeded(parser.parseOptionalKeyword("rematerialize")))
    state.addAttribute("rematerialize", parser.getBuilder().getUnitAttr());
  return success();
}

static ParseResult parseMax(OpAsmParser &parser, OperationState &state) {
  IntegerAttr max;
  return failure(parser.parseKeyword("max") ||
                 parser.parseAttribute(max, parser.getBuilder().getI64Type(),
                                       "max", state.attributes));
}

/// Parses what follows the attributes of a loop; adds the types of the states
/// and the counts, and gives the first carried type.
static ParseResult parseLoop(OpAsmParser &parser, OperationState &state,
                             Type &carried) {
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<OpAsmParser::UnresolvedOperand> init;
  if (parser.parseKeyword("carried") || parseCarried(parser, args, init))
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
  carried = args.front().type;
  state.addTypes(stepsType(carried));
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseRegion(*state.addRegion(), args));
}

template <typename OpT> static void printForm(OpT op, OpAsmPrinter &printer) {
  if (op.getForm() != Form::Auto)
    printer << " " << stringifyForm(op.getForm());
  if (op.getRematerialize())
    printer << " rematerialize";
}

template <typename OpT>
static void printLoop(OpT op, OpAsmPrinter &printer,
                      ArrayRef<StringRef> printed) {
  printer << " carried(";
  llvm::interleaveComma(
      llvm::zip_equal(op.getBody().getArguments(), op.getInit()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : "
                << std::get<0>(pair).getType();
      });
  printer << ")";
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), printed);
  printer << " ";
  printer.printRegion(op.getBody(), /*printEntryBlockArgs=*/false);
}

/// Parses `active(%go : type)`, if it is there.
static ParseResult parseActive(OpAsmParser &parser, OperationState &state) {
  if (failed(parser.parseOptionalKeyword("active")))
    return success();
  OpAsmParser::UnresolvedOperand flags;
  Type type;
  return failure(parser.parseLParen() || parser.parseOperand(flags) ||
                 parser.parseColonType(type) || parser.parseRParen() ||
                 parser.resolveOperand(flags, type, state.operands));
}

ParseResult IterateOp::parse(OpAsmParser &parser, OperationState &state) {
  Type carried;
  if (parseMax(parser, state) || parseForm(parser, state) ||
      parseActive(parser, state))
    return failure();
  auto numFlags = static_cast<int32_t>(state.operands.size());
  if (parseLoop(parser, state, carried))
    return failure();
  auto numCarried = static_cast<int32_t>(state.operands.size()) - numFlags;
  llvm::copy(
      ArrayRef({numFlags, numCarried}),
      state.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  ensureTerminator(*state.regions[0], parser.getBuilder(), state.location);
  return success();
}

void IterateOp::print(OpAsmPrinter &printer) {
  printer << " max " << getMaxAttr().getInt();
  printForm(*this, printer);
  if (Value flags = getActive())
    printer << " active(" << flags << " : " << flags.getType() << ")";
  printLoop(*this, printer,
            {"max", "form", "rematerialize", getOperandSegmentSizeAttr()});
}

/// Parses a keyword and one of an enumeration behind it.
template <typename AttrT, typename Symbolize>
static ParseResult
parseChoice(OpAsmParser &parser, OperationState &state, StringRef keyword,
            StringRef name, ArrayRef<StringRef> choices, Symbolize symbolize) {
  StringRef choice;
  if (parser.parseKeyword(keyword))
    return failure();
  if (failed(parser.parseOptionalKeyword(&choice, choices)))
    // [DEPTH-PONDER-C9]
    return parser.emitError(parser.getCurrentLocation())
           << "expected '" << choices[0] << "' or '" << choices[1]
           << "' after '" << keyword << "'";
  state.addAttribute(name, AttrT::get(parser.getContext(), *symbolize(choice)));
  return success();
}

ParseResult PonderOp::parse(OpAsmParser &parser, OperationState &state) {
  Type carried;
  if (parseMax(parser, state) ||
      parseChoice<CombineAttr>(
          parser, state, "combine", "combine", {"convex", "weighted_sum"},
          [](StringRef s) { return symbolizeCombine(s); }) ||
      parseChoice<RemainderAttr>(
          parser, state, "remainder", "at_maximum", {"forced", "none"},
          [](StringRef s) { return symbolizeRemainder(s); }))
    return failure();
  FloatAttr epsilon;
  if (succeeded(parser.parseOptionalKeyword("epsilon")) &&
      parser.parseAttribute(epsilon, parser.getBuilder().getF64Type(),
                            "epsilon", state.attributes))
    return failure();
  if (parseForm(parser, state) || parseLoop(parser, state, carried))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(carried);
  auto counts = cast<RankedTensorType>(state.types.back());
  state.addTypes(
      counts.clone(tensor ? tensor.getElementType() : counts.getElementType()));
  ensureTerminator(*state.regions[0], parser.getBuilder(), state.location);
  return success();
}

void PonderOp::print(OpAsmPrinter &printer) {
  printer << " max " << getMaxAttr().getInt() << " combine "
          << stringifyCombine(getCombine()) << " remainder "
          << stringifyRemainder(getAtMaximum()) << " epsilon ";
  printer.printAttributeWithoutType(getEpsilonAttr());
  printForm(*this, printer);
  printLoop(
      *this, printer,
      {"max", "combine", "at_maximum", "epsilon", "form", "rematerialize"});
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// What loops have in common: their maximum, what they carry, their results.
template <typename OpT> static LogicalResult verifyLoop(OpT op) {
  int64_t max = op.getMaxAttr().getInt();
  // [DEPTH-ITERATE-C1] [DEPTH-PONDER-C1]
  if (max < 1)
    return op.emitOpError()
           << "expected a positive maximum of iterations, but got " << max;
  if (op.getInit().empty())
    return op.emitOpError("expected at least one carried value");
  Type first = op.getInit().front().getType();
  for (Type type : op.getInit().getTypes())
    // [DEPTH-ITERATE-C3] [DEPTH-PONDER-C3]
    if (hasRows(type) != hasRows(first))
      return op.emitOpError()
             << "expected all carried values to be rows, or none, but got "
             << first << " and " << type;
  SmallVector<Type> expected(op.getInit().getTypes());
  expected.push_back(stepsType(first));
  if (op->getNumResults() > expected.size())
    expected.push_back(cast<RankedTensorType>(expected.back())
                           .clone(getElementTypeOrSelf(first)));
  if (!(TypeRange(expected) != TypeRange(op->getResultTypes())))
    return success();
  return op.emitOpError() << "expected results of types (" << expected
                          << "), but got (" << op->getResultTypes() << ")";
}

/// What the bodies of loops have in common: arguments, what they yield after
/// `deciding` (flags or probabilities), no side effects.
template <typename OpT>
static LogicalResult verifyBody(OpT op, Type deciding, StringRef what) {
  // [DEPTH-ITERATE-C4] [DEPTH-PONDER-C4]
  if (op.getBody().getArgumentTypes() != op.getInit().getTypes())
    return op.emitOpError()
           << "expected region arguments of types (" << op.getInit().getTypes()
           << "), but got (" << op.getBody().getArgumentTypes() << ")";
  YieldOp yield = op.getYield();
  // [DEPTH-ITERATE-C5] [DEPTH-PONDER-C5]
  SmallVector<Type> expected{deciding};
  llvm::append_range(expected, op.getInit().getTypes());
  if (TypeRange(expected) != TypeRange(yield.getOperandTypes())) {
    InFlightDiagnostic diag =
        op.emitOpError() << "expected to yield " << what
                         << " and the next values (" << expected
                         << "), but got (" << yield.getOperandTypes() << ")";
    diag.attachNote(yield.getLoc()) << "it is yielded here";
    return diag;
  }
  // [DEPTH-ITERATE-C6] [DEPTH-PONDER-C6]
  WalkResult result = op.getBody().walk([&](Operation *inner) {
    // Calls are looked into when they are inlined, regions op by op.
    if (isa<CallOpInterface>(inner) ||
        inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isMemoryEffectFree(inner))
      return WalkResult::advance();
    InFlightDiagnostic diag = op.emitOpError(
        "expected a body without side effects: it is computed for the rows "
        "that go on, and an unknown number of times");
    diag.attachNote(inner->getLoc()) << "this op has one";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

template <typename OpT> static Type flagsOf(OpT op, Type element) {
  return cast<RankedTensorType>(op.getSteps().getType()).clone(element);
}

YieldOp IterateOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}
LogicalResult IterateOp::verify() {
  if (failed(verifyLoop(*this)))
    return failure();
  if (!getActive())
    return success();
  // [DEPTH-ITERATE-C11]
  Type expected = flagsOf(*this, IntegerType::get(getContext(), 1));
  if (getActive().getType() == expected)
    return success();
  return emitOpError() << "expected flags of type " << expected
                       << " that say what starts active, but got "
                       << getActive().getType();
}
LogicalResult IterateOp::verifyRegions() {
  return verifyBody(*this, flagsOf(*this, IntegerType::get(getContext(), 1)),
                    "flags");
}

YieldOp PonderOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}
LogicalResult PonderOp::verify() {
  double epsilon = getEpsilon().convertToDouble();
  // [DEPTH-PONDER-C2]
  if (!(epsilon >= 0 && epsilon < 1))
    return emitOpError() << "expected an epsilon in [0, 1), but got "
                         << epsilon;
  return verifyLoop(*this);
}
LogicalResult PonderOp::verifyRegions() {
  return verifyBody(
      *this, flagsOf(*this, getElementTypeOrSelf(getRemainder().getType())),
      "probabilities");
}
