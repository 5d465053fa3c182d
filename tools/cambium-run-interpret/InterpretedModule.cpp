//===-- InterpretedModule.cpp - A description as a module -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InterpretedModule.h"
#include "cambium/InitAllDialects.h"
#include "cambium/Interpreter/JSON.h"
#include "cambium/LLVM/Passes.h"
#include "cambium/Pipelines/Model.h"
#include "cambium/Pipelines/Phases.h"
#include "cambium/Support/PlainText.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"
#include <array>
#include <utility>

using namespace mlir;
using namespace cambium;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Entries: functions of C that know their number only
//===----------------------------------------------------------------------===//

static InterpretedModule *currentModule = nullptr;
static constexpr size_t kMaxEntries = 64;

void cambium::setInterpretedModule(InterpretedModule *module) {
  currentModule = module;
}

template <size_t number> static int32_t runEntry(cambium_abi_call_t *call) {
  return currentModule->run(number, call);
}

template <size_t... numbers>
static std::array<cambium_abi_entry_fn, sizeof...(numbers)>
makeEntries(std::index_sequence<numbers...>) {
  return {runEntry<numbers>...};
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

InterpretedModule::InterpretedModule() {
  DialectRegistry registry;
  registerAllDialects(registry);
  context = std::make_unique<MLIRContext>(registry);
}

llvm::Expected<std::unique_ptr<InterpretedModule>>
InterpretedModule::load(const std::string &path) {
  std::unique_ptr<InterpretedModule> result(new InterpretedModule);
  if (llvm::Error error = result->parse(path))
    return error;
  if (llvm::Error error = result->describe())
    return error;
  if (llvm::Error error = result->readManifest())
    return error;
  return result;
}

llvm::Error InterpretedModule::parse(const std::string &path) {
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, context.get());
  module = readModel(path, sources, context.get());
  if (!module)
    return llvm::createStringError("expected a description of a model in '" +
                                   path + "'");
  return llvm::Error::success();
}

llvm::Error InterpretedModule::describe() {
  PlainDiagnostics plain(context.get());
  OwningOpRef<ModuleOp> copy = module->clone();
  PassManager manager(context.get());
  PipelineOptions options;
  for (Phase phase :
       {Phase::Batched, Phase::Gradient, Phase::Linalg, Phase::Buffers})
    buildPhase(manager, phase, options);
  manager.addPass(createDescribeModule());
  if (failed(manager.run(*copy)))
    return llvm::createStringError("expected a model that compiles");
  for (auto op : copy->getOps<rt::ManifestOp>())
    manifest = op.getText().str();
  return llvm::Error::success();
}

/// The place of the element of a list that has this name.
static std::optional<int64_t> findNamed(const json::Array *list,
                                        StringRef name) {
  for (auto [index, element] : llvm::enumerate(list ? *list : json::Array()))
    if (element.getAsObject() &&
        element.getAsObject()->getString("name") == name)
      return index;
  return std::nullopt;
}

llvm::Error InterpretedModule::readEntry(const json::Object &json) {
  InterpretedEntry entry;
  entry.name = json.getString("name").value_or("");
  if (json.getString("kind") == "function")
    entry.function =
        SymbolTable(*module).lookup<FunctionOpInterface>(entry.name);
  const json::Array *forests = json.getArray("forests"),
                    *inputs = json.getArray("inputs");
  unsigned numArguments = entry.function ? entry.function.getNumArguments() : 0;
  for (unsigned i = 0; i < numArguments; ++i) {
    std::string name = getArgumentName(entry.function, i);
    InterpretedArgument arg;
    arg.isTree = !isa<ShapedType>(entry.function.getArgumentTypes()[i]);
    const json::Array *list = arg.isTree ? forests : inputs;
    std::optional<int64_t> index = findNamed(list, name);
    if (!index)
      return llvm::createStringError("expected an input '" + name +
                                     "' of entry '" + entry.name +
                                     "' in the manifest, but got none");
    const json::Object &described = *(*list)[*index].getAsObject();
    arg.index = *index;
    arg.space = described.getInteger("space").value_or(-1);
    const json::Array *spaces = json.getArray("spaces");
    if (spaces && arg.space >= 0)
      arg.outerSpace =
          (*spaces)[arg.space].getAsObject()->getInteger("in").value_or(-1);
    arg.edgesOf = described.getInteger("edges_of").value_or(-1);
    entry.args.push_back(arg);
  }
  if (const json::Array *outputs = json.getArray("outputs"))
    for (const json::Value &output : *outputs)
      entry.outputSpaces.push_back(
          output.getAsObject()->getInteger("space").value_or(-1));
  entries.push_back(std::move(entry));
  return llvm::Error::success();
}

llvm::Error InterpretedModule::readManifest() {
  llvm::Expected<json::Value> root = json::parse(manifest);
  if (!root)
    return root.takeError();
  for (const json::Value &param : *root->getAsObject()->getArray("params"))
    paramNames.push_back(param.getAsObject()->getString("name")->str());
  for (const json::Value &entry : *root->getAsObject()->getArray("entries"))
    if (llvm::Error error = readEntry(*entry.getAsObject()))
      return error;
  if (entries.size() > kMaxEntries)
    return llvm::createStringError(
        "expected at most " + std::to_string(kMaxEntries) +
        " entries, but got " + std::to_string(entries.size()));
  static const auto functions =
      makeEntries(std::make_index_sequence<kMaxEntries>());
  for (auto [number, entry] : llvm::enumerate(entries))
    abiEntries.push_back({entry.name.c_str(), functions[number]});
  abiModule = {CAMBIUM_ABI_MAGIC,
               CAMBIUM_ABI_VERSION,
               "interpreter",
               "",
               manifest.c_str(),
               abiEntries.data(),
               static_cast<int64_t>(entries.size())};
  return llvm::Error::success();
}
