//===-- dialects/NN/IR/NNDialect.cpp - The nn dialect and its attributes --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/InlineAnywhere.h"
#include "cambium/Support/ParseWord.h"
#include "cambium/Support/Suggest.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace cambium::nn;

#include "dialects/NN/IR/NNDialect.cpp.inc"
#include "dialects/NN/IR/NNEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/NN/IR/NNAttrs.cpp.inc"

void NNDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/NN/IR/NNAttrs.cpp.inc"
      >();
  KeywordOps<
#define GET_OP_LIST
#include "dialects/NN/IR/NNOps.cpp.inc"
      >::registerIn(*this);
  addInterfaces<cambium::InlineAnywhere>();
}

LogicalResult NNDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  if (attribute.getName() != kSizesAttr)
    return success();
  auto sizes = dyn_cast<ArrayAttr>(attribute.getValue());
  if (sizes && isa<FunctionOpInterface>(op) &&
      llvm::all_of(sizes, llvm::IsaPred<SizeAttr>))
    return success();
  // [NN-SIZES-C11]
  return op->emitOpError() << "expected '" << kSizesAttr
                           << "' to be the sizes of a function's file, but got "
                           << attribute.getValue();
}

Operation *NNDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// InitAttr
//===----------------------------------------------------------------------===//

/// How many numbers a kind takes: at least `min`, at most `max`.
static std::pair<unsigned, unsigned> numArguments(InitKind kind) {
  switch (kind) {
  case InitKind::Zeros:
  case InitKind::File:
    return {0, 0};
  case InitKind::Constant:
    return {1, 1};
  case InitKind::Uniform:
  case InitKind::Normal:
  case InitKind::TruncatedNormal:
    return {2, 2};
  case InitKind::XavierUniform:
  case InitKind::XavierNormal:
  case InitKind::Orthogonal:
  case InitKind::Sinusoidal:
    return {0, 1};
  }
  llvm_unreachable("unknown initializer");
}

static ParseResult parseNumber(AsmParser &parser, double &value) {
  return parser.parseFloat(value);
}

static SmallVector<StringRef> initKinds() {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i <= getMaxEnumValForInitKind(); ++i)
    names.push_back(stringifyInitKind(static_cast<InitKind>(i)));
  return names;
}

// `<` kind (`(` number (`,` number)? `)` | `(` string `,` string `)`)? `>`
Attribute InitAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseWord(parser, keyword, initKinds()))
    return {};
  std::optional<InitKind> kind = symbolizeInitKind(keyword);
  if (!kind) {
    // [NN-INIT-C1]
    parser.emitError(loc)
        << "expected an initializer (zeros, constant, uniform, normal, "
           "truncated_normal, xavier_uniform, xavier_normal, orthogonal, "
           "file, sinusoidal), but got '"
        << keyword << "'" << didYouMean(keyword, initKinds());
    return {};
  }
  std::string path, tensor;
  SmallVector<double> numbers;
  auto parseArgument = [&]() -> ParseResult {
    return parseNumber(parser, numbers.emplace_back());
  };
  if (*kind == InitKind::File) {
    if (parser.parseLParen() || parser.parseString(&path) ||
        parser.parseComma() || parser.parseString(&tensor) ||
        parser.parseRParen())
      return {};
  } else if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseCommaSeparatedList(parseArgument) || parser.parseRParen())
      return {};
  }
  auto [min, max] = numArguments(*kind);
  if (numbers.size() < min || numbers.size() > max) {
    // [NN-INIT-C2]
    parser.emitError(loc) << "expected " << max << " numbers for '" << keyword
                          << "', but got " << numbers.size();
    return {};
  }
  if (parser.parseGreater())
    return {};
  if (numbers.empty() && max == 1)
    numbers.push_back(1.0);
  numbers.resize(2, 0.0);
  return parser.getChecked<InitAttr>(loc, parser.getContext(), *kind,
                                     APFloat(numbers[0]), APFloat(numbers[1]),
                                     path, tensor);
}

void InitAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyInitKind(getKind());
  unsigned max = numArguments(getKind()).second;
  if (getKind() == InitKind::File) {
    printer << "(";
    printer.printString(getPath());
    printer << ", ";
    printer.printString(getTensor());
    printer << ")";
  } else if (max) {
    printer << "(";
    printer.printFloat(getA());
    if (max == 2) {
      printer << ", ";
      printer.printFloat(getB());
    }
    printer << ")";
  }
  printer << ">";
}

LogicalResult InitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               InitKind kind, APFloat first, APFloat second,
                               StringRef path, StringRef tensor) {
  double a = first.convertToDouble(), b = second.convertToDouble();
  if (!std::isfinite(a) || !std::isfinite(b))
    // [NN-INIT-C6]
    return emitError() << "expected finite numbers for '"
                       << stringifyInitKind(kind) << "', but got " << a
                       << " and " << b;
  if (kind == InitKind::Uniform && a > b)
    // [NN-INIT-C3]
    return emitError()
           << "expected the lower bound of 'uniform' not to exceed the upper "
              "one, but got "
           << a << " and " << b;
  if ((kind == InitKind::Normal || kind == InitKind::TruncatedNormal) && b < 0)
    // [NN-INIT-C4]
    return emitError() << "expected a deviation that is not negative, but got "
                       << b;
  if (kind == InitKind::File && (path.empty() || tensor.empty()))
    // [NN-INIT-C5]
    return emitError()
           << "expected the path of a file and the name of a tensor";
  return success();
}
