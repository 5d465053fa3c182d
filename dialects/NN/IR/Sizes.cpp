//===-- dialects/NN/IR/Sizes.cpp - Names of numbers ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Sizes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

//===----------------------------------------------------------------------===//
// Numbers that may be given
//===----------------------------------------------------------------------===//

Attribute nn::getNumber(Attribute attribute) {
  if (auto given = dyn_cast_if_present<GivenAttr>(attribute))
    return given.getValue();
  return attribute;
}

/// A dialect's attribute takes a colon behind it for its own, so that it stands
/// in parentheses.
static ParseResult parseNumber(OpAsmParser &parser, Attribute &value,
                               Type type) {
  if (failed(parser.parseOptionalLParen()))
    return parser.parseAttribute(value, type);
  return failure(parser.parseAttribute(value) || parser.parseRParen());
}

static void printNumber(OpAsmPrinter &printer, Attribute value) {
  if (isa<GivenAttr>(value))
    printer << '(' << value << ')';
  else
    printer.printAttributeWithoutType(value);
}

ParseResult nn::parseInteger(OpAsmParser &parser, Attribute &value) {
  return parseNumber(parser, value, parser.getBuilder().getI64Type());
}

ParseResult nn::parseReal(OpAsmParser &parser, Attribute &value) {
  return parseNumber(parser, value, parser.getBuilder().getF64Type());
}

void nn::printInteger(OpAsmPrinter &printer, Operation *, Attribute value) {
  printNumber(printer, value);
}

void nn::printReal(OpAsmPrinter &printer, Operation *, Attribute value) {
  printNumber(printer, value);
}

LogicalResult GivenAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringAttr name, Attribute value) {
  bool isValue = isa<InitAttr>(value);
  if (isa<IntegerAttr, FloatAttr>(value)) {
    Type type = cast<TypedAttr>(value).getType();
    isValue = type.isInteger(64) || type.isF64();
  }
  if (!name.empty() && isValue)
    return success();
  // [NN-GIVEN-C1]
  return emitError() << "expected a name and an i64 or f64 number or an "
                        "initializer, but got \""
                     << name.getValue() << "\" = " << value;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static std::optional<int64_t> evaluate(SizeTermAttr term,
                                       const SizeValues &values) {
  int64_t product = term.getFactor();
  for (StringAttr name : term.getNames()) {
    auto found = values.find(name);
    if (found == values.end() ||
        llvm::MulOverflow(product, found->second, product))
      return std::nullopt;
  }
  return product;
}

std::optional<int64_t> nn::evaluate(SizeAttr size, const SizeValues &values) {
  if (size.getTerms().empty()) {
    auto found = values.find(size.getName());
    return found == values.end() ? std::nullopt
                                 : std::optional<int64_t>(found->second);
  }
  int64_t sum = 0;
  for (SizeTermAttr term : size.getTerms()) {
    std::optional<int64_t> value = ::evaluate(term, values);
    if (!value || llvm::AddOverflow(sum, *value, sum))
      return std::nullopt;
  }
  return sum;
}

/// Finds the one size that a computed one leaves open, if there is one: from
/// `both = 2 * hidden` and the number of `both`, that of `hidden`.
static void solve(SizeAttr size, SizeValues &values) {
  auto known = values.find(size.getName());
  if (known == values.end() || size.getTerms().size() != 1)
    return;
  SizeTermAttr term = size.getTerms().front();
  if (term.getNames().size() != 1 || values.count(term.getNames().front()) ||
      term.getFactor() == 0 || known->second % term.getFactor() != 0)
    return;
  values[term.getNames().front()] = known->second / term.getFactor();
}

LogicalResult nn::completeSizes(ArrayRef<SizeAttr> sizes, SizeValues &given,
                                function_ref<InFlightDiagnostic()> emitError) {
  for (SizeAttr size : llvm::reverse(sizes))
    solve(size, given);
  for (SizeAttr size : sizes) {
    auto known = given.find(size.getName());
    bool isKnown = known != given.end();
    if (size.getTerms().empty()) {
      if (!isKnown)
        given[size.getName()] = size.getValue();
      continue;
    }
    std::optional<int64_t> value = evaluate(size, given);
    if (value && *value < 1)
      // [NN-SIZES-C3]
      return emitError() << "expected size '" << size.getName().getValue()
                         << "' to be at least 1, but got " << *value;
    if (value && (!isKnown || known->second == *value)) {
      given[size.getName()] = *value;
      continue;
    }
    // [NN-SIZES-C6]
    InFlightDiagnostic diag = emitError()
                              << "expected size '" << size.getName().getValue()
                              << "' to follow from others";
    if (value)
      diag << " and be " << *value << ", but got " << known->second;
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static const SizeAttr *findSize(ArrayRef<SizeAttr> sizes, int64_t number) {
  return llvm::find_if(
      sizes, [&](SizeAttr size) { return size.getValue() == number; });
}

LogicalResult nn::unify(Type written, Type actual, ArrayRef<SizeAttr> sizes,
                        SizeValues &values) {
  if (written == actual && sizes.empty())
    return success();
  auto from = dyn_cast<RankedTensorType>(written);
  auto to = dyn_cast<RankedTensorType>(actual);
  if (!from || !to)
    return success(written == actual);
  if (from.getRank() != to.getRank() ||
      from.getElementType() != to.getElementType())
    return failure();
  for (auto [a, b] : llvm::zip_equal(from.getShape(), to.getShape())) {
    const SizeAttr *size = findSize(sizes, a);
    if (size == sizes.end() || ShapedType::isDynamic(b)) {
      if (a != b)
        return failure();
      continue;
    }
    auto [bound, isNew] = values.try_emplace(size->getName(), b);
    if (!isNew && bound->second != b)
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

LogicalResult nn::replaceSizes(Operation *op, ArrayRef<SizeAttr> sizes,
                               const SizeValues &values) {
  auto replace = [&](int64_t number) {
    const SizeAttr *size = findSize(sizes, number);
    return size == sizes.end() ? number : values.lookup(size->getName());
  };
  bool isSame = llvm::all_of(sizes, [&](SizeAttr size) {
    return values.lookup(size.getName()) == size.getValue();
  });
  if (isSame)
    return success();
  auto replaceType = [&](RankedTensorType type) -> Type {
    return RankedTensorType::get(llvm::map_to_vector(type.getShape(), replace),
                                 type.getElementType(), type.getEncoding());
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement(replaceType);
  replacer.addReplacement([&](DenseElementsAttr elements) -> Attribute {
    auto type = dyn_cast<RankedTensorType>(elements.getType());
    if (!type)
      return elements;
    auto changed = cast<RankedTensorType>(replaceType(type));
    return elements.isSplat() ? elements.resizeSplat(changed) : elements;
  });
  auto result = op->walk([&](Operation *nested) -> WalkResult {
    for (NamedAttribute attribute : nested->getAttrs())
      if (auto elements = dyn_cast<DenseElementsAttr>(attribute.getValue()))
        if (auto type = dyn_cast<RankedTensorType>(elements.getType());
            type && !elements.isSplat() && replaceType(type) != type)
          // [NN-SIZES-C7]
          return nested->emitOpError()
                 << "expected a constant of one number where a size changes, "
                    "but got "
                 << type;
    if (auto sized = dyn_cast<SizedOpInterface>(nested))
      sized.replaceSizes(replace);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return success();
}

//===----------------------------------------------------------------------===//
// Ops with sizes
//===----------------------------------------------------------------------===//

void PositionsOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setLimit(replace(getLimit()));
}

void OneHotOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setSize(replace(getSize()));
}

void SplitOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setSizes(llvm::map_to_vector(getSizes(), replace));
}

void SliceOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setOffset(replace(getOffset()));
  setSize(replace(getSize()));
}

void PadOp::replaceSizes(llvm::function_ref<int64_t(int64_t)> replace) {
  setLow(replace(getLow()));
  setHigh(replace(getHigh()));
}
