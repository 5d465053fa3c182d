//===-- TrainDialect.cpp - The train dialect and its attributes -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/InlineAnywhere.h"
#include "cambium/Support/ParseWord.h"
#include "cambium/Support/Suggest.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium::train;

#include "dialects/Train/IR/TrainDialect.cpp.inc"
#include "dialects/Train/IR/TrainEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Train/IR/TrainAttrs.cpp.inc"

void TrainDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Train/IR/TrainAttrs.cpp.inc"
      >();
  KeywordOps<
#define GET_OP_LIST
#include "dialects/Train/IR/TrainOps.cpp.inc"
      >::registerIn(*this);
  addInterfaces<cambium::InlineAnywhere>();
}

//===----------------------------------------------------------------------===//
// OptimizerAttr
//===----------------------------------------------------------------------===//

namespace {
/// The constants of all rules, with the defaults of the papers.
struct Constants {
  double momentum = 0, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weightDecay = 0;
  bool biasCorrection = true;

  explicit Constants(OptimizerKind kind) {
    if (kind != OptimizerKind::Lamb && kind != OptimizerKind::Adadelta)
      return;
    eps = 1e-6;
    if (kind == OptimizerKind::Adadelta) {
      beta2 = 0.95;
      return;
    }
    weightDecay = 0.01;
    biasCorrection = false;
  }

  double *find(StringRef name) {
    return llvm::StringSwitch<double *>(name)
        .Case("momentum", &momentum)
        .Case("beta1", &beta1)
        .Cases({"beta2", "rho"}, &beta2)
        .Case("eps", &eps)
        .Case("weight_decay", &weightDecay)
        .Default(nullptr);
  }
};
} // namespace

/// The one constant that is no number.
static constexpr StringLiteral kBiasCorrection = "bias_correction";

/// The constants that a rule uses.
static ArrayRef<StringRef> constantsOf(OptimizerKind kind) {
  static const StringRef sgd[] = {"momentum", "weight_decay"};
  static const StringRef adagrad[] = {"eps", "weight_decay"};
  static const StringRef adam[] = {"beta1", "beta2", "eps", "weight_decay",
                                   kBiasCorrection};
  static const StringRef adadelta[] = {"rho", "eps", "weight_decay"};
  switch (kind) {
  case OptimizerKind::SGD:
    return sgd;
  case OptimizerKind::Adagrad:
    return adagrad;
  case OptimizerKind::Adadelta:
    return adadelta;
  case OptimizerKind::Adam:
  case OptimizerKind::AdamW:
  case OptimizerKind::Lamb:
    return adam;
  }
  llvm_unreachable("unknown optimizer");
}

static ParseResult parseConstant(AsmParser &parser, StringRef name,
                                 Constants &constants) {
  if (name != kBiasCorrection)
    return parser.parseFloat(*constants.find(name));
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (cambium::parseWord(parser, word, {"true", "false"}))
    return failure();
  if (word != "true" && word != "false")
    // [TRAIN-OPTIMIZER-C3]
    return parser.emitError(loc)
           << "expected true or false, but got '" << word << "'";
  constants.biasCorrection = word == "true";
  return success();
}

static SmallVector<StringRef> optimizers() {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i <= getMaxEnumValForOptimizerKind(); ++i)
    names.push_back(stringifyOptimizerKind(static_cast<OptimizerKind>(i)));
  return names;
}

Attribute OptimizerAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || cambium::parseWord(parser, keyword, optimizers()))
    return {};
  std::optional<OptimizerKind> kind = symbolizeOptimizerKind(keyword);
  if (!kind) {
    // [TRAIN-OPTIMIZER-C1]
    parser.emitError(loc) << "expected an optimizer ("
                          << llvm::join(optimizers(), ", ")
                          << "), but "
                             "got '"
                          << keyword << "'"
                          << didYouMean(keyword, optimizers());
    return {};
  }
  Constants constants(*kind);
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc nameLoc = parser.getCurrentLocation();
    if (cambium::parseWord(parser, name, constantsOf(*kind)))
      return {};
    if (!llvm::is_contained(constantsOf(*kind), name)) {
      // [TRAIN-OPTIMIZER-C2]
      parser.emitError(nameLoc)
          << "expected a constant of '" << keyword << "' ("
          << llvm::join(constantsOf(*kind), ", ") << "), but got '" << name
          << "'" << didYouMean(name, constantsOf(*kind));
      return {};
    }
    if (parser.parseEqual() || parseConstant(parser, name, constants))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<OptimizerAttr>(
      loc, parser.getContext(), *kind, APFloat(constants.momentum),
      APFloat(constants.beta1), APFloat(constants.beta2),
      APFloat(constants.eps), APFloat(constants.weightDecay),
      constants.biasCorrection);
}

void OptimizerAttr::print(AsmPrinter &printer) const {
  Constants defaults(getKind()), mine(getKind());
  mine.momentum = getMomentum().convertToDouble();
  mine.beta1 = getBeta1().convertToDouble();
  mine.beta2 = getBeta2().convertToDouble();
  mine.eps = getEps().convertToDouble();
  mine.weightDecay = getWeightDecay().convertToDouble();
  printer << "<" << stringifyOptimizerKind(getKind());
  for (StringRef name : constantsOf(getKind())) {
    if (name == kBiasCorrection || *mine.find(name) == *defaults.find(name))
      continue;
    printer << ", " << name << " = ";
    printer.printFloat(APFloat(*mine.find(name)));
  }
  if (getBiasCorrection() != defaults.biasCorrection)
    printer << ", " << kBiasCorrection << " = "
            << (getBiasCorrection() ? "true" : "false");
  printer << ">";
}

LogicalResult
OptimizerAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      OptimizerKind kind, APFloat momentum, APFloat beta1,
                      APFloat beta2, APFloat eps, APFloat weightDecay, bool) {
  auto fraction = [&](StringRef name, APFloat number) -> LogicalResult {
    double value = number.convertToDouble();
    if (value >= 0 && value < 1)
      return success();
    // [TRAIN-OPTIMIZER-C4]
    return emitError() << "expected '" << name << "' in [0, 1), but got "
                       << value;
  };
  if (failed(fraction("momentum", momentum)) ||
      failed(fraction("beta1", beta1)) ||
      failed(
          fraction(kind == OptimizerKind::Adadelta ? "rho" : "beta2", beta2)))
    return failure();
  auto notNegative = [&](StringRef name, APFloat number) -> LogicalResult {
    if (number.convertToDouble() >= 0)
      return success();
    // [TRAIN-OPTIMIZER-C5]
    return emitError() << "expected '" << name
                       << "' not to be negative, but got "
                       << number.convertToDouble();
  };
  if (failed(notNegative("eps", eps)))
    return failure();
  return notNegative("weight_decay", weightDecay);
}
