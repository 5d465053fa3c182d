//===-- dialects/Tree/IR/TreeSyntax.cpp - Folds and unfolds as text ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

/// Parses `keyword (%arg = %value : type, ...)`, if it is there.
static ParseResult
parseInputs(OpAsmParser &parser, StringRef keyword,
            SmallVectorImpl<OpAsmParser::Argument> &args,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() {
    return failure(parser.parseArgument(args.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) ||
                   parser.parseColonType(args.back().type));
  });
}

/// Parses `keyword (%arg : type, ...)`, if it is there.
static ParseResult parseArgs(OpAsmParser &parser, StringRef keyword,
                             SmallVectorImpl<OpAsmParser::Argument> &args) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseArgumentList(args, OpAsmParser::Delimiter::Paren,
                                  /*allowType=*/true);
}

/// Parses `-> (types)` of one node, resolves the operands as rows.
static ParseResult parseResults(OpAsmParser &parser, OperationState &state) {
  SmallVector<Type> types;
  if (parser.parseArrowTypeList(types))
    return failure();
  for (Type type : types) {
    if (!isa<RankedTensorType>(type))
      // [TREE-SYNTAX-C1]
      return parser.emitError(parser.getNameLoc())
             << "expected the states to be ranked tensors, but got " << type;
    state.addTypes(rowsType(type));
  }
  return success();
}

static ParseResult resolveTree(OpAsmParser &parser, OperationState &state,
                               const OpAsmParser::UnresolvedOperand &tree) {
  return parser.resolveOperand(tree, TreeType::get(parser.getContext()),
                               state.operands);
}

/// The operand that feeds the argument has `operandType(argument)`.
static ParseResult
resolveInputs(OpAsmParser &parser, OperationState &state,
              ArrayRef<OpAsmParser::Argument> args,
              ArrayRef<OpAsmParser::UnresolvedOperand> operands,
              function_ref<Type(RankedTensorType)> operandType) {
  for (auto [arg, operand] : llvm::zip_equal(args, operands)) {
    auto tensor = dyn_cast<RankedTensorType>(arg.type);
    if (!tensor)
      // [TREE-SYNTAX-C2]
      return parser.emitError(operand.location)
             << "expected a ranked tensor, but got " << arg.type;
    if (parser.resolveOperand(operand, operandType(tensor), state.operands))
      return failure();
  }
  return success();
}

static void printInputs(OpAsmPrinter &printer, StringRef keyword,
                        Block::BlockArgListType args, OperandRange operands) {
  if (operands.empty())
    return;
  printer << " " << keyword << "(";
  llvm::interleaveComma(
      llvm::zip_equal(args, operands), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : "
                << std::get<0>(pair).getType();
      });
  printer << ")";
}

static void printArgs(OpAsmPrinter &printer, StringRef keyword,
                      Block::BlockArgListType args) {
  if (args.empty())
    return;
  printer << " " << keyword << "(";
  llvm::interleaveComma(args, printer, [&](BlockArgument arg) {
    printer.printRegionArgument(arg);
  });
  printer << ")";
}

static void printResults(OpAsmPrinter &printer, TypeRange types) {
  printer << " -> (";
  llvm::interleaveComma(types, printer,
                        [&](Type type) { printer << rowType(type); });
  printer << ") ";
}

ParseResult FoldOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand tree;
  SmallVector<OpAsmParser::Argument> args, edgeArgs, childArgs, leafArgs;
  SmallVector<OpAsmParser::UnresolvedOperand> nodes, edges;
  if (parser.parseOperand(tree) || parseInputs(parser, "nodes", args, nodes) ||
      parseInputs(parser, "edges", edgeArgs, edges) ||
      parseArgs(parser, "children", childArgs) ||
      resolveTree(parser, state, tree) ||
      resolveInputs(parser, state, args, nodes,
                    [](auto type) { return rowsType(type); }) ||
      resolveInputs(parser, state, edgeArgs, edges,
                    [](RankedTensorType type) -> Type {
                      return type.getRank() ? rowsType(rowType(type))
                                            : Type(type);
                    }) ||
      parseResults(parser, state) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  leafArgs = args;
  llvm::append_range(args, edgeArgs);
  llvm::append_range(args, childArgs);
  if (parser.parseRegion(*state.addRegion(), args))
    return failure();
  Region *leaf = state.addRegion();
  if (succeeded(parser.parseOptionalKeyword("leaf")) &&
      parser.parseRegion(*leaf, leafArgs))
    return failure();
  FoldOp::ensureTerminator(*state.regions[0], parser.getBuilder(),
                           state.location);
  state.getOrAddProperties<FoldOp::Properties>().operandSegmentSizes = {
      1, static_cast<int32_t>(nodes.size()),
      static_cast<int32_t>(edges.size())};
  return success();
}

void FoldOp::print(OpAsmPrinter &printer) {
  printer << " " << getTree();
  printInputs(printer, "nodes", getNodeArgs(), getNodes());
  printInputs(printer, "edges", getEdgeArgs(), getEdges());
  printArgs(printer, "children", getChildArgs());
  printResults(printer, getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"operandSegmentSizes"});
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  if (getLeaf().empty())
    return;
  // The leaf region names its arguments as the body does.
  printer << " leaf ";
  printer.shadowRegionArgs(getLeaf(), SmallVector<Value>(getNodeArgs()));
  printer.printRegion(getLeaf(), /*printEntryBlockArgs=*/false);
}

ParseResult UnfoldOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand tree;
  SmallVector<OpAsmParser::Argument> args, parentArgs;
  SmallVector<OpAsmParser::UnresolvedOperand> nodes;
  if (parser.parseOperand(tree) || parseInputs(parser, "nodes", args, nodes) ||
      parseArgs(parser, "parent", parentArgs) ||
      resolveTree(parser, state, tree) ||
      resolveInputs(parser, state, args, nodes,
                    [](auto type) { return rowsType(type); }) ||
      parseResults(parser, state) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  llvm::append_range(args, parentArgs);
  if (parser.parseRegion(*state.addRegion(), args))
    return failure();
  UnfoldOp::ensureTerminator(*state.regions[0], parser.getBuilder(),
                             state.location);
  return success();
}

void UnfoldOp::print(OpAsmPrinter &printer) {
  printer << " " << getTree();
  printInputs(printer, "nodes", getNodeArgs(), getNodes());
  printArgs(printer, "parent", getParentArgs());
  printResults(printer, getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
