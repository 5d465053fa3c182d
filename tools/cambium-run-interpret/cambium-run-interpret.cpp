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
#include "runtime/train/Engine.h"
#include "tools/cambium-run/Commands.h"

using namespace cambium;

static std::unique_ptr<InterpretedModule> interpreted;

static data::Status loadDescription(const std::string &path,
                                    const train::EngineOptions &options,
                                    std::unique_ptr<train::Engine> &engine) {
  if (interpreted)
    return data::Status::error("--interpret: expected one model");
  llvm::Expected<std::unique_ptr<InterpretedModule>> module =
      InterpretedModule::load(path);
  if (!module)
    return data::Status::error(llvm::toString(module.takeError()));
  interpreted = std::move(*module);
  setInterpretedModule(interpreted.get());
  return train::loadStatic([] { return interpreted->getAbiModule(); }, options,
                           engine);
}

int main(int argc, char **argv) {
  train::setInterpreter(loadDescription);
  return run::runMain(argc, argv);
}
