//===-- tools/cambium-run/InspectCommand.cpp - cambium-run inspect --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"
#include "runtime/train/Format.h"

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

static const char kInspectFooter[] = R"help(Examples:
  cambium-run inspect model.so
  cambium-run inspect model.so --json | python3 -m json.tool)help";

static std::string typeText(const TensorSpec &tensor) {
  return std::string(cambium_type_name(tensor.type)) + " " +
         formatShape(tensor.shape);
}

static std::string rowsText(const EntrySpec &entry, const TensorSpec &tensor) {
  if (tensor.edgesOf >= 0)
    return "per edge of " + entry.trees[tensor.edgesOf].name;
  if (tensor.space == CAMBIUM_SPACE_EXAMPLE)
    return "per example";
  if (tensor.space == CAMBIUM_SPACE_CALL)
    return "per call";
  return "per row of " + entry.spaces[tensor.space];
}

static void printParameters(const Engine &engine) {
  std::vector<std::vector<std::string>> rows = {
      {"parameter", "type", "shape", "elements", "group", "init", ""}};
  int64_t elements = 0, bytes = 0;
  for (const ParameterSpec &parameter : engine.parameters) {
    std::string notes = parameter.trainable ? "" : "frozen ";
    notes += parameter.decay || !parameter.trainable ? "" : "no-decay ";
    notes += parameter.rowSparse ? "row-sparse" : "";
    rows.push_back({parameter.name, cambium_type_name(parameter.type),
                    formatShape(parameter.shape),
                    formatCount(parameter.numElements), parameter.group,
                    parameter.init, notes});
    elements += parameter.numElements;
    bytes += parameter.numElements * cambium_type_size(parameter.type);
  }
  print("\n%s parameters with %s elements, %s\n",
        formatCount(static_cast<int64_t>(engine.parameters.size())).c_str(),
        formatCount(elements).c_str(), formatBytes(bytes).c_str());
  if (!engine.parameters.empty())
    printText(formatTable(rows));
}

static const char *kindText(const EntrySpec &entry) {
  switch (entry.kind) {
  case CAMBIUM_ENTRY_FUNCTION:
    return "function";
  case CAMBIUM_ENTRY_ACCUMULATE:
    return "training step, adds gradients";
  case CAMBIUM_ENTRY_APPLY:
    return "training step, updates parameters";
  }
  return "";
}

static void printEntry(const EntrySpec &entry) {
  print("\n%s (%s%s)\n", entry.name.c_str(), kindText(entry),
        entry.random ? ", random" : "");
  std::vector<std::vector<std::string>> rows = {
      {"", "name", "type", "rows", ""}};
  for (const TreeSpec &tree : entry.trees) {
    std::string notes =
        tree.arity < 0 ? "any number of children"
                       : "at most " + std::to_string(tree.arity) + " children";
    notes += tree.singleRoot ? ", one root" : "";
    rows.push_back({"  input", tree.name, "tree",
                    "nodes are rows of " + entry.spaces[tree.space], notes});
  }
  for (const TensorSpec &input : entry.inputs)
    rows.push_back(
        {"  input", input.name, typeText(input), rowsText(entry, input),
         input.limit ? "ids below " + std::to_string(input.limit) : ""});
  for (const TensorSpec &output : entry.outputs)
    rows.push_back({"  output", output.name, typeText(output),
                    rowsText(entry, output), ""});
  for (const std::string &scalar : entry.scalars)
    rows.push_back({"  scalar", scalar, "f64", "per call", ""});
  if (rows.size() > 1)
    printText(formatTable(rows));
}

namespace {

struct InspectOptions {
  std::string module;
  bool json = false, interpret = false;
};

} // namespace

static Status inspect(const InspectOptions &options) {
  std::unique_ptr<Engine> engine;
  EngineOptions engineOptions;
  engineOptions.interpret = options.interpret;
  if (Status status = loadEngine(options.module, engineOptions, engine);
      !status.ok())
    return status;
  if (options.json) {
    print("%s\n", engine->manifest().c_str());
    return Status();
  }
  print("%s\n", options.module.c_str());
  for (const auto &[word, text] : engine->facts())
    print("  %s: %s\n", word.c_str(), text.empty() ? "(none)" : text.c_str());
  printParameters(*engine);
  for (const EntrySpec &entry : engine->entries)
    printEntry(entry);
  return Status();
}

void run::addInspectCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("inspect", "Prints what a module offers");
  command->footer(kInspectFooter);
  auto options = std::make_shared<InspectOptions>();
  command
      ->add_option("module", options->module, "Module made by cambium-compile")
      ->required();
  command->add_flag("--interpret", options->interpret,
                    "The model is a description (.mlir), not a module");
  command->add_flag("--json", options->json,
                    "The manifest as it is (docs/Manifest.md)");
  command->callback([options, &exitCode] {
    Status status = inspect(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
