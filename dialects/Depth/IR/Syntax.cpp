//===-- dialects/Depth/IR/Syntax.cpp - How loops are written --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Depth/IR/Loops.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

/// Parses `(%x = %init : type, ...)`.
ParseResult depth::parseBindings(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &args,
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

/// What keywords say goes to the properties of the op.
template <typename OpT>
static typename OpT::Properties &propertiesOf(OperationState &state) {
  return state.getOrAddProperties<typename OpT::Properties>();
}

template <typename OpT>
static ParseResult parseForm(OpAsmParser &parser, OperationState &state) {
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"compact", "masked"})))
    propertiesOf<OpT>(state).form =
        FormAttr::get(parser.getContext(), *symbolizeForm(keyword));
  if (succeeded(parser.parseOptionalKeyword("rematerialize")))
    propertiesOf<OpT>(state).rematerialize = parser.getBuilder().getUnitAttr();
  return success();
}

template <typename OpT>
static ParseResult parseNumber(OpAsmParser &parser, OperationState &state) {
  return nn::parseInteger(parser, propertiesOf<OpT>(state).max);
}

/// Parses `tied "name"` or `stacked "name"`, if it is there.
template <typename OpT>
static ParseResult parseScope(OpAsmParser &parser, OperationState &state) {
  StringRef keyword;
  std::string name;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword, {"tied", "stacked"})))
    return success();
  if (parser.parseString(&name))
    return failure();
  auto scope = ParameterScopeAttr::getChecked(
      [&] { return parser.emitError(loc); }, parser.getContext(),
      *symbolizeSharing(keyword), parser.getBuilder().getStringAttr(name));
  if (!scope)
    return failure();
  propertiesOf<OpT>(state).parameter_scope = scope;
  return success();
}

/// Parses `slices(%w = %W : type, ...)`, if it is there: the types are those of
/// the arrays, the arguments are rows of them.
static ParseResult parseSlices(OpAsmParser &parser, OperationState &state,
                               SmallVectorImpl<OpAsmParser::Argument> &args) {
  SmallVector<OpAsmParser::Argument> slices;
  SmallVector<OpAsmParser::UnresolvedOperand> arrays;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("slices")))
    return success();
  if (parseBindings(parser, slices, arrays))
    return failure();
  for (auto [slice, array] : llvm::zip_equal(slices, arrays)) {
    auto type = dyn_cast<RankedTensorType>(slice.type);
    if (!type || type.getRank() == 0)
      // [DEPTH-ITERATE-C14] [DEPTH-PONDER-C10]
      return parser.emitError(loc)
             << "expected arrays with a leading dimension, but got "
             << slice.type;
    if (parser.resolveOperand(array, type, state.operands))
      return failure();
    slice.type = rowType(type);
  }
  llvm::append_range(args, slices);
  return success();
}

/// Parses what follows the attributes of a loop; adds the types of the states
/// and, if rows are counted, the counts; gives the first carried type.
template <typename OpT>
static ParseResult parseLoop(OpAsmParser &parser, OperationState &state,
                             Type &carried, bool isCounted,
                             ArrayRef<int32_t> segmentsBefore) {
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<OpAsmParser::UnresolvedOperand> init;
  if (parseScope<OpT>(parser, state) || parser.parseKeyword("carried") ||
      parseBindings(parser, args, init))
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
  if (isCounted)
    state.addTypes(stepsType(carried));
  size_t numCarried = args.size();
  if (parseSlices(parser, state, args))
    return failure();
  SmallVector<int32_t> segments(segmentsBefore);
  segments.push_back(numCarried);
  segments.push_back(args.size() - numCarried);
  llvm::copy(segments, propertiesOf<OpT>(state).operandSegmentSizes.begin());
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseRegion(*state.addRegion(), args));
}

template <typename OpT> static void printForm(OpT op, OpAsmPrinter &printer) {
  if (op.getForm() != Form::Auto)
    printer << " " << stringifyForm(op.getForm());
  if (op.getRematerialize())
    printer << " rematerialize";
}

void depth::printBindings(OpAsmPrinter &printer, StringRef keyword,
                          Block::BlockArgListType args, OperandRange values) {
  printer << " " << keyword << "(";
  llvm::interleaveComma(llvm::zip_equal(args, values), printer, [&](auto pair) {
    auto [arg, value] = pair;
    printer << arg << " = " << value << " : " << value.getType();
  });
  printer << ")";
}

template <typename OpT> static void printLoop(OpT op, OpAsmPrinter &printer) {
  if (ParameterScopeAttr scope = op.getParameterScopeAttr()) {
    printer << " " << stringifySharing(scope.getSharing()) << " ";
    printer.printString(scope.getName().getValue());
  }
  printBindings(printer, "carried", op.getStateArgs(), op.getInit());
  if (!op.getSlices().empty())
    printBindings(printer, "slices", op.getSliceArgs(), op.getSlices());
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(),
                                           op.getAttributeNames());
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
  bool isFixed = failed(parser.parseOptionalKeyword("max"));
  if (isFixed)
    propertiesOf<IterateOp>(state).fixed = parser.getBuilder().getUnitAttr();
  if (parseNumber<IterateOp>(parser, state) ||
      parseForm<IterateOp>(parser, state) || parseActive(parser, state))
    return failure();
  auto numFlags = static_cast<int32_t>(state.operands.size());
  if (parseLoop<IterateOp>(parser, state, carried, !isFixed, numFlags))
    return failure();
  ensureTerminator(*state.regions[0], parser.getBuilder(), state.location);
  return success();
}

void IterateOp::print(OpAsmPrinter &printer) {
  printer << (getFixed() ? " " : " max ");
  nn::printInteger(printer, *this, getMaxAttr());
  printForm(*this, printer);
  if (Value flags = getActive())
    printer << " active(" << flags << " : " << flags.getType() << ")";
  printLoop(*this, printer);
}

/// Parses a keyword and one of an enumeration behind it.
template <typename AttrT, typename Symbolize>
static ParseResult parseChoice(OpAsmParser &parser, AttrT &attribute,
                               StringRef keyword, ArrayRef<StringRef> choices,
                               Symbolize symbolize) {
  StringRef choice;
  if (parser.parseKeyword(keyword))
    return failure();
  if (failed(parser.parseOptionalKeyword(&choice, choices)))
    // [DEPTH-PONDER-C9]
    return parser.emitError(parser.getCurrentLocation())
           << "expected '" << choices[0] << "' or '" << choices[1]
           << "' after '" << keyword << "'";
  attribute = AttrT::get(parser.getContext(), *symbolize(choice));
  return success();
}

ParseResult PonderOp::parse(OpAsmParser &parser, OperationState &state) {
  Type carried;
  Properties &properties = propertiesOf<PonderOp>(state);
  if (parser.parseKeyword("max") || parseNumber<PonderOp>(parser, state) ||
      parseChoice(parser, properties.combine, "combine",
                  {"convex", "weighted_sum"},
                  [](StringRef s) { return symbolizeCombine(s); }) ||
      parseChoice(parser, properties.at_maximum, "remainder",
                  {"forced", "none"},
                  [](StringRef s) { return symbolizeRemainder(s); }))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("epsilon")) &&
      nn::parseReal(parser, properties.epsilon))
    return failure();
  if (parseForm<PonderOp>(parser, state) ||
      parseLoop<PonderOp>(parser, state, carried, true, {}))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(carried);
  auto counts = cast<RankedTensorType>(state.types.back());
  state.addTypes(
      counts.clone(tensor ? tensor.getElementType() : counts.getElementType()));
  ensureTerminator(*state.regions[0], parser.getBuilder(), state.location);
  return success();
}

void PonderOp::print(OpAsmPrinter &printer) {
  printer << " max ";
  nn::printInteger(printer, *this, getMaxAttr());
  printer << " combine " << stringifyCombine(getCombine()) << " remainder "
          << stringifyRemainder(getAtMaximum()) << " epsilon ";
  nn::printReal(printer, *this, getEpsilonAttr());
  printForm(*this, printer);
  printLoop(*this, printer);
}
