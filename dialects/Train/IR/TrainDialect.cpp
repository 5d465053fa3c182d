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

#include <cmath>

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
  double clip = 1, leastScale = 1e-3;
  bool biasCorrection = true, relativeStep = true, scaleParameter = true;

  explicit Constants(OptimizerKind kind) {
    switch (kind) {
    case OptimizerKind::Lamb:
      eps = 1e-6;
      weightDecay = 0.01;
      biasCorrection = false;
      return;
    case OptimizerKind::Adadelta:
      eps = 1e-6;
      beta2 = 0.95;
      return;
    case OptimizerKind::Adafactor:
      eps = 1e-30;
      beta2 = 0.8;
      return;
    default:
      return;
    }
  }

  /// The place of a number, or null.
  double *find(StringRef name) {
    return llvm::StringSwitch<double *>(name)
        .Case("momentum", &momentum)
        .Case("beta1", &beta1)
        .Cases({"beta2", "rho", "decay_rate"}, &beta2)
        .Case("eps", &eps)
        .Case("weight_decay", &weightDecay)
        .Case("clip", &clip)
        .Case("least_scale", &leastScale)
        .Default(nullptr);
  }

  /// The place of a flag, or null.
  bool *findFlag(StringRef name) {
    return llvm::StringSwitch<bool *>(name)
        .Case("bias_correction", &biasCorrection)
        .Case("relative_step", &relativeStep)
        .Case("scale_parameter", &scaleParameter)
        .Default(nullptr);
  }
};
} // namespace

/// The constants that a rule uses.
static ArrayRef<StringRef> constantsOf(OptimizerKind kind) {
  static const StringRef sgd[] = {"momentum", "weight_decay"};
  static const StringRef adagrad[] = {"eps", "weight_decay"};
  static const StringRef adam[] = {"beta1", "beta2", "eps", "weight_decay",
                                   "bias_correction"};
  static const StringRef adadelta[] = {"rho", "eps", "weight_decay"};
  static const StringRef adafactor[] = {
      "decay_rate",   "eps",           "clip",           "least_scale",
      "weight_decay", "relative_step", "scale_parameter"};
  switch (kind) {
  case OptimizerKind::SGD:
    return sgd;
  case OptimizerKind::Adagrad:
    return adagrad;
  case OptimizerKind::Adadelta:
    return adadelta;
  case OptimizerKind::Adafactor:
    return adafactor;
  case OptimizerKind::Adam:
  case OptimizerKind::AdamW:
  case OptimizerKind::Lamb:
    return adam;
  }
  llvm_unreachable("unknown optimizer");
}

static ParseResult parseConstant(AsmParser &parser, StringRef name,
                                 Constants &constants) {
  if (double *number = constants.find(name))
    return parser.parseFloat(*number);
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (cambium::parseWord(parser, word, {"true", "false"}))
    return failure();
  if (word != "true" && word != "false")
    // [TRAIN-OPTIMIZER-C3]
    return parser.emitError(loc)
           << "expected true or false, but got '" << word << "'";
  *constants.findFlag(name) = word == "true";
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
      constants.biasCorrection, APFloat(constants.clip),
      APFloat(constants.leastScale), constants.relativeStep,
      constants.scaleParameter);
}

void OptimizerAttr::print(AsmPrinter &printer) const {
  Constants defaults(getKind()), mine(getKind());
  mine.momentum = getMomentum().convertToDouble();
  mine.beta1 = getBeta1().convertToDouble();
  mine.beta2 = getBeta2().convertToDouble();
  mine.eps = getEps().convertToDouble();
  mine.weightDecay = getWeightDecay().convertToDouble();
  mine.clip = getClip().convertToDouble();
  mine.leastScale = getLeastScale().convertToDouble();
  mine.biasCorrection = getBiasCorrection();
  mine.relativeStep = getRelativeStep();
  mine.scaleParameter = getScaleParameter();
  printer << "<" << stringifyOptimizerKind(getKind());
  for (StringRef name : constantsOf(getKind())) {
    const bool *flag = mine.findFlag(name);
    if (flag ? *flag == *defaults.findFlag(name)
             : *mine.find(name) == *defaults.find(name))
      continue;
    printer << ", " << name << " = ";
    if (flag)
      printer << (*flag ? "true" : "false");
    else
      printer.printFloat(APFloat(*mine.find(name)));
  }
  printer << ">";
}

/// What a rule calls the decay of its squares.
static StringRef nameOfDecay(OptimizerKind kind) {
  switch (kind) {
  case OptimizerKind::Adadelta:
    return "rho";
  case OptimizerKind::Adafactor:
    return "decay_rate";
  default:
    return "beta2";
  }
}

LogicalResult
OptimizerAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      OptimizerKind kind, APFloat momentum, APFloat beta1,
                      APFloat beta2, APFloat eps, APFloat weightDecay, bool,
                      APFloat clip, APFloat leastScale, bool, bool) {
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
      failed(fraction(nameOfDecay(kind), beta2)))
    return failure();
  auto notNegative = [&](StringRef name, APFloat number) -> LogicalResult {
    double value = number.convertToDouble();
    if (value >= 0 && std::isfinite(value))
      return success();
    // [TRAIN-OPTIMIZER-C5]
    return emitError() << "expected '" << name
                       << "' to be finite and not negative, but got " << value;
  };
  if (failed(notNegative("eps", eps)) ||
      failed(notNegative("least_scale", leastScale)) ||
      failed(notNegative("weight_decay", weightDecay)))
    return failure();
  if (clip.convertToDouble() > 0)
    return success();
  // [TRAIN-OPTIMIZER-C6]
  return emitError() << "expected 'clip' to be positive, but got "
                     << clip.convertToDouble();
}
