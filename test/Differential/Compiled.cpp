//===-- test/Differential/Compiled.cpp - A compiled module ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compiled.h"
#include "Failure.h"
#include "cambium/cuda.h"
#include <cmath>
#include <cstring>
#include <dlfcn.h>

using namespace cambium;
using namespace cambium::difftest;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

Error difftest::runtimeFailure(const llvm::Twine &doing) {
  return fail("runtime", doing + ": " + cambium_last_error());
}

//===----------------------------------------------------------------------===//
// Numbers in memory
//===----------------------------------------------------------------------===//

template <typename T>
static void readAs(const void *data, std::vector<double> &values) {
  const char *bytes = static_cast<const char *>(data);
  for (double &value : values) {
    T number;
    memcpy(&number, bytes, sizeof number);
    bytes += sizeof number;
    value = static_cast<double>(number);
  }
}

std::vector<double> difftest::readNumbers(cambium_type_t type, const void *data,
                                          int64_t count) {
  std::vector<double> values(count);
  if (type == CAMBIUM_TYPE_F32)
    readAs<float>(data, values);
  else if (type == CAMBIUM_TYPE_F64)
    readAs<double>(data, values);
  else if (type == CAMBIUM_TYPE_I32)
    readAs<int32_t>(data, values);
  else if (type == CAMBIUM_TYPE_I64)
    readAs<int64_t>(data, values);
  else
    readAs<int8_t>(data, values);
  return values;
}

template <typename T>
static void writeAs(ArrayRef<double> values, std::string &bytes) {
  for (double value : values) {
    T number = static_cast<T>(value);
    bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
}

std::string difftest::writeNumbers(cambium_type_t type,
                                   ArrayRef<double> values) {
  std::string bytes;
  if (type == CAMBIUM_TYPE_F32)
    writeAs<float>(values, bytes);
  else if (type == CAMBIUM_TYPE_F64)
    writeAs<double>(values, bytes);
  else if (type == CAMBIUM_TYPE_I32)
    writeAs<int32_t>(values, bytes);
  else if (type == CAMBIUM_TYPE_I64)
    writeAs<int64_t>(values, bytes);
  else
    writeAs<int8_t>(values, bytes);
  return bytes;
}

/// A tensor of the interpreter with these elements.
static Tensor makeTensor(cambium_type_t type, ArrayRef<int64_t> shape,
                         ArrayRef<double> values) {
  bool isFloat = type == CAMBIUM_TYPE_F32 || type == CAMBIUM_TYPE_F64;
  Tensor tensor = isFloat ? Tensor::floats(shape) : Tensor::ints(shape);
  for (auto [i, value] : llvm::enumerate(values)) {
    if (isFloat)
      tensor.f(i) = value;
    else
      tensor.i(i) = static_cast<int64_t>(value);
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Module and store
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Compiled>> Compiled::load(llvm::StringRef path,
                                                   llvm::StringRef device) {
  std::unique_ptr<Compiled> result(new Compiled);
  if (device != "cpu") {
    result->deviceName = device.str();
    // The library is a part of this program.
    if (cambium_device_register(cambium_cuda_backend()))
      return runtimeFailure("registering the library of GPUs");
    if (Error error = result->openDevice(""))
      return error;
  }
  cambium_module_t *module = nullptr;
  if (cambium_module_load(path.str().c_str(), &module))
    return runtimeFailure("loading the module");
  result->module.reset(module);
  cambium_store_options_t options = {};
  options.skip_initializers = true;
  cambium_store_t *store = nullptr;
  if (cambium_store_create(module, &options, &store))
    return runtimeFailure("making a store");
  result->store.reset(store);
  return result;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The emulator, where it is the driver, gets a new configuration.
static void configureEmulator(llvm::StringRef text) {
  const char *path = getenv("CAMBIUM_CUDA_DRIVER");
  void *library = path ? dlopen(path, RTLD_NOW) : nullptr;
  if (!library)
    return;
  using Configure = int (*)(const char *);
  if (void *symbol = dlsym(library, "cambium_emulator_configure"))
    reinterpret_cast<Configure>(symbol)(text.str().c_str());
  dlclose(library);
}

Error Compiled::openDevice(llvm::StringRef emulator) {
  // What is there has to come home first.
  if (device)
    if (Error error = pull())
      return error;
  device.reset();
  if (!emulator.empty())
    configureEmulator(emulator);
  cambium_device_t *handle = nullptr;
  if (cambium_device_open(deviceName.c_str(), &handle))
    return runtimeFailure("opening '" + deviceName + "'");
  device.reset(handle);
  return Error::success();
}

Expected<Owned<cambium_session_t>>
Compiled::createSession(int32_t numThreads) const {
  cambium_session_options_t options = {};
  options.num_threads = numThreads;
  cambium_session_t *handle = nullptr;
  if (device ? cambium_session_create_on(device.get(), &options, &handle)
             : cambium_session_create(&options, &handle))
    return runtimeFailure("making a session");
  return Owned<cambium_session_t>(handle);
}

Error Compiled::pull() const {
  if (device && cambium_store_pull(store.get()))
    return runtimeFailure("bringing the store");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Entries and parameters
//===----------------------------------------------------------------------===//

std::vector<const cambium_entry_t *>
Compiled::getEntries(cambium_entry_kind_t kind) const {
  std::vector<const cambium_entry_t *> entries;
  for (int64_t i = 0, e = cambium_module_num_entries(module.get()); i < e;
       ++i) {
    const cambium_entry_t *entry = cambium_module_entry(module.get(), i);
    if (cambium_entry_info(entry)->kind == kind)
      entries.push_back(entry);
  }
  return entries;
}

const cambium_entry_t *Compiled::findEntry(llvm::StringRef name) const {
  return cambium_module_find_entry(module.get(), name.str().c_str());
}

void Compiled::drawParameters(Random &random) {
  for (int64_t p = 0, e = cambium_module_num_parameters(module.get()); p < e;
       ++p) {
    const cambium_parameter_info_t *info =
        cambium_module_parameter(module.get(), p);
    // Large enough that saturation matters, small enough that nothing explodes.
    double scale = info->rank < 2 ? 0.5 : 1.5 / std::sqrt(info->shape[0]);
    std::vector<double> values(info->num_elements);
    for (double &value : values)
      value = static_cast<float>(random.uniform(-scale, scale));
    setValue(p, values);
  }
}

void Compiled::setValue(int64_t parameter, ArrayRef<double> values) {
  const cambium_parameter_info_t *info =
      cambium_module_parameter(module.get(), parameter);
  std::string bytes = writeNumbers(info->type, values);
  // Of the parameter's type and size: never refused.
  cambium_status_t status = cambium_store_set_value(
      store.get(), parameter, info->type, info->num_elements, bytes.data());
  if (status)
    llvm::report_fatal_error(llvm::Twine(cambium_last_error()));
}

std::vector<double> Compiled::getValue(int64_t parameter) const {
  const cambium_parameter_info_t *info =
      cambium_module_parameter(module.get(), parameter);
  return readNumbers(info->type, cambium_store_value(store.get(), parameter),
                     info->num_elements);
}

std::vector<double> Compiled::getGradient(int64_t parameter) const {
  const cambium_parameter_info_t *info =
      cambium_module_parameter(module.get(), parameter);
  const void *gradient = cambium_store_gradient(store.get(), parameter);
  if (!gradient)
    return {};
  return readNumbers(info->type, gradient, info->num_elements);
}

std::string Compiled::getGradientBytes() const {
  std::string bytes;
  for (int64_t p = 0, e = cambium_module_num_parameters(module.get()); p < e;
       ++p) {
    const cambium_parameter_info_t *info =
        cambium_module_parameter(module.get(), p);
    if (void *gradient = cambium_store_gradient(store.get(), p))
      bytes.append(static_cast<const char *>(gradient),
                   info->num_elements * cambium_type_size(info->type));
  }
  return bytes;
}

Parameters Compiled::getParameters() const {
  Parameters parameters;
  for (int64_t p = 0, e = cambium_module_num_parameters(module.get()); p < e;
       ++p) {
    const cambium_parameter_info_t *info =
        cambium_module_parameter(module.get(), p);
    ArrayRef<int64_t> shape(info->shape, info->rank);
    parameters.emplace(info->name, makeTensor(info->type, shape, getValue(p)));
  }
  return parameters;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

static cambium_status_t setTree(cambium_batch_t *batch, int64_t index,
                                const Children &tree) {
  std::vector<int32_t> offsets{0}, nodes;
  for (const std::vector<int32_t> &children : tree) {
    nodes.insert(nodes.end(), children.begin(), children.end());
    offsets.push_back(nodes.size());
  }
  return cambium_batch_set_tree_children(batch, index, tree.size(),
                                         offsets.data(), nodes.data());
}

static cambium_status_t addExample(cambium_batch_t *batch,
                                   const cambium_entry_t *entry,
                                   const ExampleData &example) {
  cambium_status_t status = cambium_batch_begin_example(batch, 0);
  if (!status)
    status = cambium_batch_set_example_key(batch, example.key);
  for (size_t i = 0; !status && i < example.trees.size(); ++i)
    status = setTree(batch, i, example.trees[i]);
  for (size_t i = 0; !status && i < example.rowCounts.size(); ++i)
    if (cambium_entry_space_in(entry, i) >= 0)
      status = cambium_batch_set_row_counts(
          batch, i, example.rowCounts[i].size(), example.rowCounts[i].data());
  for (size_t i = 0; !status && i < example.inputs.size(); ++i) {
    cambium_type_t type = cambium_entry_input(entry, i)->type;
    std::string bytes = writeNumbers(type, example.inputs[i].values);
    status = cambium_batch_set_input(batch, i, type, example.inputs[i].numRows,
                                     bytes.data());
  }
  return status ? status : cambium_batch_end_example(batch);
}

Expected<Owned<cambium_batch_t>>
Compiled::fill(const cambium_entry_t *entry, ArrayRef<ExampleData> examples) {
  cambium_batch_t *handle = nullptr;
  if (cambium_batch_create(entry, &handle))
    return runtimeFailure("making a batch");
  Owned<cambium_batch_t> batch(handle);
  for (const ExampleData &example : examples)
    if (addExample(handle, entry, example))
      return runtimeFailure("adding an example");
  if (cambium_batch_finish(handle))
    return runtimeFailure("finishing a batch");
  return batch;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Cuts an output into examples.
static void cutOutput(const cambium_batch_t *batch,
                      const cambium_tensor_info_t &info,
                      const std::string &bytes, Results &results) {
  for (auto [i, outputs] : llvm::enumerate(results.ofExample)) {
    int64_t begin = 0, rows = 1;
    llvm::SmallVector<int64_t> shape(ArrayRef(info.shape, info.rank));
    if (info.space == CAMBIUM_SPACE_EXAMPLE) {
      begin = i;
    } else if (info.space >= 0) {
      const int32_t *offsets = cambium_batch_space_offsets(batch, info.space);
      begin = offsets[i];
      rows = offsets[i + 1] - begin;
      shape.insert(shape.begin(), rows);
    }
    int64_t rowElements = info.row_bytes / cambium_type_size(info.type);
    std::vector<double> values = readNumbers(
        info.type, bytes.data() + begin * info.row_bytes, rows * rowElements);
    outputs.push_back(makeTensor(info.type, shape, values));
  }
}

Expected<Results> Compiled::run(const cambium_entry_t *entry,
                                ArrayRef<ExampleData> examples,
                                int32_t numThreads) const {
  Expected<Owned<cambium_batch_t>> batch = fill(entry, examples);
  if (!batch)
    return batch.takeError();
  Expected<Owned<cambium_session_t>> session = createSession(numThreads);
  if (!session)
    return session.takeError();
  const cambium_entry_info_t *info = cambium_entry_info(entry);
  Results results;
  std::vector<cambium_buffer_t> buffers;
  results.bytes.resize(info->num_outputs);
  for (auto [i, bytes] : llvm::enumerate(results.bytes)) {
    // What is not written shows.
    bytes.assign(cambium_batch_output_bytes(batch->get(), i), '\xff');
    buffers.push_back({bytes.data(), static_cast<int64_t>(bytes.size())});
  }
  cambium_status_t status = CAMBIUM_STATUS_OK;
  if (info->kind == CAMBIUM_ENTRY_FUNCTION) {
    status = cambium_call(session->get(), entry, store.get(), batch->get(),
                          buffers.data(), buffers.size());
  } else {
    cambium_store_clear_gradients(store.get());
    status = cambium_step_accumulate(session->get(), entry, store.get(),
                                     batch->get(), buffers.data(),
                                     buffers.size(), &results.loss);
  }
  if (status)
    return runtimeFailure(llvm::Twine("calling '") + info->name + "'");
  if (Error error = pull())
    return error;
  results.ofExample.resize(examples.size());
  for (auto [i, bytes] : llvm::enumerate(results.bytes))
    cutOutput(batch->get(), *cambium_entry_output(entry, i), bytes, results);
  return results;
}
