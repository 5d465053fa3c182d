//===-- cambium-run-interpret.cpp - cambium-run with the interpreter ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `cambium-run --interpret` runs: the same commands on a description
// (.mlir) instead of a compiled module.
//
//===----------------------------------------------------------------------===//
#include "InterpretedModule.h"
#include "tools/cambium-run/Commands.h"
#include "tools/cambium-run/Engine.h"

using namespace cambium;

static std::unique_ptr<InterpretedModule> interpreted;

static run::Status loadDescription(const std::string &path,
                                   const run::EngineOptions &options,
                                   std::unique_ptr<run::Engine> &engine) {
  if (interpreted)
    return run::Status::error("--interpret: expected one model");
  llvm::Expected<std::unique_ptr<InterpretedModule>> module =
      InterpretedModule::load(path);
  if (!module)
    return run::Status::error(llvm::toString(module.takeError()));
  interpreted = std::move(*module);
  setInterpretedModule(interpreted.get());
  return run::loadStatic([] { return interpreted->getAbiModule(); }, options,
                         engine);
}

int main(int argc, char **argv) {
  run::setInterpreter(loadDescription);
  return run::runMain(argc, argv);
}
