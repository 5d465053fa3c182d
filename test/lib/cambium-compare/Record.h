//===-- Record.h - Calls with their results, in a file --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A record is a safetensors file that cambium-replay reads where there is no
/// interpreter. Metadata `calls` has a line for each call, `function NAME` or
/// `step NAME`. Tensors are, for the call of line k:
///
///     param/NAME                values of a parameter
///     k/keys          i64[e]    keys of the examples
///     k/tree/T/nodes  i64[e]    nodes of each example's tree
///     k/tree/T/parents i32[n]   their parents, one example behind the other
///     k/input/I/rows  i64[e]    rows of each example
///     k/input/I/values [...]    their elements, one example behind the other
///     k/output/O      f64[...]  what the interpreter computes, likewise
///     k/gradient/NAME/index i64[s], k/gradient/NAME/value f64[s]
///                               differences at some elements of a gradient
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_COMPARE_RECORD_H
#define CAMBIUM_TEST_COMPARE_RECORD_H

#include "cambium/tensors.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <deque>
#include <map>
#include <string>

namespace cambium {

class Record {
public:
  void addParameter(llvm::StringRef name, cambium_type_t type, const void *data,
                    int64_t count);
  /// What follows belongs to this call: "function" or "step".
  void beginCall(llvm::StringRef kind, llvm::StringRef name);

  void addKey(uint64_t key);
  void addTree(int64_t tree, llvm::ArrayRef<int32_t> parents);
  void addInput(int64_t input, cambium_type_t type, int64_t rows,
                const void *data, int64_t count);
  void addOutput(int64_t output, double value);
  void addDerivative(llvm::StringRef parameter, int64_t index, double value);

  cambium_status_t write(const std::string &path) const;

private:
  struct Array {
    cambium_type_t type;
    std::string bytes;
  };
  void append(const llvm::Twine &name, cambium_type_t type, const void *data,
              int64_t count);
  std::string inCall(const llvm::Twine &name) const;

  std::map<std::string, Array> arrays;
  std::string calls;
  int64_t numCalls = 0;
};

} // namespace cambium

#endif // CAMBIUM_TEST_COMPARE_RECORD_H
