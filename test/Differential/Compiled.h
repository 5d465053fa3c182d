//===-- test/Differential/Compiled.h - A compiled module ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_COMPILED_H
#define CAMBIUM_TEST_DIFFERENTIAL_COMPILED_H

#include "Examples.h"
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/device.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace cambium::difftest {

/// Gives handles of the runtime back.
struct Destroy {
  void operator()(cambium_module_t *it) const { cambium_module_destroy(it); }
  void operator()(cambium_store_t *it) const { cambium_store_destroy(it); }
  void operator()(cambium_batch_t *it) const { cambium_batch_destroy(it); }
  void operator()(cambium_session_t *it) const { cambium_session_destroy(it); }
  void operator()(cambium_device_t *it) const { cambium_device_close(it); }
};
template <typename Handle> using Owned = std::unique_ptr<Handle, Destroy>;

/// What a call over a batch has computed.
struct Results {
  /// The outputs of each example; one per call is repeated for every example.
  std::vector<std::vector<Tensor>> ofExample;
  /// All outputs as they lie in memory.
  std::vector<std::string> bytes;
  /// The mean loss, of a training step.
  double loss = 0;
};

/// A module made by the compiler, with values for its parameters.
class Compiled {
public:
  /// Loads a shared object. `device` is what executes it: cpu, or gpu.
  static llvm::Expected<std::unique_ptr<Compiled>> load(llvm::StringRef path,
                                                        llvm::StringRef device);

  bool isOnDevice() const { return device != nullptr; }
  /// Opens the device once more, with an emulator that is configured so.
  llvm::Error openDevice(llvm::StringRef emulator);
  llvm::Expected<Owned<cambium_session_t>>
  createSession(int32_t numThreads = 1) const;
  /// Brings what steps on a device did.
  llvm::Error pull() const;

  const cambium_module_t *getModule() const { return module.get(); }
  cambium_store_t *getStore() const { return store.get(); }
  /// Its functions, or the first halves of its training steps.
  std::vector<const cambium_entry_t *> getEntries(cambium_entry_kind_t) const;
  const cambium_entry_t *findEntry(llvm::StringRef name) const;

  /// Draws values of all parameters.
  void drawParameters(Random &random);
  /// The values as they are in the store.
  Parameters getParameters() const;
  /// The gradient of a parameter; empty before a training step.
  std::vector<double> getGradient(int64_t parameter) const;
  std::string getGradientBytes() const;
  /// The values of a parameter.
  std::vector<double> getValue(int64_t parameter) const;
  void setValue(int64_t parameter, llvm::ArrayRef<double> values);

  /// Runs a function, or the first half of a training step after clearing the
  /// gradients.
  llvm::Expected<Results> run(const cambium_entry_t *entry,
                              llvm::ArrayRef<ExampleData> examples,
                              int32_t numThreads = 1) const;
  /// A batch of examples.
  static llvm::Expected<Owned<cambium_batch_t>>
  fill(const cambium_entry_t *entry, llvm::ArrayRef<ExampleData> examples);

private:
  Compiled() = default;

  Owned<cambium_device_t> device;
  std::string deviceName;
  Owned<cambium_module_t> module;
  Owned<cambium_store_t> store;
};

/// The last error of the runtime.
llvm::Error runtimeFailure(const llvm::Twine &doing);

/// Numbers of a type in memory.
std::vector<double> readNumbers(cambium_type_t type, const void *data,
                                int64_t count);
std::string writeNumbers(cambium_type_t type, llvm::ArrayRef<double> values);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_COMPILED_H
