//===-- cambium-interpret.cpp - Runs the interpreter on a JSON file -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool: reads a module and a JSON file
//
//   {"function": "loss",
//    "params": {"W": [[...], ...], ...},
//    "examples": [{"tree": {"parents": [...]}, "words": [...], "key": 7}, ...]}
//
// and prints the results of the function on every example, or with --gradient
// the derivatives of the mean loss, as JSON. In an example `key` is its random
// key, 0 if left out, and `function` one to evaluate instead of the file's. See
// include/cambium/Interpreter/JSON.h for tensors and trees.
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllDialects.h"
#include "cambium/Interpreter/JSON.h"
#include "cambium/Pipelines/Model.h"
#include "cambium/Support/JsonDepth.h"
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/Random.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Train/Interpret/FiniteDifferences.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace cambium;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::OptionCategory category("Options of cambium-interpret");
static cl::opt<std::string> modelFile(cl::Positional, cl::Required,
                                      cl::desc("model.mlir"),
                                      cl::cat(category));
static cl::opt<std::string> dataFile(cl::Positional, cl::Required,
                                     cl::desc("data.json"), cl::cat(category));
static cl::opt<std::string> functionName("function",
                                         cl::desc("instead of the file's"),
                                         cl::cat(category));
static cl::opt<bool> f64("f64", cl::desc("compute all in double"),
                         cl::cat(category));
static cl::opt<bool> training("training", cl::desc("dropout is active"),
                              cl::cat(category));
static cl::opt<bool> gradient(
    "gradient",
    cl::desc("derivatives of the mean loss by finite differences in f64, with "
             "respect to all parameters that are not frozen"),
    cl::cat(category));
static cl::opt<unsigned>
    samples("samples", cl::init(0),
            cl::desc("at most so many coordinates of each parameter"),
            cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::init(0),
                              cl::desc("which coordinates"), cl::cat(category));

/// What the JSON file says; a function for each example.
struct Input {
  FunctionOpInterface function;
  Parameters parameters;
  std::vector<Example> examples;
  std::vector<FunctionOpInterface> functions;
};

static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << dataFile << ": " << message << "\n";
  return failure();
}

static LogicalResult readParameters(ModuleOp module, const json::Object *fields,
                                    Parameters &parameters) {
  SymbolTable symbols(module);
  for (const auto &[name, json] : fields ? *fields : json::Object()) {
    auto param = symbols.lookup<nn::ParamOp>(name.str());
    if (!param)
      return fail("expected the name of a parameter, but got '" + name.str() +
                  "'");
    llvm::Expected<RuntimeValue> value = readJSON(json, param.getType());
    if (!value)
      return fail("parameter '" + name.str() +
                  "': " + llvm::toString(value.takeError()));
    parameters.emplace(name.str(), *value->tensor);
  }
  return success();
}

/// The function that is named, or the fallback.
static FailureOr<FunctionOpInterface>
findFunction(ModuleOp module, std::optional<StringRef> name,
             FunctionOpInterface fallback) {
  if (!name && fallback)
    return fallback;
  StringRef text = name.value_or("");
  if (auto function = SymbolTable(module).lookup<FunctionOpInterface>(text))
    return function;
  return fail("expected the name of a function, but got '" + text + "'");
}

static LogicalResult readExamples(ModuleOp module, const json::Array *list,
                                  Input &input) {
  if (!list)
    return fail("expected a list of 'examples'");
  for (const json::Value &element : *list) {
    const json::Object *fields = element.getAsObject();
    if (!fields)
      return fail("expected an object for every example");
    FailureOr<FunctionOpInterface> function =
        findFunction(module, fields->getString("function"), input.function);
    if (failed(function))
      return failure();
    llvm::Expected<RuntimeValues> args =
        readArguments(*fields, *function, {"key", "function"});
    if (!args)
      return fail("example " + llvm::Twine(input.examples.size()) + ": " +
                  llvm::toString(args.takeError()));
    Example example{std::move(*args), 0};
    if (const json::Value *key = fields->get("key")) {
      if (!key->getAsUINT64())
        return fail("example " + llvm::Twine(input.examples.size()) +
                    ": expected 'key' as a whole number from 0");
      example.key = *key->getAsUINT64();
    }
    input.examples.push_back(std::move(example));
    input.functions.push_back(*function);
  }
  return success();
}

static LogicalResult readInput(ModuleOp module, Input &input) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openModel(dataFile, &error);
  if (!buffer) {
    llvm::errs() << "error: " << error << "\n";
    return failure();
  }
  if (isJsonTooDeep(buffer->getBuffer()))
    return fail("expected values that nest at most " +
                llvm::Twine(kMostJsonDepth) + " deep");
  llvm::Expected<json::Value> root = json::parse(buffer->getBuffer());
  if (!root)
    return fail(llvm::toString(root.takeError()));
  json::Object *fields = root->getAsObject();
  if (!fields)
    return fail("expected an object");
  std::optional<StringRef> name = fields->getString("function");
  if (!functionName.empty())
    name = functionName;
  if (name) {
    FailureOr<FunctionOpInterface> function = findFunction(module, name, {});
    if (failed(function))
      return failure();
    input.function = *function;
  }
  if (failed(readParameters(module, fields->getObject("params"),
                            input.parameters)))
    return failure();
  return readExamples(module, fields->getArray("examples"), input);
}

static FailureOr<json::Value> evaluate(ModuleOp module, Input &input) {
  json::Array examples;
  Interpreter interpreter(module, input.parameters, {f64, training, 0});
  for (auto [function, example] :
       llvm::zip_equal(input.functions, input.examples)) {
    interpreter.setKey(example.key);
    FailureOr<RuntimeValues> results = interpreter.call(function, example.args);
    if (failed(results))
      return failure();
    json::Array values;
    for (const RuntimeValue &value : *results)
      values.push_back(value.tensor ? writeJSON(*value.tensor)
                                    : writeJSON(*value.tree));
    examples.push_back(std::move(values));
  }
  return json::Value(json::Object{{"results", std::move(examples)}});
}

/// All coordinates of a parameter, or a sample of them without repetition.
static std::vector<int64_t> chooseCoordinates(int64_t size, uint64_t key) {
  std::vector<int64_t> indices(size);
  for (int64_t i = 0; i < size; ++i)
    indices[i] = i;
  if (!samples || size <= samples)
    return indices;
  for (unsigned i = 0; i < samples; ++i)
    std::swap(indices[i], indices[i + mixKey(key, i) % (size - i)]);
  indices.resize(samples);
  llvm::sort(indices);
  return indices;
}

static FailureOr<json::Value> differentiateAll(ModuleOp module, Input &input) {
  if (!input.function)
    return fail("expected a 'function' to differentiate");
  std::vector<Coordinate> coordinates;
  for (nn::ParamOp param : module.getOps<nn::ParamOp>()) {
    auto it = input.parameters.find(param.getName().str());
    if (param.getFrozen() || it == input.parameters.end())
      continue;
    uint64_t key = mixKey(seed, coordinates.size());
    for (int64_t index : chooseCoordinates(it->second.getNumElements(), key))
      coordinates.push_back({it->first, index});
  }
  FailureOr<std::vector<Derivative>> derivatives =
      differentiateParameters(input.function, input.examples, input.parameters,
                              coordinates, {true, training, 0});
  if (failed(derivatives))
    return failure();
  json::Object gradients;
  for (const Derivative &derivative : *derivatives) {
    json::Value &list =
        gradients.try_emplace(derivative.parameter, json::Array())
            .first->second;
    Tensor value = Tensor::floats({}, derivative.value);
    list.getAsArray()->push_back(
        json::Array{derivative.index, writeJSON(value)});
  }
  return json::Value(json::Object{{"gradients", std::move(gradients)}});
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // Those of LLVM work too.
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Evaluates a function of a model on the examples of a file\n\n"
      "Example: cambium-interpret model.mlir data.json --f64\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = readModel(modelFile, sources, &context);
  Input input;
  if (!module || failed(readInput(*module, input)))
    return EXIT_FAILURE;
  FailureOr<json::Value> result =
      gradient ? differentiateAll(*module, input) : evaluate(*module, input);
  if (failed(result))
    return EXIT_FAILURE;
  llvm::outs() << *result << "\n";
  return EXIT_SUCCESS;
}
