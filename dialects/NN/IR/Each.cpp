//===-- dialects/NN/IR/Each.cpp - A body for each row --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult EachOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> rows;
  auto parseInput = [&]() {
    return failure(parser.parseArgument(args.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) ||
                   parser.parseColonType(args.back().type));
  };
  if (parser.parseKeyword("rows") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parser.parseArrowTypeList(rows) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  auto rowsOf = [&](Type row) -> Type {
    if (isa<RankedTensorType>(row))
      return rowsType(row);
    // [NN-EACH-C3]
    parser.emitError(parser.getNameLoc())
        << "expected a row to be a ranked tensor, but got " << row;
    return {};
  };
  for (auto [arg, operand] : llvm::zip_equal(args, operands)) {
    Type type = rowsOf(arg.type);
    if (!type || parser.resolveOperand(operand, type, state.operands))
      return failure();
  }
  for (Type row : rows) {
    state.addTypes(rowsOf(row));
    if (!state.types.back())
      return failure();
  }
  if (parser.parseRegion(*state.addRegion(), args))
    return failure();
  ensureTerminator(*state.regions[0], parser.getBuilder(), state.location);
  return success();
}

void EachOp::print(OpAsmPrinter &printer) {
  printer << " rows(";
  llvm::interleaveComma(llvm::zip_equal(getBody().getArguments(), getRows()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair) << " : "
                                  << std::get<0>(pair).getType();
                        });
  printer << ") -> (";
  llvm::interleaveComma(getResultTypes(), printer,
                        [&](Type type) { printer << rowType(type); });
  printer << ") ";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult EachOp::verify() {
  if (getRows().empty())
    // [NN-EACH-C4]
    return emitOpError("expected the rows of at least one operand");
  for (Value operand : getRows())
    if (!hasRows(operand.getType()))
      // [NN-EACH-C5]
      return emitOpError() << "expected operands to hold rows (a first "
                              "dimension '?'), but got "
                           << operand.getType();
  for (Type type : getResultTypes()) {
    RankedTensorType row = hasRows(type) ? rowType(type) : RankedTensorType();
    if (row && hasRows(row))
      row = rowType(row);
    if (!row || !row.hasStaticShape())
      // [NN-EACH-C6]
      return emitOpError() << "expected results to hold rows of a static "
                              "shape, or rows of such rows, but got "
                           << type;
  }
  return success();
}

LogicalResult EachOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getRows().size())
    // [NN-EACH-C7]
    return emitOpError() << "expected a region argument per operand ("
                         << getRows().size() << "), but got "
                         << body.getNumArguments();
  for (auto [i, operand] : llvm::enumerate(getRows()))
    if (body.getArgument(i).getType() != rowType(operand.getType()))
      // [NN-EACH-C8]
      return emitOpError() << "expected region argument " << i
                           << " to be a row of " << operand.getType()
                           << ", but got " << body.getArgument(i).getType();
  auto yield = cast<YieldOp>(body.getTerminator());
  SmallVector<Type> expected = llvm::map_to_vector(
      getResultTypes(), [](Type type) -> Type { return rowType(type); });
  if (TypeRange(expected) == TypeRange(yield.getOperandTypes()))
    return success();
  // [NN-EACH-C9]
  InFlightDiagnostic diag = emitOpError()
                            << "expected the region to yield (" << expected
                            << "), but got (" << yield.getOperandTypes() << ")";
  diag.attachNote(yield.getLoc()) << "it is yielded here";
  return diag;
}
