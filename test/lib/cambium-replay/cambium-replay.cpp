//===-- cambium-replay.cpp - Repeats recorded calls -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool: runs the calls of a record (cambium-compare/Record.h) and
// compares what they compute with what the interpreter did when the record was
// made. It needs the runtime alone, so that a machine with a GPU and without a
// compiler can check every module.
//
//===----------------------------------------------------------------------===//
#include "../Comparison.h"
#include "cambium/cuda.h"
#include "cambium/device.h"
#include "cambium/tensors.h"
#include <CLI/CLI.hpp>
#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

using namespace cambium;

static const char kFooter[] =
    R"(Outputs and gradients are compared with the interpreter's, which are in the record.
Example:
  cambium-compare model.mlir model.so --all --record model.record
  cambium-replay model.so model.record --device gpu)";

/// Ends the program's work; what() is its message.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

static void check(cambium_status_t status) {
  if (status)
    throw Failure(cambium_last_error());
}

namespace {

template <auto destroy> struct Deleter {
  template <typename T> void operator()(T *handle) const { destroy(handle); }
};
template <typename T, auto destroy>
using Handle = std::unique_ptr<T, Deleter<destroy>>;

using Module = Handle<cambium_module_t, cambium_module_destroy>;
using Store = Handle<cambium_store_t, cambium_store_destroy>;
using Session = Handle<cambium_session_t, cambium_session_destroy>;
using Batch = Handle<cambium_batch_t, cambium_batch_destroy>;
using Device = Handle<cambium_device_t, cambium_device_close>;
using Tensors = Handle<cambium_tensors_t, cambium_tensors_close>;

/// The file of a record.
class Record {
public:
  explicit Record(const char *path) {
    cambium_tensors_t *opened = nullptr;
    check(cambium_tensors_open(path, &opened));
    file.reset(opened);
    check(cambium_tensors_verify(opened));
    const char *text = cambium_tensors_metadata(opened, "calls");
    if (!text)
      throw Failure(std::string(path) + ": expected a record of "
                                        "cambium-compare, but got a file "
                                        "without 'calls'");
    calls = text;
  }

  /// The elements of an array; none if it is not there, which is how an array
  /// without elements is written.
  template <typename T> std::vector<T> read(const std::string &name) const {
    std::vector<char> bytes = readBytes(name);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }
  std::vector<char> readBytes(const std::string &name) const {
    int64_t index = cambium_tensors_find(file.get(), name.c_str());
    if (index < 0)
      return {};
    int64_t bytes = cambium_tensors_get(file.get(), index)->bytes;
    std::vector<char> data(static_cast<size_t>(bytes));
    check(cambium_tensors_read(file.get(), index, data.data(), bytes));
    return data;
  }

  std::string calls;

private:
  Tensors file;
};

/// Repeats the calls of a record.
class Replay {
public:
  Replay(const char *modulePath, const char *recordPath,
         const std::string &deviceName, double tolerance)
      : record(recordPath), tolerance(tolerance) {
    cambium_module_t *newModule = nullptr;
    check(cambium_module_load(modulePath, &newModule));
    module.reset(newModule);
    cambium_store_options_t options = {};
    options.skip_initializers = true;
    cambium_store_t *newStore = nullptr;
    check(cambium_store_create(newModule, &options, &newStore));
    store.reset(newStore);
    openSession(deviceName);
    fillParameters();
  }

  bool run() {
    std::istringstream lines(record.calls);
    std::string kind, name;
    bool agrees = true;
    int64_t call = 0;
    for (; lines >> kind >> name; ++call) {
      prefix = std::to_string(call) + "/";
      agrees &= kind == "step" ? runStep(name) : runFunction(name);
    }
    if (call == 0)
      throw Failure("expected a record with calls, but got one without");
    return agrees;
  }

private:
  void openSession(const std::string &deviceName) {
    cambium_session_options_t options = {};
    options.num_threads = 1;
    cambium_session_t *newSession = nullptr;
    if (deviceName == "cpu") {
      check(cambium_session_create(&options, &newSession));
    } else {
      cambium_device_t *newDevice = nullptr;
      check(cambium_device_register(cambium_cuda_backend()));
      check(cambium_device_open(deviceName.c_str(), &newDevice));
      device.reset(newDevice);
      check(cambium_session_create_on(newDevice, &options, &newSession));
    }
    session.reset(newSession);
  }

  void fillParameters() {
    for (int64_t p = 0; p < cambium_module_num_parameters(module.get()); ++p) {
      const cambium_parameter_info_t &info =
          *cambium_module_parameter(module.get(), p);
      std::vector<char> values =
          record.readBytes("param/" + std::string(info.name));
      size_t expected =
          static_cast<size_t>(info.num_elements) * cambium_type_size(info.type);
      if (values.size() != expected)
        throw Failure(
            "parameter '" + std::string(info.name) + "': expected " +
            std::to_string(expected) + " bytes in the record, but got " +
            std::to_string(values.size()) + "; the module is another one");
      check(cambium_store_set_value(store.get(), p, info.type,
                                    info.num_elements, values.data()));
    }
  }

  /// The arrays of one input or tree, and how much of them is used.
  struct Rows {
    std::vector<int64_t> counts;
    std::vector<char> values;
    size_t used = 0;

    /// The rows of an example, of `rowBytes` each.
    const void *take(size_t example, size_t rowBytes) {
      const int64_t count = counts.at(example);
      const size_t left = values.size() - used;
      if (count < 0 ||
          (rowBytes && static_cast<size_t>(count) > left / rowBytes))
        throw Failure("the record has fewer rows than it says");
      const size_t bytes = static_cast<size_t>(count) * rowBytes;
      const void *place = values.data() + used;
      used += bytes;
      return place;
    }
  };

  Rows readRows(const std::string &counts, const std::string &values) const {
    return {record.read<int64_t>(prefix + counts),
            record.readBytes(prefix + values), 0};
  }

  Batch makeBatch(const cambium_entry_t *entry) const {
    cambium_batch_t *batch = nullptr;
    check(cambium_batch_create(entry, &batch));
    Batch result(batch);
    const cambium_entry_info_t &info = *cambium_entry_info(entry);
    std::vector<Rows> trees, inputs;
    for (int64_t t = 0; t < info.num_trees; ++t) {
      std::string name = "tree/" + std::to_string(t);
      trees.push_back(readRows(name + "/nodes", name + "/parents"));
    }
    for (int64_t i = 0; i < info.num_inputs; ++i) {
      std::string name = "input/" + std::to_string(i);
      inputs.push_back(readRows(name + "/rows", name + "/values"));
    }
    std::vector<int64_t> keys = record.read<int64_t>(prefix + "keys");
    for (size_t e = 0; e < keys.size(); ++e) {
      auto key = static_cast<uint64_t>(keys[e]);
      check(cambium_batch_begin_example(batch, key));
      check(cambium_batch_set_example_key(batch, key));
      for (int64_t t = 0; t < info.num_trees; ++t) {
        Rows &tree = trees[static_cast<size_t>(t)];
        auto *parents =
            static_cast<const int32_t *>(tree.take(e, sizeof(int32_t)));
        check(
            cambium_batch_set_tree_parents(batch, t, tree.counts[e], parents));
      }
      for (int64_t i = 0; i < info.num_inputs; ++i) {
        Rows &input = inputs[static_cast<size_t>(i)];
        const cambium_tensor_info_t &tensor = *cambium_entry_input(entry, i);
        const void *values =
            input.take(e, static_cast<size_t>(tensor.row_bytes));
        check(cambium_batch_set_input(batch, i, tensor.type, input.counts[e],
                                      values));
      }
      check(cambium_batch_end_example(batch));
    }
    check(cambium_batch_finish(batch));
    return result;
  }

  bool runFunction(const std::string &name) {
    const cambium_entry_t *entry =
        cambium_module_find_entry(module.get(), name.c_str());
    if (!entry)
      throw Failure(cambium_last_error());
    Batch batch = makeBatch(entry);
    auto count = static_cast<size_t>(cambium_entry_info(entry)->num_outputs);
    std::vector<std::vector<char>> memory(count);
    std::vector<cambium_buffer_t> buffers(count);
    for (size_t i = 0; i < count; ++i) {
      int64_t bytes =
          cambium_batch_output_bytes(batch.get(), static_cast<int64_t>(i));
      memory[i].resize(static_cast<size_t>(bytes) + 1);
      buffers[i] = {memory[i].data(), bytes};
    }
    // Twice: the workspace must not hold anything over.
    for (int call = 0; call < 2; ++call)
      check(cambium_call(session.get(), entry, store.get(), batch.get(),
                         buffers.data(), static_cast<int64_t>(count)));
    bool agrees = true;
    for (size_t i = 0; i < count; ++i) {
      const cambium_tensor_info_t &info =
          *cambium_entry_output(entry, static_cast<int64_t>(i));
      Comparison comparison(name + "." + info.name, tolerance);
      std::vector<double> expected =
          record.read<double>(prefix + "output/" + std::to_string(i));
      if (static_cast<int64_t>(expected.size()) *
              cambium_type_size(info.type) !=
          buffers[i].size)
        throw Failure(name + "." + info.name +
                      ": the record has another number of results");
      for (size_t k = 0; k < expected.size(); ++k)
        comparison.add(expected[k], elementAt(memory[i].data(), info.type,
                                              static_cast<int64_t>(k)));
      agrees &= comparison.report();
    }
    return agrees;
  }

  bool runStep(const std::string &name) {
    const cambium_entry_t *entry = nullptr, *apply = nullptr;
    check(cambium_module_find_step(module.get(), name.c_str(), &entry, &apply));
    Batch batch = makeBatch(entry);
    double loss = 0;
    cambium_store_clear_gradients(store.get());
    check(cambium_store_prepare_training(store.get()));
    check(cambium_step_accumulate(session.get(), entry, store.get(),
                                  batch.get(), nullptr, 0, &loss));
    check(cambium_store_pull(store.get()));
    bool agrees = true;
    for (int64_t p = 0; p < cambium_module_num_parameters(module.get()); ++p) {
      const cambium_parameter_info_t &info =
          *cambium_module_parameter(module.get(), p);
      std::string place = prefix + "gradient/" + info.name;
      std::vector<int64_t> indices = record.read<int64_t>(place + "/index");
      std::vector<double> values = record.read<double>(place + "/value");
      if (indices.empty())
        continue;
      Comparison comparison(name + ": gradient of " + info.name, tolerance);
      const void *gradient = cambium_store_gradient(store.get(), p);
      for (size_t k = 0; k < indices.size(); ++k) {
        if (indices[k] < 0 || indices[k] >= info.num_elements)
          throw Failure(place + ": an index beyond the parameter");
        comparison.add(values.at(k),
                       elementAt(gradient, info.type, indices[k]));
      }
      agrees &= comparison.report();
    }
    return agrees;
  }

  Record record;
  double tolerance;
  std::string prefix;
  Module module;
  Store store;
  Device device;
  Session session;
};

} // namespace

int main(int argc, char **argv) {
  std::string module, record, device = "cpu";
  double tolerance = 2e-4;
  CLI::App app("Repeats the calls of a record of cambium-compare",
               "cambium-replay");
  app.footer(kFooter);
  app.add_option("module", module, "Compiled model")->required();
  app.add_option("record", record, "Written by cambium-compare --record")
      ->required();
  app.add_option("--device", device,
                 "What executes the module: cpu, gpu, gpu:1")
      ->capture_default_str();
  app.add_option("--tolerance", tolerance,
                 "Difference, relative to the greatest number of the same "
                 "tensor and to 1e-3")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    const int code = app.exit(error);
    return finishOutput() ? code : EXIT_FAILURE;
  }
  try {
    Replay replay(module.c_str(), record.c_str(), device, tolerance);
    const bool agrees = replay.run();
    return finishOutput() && agrees ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
