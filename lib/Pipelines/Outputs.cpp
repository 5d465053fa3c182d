//===-- lib/Pipelines/Outputs.cpp - Files that a compilation writes -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Pipelines/Compile.h"
#include "llvm/Support/Path.h"

using namespace llvm;

std::string cambium::headerOf(StringRef archive) {
  SmallString<128> header(archive);
  sys::path::replace_extension(header, ".h");
  return header.str().str();
}

std::string cambium::dumpOf(const CompileOptions &options, Phase phase) {
  SmallString<128> path(options.dumpFolder);
  sys::path::append(path, Twine(static_cast<unsigned>(phase)) + "-" +
                              stringifyPhase(phase) + ".mlir");
  return path.str().str();
}

std::vector<std::string> cambium::outputsOf(const CompileOptions &options) {
  std::vector<std::string> outputs;
  if (options.output != "-")
    outputs.push_back(options.output);
  if (options.isStatic)
    outputs.push_back(headerOf(options.output));
  if (!options.reproducer.empty())
    outputs.push_back(options.reproducer);
  for (Phase phase : allPhases())
    if (!options.dumpFolder.empty() && phase >= options.from &&
        phase <= options.to && phase != Phase::Object)
      outputs.push_back(dumpOf(options, phase));
  return outputs;
}
