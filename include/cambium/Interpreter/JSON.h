//===-- include/cambium/Interpreter/JSON.h - Tensors and trees as JSON ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors are nested lists; numbers that JSON does not have are the strings
// "nan", "inf" and "-inf". A tensor of no rows is `[]`. Trees are {"parents":
// [...]} or
// {"children": [[...], ...]}.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERPRETER_JSON
#define CAMBIUM_INTERPRETER_JSON

#include "cambium/Interfaces/Interpreter.h"
#include "llvm/Support/JSON.h"

namespace cambium {

/// Reads a value of a type: a tensor or scalar, or a tree for any other type.
llvm::Expected<RuntimeValue> readJSON(const llvm::json::Value &json,
                                      mlir::Type type);

/// The tensor as nested lists.
llvm::json::Value writeJSON(const Tensor &tensor);

/// The tree as the children of each node.
llvm::json::Value writeJSON(const Tree &tree);

/// The name of an argument of a function: its `cambium.name`, or `arg0`, ...
std::string getArgumentName(mlir::FunctionOpInterface function, unsigned index);

/// Reads the arguments of a function from an object with one field for each. A
/// field that is no argument is an error, except for those in `others`.
llvm::Expected<RuntimeValues>
readArguments(const llvm::json::Object &fields,
              mlir::FunctionOpInterface function,
              llvm::ArrayRef<llvm::StringRef> others = {});

} // namespace cambium

#endif // CAMBIUM_INTERPRETER_JSON
