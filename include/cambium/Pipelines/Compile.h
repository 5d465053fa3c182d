//===-- include/cambium/Pipelines/Compile.h - Compilation of a model ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_PIPELINES_COMPILE_H
#define CAMBIUM_PIPELINES_COMPILE_H

#include "cambium/Pipelines/Phases.h"
#include <optional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {

/// What to compile, and how.
struct CompileOptions {
  /// A file with the model, "-" for standard input.
  std::string input = "-";
  /// The file to write, "-" for standard output where that is text.
  std::string output = "-";
  /// Numbers for the sizes of the model, as `name=number`, and folders of files
  /// that it imports.
  std::vector<std::string> sizes, folders;
  /// The phase that the input is in, and the one to stop after.
  Phase from = Phase::Input, to = Phase::Object;
  /// The processor, see `describeTarget`.
  std::string cpu = "native";
  /// How products multiply, and how weights are kept for them, see
  /// `target-attach`; empty: in f32, as they are.
  std::string math, weights;
  /// MiB of tables in which functions keep what depends on an id and on
  /// parameters alone; 0: none.
  int64_t keepRows = 0;
  /// GPUs for which there is to be code too: sm_80, ...
  std::vector<std::string> gpuArchs;
  /// The assembler that makes cubins beside their PTX; empty: the one that is
  /// found.
  std::optional<std::string> ptxas;
  /// Takes less time to make the processor's code, which then takes longer to
  /// run: for tests of GPU code.
  bool quickHost = false;
  /// Lets GPU code take the time of its stages.
  bool gpuProfile = false;
  /// Milliseconds that a block of GPU code waits for others; 0: no limit.
  int64_t gpuDebug = 0;
  /// Makes an archive and a header instead of a shared object.
  bool isStatic = false;
  /// What the query function of an archive begins with; by default the output's
  /// name.
  std::string prefix;
  /// A text instead of an object: "ir", "optimized-ir", "asm" or,
  /// for the first of the GPUs, "ptx".
  std::string emit;
  /// A folder that gets the IR after each phase, unless empty.
  std::string dumpFolder;
  /// A file that gets what is needed to repeat a failing pass, unless empty.
  std::string reproducer;
  /// Verify the module after every pass, not only after every phase, which is a
  /// third of the time of all passes: for tests.
  bool verifyEachPass = false;
  /// Add functions that tell how many operations entries need.
  bool countOperations = false;
  /// Print remarks about what was and what was not optimized.
  bool remarks = false;
  /// Print how long each phase took.
  bool time = false;
  /// Leave memory to the system: the process ends now.
  bool isLast = false;
};

/// The header that comes with an archive.
std::string headerOf(llvm::StringRef archive);

/// The file of the IR after a phase, among those of --dump-phases.
std::string dumpOf(const CompileOptions &options, Phase phase);

/// All files that a compilation writes, or may write.
std::vector<std::string> outputsOf(const CompileOptions &options);

/// Compiles. Returns false after an error, which has been printed.
bool compile(const CompileOptions &options, mlir::DialectRegistry &registry);

} // namespace cambium

#endif // CAMBIUM_PIPELINES_COMPILE_H
