//===-- include/cambium/Target/Object.h - From LLVM dialect to files ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TARGET_OBJECT_H
#define CAMBIUM_TARGET_OBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cambium {

/// The attribute of a kernel that says how many bytes of shared memory it asks
/// for at its start.
inline constexpr llvm::StringLiteral kSharedAtStart = "cambium-shared-at-start";

/// The numbers of arguments that functions do not use, by their names.
using UnusedArguments = std::map<std::string, std::vector<unsigned>>;

/// How to make machine code.
struct ObjectOptions {
  /// Print LLVM IR instead of machine code: before ("ir") or after
  /// ("optimized-ir") optimization, or assembly ("asm"). Empty: an object.
  std::string kind;
  /// Make one object, in which all but the query function is local. Otherwise
  /// there may be several, made by the threads of the module's context.
  bool whole = false;
  /// Take less time to make code that takes longer to run: for tests.
  bool quick = false;
  /// Functions of which another object has the code; and what that takes no
  /// more, asked for when it matters.
  std::vector<std::string> elsewhere;
  std::function<UnusedArguments()> unusedElsewhere;
  /// Called with what functions for other objects take no more, if given.
  std::function<void(UnusedArguments)> onUnused;
  /// Called at the end of each step with its name, if given.
  std::function<void(llvm::StringRef)> onStep;
};

/// An object file, or a text.
using ObjectBytes = llvm::SmallVector<char, 0>;

/// Translates a module of the LLVM dialect, optimizes it for its target, and
/// makes objects of it. The number of objects and their contents depend on the
/// module alone. A text is one. Errors are reported at the module.
mlir::FailureOr<std::vector<ObjectBytes>>
emitObjects(mlir::ModuleOp module, const ObjectOptions &options);

/// Lets translation to LLVM IR pass by `rt.target`.
void registerTargetTranslation(mlir::DialectRegistry &registry);

/// Links objects to a shared object at `path`, in this process. Returns an
/// error text, empty on success.
///
/// lld resets all command-line options of LLVM: read what is needed before.
std::string linkSharedObject(llvm::ArrayRef<ObjectBytes> objects,
                             llvm::StringRef path);

/// Writes an archive with the object to `path`. Returns an error text.
std::string writeArchive(llvm::StringRef object, llvm::StringRef path,
                         llvm::StringRef memberName);

/// Writes the C header of an archive whose query function begins with `prefix`.
/// Returns an error text.
std::string writeHeader(llvm::StringRef path, llvm::StringRef prefix);

/// Before the work that leads to it: why a file cannot be written; empty where
/// nothing is known. Also for "-" and for no file at all.
std::string cannotWrite(llvm::StringRef path);

/// Writes bytes to a file such that it is there completely or not at all; to
/// the standard output where the path is "-". Returns an error text.
std::string writeFile(llvm::StringRef bytes, llvm::StringRef path);

} // namespace cambium

#endif // CAMBIUM_TARGET_OBJECT_H
