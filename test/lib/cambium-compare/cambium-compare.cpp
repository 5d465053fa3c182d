//===-- cambium-compare.cpp - Compares compiled code with the interpreter -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool: runs a function of a compiled module over a batch of random
// examples and the interpreter, in double, over one after the other, and
// compares all results. With --step, also the gradients that the step
// accumulates, with differences.
//
//===----------------------------------------------------------------------===//
#include "../Comparison.h"
#include "RandomExamples.h"
#include "cambium/InitAllDialects.h"
#include "cambium/Pipelines/Model.h"
#include "cambium/cuda.h"
#include "cambium/device.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace cambium;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of cambium-compare");
static cl::opt<std::string> modelFile(cl::Positional, cl::Required,
                                      cl::desc("model.mlir"),
                                      cl::cat(category));
static cl::opt<std::string> moduleFile(cl::Positional, cl::Required,
                                       cl::desc("model.so"), cl::cat(category));
static cl::opt<std::string> functionName("function",
                                         cl::desc("the function to compare"),
                                         cl::cat(category));
static cl::opt<std::string> stepName("step",
                                     cl::desc("the training step to compare"),
                                     cl::cat(category));
static cl::opt<bool> all("all", cl::desc("compare all functions and steps"),
                         cl::cat(category));
static cl::opt<std::string>
    shape("trees", cl::init("random"),
          cl::desc("random, chain, star, comb or single"), cl::cat(category));
static cl::opt<int64_t> maxNodes("nodes", cl::init(9),
                                 cl::desc("most rows of an example"),
                                 cl::cat(category));
static cl::opt<bool> emptyRows("empty-rows",
                               cl::desc("let row spaces be empty at times"),
                               cl::cat(category));
static cl::opt<unsigned> numExamples("examples", cl::init(6),
                                     cl::desc("of one batch"),
                                     cl::cat(category));
static cl::opt<unsigned>
    samples("samples", cl::init(12),
            cl::desc("coordinates of each parameter's gradient"),
            cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::init(1),
                              cl::desc("of all random numbers"),
                              cl::cat(category));
static cl::opt<int> threads("num-threads", cl::init(1),
                            cl::desc("of the compiled code"),
                            cl::cat(category));
static cl::opt<std::string>
    deviceName("device", cl::init("cpu"),
               cl::desc("what executes the compiled code: cpu, gpu, gpu:1"),
               cl::cat(category));
static cl::list<std::string>
    sizes("size", cl::desc("another number for a size of the model"),
          cl::value_desc("name=number"), cl::cat(category));
static cl::opt<double> scale("scale", cl::init(0.3),
                             cl::desc("greatest parameter"), cl::cat(category));
static cl::opt<double>
    tolerance("tolerance", cl::init(2e-4),
              cl::desc("difference, relative to the greatest number of the "
                       "same tensor and to 1e-3"),
              cl::cat(category));

static cl::opt<std::string>
    recordFile("record",
               cl::desc("write what was called, and what the interpreter and "
                        "differences say, into a file for cambium-replay"),
               cl::value_desc("file"), cl::cat(category));

static bool check(cambium_status_t status) {
  if (status == CAMBIUM_STATUS_OK)
    return true;
  llvm::errs() << "error: " << cambium_last_error() << "\n";
  return false;
}

static bool fail(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return false;
}

/// What would compare nothing, or something else than what was asked for.
static bool checkOptions() {
  const StringRef shapes[] = {"random", "chain", "star", "comb", "single"};
  if (!llvm::is_contained(shapes, shape))
    return fail("expected --trees to be " +
                llvm::join(llvm::ArrayRef(shapes), ", ") + ", but got '" +
                shape + "'");
  if (maxNodes < 1)
    return fail("expected --nodes of at least 1, but got " + Twine(maxNodes));
  if (samples < 1)
    return fail("expected --samples of at least 1, but got 0");
  if (!(std::isfinite(scale) && scale >= 0))
    return fail("expected --scale as a number from 0");
  if (!(std::isfinite(tolerance) && tolerance > 0))
    return fail("expected --tolerance as a number above 0");
  return true;
}

namespace {
class Tester {
public:
  explicit Tester(ModuleOp model) : model(model), random(seed) {}

  bool run() {
    if (!check(cambium_module_load(moduleFile.c_str(), &module)))
      return false;
    cambium_store_options_t storeOptions = {};
    storeOptions.skip_initializers = true;
    cambium_session_options_t sessionOptions = {};
    sessionOptions.num_threads = threads;
    if (!check(cambium_store_create(module, &storeOptions, &store)) ||
        !createSession(sessionOptions) || !fillParameters())
      return false;
    if (!checkNames())
      return false;
    bool equal = true;
    for (auto function : model.getOps<FunctionOpInterface>())
      if (function.getName() == functionName || (all && function.isPublic()))
        equal &= compareFunction(function);
    for (auto step : model.getOps<train::StepOp>())
      if (step.getSymName() == stepName || all)
        equal &= compareStep(step);
    return equal && (recordFile.empty() || check(record.write(recordFile)));
  }

private:
  bool createSession(const cambium_session_options_t &options) {
    if (deviceName == "cpu")
      return check(cambium_session_create(&options, &session));
    // The library is a part of this program.
    return check(cambium_device_register(cambium_cuda_backend())) &&
           check(cambium_device_open(deviceName.c_str(), &device)) &&
           check(cambium_session_create_on(device, &options, &session));
  }

  /// Whether what was asked for is there, and is something.
  bool checkNames() {
    SymbolTable symbols(model);
    if (!functionName.empty() &&
        !symbols.lookup<FunctionOpInterface>(functionName))
      return fail("no function '" + functionName + "' in the model");
    if (!stepName.empty() && !symbols.lookup<train::StepOp>(stepName))
      return fail("no step '" + stepName + "' in the model");
    auto isPublic = [](FunctionOpInterface op) { return op.isPublic(); };
    const bool hasAny =
        !model.getOps<train::StepOp>().empty() ||
        llvm::any_of(model.getOps<FunctionOpInterface>(), isPublic);
    if (!functionName.empty() || !stepName.empty() || (all && hasAny))
      return true;
    return fail(all ? "expected a function or a step in the model, but got none"
                    : "expected --function, --step or --all");
  }

  /// The same random values for both; gains below zero would make no
  /// difference.
  bool fillParameters() {
    std::uniform_real_distribution<float> uniform(-scale, scale);
    for (int64_t p = 0; p < cambium_module_num_parameters(module); ++p) {
      const cambium_parameter_info_t &info =
          *cambium_module_parameter(module, p);
      Tensor tensor =
          Tensor::floats({info.shape, static_cast<size_t>(info.rank)});
      std::vector<float> singles;
      std::vector<double> doubles;
      for (int64_t i = 0; i < info.num_elements; ++i) {
        tensor.f(i) = uniform(random);
        singles.push_back(static_cast<float>(tensor.f(i)));
        doubles.push_back(tensor.f(i));
      }
      const void *elements = doubles.data();
      if (info.type == CAMBIUM_TYPE_F32)
        elements = singles.data();
      if (!check(cambium_store_set_value(store, p, info.type, info.num_elements,
                                         elements)))
        return false;
      record.addParameter(info.name, info.type, cambium_store_value(store, p),
                          info.num_elements);
      parameters.emplace(info.name, std::move(tensor));
    }
    return true;
  }

  /// A batch of random examples.
  bool makeBatch(const cambium_entry_t *entry, FunctionOpInterface function) {
    examples.assign(numExamples, {});
    cambium_batch_destroy(batch);
    if (!check(cambium_batch_create(entry, &batch)))
      return false;
    ExampleMaker maker(entry, shape, maxNodes, emptyRows, seed, record);
    for (Example &example : examples)
      if (!maker.add(batch, function, example))
        return false;
    return check(cambium_batch_finish(batch));
  }

  bool compareFunction(FunctionOpInterface function) {
    std::string name = function.getName().str();
    const cambium_entry_t *entry =
        cambium_module_find_entry(module, name.c_str());
    if (!entry)
      return check(CAMBIUM_STATUS_NOT_FOUND);
    record.beginCall("function", name);
    if (!makeBatch(entry, function))
      return false;
    int64_t count = cambium_entry_info(entry)->num_outputs;
    std::vector<std::vector<char>> memory(count);
    std::vector<cambium_buffer_t> buffers(count);
    for (int64_t i = 0; i < count; ++i) {
      memory[i].resize(cambium_batch_output_bytes(batch, i) + 1);
      buffers[i] = {memory[i].data(), static_cast<int64_t>(memory[i].size())};
    }
    // Twice: the workspace must not hold anything over.
    for (int call = 0; call < 2; ++call)
      if (!check(cambium_call(session, entry, store, batch, buffers.data(),
                              count)))
        return false;
    std::vector<Comparison> comparisons;
    for (int64_t i = 0; i < count; ++i)
      comparisons.emplace_back(
          name + "." + cambium_entry_output(entry, i)->name, tolerance);
    if (!compareResults(entry, function, memory, comparisons))
      return false;
    return llvm::count_if(comparisons, [](auto &c) { return !c.report(); }) ==
           0;
  }

  bool compareResults(const cambium_entry_t *entry,
                      FunctionOpInterface function,
                      const std::vector<std::vector<char>> &memory,
                      std::vector<Comparison> &comparisons) {
    Interpreter interpreter(model, parameters, {true, false, 0});
    std::vector<int64_t> position(memory.size(), 0);
    for (const Example &example : examples) {
      interpreter.setKey(example.key);
      FailureOr<RuntimeValues> results =
          interpreter.call(function, example.args);
      if (failed(results))
        return false;
      for (auto [i, value] : llvm::enumerate(*results)) {
        const Tensor &tensor = *value.tensor;
        cambium_type_t type = cambium_entry_output(entry, i)->type;
        for (int64_t k = 0; k < tensor.getNumElements(); ++k) {
          double expected = tensor.isFloat() ? tensor.f(k) : tensor.i(k);
          record.addOutput(i, expected);
          comparisons[i].add(expected,
                             elementAt(memory[i].data(), type, position[i]++));
        }
      }
    }
    return true;
  }

  bool compareStep(train::StepOp step) {
    std::string name = step.getSymName().str();
    const cambium_entry_t *entry = nullptr, *apply = nullptr;
    if (!check(cambium_module_find_step(module, name.c_str(), &entry, &apply)))
      return false;
    auto function =
        SymbolTable(model).lookup<FunctionOpInterface>(step.getLoss());
    record.beginCall("step", name);
    double loss = 0;
    cambium_store_clear_gradients(store);
    if (!makeBatch(entry, function) ||
        !check(cambium_store_prepare_training(store)) ||
        !check(cambium_step_accumulate(session, entry, store, batch, nullptr, 0,
                                       &loss)) ||
        !check(cambium_store_pull(store)))
      return false;
    bool equal = true;
    for (int64_t p = 0; p < cambium_module_num_parameters(module); ++p)
      if (isUpdated(step, p))
        equal &= compareGradient(function, p);
    return equal;
  }

  /// Whether the step computes gradients of the parameter.
  bool isUpdated(train::StepOp step, int64_t parameter) {
    const char *group = cambium_module_parameter(module, parameter)->group;
    return !step.getUpdates() ||
           llvm::is_contained(step.getUpdates()->getAsValueRange<StringAttr>(),
                              group);
  }

  double gradientAt(int64_t parameter, int64_t i) {
    void *data = cambium_store_gradient(store, parameter);
    return cambium_module_parameter(module, parameter)->type == CAMBIUM_TYPE_F32
               ? static_cast<float *>(data)[i]
               : static_cast<double *>(data)[i];
  }

  /// Half of the coordinates are taken where the gradient is not zero, if it is
  /// that somewhere.
  bool compareGradient(FunctionOpInterface function, int64_t parameter) {
    const cambium_parameter_info_t &info =
        *cambium_module_parameter(module, parameter);
    if (!info.trainable || info.num_elements == 0)
      return true;
    std::vector<int64_t> touched;
    for (int64_t i = 0; i < info.num_elements; ++i)
      if (gradientAt(parameter, i) != 0)
        touched.push_back(i);
    std::vector<Coordinate> coordinates;
    for (unsigned s = 0; s < samples; ++s) {
      bool any = touched.empty() || s % 2;
      int64_t size =
          any ? info.num_elements : static_cast<int64_t>(touched.size());
      int64_t i = static_cast<int64_t>(random() % size);
      coordinates.push_back({info.name, any ? i : touched[i]});
    }
    FailureOr<std::vector<Derivative>> derivatives = differentiateParameters(
        function, examples, parameters, coordinates, {true, true, 0});
    if (failed(derivatives))
      return false;
    Comparison comparison(function.getName().str() + ": gradient of " +
                              std::string(info.name),
                          tolerance);
    for (const Derivative &derivative : *derivatives) {
      record.addDerivative(info.name, derivative.index, derivative.value);
      comparison.add(derivative.value, gradientAt(parameter, derivative.index));
    }
    return comparison.report();
  }

  ModuleOp model;
  std::mt19937_64 random;
  Parameters parameters;
  std::vector<Example> examples;
  cambium_module_t *module = nullptr;
  cambium_store_t *store = nullptr;
  cambium_device_t *device = nullptr;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  Record record;
};
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // Those of LLVM work too.
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compares compiled code with the interpreter on random examples\n\n"
      "Example: cambium-compare model.mlir model.so --function=loss "
      "--step=train\n");
  if (!checkOptions())
    return EXIT_FAILURE;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> model = readModel(modelFile, sources, &context,
                                          {{sizes.begin(), sizes.end()}, {}});
  if (!model)
    return EXIT_FAILURE;
  std::printf("seed %llu, trees %s\n",
              static_cast<unsigned long long>(seed.getValue()), shape.c_str());
  const bool agrees = Tester(*model).run();
  return finishOutput() && agrees ? EXIT_SUCCESS : EXIT_FAILURE;
}
