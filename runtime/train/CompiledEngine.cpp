//===-- runtime/train/CompiledEngine.cpp - A compiled module --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An Engine over the C API of the runtime.
///
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "FiniteCheck.h"
#include "Format.h"
#include "Json.h"
#include "ModuleSpecs.h"
#include "Names.h"
#include "cambium/cuda.h"
#include "cambium/device.h"

using namespace cambium::train;

namespace {

struct Release {
  void operator()(cambium_module_t *m) const { cambium_module_destroy(m); }
  void operator()(cambium_store_t *s) const { cambium_store_destroy(s); }
  void operator()(cambium_session_t *s) const { cambium_session_destroy(s); }
  void operator()(cambium_device_t *d) const { cambium_device_close(d); }
  void operator()(cambium_batch_t *b) const { cambium_batch_destroy(b); }
};
template <typename T> using Handle = std::unique_ptr<T, Release>;

class CompiledBatch : public Batch {
public:
  CompiledBatch(const EntrySpec &spec, Handle<cambium_batch_t> batch)
      : handle(std::move(batch)), spec(spec) {}

  void clear(uint64_t keySeed) override {
    cambium_batch_clear(handle.get());
    cambium_batch_set_key_seed(handle.get(), keySeed);
  }
  Status begin(uint64_t ordinal) override {
    return check(cambium_batch_begin_example(handle.get(), ordinal));
  }
  Status setTree(size_t tree, int64_t numNodes,
                 const int32_t *parents) override {
    return check(
        cambium_batch_set_tree_parents(handle.get(), tree, numNodes, parents));
  }
  Status setGraph(size_t tree, int64_t numNodes, const int32_t *childCounts,
                  const int32_t *children) override {
    childOffsets.assign(1, 0);
    for (int64_t node = 0; node < numNodes; ++node)
      childOffsets.push_back(childOffsets.back() + childCounts[node]);
    return check(cambium_batch_set_tree_children(
        handle.get(), tree, numNodes, childOffsets.data(), children));
  }
  Status setInput(size_t input, int64_t numRows, const void *data) override {
    return check(cambium_batch_set_input(
        handle.get(), input, spec.inputs[input].type, numRows, data));
  }
  Status setRowCounts(size_t space,
                      const std::vector<int32_t> &counts) override {
    return check(cambium_batch_set_row_counts(handle.get(), space,
                                              counts.size(), counts.data()));
  }
  Status end() override {
    return check(cambium_batch_end_example(handle.get()));
  }
  Status finish() override { return check(cambium_batch_finish(handle.get())); }
  int64_t numExamples() const override {
    return cambium_batch_num_examples(handle.get());
  }
  const int32_t *spaceOffsets(int32_t space) const override {
    return cambium_batch_space_offsets(handle.get(), space);
  }

  const Handle<cambium_batch_t> handle;

private:
  const EntrySpec &spec;
  std::vector<int32_t> childOffsets; ///< Of the graph at hand.
};

class CompiledEngine : public Engine {
public:
  Status open(Handle<cambium_module_t> newModule,
              const EngineOptions &engineOptions);

  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::string manifest() const override {
    return cambium_module_manifest(module.get());
  }
  Status initialize(uint64_t seed) override;
  Status makeBatch(const EntrySpec &entry,
                   std::unique_ptr<Batch> &batch) override;
  Status call(const EntrySpec &entry, const Batch &batch,
              std::vector<Output> &outputs) override;
  Status accumulate(const EntrySpec &entry, const Batch &batch,
                    double &loss) override {
    return check(cambium_step_accumulate(session.get(), handleOf(entry),
                                         store.get(), handleOf(batch), nullptr,
                                         0, &loss));
  }
  Status accumulateWith(const EntrySpec &entry, const Batch &batch,
                        std::vector<Output> &outputs, double &loss) override;
  Status apply(const EntrySpec &entry, const std::vector<Rate> &rates,
               double gradientScale) override;
  void clearGradients() override { cambium_store_clear_gradients(store.get()); }
  const void *value(size_t parameter) override {
    if (cambium_store_pull(store.get()))
      return nullptr;
    return cambium_store_value(store.get(), static_cast<int64_t>(parameter));
  }
  Status setValue(size_t parameter, const void *elements) override {
    const ParameterSpec &spec = parameters[parameter];
    return check(
        cambium_store_set_value(store.get(), static_cast<int64_t>(parameter),
                                spec.type, spec.numElements, elements));
  }
  Status save(const std::string &path, bool parametersOnly) override {
    return check(
        cambium_store_save(store.get(), path.c_str(), flags(parametersOnly)));
  }
  Status load(const std::string &path, bool parametersOnly) override;
  Status setMetadata(const std::string &key,
                     const std::string &value) override {
    return check(
        cambium_store_set_metadata(store.get(), key.c_str(), value.c_str()));
  }
  std::string metadata(const std::string &key) const override {
    const char *value = cambium_store_metadata(store.get(), key.c_str());
    return value ? value : "";
  }
  int64_t memoryPeak() const override {
    return cambium_session_memory_peak(session.get());
  }
  std::vector<StageTime> stages() const override;

private:
  static uint32_t flags(bool parametersOnly) {
    return parametersOnly ? CAMBIUM_CHECKPOINT_PARAMETERS_ONLY : 0;
  }
  const cambium_entry_t *handleOf(const EntrySpec &entry) const {
    return cambium_module_entry(module.get(), entry.index);
  }
  static const cambium_batch_t *handleOf(const Batch &batch) {
    return static_cast<const CompiledBatch &>(batch).handle.get();
  }
  Status reserve(const EntrySpec &entry, const Batch &batch,
                 std::vector<Output> &outputs,
                 std::vector<cambium_buffer_t> &buffers);
  Status createStore(uint64_t seed, bool skipInitializers);
  Status openSession();

  Handle<cambium_module_t> module;
  Handle<cambium_store_t> store;
  Handle<cambium_session_t> session;
  EngineOptions options;
};

} // namespace

Status CompiledEngine::open(Handle<cambium_module_t> newModule,
                            const EngineOptions &engineOptions) {
  options = engineOptions;
  module = std::move(newModule);
  for (int64_t i = 0; i < cambium_module_num_entries(module.get()); ++i)
    entries.push_back(entrySpec(cambium_module_entry(module.get(), i), i));
  for (int64_t i = 0; i < cambium_module_num_parameters(module.get()); ++i)
    parameters.push_back(
        parameterSpec(*cambium_module_parameter(module.get(), i)));

  return openSession();
}

Status CompiledEngine::openSession() {
  cambium_session_options_t sessionOptions = {};
  sessionOptions.num_threads = options.threads;
  sessionOptions.memory_limit = options.memoryLimit;
  sessionOptions.check_loss = true;
  cambium_session_t *newSession = nullptr;
  cambium_status_t status = CAMBIUM_STATUS_OK;
  if (options.device.empty() || options.device == "cpu") {
    status = cambium_session_create(&sessionOptions, &newSession);
  } else if (options.device.rfind("gpu", 0) != 0) {
    return Status::error("expected --device cpu, gpu or gpu:N, but got '" +
                         options.device + "'" +
                         didYouMean(options.device, {"cpu", "gpu"}));
  } else {
    // The runtime in this library does not look for one beside it.
    cambium_device_t *device = nullptr;
    status = cambium_device_register(cambium_cuda_backend());
    if (!status)
      status = cambium_device_open(options.device.c_str(), &device);
    // The session keeps the device open.
    Handle<cambium_device_t> handle(device);
    if (!status)
      status = cambium_session_create_on(device, &sessionOptions, &newSession);
  }
  session.reset(newSession);
  return check(status);
}

std::vector<StageTime> CompiledEngine::stages() const {
  int64_t count = cambium_session_stages(session.get(), nullptr, 0);
  std::vector<cambium_stage_time_t> times(count);
  cambium_session_stages(session.get(), times.data(), count);
  std::vector<StageTime> result;
  for (const cambium_stage_time_t &time : times)
    result.push_back({time.stage, time.count, time.seconds, time.waited});
  return result;
}

std::vector<std::pair<std::string, std::string>> CompiledEngine::facts() const {
  std::vector<std::pair<std::string, std::string>> result = {
      {"cpu", cambium_module_cpu(module.get())},
      {"features", cambium_module_cpu_features(module.get())}};
  Json json;
  if (!Json::parseObject(manifest(), "manifest", json).ok())
    return result;
  // What is not f32 and not as it is.
  const Json &target = json["target"];
  for (const char *key : {"math", "weights"})
    if (target[key].isText())
      result.emplace_back(key, target[key].text());
  return result;
}

Status CompiledEngine::createStore(uint64_t seed, bool skipInitializers) {
  cambium_store_options_t storeOptions = {};
  storeOptions.seed = seed;
  storeOptions.data_dir =
      options.dataDir.empty() ? nullptr : options.dataDir.c_str();
  storeOptions.num_threads = cambium_session_num_threads(session.get());
  storeOptions.skip_initializers = skipInitializers;
  // Devices read values.
  const bool isHere = options.device.empty() || options.device == "cpu";
  const auto create = options.forCalls && isHere
                          ? cambium_store_create_for_calls
                          : cambium_store_create;
  cambium_store_t *newStore = nullptr;
  if (Status status = check(create(module.get(), &storeOptions, &newStore));
      !status.ok())
    return status;
  store.reset(newStore);
  return Status();
}

Status CompiledEngine::initialize(uint64_t seed) {
  return createStore(seed, false);
}

Status CompiledEngine::load(const std::string &path, bool parametersOnly) {
  if (!store)
    if (Status status = createStore(0, true); !status.ok())
      return status;
  if (Status status = check(
          cambium_store_load(store.get(), path.c_str(), flags(parametersOnly)));
      !status.ok())
    return status;
  return checkFinite(*module, *store, path);
}

Status CompiledEngine::makeBatch(const EntrySpec &entry,
                                 std::unique_ptr<Batch> &batch) {
  cambium_batch_t *handle = nullptr;
  Status status = check(cambium_batch_create(handleOf(entry), &handle));
  if (status.ok())
    batch =
        std::make_unique<CompiledBatch>(entry, Handle<cambium_batch_t>(handle));
  return status;
}

/// Makes room for the first outputs of a call.
Status CompiledEngine::reserve(const EntrySpec &entry, const Batch &batch,
                               std::vector<Output> &outputs,
                               std::vector<cambium_buffer_t> &buffers) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    int64_t bytes = cambium_batch_output_bytes(handleOf(batch), i);
    // A batch that was made for another entry knows that one's outputs only.
    if (cambium_batch_entry(handleOf(batch)) != handleOf(entry) || bytes < 0)
      return Status::error("expected a batch made for '" + entry.name + "'");
    outputs[i].type = entry.outputs[i].type;
    outputs[i].bytes.resize(bytes);
    buffers.push_back({outputs[i].bytes.data(), bytes});
  }
  return Status();
}

Status CompiledEngine::call(const EntrySpec &entry, const Batch &batch,
                            std::vector<Output> &outputs) {
  std::vector<cambium_buffer_t> buffers;
  Status status = reserve(entry, batch, outputs, buffers);
  return status.ok() ? check(cambium_call(session.get(), handleOf(entry),
                                          store.get(), handleOf(batch),
                                          buffers.data(), buffers.size()))
                     : status;
}

Status CompiledEngine::accumulateWith(const EntrySpec &entry,
                                      const Batch &batch,
                                      std::vector<Output> &outputs,
                                      double &loss) {
  std::vector<cambium_buffer_t> buffers;
  Status status = reserve(entry, batch, outputs, buffers);
  return status.ok()
             ? check(cambium_step_accumulate(
                   session.get(), handleOf(entry), store.get(), handleOf(batch),
                   buffers.data(), buffers.size(), &loss))
             : status;
}

Status CompiledEngine::apply(const EntrySpec &entry,
                             const std::vector<Rate> &rates,
                             double gradientScale) {
  std::vector<cambium_learning_rate_t> list;
  for (const Rate &rate : rates)
    list.push_back(
        {rate.group.empty() ? nullptr : rate.group.c_str(), rate.value});
  return check(cambium_step_apply(session.get(), handleOf(entry), store.get(),
                                  list.data(), list.size(), gradientScale));
}

/// An engine for a module that has been loaded, unless that failed.
static Status makeEngine(cambium_status_t loaded, cambium_module_t *module,
                         const EngineOptions &options,
                         std::unique_ptr<Engine> &engine) {
  Handle<cambium_module_t> handle(module);
  if (Status status = check(loaded); !status.ok())
    return status;
  auto compiled = std::make_unique<CompiledEngine>();
  Status status = compiled->open(std::move(handle), options);
  if (status.ok())
    engine = std::move(compiled);
  return status;
}

Status cambium::train::loadCompiled(const std::string &path,
                                    const EngineOptions &options,
                                    std::unique_ptr<Engine> &engine) {
  cambium_module_t *module = nullptr;
  cambium_status_t loaded = cambium_module_load(path.c_str(), &module);
  return makeEngine(loaded, module, options, engine);
}

Status cambium::train::loadStatic(const cambium_abi_module *(*query)(),
                                  const EngineOptions &options,
                                  std::unique_ptr<Engine> &engine) {
  cambium_module_t *module = nullptr;
  cambium_status_t loaded = cambium_module_from_query(query, &module);
  return makeEngine(loaded, module, options, engine);
}
