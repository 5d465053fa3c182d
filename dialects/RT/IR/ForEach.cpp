//===-- dialects/RT/IR/ForEach.cpp - Loops of independent iterations -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/IR/ForEach.h"
#include "cambium/Support/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::rt;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

void ForEachOp::build(OpBuilder &builder, OperationState &state, Value count,
                      IntegerAttr work, ValueRange inits) {
  OpBuilder::InsertionGuard guard(builder);
  state.addOperands(count);
  state.addOperands(inits);
  state.addTypes(inits.getTypes());
  if (work)
    state.addAttribute(getWorkAttrName(state.name), work);
  Block *body = builder.createBlock(state.addRegion());
  body->addArgument(builder.getIndexType(), state.location);
  for (Value init : inits)
    body->addArgument(init.getType(), init.getLoc());
  // With arrays, who builds the body says what it yields.
  if (inits.empty())
    ensureTerminator(*state.regions.front(), builder, state.location);
}

YieldOp ForEachOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

SmallVector<Value> rt::forEach(LinalgBuilder &b, Value count, int64_t work,
                               ValueRange arrays, ForEachBody body) {
  OpBuilder &builder = b.getBuilder();
  IntegerAttr attribute;
  if (work != kWorthwhile)
    attribute = builder.getI64IntegerAttr(work);
  auto loop = b.make<ForEachOp>(count, attribute, arrays);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&loop.getBody().front());
  SmallVector<Value> args(loop.getRegionIterArgs());
  SmallVector<Value> next = body(loop.getNumber(), args);
  if (!arrays.empty())
    b.make<YieldOp>(next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

Value rt::forEach(LinalgBuilder &b, Value count, Value array,
                  LinalgBuilder::RowBody body) {
  int64_t elements = rowType(tensorType(array)).getNumElements();
  return forEach(b, count, std::max<int64_t>(elements, 1), array,
                 [&](Value i, ValueRange arrays) {
                   return SmallVector<Value>{body(i, arrays.front())};
                 })
      .front();
}

Value rt::forEachRow(LinalgBuilder &b, Value count, Value array,
                     LinalgBuilder::RowBody body) {
  return forEach(b, count, array, [&](Value i, Value all) {
    return b.setRow(body(i, b.row(all, i)), all, i);
  });
}

scf::ForOp rt::lowerToFor(ForEachOp loop, Value begin, Value end) {
  assert(loop.getInits().empty() && "expected a loop on memory");
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  if (!begin)
    begin = arith::ConstantIndexOp::create(rewriter, loc, 0);
  if (!end)
    end = loop.getCount();
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto result = scf::ForOp::create(rewriter, loc, begin, end, one);
  rewriter.eraseOp(loop.getYield());
  rewriter.inlineBlockBefore(&loop.getBody().front(),
                             result.getBody()->getTerminator(),
                             result.getInductionVar());
  rewriter.eraseOp(loop);
  return result;
}

bool rt::isForBlocks(ForEachOp loop) {
  return !loop.getWork() &&
         loop.getBody()
             .walk([](linalg::MatmulOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

LogicalResult rt::verifyOnMemory(Operation *root) {
  WalkResult result = root->walk([](ForEachOp loop) {
    if (loop.getInits().empty())
      return WalkResult::advance();
    // [RT-FOREACH-C3]
    loop.emitOpError("expected a loop on memory, as behind the buffers phase, "
                     "but got one that carries arrays");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult ForEachOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::Argument number;
  OpAsmParser::UnresolvedOperand count;
  number.type = builder.getIndexType();
  if (parser.parseArgument(number) || parser.parseKeyword("of") ||
      parser.parseOperand(count) ||
      parser.resolveOperand(count, number.type, state.operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("work"))) {
    IntegerAttr work;
    if (parser.parseAttribute(work, builder.getIntegerType(64)))
      return failure();
    state.getOrAddProperties<Properties>().setWork(work);
  }
  SmallVector<OpAsmParser::Argument> arguments{number};
  auto parseArray = [&]() -> ParseResult {
    OpAsmParser::Argument argument;
    OpAsmParser::UnresolvedOperand init;
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(init) || parser.parseColonType(argument.type) ||
        parser.resolveOperand(init, argument.type, state.operands))
      return failure();
    arguments.push_back(argument);
    state.addTypes(argument.type);
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("into")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseArray))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion(), arguments))
    return failure();
  ensureTerminator(*state.regions.front(), builder, state.location);
  return success();
}

void ForEachOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printRegionArgument(getBody().getArgument(0), {}, /*omitType=*/true);
  printer << " of " << getCount();
  if (std::optional<uint64_t> work = getWork())
    printer << " work " << *work;
  if (!getInits().empty()) {
    printer << " into(";
    llvm::interleaveComma(llvm::zip_equal(getRegionIterArgs(), getInits()),
                          printer, [&](auto pair) {
                            auto [argument, init] = pair;
                            printer.printRegionArgument(argument, {},
                                                        /*omitType=*/true);
                            printer << " = " << init << " : " << init.getType();
                          });
    printer << ")";
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getWorkAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult ForEachOp::verifyRegions() {
  SmallVector<Type> types{IndexType::get(getContext())};
  llvm::append_range(types, getInits().getTypes());
  if (llvm::equal(getBody().getArgumentTypes(), types))
    return success();
  // [RT-FOREACH-C1]
  return emitOpError("expected a region with arguments of types (")
         << TypeRange(types) << "), but got (" << getBody().getArgumentTypes()
         << ")";
}

LogicalResult YieldOp::verify() {
  TypeRange expected = (*this)->getParentOp()->getResultTypes();
  if (getValues().getTypes() == expected)
    return success();
  // [RT-YIELD-C1]
  return emitOpError("expected values of types (")
         << expected << "), as the loop gives, but got ("
         << getValues().getTypes() << ")";
}

//===----------------------------------------------------------------------===//
// LoopLikeOpInterface
//===----------------------------------------------------------------------===//

SmallVector<Region *> ForEachOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> ForEachOp::getLoopInductionVars() {
  return SmallVector<Value>{getNumber()};
}

std::optional<SmallVector<OpFoldResult>> ForEachOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>{Builder(*this).getIndexAttr(0)};
}

std::optional<SmallVector<OpFoldResult>> ForEachOp::getLoopUpperBounds() {
  return SmallVector<OpFoldResult>{getCount()};
}

std::optional<SmallVector<OpFoldResult>> ForEachOp::getLoopSteps() {
  return SmallVector<OpFoldResult>{Builder(*this).getIndexAttr(1)};
}

Block::BlockArgListType ForEachOp::getRegionIterArgs() {
  return getBody().getArguments().drop_front();
}

std::optional<MutableArrayRef<OpOperand>> ForEachOp::getYieldedValuesMutable() {
  return getYield().getValuesMutable();
}

std::optional<ResultRange> ForEachOp::getLoopResults() { return getResults(); }

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// No iteration leaves the arrays as they were; one is what its body does.
struct InlineShort : OpRewritePattern<ForEachOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ForEachOp op,
                                PatternRewriter &rewriter) const override {
    llvm::APInt count;
    if (!matchPattern(op.getCount(), m_ConstantInt(&count)) || count.sgt(1))
      return rewriter.notifyMatchFailure(op, "may have several iterations");
    if (count.sle(0)) {
      rewriter.replaceOp(op, op.getInits());
      return success();
    }
    Operation *yield = op.getYield();
    SmallVector<Value> args{
        arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0)};
    llvm::append_range(args, op.getInits());
    rewriter.inlineBlockBefore(&op.getBody().front(), op, args);
    rewriter.replaceOp(op, yield->getOperands());
    rewriter.eraseOp(yield);
    return success();
  }
};

/// An array that no iteration writes to is not carried.
struct DropUnchanged : OpRewritePattern<ForEachOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ForEachOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> kept, yielded, replacements(op.getNumResults());
    llvm::BitVector dropped(op.getBody().getNumArguments());
    for (auto [i, init, argument, value] :
         llvm::enumerate(op.getInits(), op.getRegionIterArgs(),
                         op.getYield().getValues())) {
      if (value != argument && value != init) {
        kept.push_back(init);
        yielded.push_back(value);
        continue;
      }
      dropped.set(i + 1);
      replacements[i] = init;
      rewriter.replaceAllUsesWith(argument, init);
    }
    if (dropped.none())
      return rewriter.notifyMatchFailure(op, "writes to all of its arrays");
    rewriter.modifyOpInPlace(op, [&] {
      op.getYield().getValuesMutable().assign(yielded);
      op.getBody().front().eraseArguments(dropped);
    });
    auto loop = ForEachOp::create(rewriter, op.getLoc(), op.getCount(),
                                  op.getWorkAttr(), kept);
    loop.getBody().takeBody(op.getBody());
    ValueRange results = loop.getResults();
    for (Value &replacement : replacements)
      if (!replacement) {
        replacement = results.front();
        results = results.drop_front();
      }
    rewriter.replaceOp(op, replacements);
    return success();
  }
};
} // namespace

void ForEachOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<InlineShort, DropUnchanged>(context);
}
