//===-- test/Differential/Subject.cpp - A model in two forms ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Subject.h"
#include "Failure.h"
#include "cambium/Interpreter/JSON.h"
#include "cambium/Pipelines/Compile.h"
#include "cambium/Pipelines/Model.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::difftest;
using llvm::Expected;

Expected<std::unique_ptr<Compiled>>
difftest::compileAndLoad(StringRef path, DialectRegistry &registry,
                         StringRef device, bool counts) {
  llvm::SmallString<128> output;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("difftest", "so", output))
    return llvm::errorCodeToError(error);
  CompileOptions options;
  options.input = path.str();
  options.output = output.str().str();
  options.countOperations = counts;
  options.verifyEachPass = true;
  if (device != "cpu") {
    options.gpuArchs = {"sm_80"};
    options.quickHost = true;
  }
  bool done = compile(options, registry);
  Expected<std::unique_ptr<Compiled>> compiled =
      done ? Compiled::load(output, device)
           : Expected<std::unique_ptr<Compiled>>(
                 fail("compile", "the compiler refuses '" + path + "'"));
  // What is loaded stays mapped.
  llvm::sys::fs::remove(output);
  return compiled;
}

Subject::Subject(DialectRegistry &registry)
    : context(registry, MLIRContext::Threading::DISABLED) {}

Expected<std::unique_ptr<Subject>>
Subject::make(StringRef path, DialectRegistry &registry, Random &random,
              StringRef device, bool counts) {
  std::unique_ptr<Subject> subject(new Subject(registry));
  llvm::SourceMgr sources;
  subject->module = readModel(path, sources, &subject->context);
  if (!subject->module)
    return fail("parse", "'" + path + "' is not a valid model");
  Expected<std::unique_ptr<Compiled>> compiled =
      compileAndLoad(path, registry, device, counts);
  if (!compiled)
    return compiled.takeError();
  subject->compiled = std::move(*compiled);
  subject->drawParameters(random);
  return subject;
}

Expected<FunctionOpInterface>
Subject::getFunction(const cambium_entry_t *entry) {
  const cambium_entry_info_t *info = cambium_entry_info(entry);
  SymbolTable symbols(*module);
  StringRef name = info->name;
  if (info->kind == CAMBIUM_ENTRY_ACCUMULATE)
    if (auto step = symbols.lookup<train::StepOp>(info->step))
      name = step.getLoss();
  if (auto function = symbols.lookup<FunctionOpInterface>(name))
    return function;
  return fail("manifest",
              "no function for entry '" + StringRef(info->name) + "'");
}

//===----------------------------------------------------------------------===//
// Arguments of the interpreter
//===----------------------------------------------------------------------===//

static Expected<Tree> makeTreeValue(const Children &children) {
  std::vector<std::vector<int64_t>> lists;
  for (const std::vector<int32_t> &list : children)
    lists.emplace_back(list.begin(), list.end());
  return Tree::fromChildren(lists);
}

static Tensor makeTensorValue(const InputData &input, ShapedType type) {
  SmallVector<int64_t> shape(type.getShape());
  if (!shape.empty() && ShapedType::isDynamic(shape[0]))
    shape[0] = input.numRows;
  bool isFloat = isa<FloatType>(type.getElementType());
  Tensor tensor = isFloat ? Tensor::floats(shape) : Tensor::ints(shape);
  for (auto [i, value] : llvm::enumerate(input.values)) {
    if (isFloat)
      tensor.f(i) = value;
    else
      tensor.i(i) = static_cast<int64_t>(value);
  }
  return tensor;
}

/// Rows that have rows: so many each.
static std::vector<RuntimeValue> makeInnerRows(const InputData &input,
                                               ArrayRef<int32_t> counts,
                                               ShapedType type) {
  ShapedType row = type.clone(type.getShape().drop_front());
  std::vector<RuntimeValue> rows;
  int64_t size = input.numRows ? input.values.size() / input.numRows : 0;
  auto next = input.values.begin();
  for (int32_t count : counts) {
    InputData one{count, {next, next + count * size}};
    next += count * size;
    rows.push_back(makeTensorValue(one, row));
  }
  return rows;
}

Expected<Example> Subject::makeExample(const cambium_entry_t *entry,
                                       FunctionOpInterface function,
                                       const ExampleData &data) {
  Example example;
  example.key = data.key;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string name = getArgumentName(function, i);
    int64_t tree = cambium_entry_find_tree(entry, name.c_str());
    int64_t input = cambium_entry_find_input(entry, name.c_str());
    if (tree >= 0) {
      Expected<Tree> value = makeTreeValue(data.trees[tree]);
      if (!value)
        return value.takeError();
      example.args.push_back(std::move(*value));
    } else if (input >= 0) {
      auto shaped = cast<ShapedType>(type);
      int32_t space = cambium_entry_input(entry, input)->space;
      if (shaped.getNumDynamicDims() > 1)
        example.args.push_back(
            makeInnerRows(data.inputs[input], data.rowCounts[space], shaped));
      else
        example.args.push_back(makeTensorValue(data.inputs[input], shaped));
    } else {
      return fail("manifest", "no input for argument '" + name + "'");
    }
  }
  return example;
}

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

char DividesByZero::ID;

/// What the status of a call says where the interpreter says that an op divides
/// by zero; else nothing.
static std::string describeDivision(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  auto [op, rest] = StringRef(text).split(" op divides by zero");
  auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  if (op.size() == text.size() || !place)
    return "";
  return (op + " (" + llvm::sys::path::filename(place.getFilename()) + ":" +
          Twine(place.getLine()) + ":" + Twine(place.getColumn()) +
          ") divides by zero" + rest)
      .str();
}

static bool isTraining(const cambium_entry_t *entry) {
  return cambium_entry_info(entry)->kind == CAMBIUM_ENTRY_ACCUMULATE;
}

Expected<std::vector<Tensor>> Subject::interpret(const cambium_entry_t *entry,
                                                 const ExampleData &data,
                                                 bool f64) {
  Expected<FunctionOpInterface> function = getFunction(entry);
  if (!function)
    return function.takeError();
  Expected<Example> example = makeExample(entry, *function, data);
  if (!example)
    return example.takeError();
  std::string refusal;
  bool countsRows = true;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    refusal = describeDivision(diagnostic);
    module->walk([&](Operation *op) {
      if (op->getLoc() == diagnostic.getLocation())
        countsRows &= isa<FunctionOpInterface>(op->getParentOp());
    });
    return success(!refusal.empty());
  });
  FailureOr<RuntimeValues> values =
      interpretFunction(*function, example->args, parameters,
                        {f64, isTraining(entry), example->key});
  if (failed(values) && !refusal.empty())
    return llvm::make_error<DividesByZero>(refusal, countsRows);
  if (failed(values))
    return fail("interpret", "the interpreter refuses the model");
  std::vector<Tensor> results;
  for (const RuntimeValue &value : *values)
    results.push_back(*value.tensor);
  return results;
}

Expected<std::vector<Tensor>>
Subject::interpretNearby(const cambium_entry_t *entry, const ExampleData &data,
                         Random &random) {
  constexpr double kRounding = 3e-7; // Of a few operations in f32.
  Parameters kept = parameters;
  for (auto &[name, tensor] : parameters)
    for (int64_t i = 0, e = tensor.isFloat() ? tensor.getNumElements() : 0;
         i < e; ++i)
      tensor.f(i) *= 1 + random.uniform(-kRounding, kRounding);
  Expected<std::vector<Tensor>> results = interpret(entry, data, /*f64=*/true);
  parameters = std::move(kept);
  return results;
}

Expected<std::vector<ExampleData>>
Subject::withoutDivisions(const cambium_entry_t *entry,
                          std::vector<ExampleData> examples) {
  bool divides = false;
  module->walk([&](Operation *op) {
    divides |= isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
                   arith::CeilDivSIOp>(op);
  });
  if (!divides)
    return examples;
  std::vector<ExampleData> kept;
  for (ExampleData &example : examples) {
    llvm::Error error = interpret(entry, example, /*f64=*/false).takeError();
    if (!error)
      kept.push_back(std::move(example));
    else if (!error.isA<DividesByZero>())
      return error;
    else
      consumeError(std::move(error));
  }
  return kept;
}

Expected<std::vector<Derivative>>
Subject::differentiate(const cambium_entry_t *entry, ArrayRef<ExampleData> data,
                       ArrayRef<Coordinate> coordinates) {
  Expected<FunctionOpInterface> function = getFunction(entry);
  if (!function)
    return function.takeError();
  std::vector<Example> examples;
  for (const ExampleData &one : data) {
    Expected<Example> example = makeExample(entry, *function, one);
    if (!example)
      return example.takeError();
    examples.push_back(std::move(*example));
  }
  FailureOr<std::vector<Derivative>> derivatives = differentiateParameters(
      *function, examples, parameters, coordinates, {true, true, 0});
  if (failed(derivatives))
    return fail("interpret", "the interpreter cannot differentiate");
  return std::move(*derivatives);
}

/// Adds the slopes of the loss of one example, in f64.
static llvm::Error addSlopes(FunctionOpInterface function,
                             const Example &example,
                             const Parameters &parameters,
                             const Coordinate &coordinate, Slopes &sum) {
  constexpr double kStep = 1e-6;
  Interpreter interpreter(SymbolTable::getNearestSymbolTable(function),
                          parameters, {true, true, example.key});
  double &x = interpreter.getMutableParameter(coordinate.parameter)
                  ->f(coordinate.index);
  double middle = x, losses[3];
  Interpreter::Constants constants;
  // The unchanged point first: what is held constant is recorded there.
  for (int i : {1, 0, 2}) {
    x = middle + (i - 1) * kStep;
    Interpreter::ConstantsScope scope(interpreter, constants, i != 1);
    FailureOr<RuntimeValues> values = interpreter.call(function, example.args);
    if (failed(values))
      return fail("interpret", "the interpreter refuses the model");
    losses[i] = values->front().tensor->f(0);
  }
  sum.left += (losses[1] - losses[0]) / kStep;
  sum.right += (losses[2] - losses[1]) / kStep;
  return llvm::Error::success();
}

Expected<Slopes> Subject::findSlopes(const cambium_entry_t *entry,
                                     ArrayRef<ExampleData> data,
                                     const Coordinate &coordinate) {
  Expected<FunctionOpInterface> function = getFunction(entry);
  if (!function)
    return function.takeError();
  Slopes sum{0, 0};
  for (const ExampleData &one : data) {
    Expected<Example> example = makeExample(entry, *function, one);
    if (!example)
      return example.takeError();
    if (llvm::Error error =
            addSlopes(*function, *example, parameters, coordinate, sum))
      return error;
  }
  return Slopes{sum.left / data.size(), sum.right / data.size()};
}
