//===-- dialects/Depth/IR/SearchSyntax.cpp - A search as text
//--------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Depth/IR/Loops.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

/// Parses a number as the property `attribute`.
static ParseResult parseCount(OpAsmParser &parser, IntegerAttr &attribute) {
  int64_t value = 0;
  if (parser.parseInteger(value))
    return failure();
  attribute = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}
static ParseResult parseOptionalCount(OpAsmParser &parser, StringRef keyword,
                                      IntegerAttr &attribute) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parseCount(parser, attribute);
}

/// Parses `beam 5 ...` or `sample 5 ...`.
static ParseResult parseSearched(OpAsmParser &parser,
                                 SearchOp::Properties &properties) {
  StringRef form;
  if (failed(parser.parseOptionalKeyword(&form, {"beam", "sample"})))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected 'beam' or 'sample'");
  if (form == "sample")
    properties.sampled = parser.getBuilder().getUnitAttr();
  if (parseCount(parser, properties.count) ||
      parseOptionalCount(parser, "among", properties.among))
    return failure();
  if (failed(parser.parseOptionalKeyword("length_penalty")))
    return success();
  return nn::parseReal(parser, properties.length_penalty);
}

/// The types of the results, but for that of the scores, and the type of these
/// from what the region yields.
static void addResultTypes(Builder &builder, OperationState &state,
                           const SearchOp::Properties &properties) {
  int64_t count = properties.count.getInt(), max = properties.max.getInt();
  Type element = builder.getF32Type();
  Operation *last = state.regions[0]->front().empty()
                        ? nullptr
                        : &state.regions[0]->front().back();
  if (last && last->getNumOperands())
    if (auto type = dyn_cast<RankedTensorType>(last->getOperand(0).getType()))
      element = type.getElementType();
  count = std::max<int64_t>(count, 0), max = std::max<int64_t>(max, 0);
  state.addTypes({RankedTensorType::get({count, max}, builder.getI32Type()),
                  RankedTensorType::get({count}, builder.getI32Type()),
                  RankedTensorType::get({count}, element)});
}

ParseResult SearchOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  OpAsmParser::UnresolvedOperand begin, end;
  SmallVector<OpAsmParser::Argument> states, grown, args(1);
  SmallVector<OpAsmParser::UnresolvedOperand> init;
  Builder &builder = parser.getBuilder();
  if (parseSearched(parser, properties) || parser.parseKeyword("max") ||
      parseCount(parser, properties.max) ||
      parseOptionalCount(parser, "id", properties.id) ||
      parser.parseKeyword("begin") || parser.parseOperand(begin) ||
      parser.parseKeyword("end") || parser.parseOperand(end))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("carried")) &&
      parseBindings(parser, states, init))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("grows")) &&
      parser.parseArgumentList(grown, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  if (parser.parseKeyword("next") || parser.parseLParen() ||
      parser.parseArgument(args[0], /*allowType=*/true) || parser.parseRParen())
    return failure();
  Type word = RankedTensorType::get({}, builder.getI32Type());
  if (parser.resolveOperands({begin, end}, word, state.operands))
    return failure();
  for (auto [arg, operand] : llvm::zip_equal(states, init)) {
    auto type = dyn_cast<RankedTensorType>(arg.type);
    if (!type || !type.hasStaticShape())
      // [DEPTH-SEARCH-C4]
      return parser.emitError(operand.location)
             << "expected carried values of the example, of static shape, but "
                "got "
             << arg.type;
    if (parser.resolveOperand(operand, type, state.operands))
      return failure();
    arg.type = rowsType(type);
  }
  llvm::append_range(args, states);
  llvm::append_range(args, grown);
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), args))
    return failure();
  ensureTerminator(*state.regions[0], builder, state.location);
  addResultTypes(builder, state, properties);
  return success();
}

void SearchOp::print(OpAsmPrinter &printer) {
  printer << (getSampled() ? " sample " : " beam ") << getCount();
  if (getAmong())
    printer << " among " << *getAmong();
  if (getLengthPenaltyAttr()) {
    printer << " length_penalty ";
    nn::printReal(printer, *this, getLengthPenaltyAttr());
  }
  printer << " max " << getMax();
  if (getId())
    printer << " id " << *getId();
  printer << " begin " << getBegin() << " end " << getEnd();
  if (!getInit().empty())
    printBindings(printer, "carried", getStateArgs(), getInit());
  if (!getGrownArgs().empty()) {
    printer << " grows(";
    llvm::interleaveComma(getGrownArgs(), printer, [&](BlockArgument arg) {
      printer << arg << " : " << arg.getType();
    });
    printer << ")";
  }
  printer << " next(" << getWordArg() << " : " << getWordArg().getType() << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           getAttributeNames());
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
