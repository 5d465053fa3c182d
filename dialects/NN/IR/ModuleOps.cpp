//===-- dialects/NN/IR/ModuleOps.cpp - Parameters and modules ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Suggest.h"
#include "dialects/NN/IR/Inference.h"
#include "dialects/NN/IR/Sizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

//===----------------------------------------------------------------------===//
// nn.param, nn.use, nn.constant
//===----------------------------------------------------------------------===//

/// Parses `frozen`, `group "name"`, `no_decay`, `row_sparse` and `slices n`, as
/// far as they are there.
static ParseResult parseTraits(OpAsmParser &parser,
                               ParamOp::Properties &properties) {
  Builder &builder = parser.getBuilder();
  auto parseFlag = [&](StringRef word, UnitAttr &flag) {
    if (succeeded(parser.parseOptionalKeyword(word)))
      flag = builder.getUnitAttr();
  };
  parseFlag("frozen", properties.frozen);
  std::string group;
  if (succeeded(parser.parseOptionalKeyword("group"))) {
    if (parser.parseString(&group))
      return failure();
    properties.group = builder.getStringAttr(group);
  }
  parseFlag("no_decay", properties.no_decay);
  parseFlag("row_sparse", properties.row_sparse);
  int64_t slices = 0;
  if (failed(parser.parseOptionalKeyword("slices")))
    return success();
  if (parser.parseInteger(slices))
    return failure();
  properties.slices = builder.getI64IntegerAttr(slices);
  return success();
}

static void printTraits(OpAsmPrinter &printer, ParamOp op) {
  if (op.getFrozen())
    printer << " frozen";
  if (StringAttr group = op.getGroupAttr())
    printer << " group " << group;
  if (op.getNoDecay())
    printer << " no_decay";
  if (op.getRowSparse())
    printer << " row_sparse";
  if (int64_t slices = op.getSlices())
    printer << " slices " << slices;
}

// (`@name` | `"name"`) `:` type (`init` init)? traits attr-dict
ParseResult ParamOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  std::string local;
  SMLoc loc = parser.getCurrentLocation();
  bool isLocal = succeeded(parser.parseOptionalString(&local));
  if (isLocal)
    properties.local = parser.getBuilder().getStringAttr(local);
  else if (parser.parseSymbolName(properties.sym_name))
    return failure();
  if (isLocal != parser.getNumResults() > 0)
    // [NN-PARAM-C3]
    return parser.emitError(loc) << "expected `%value = nn.param \"name\"` in "
                                    "a function, or `nn.param "
                                    "@name` in the module";
  Type type;
  if (parser.parseColonType(type))
    return failure();
  properties.type = TypeAttr::get(type);
  if (isLocal)
    result.addTypes(type);
  if (succeeded(parser.parseOptionalKeyword("init"))) {
    Attribute init;
    if (parser.parseCustomAttributeWithFallback(
            init, Type(), [&](Attribute &attribute, Type type) {
              attribute = InitAttr::parse(parser, type);
              return success(bool(attribute));
            }))
      return failure();
    properties.init = init;
  }
  return failure(parseTraits(parser, properties) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void ParamOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getLocal())
    printer.printAttribute(getLocalAttr());
  else
    printer.printSymbolName(*getSymName());
  printer << " : " << getType();
  if (getInit()) {
    printer << " init ";
    if (auto init = dyn_cast<InitAttr>(getInitAttr()))
      printer.printStrippedAttrOrType(init);
    else
      printer.printAttribute(getInitAttr());
  }
  printTraits(printer, *this);
  printer.printOptionalAttrDict((*this)->getAttrs(), getAttributeNames());
}

static LogicalResult verifyInit(ParamOp op, InitAttr init) {
  InitKind kind = init.getKind();
  bool needsMatrix =
      kind == InitKind::XavierUniform || kind == InitKind::XavierNormal ||
      kind == InitKind::Orthogonal || kind == InitKind::Sinusoidal;
  RankedTensorType type = op.getSliceType();
  if (needsMatrix && type.getRank() < 2)
    // [NN-PARAM-C2]
    return op.emitOpError()
           << "initializer '" << stringifyInitKind(kind)
           << "' expected at least two dimensions, but got " << type;
  Type element = type.getElementType();
  for (const APFloat &number : {init.getA(), init.getB()})
    if (!std::isfinite(asElement(number.convertToDouble(), element)))
      // [NN-PARAM-C14]
      return op.emitOpError() << "initializer '" << stringifyInitKind(kind)
                              << "' expected finite numbers of " << element
                              << ", but got " << number.convertToDouble();
  return success();
}

LogicalResult ParamOp::verify() {
  bool isLocal = getLocal().has_value();
  if (isLocal != bool(getValue()) || isLocal == getSymName().has_value() ||
      (isLocal && !(*this)->getParentOfType<FunctionOpInterface>()))
    // [NN-PARAM-C4]
    return emitOpError() << "expected a name and a value in a function, or a "
                            "symbol and no value in the module";
  if (isLocal && getLocal()->empty())
    // [NN-PARAM-C5]
    return emitOpError() << "expected a name, but got an empty one";
  auto type = cast<RankedTensorType>(getType());
  if (isLocal && getValue().getType() != type)
    // [NN-PARAM-C6]
    return emitOpError() << "expected a value of type " << type << ", but got "
                         << getValue().getType();
  if (!type.hasStaticShape())
    // [NN-PARAM-C1]
    return emitOpError() << "expected a static shape, but got " << type;
  int64_t slices = getSlices();
  if (slices < 0 || slices > type.getRank())
    // [NN-PARAM-C10]
    return emitOpError() << "expected 0 to " << type.getRank()
                         << " leading dimensions that number slices of " << type
                         << ", but got " << slices;
  if (auto init = getInit(); init && failed(verifyInit(*this, *init)))
    return failure();
  if (getRowSparse() && type.getRank() == 0)
    // [NN-PARAM-C11]
    return emitOpError("expected a 'row_sparse' parameter to have rows, but "
                       "got ")
           << type;
  return success();
}

RankedTensorType ParamOp::getSliceType() {
  auto type = cast<RankedTensorType>(getType());
  return type.clone(type.getShape().drop_front(getSlices()));
}

LogicalResult UseOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto param = symbols.lookupNearestSymbolFrom<ParamOp>(*this, getParamAttr());
  if (!param)
    // [NN-USE-C1]
    return emitOpError() << "expected the name of an 'nn.param', but got '"
                         << getParam() << "'"
                         << didYouMeanSymbol<ParamOp>(getParam(), *this);
  if (param.getType() == getType())
    return success();
  // [NN-USE-C2]
  InFlightDiagnostic diag = emitOpError() << "expected type " << param.getType()
                                          << ", but got " << getType();
  diag.attachNote(param.getLoc()) << "the parameter is declared here";
  return diag;
}

LogicalResult ConstantOp::verify() {
  if (getType().getRank() == 0)
    return success();
  // [NN-CONSTANT-C1]
  return emitOpError() << "expected a number, a tensor of rank 0, but got "
                       << getType();
}

//===----------------------------------------------------------------------===//
// nn.call
//===----------------------------------------------------------------------===//

/// Whether a name may come from another file.
static bool hasImports(Operation *op) {
  Operation *module = SymbolTable::getNearestSymbolTable(op);
  return module && module->getNumRegions() == 1 &&
         !module->getRegion(0).getOps<ImportOp>().empty();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getCalleeAttr());
  if (!callee) {
    if (hasImports(*this))
      return success();
    // [NN-CALL-C1]
    return emitOpError() << "expected the name of a function, but got '"
                         << getCallee() << "'"
                         << didYouMeanSymbol<FunctionOpInterface>(getCallee(),
                                                                  *this);
  }
  if (callee.getNumArguments() == getNumOperands() &&
      callee.getNumResults() == getNumResults())
    return success();
  // [NN-CALL-C2]
  InFlightDiagnostic diag = emitOpError()
                            << "expected " << callee.getNumArguments()
                            << " operands and " << callee.getNumResults()
                            << " results, but got " << getNumOperands()
                            << " and " << getNumResults();
  diag.attachNote(callee.getLoc()) << "'@" << getCallee() << "' stands here";
  return diag;
}

//===----------------------------------------------------------------------===//
// nn.sizes
//===----------------------------------------------------------------------===//

/// `size` (`*` (number | size))* or `number` (`*` size)*.
static ParseResult parseTerm(OpAsmParser &parser,
                             SmallVector<SizeTermAttr> &terms) {
  int64_t factor = 1;
  SmallVector<StringAttr> names;
  auto parseFactor = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      factor *= number;
      return *isNumber;
    }
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    names.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parseFactor())
    return failure();
  while (succeeded(parser.parseOptionalStar()))
    if (parseFactor())
      return failure();
  terms.push_back(SizeTermAttr::get(parser.getContext(), factor, names));
  return success();
}

/// name `=` term (`+` term)*
static ParseResult parseSize(OpAsmParser &parser, SmallVector<Attribute> &sizes,
                             SizeValues &values) {
  std::string text;
  SmallVector<SizeTermAttr> terms;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&text) || parser.parseEqual() ||
      parseTerm(parser, terms))
    return failure();
  while (succeeded(parser.parseOptionalPlus()))
    if (parseTerm(parser, terms))
      return failure();
  StringAttr name = parser.getBuilder().getStringAttr(text);
  SizeAttr size = SizeAttr::get(parser.getContext(), name, 0, terms);
  std::optional<int64_t> value = evaluate(size, values);
  if (!value)
    // [NN-SIZES-C1]
    return parser.emitError(loc)
           << "expected '" << text
           << "' to be a number, or computed from sizes before it";
  bool isPlain = terms.size() == 1 && terms.front().getNames().empty();
  sizes.push_back(SizeAttr::get(parser.getContext(), name, *value,
                                isPlain ? ArrayRef<SizeTermAttr>() : terms));
  values[name] = *value;
  return success();
}

// `{` size (`,` size)* `}` attr-dict
ParseResult SizesOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Attribute> sizes;
  SizeValues values;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Braces,
          [&] { return parseSize(parser, sizes, values); }) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.getOrAddProperties<Properties>().sizes =
      parser.getBuilder().getArrayAttr(sizes);
  return success();
}

static void printTerm(OpAsmPrinter &printer, SizeTermAttr term) {
  bool hasFactor = term.getFactor() != 1 || term.getNames().empty();
  if (hasFactor)
    printer << term.getFactor();
  if (hasFactor && !term.getNames().empty())
    printer << " * ";
  llvm::interleave(
      term.getNames(),
      [&](StringAttr name) { printer.printKeywordOrString(name); },
      [&] { printer << " * "; });
}

void SizesOp::print(OpAsmPrinter &printer) {
  printer << " {";
  llvm::interleaveComma(
      getSizes().getAsRange<SizeAttr>(), printer, [&](SizeAttr size) {
        printer.printKeywordOrString(size.getName());
        printer << " = ";
        if (size.getTerms().empty())
          printer << size.getValue();
        llvm::interleave(
            size.getTerms(),
            [&](SizeTermAttr term) { printTerm(printer, term); },
            [&] { printer << " + "; });
      });
  printer << "}";
  printer.printOptionalAttrDict((*this)->getAttrs(), {getSizesAttrName()});
}

LogicalResult SizesOp::verify() {
  llvm::SmallDenseMap<int64_t, StringRef> names;
  llvm::SmallDenseSet<StringAttr> known;
  for (Attribute attribute : getSizes()) {
    auto size = dyn_cast<SizeAttr>(attribute);
    if (!size)
      // [NN-SIZES-C2]
      return emitOpError() << "expected sizes, but got " << attribute;
    if (size.getValue() < 1)
      // [NN-SIZES-C3]
      return emitOpError() << "expected '" << size.getName().getValue()
                           << "' to be at least 1, but got " << size.getValue();
    auto [other, isNew] =
        names.try_emplace(size.getValue(), size.getName().getValue());
    if (!known.insert(size.getName()).second)
      // [NN-SIZES-C4]
      return emitOpError() << "expected one size '" << size.getName().getValue()
                           << "', but got two";
    if (!isNew)
      // [NN-SIZES-C5]
      return emitOpError() << "expected sizes that are different numbers, but '"
                           << other->second << "' and '"
                           << size.getName().getValue() << "' are both "
                           << size.getValue();
  }
  return success();
}
