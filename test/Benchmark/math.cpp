//===-- test/Benchmark/math.cpp - Times of modules that should agree ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// math ENTRY ROUNDS EXAMPLESxROWS,... MODULE...
//
// Seconds of a processor for a call of the entry by each module, one line for
// each batch and round: `batch seconds...`. One thread, in turn, the same
// numbers: each store is drawn with the same seed. Before, `difference batch
// number...`: how far the results are from those of the first module, the
// square root of the mean of squares over that of the results.
//
//===----------------------------------------------------------------------===//
#include "cambium/runtime.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

void check(cambium_status_t status) {
  if (!status)
    return;
  std::fprintf(stderr, "math: error: %s: %s\n", cambium_status_name(status),
               cambium_last_error());
  std::exit(1);
}

double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// A batch of `examples`, each with `rows` rows of what has rows.
struct Size {
  int64_t examples, rows;
};

class Model {
public:
  Model(const char *path, const char *name) {
    check(cambium_module_load(path, &module));
    entry = cambium_module_find_entry(module, name);
    if (!entry) {
      std::fprintf(stderr, "math: error: %s: expected a function %s\n", path,
                   name);
      std::exit(1);
    }
    cambium_store_options_t storeOptions = {};
    storeOptions.seed = 1;
    check(cambium_store_create(module, &storeOptions, &store));
    cambium_session_options_t options = {};
    options.num_threads = 1;
    check(cambium_session_create(&options, &session));
  }
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;
  ~Model() {
    cambium_batch_destroy(batch);
    cambium_session_destroy(session);
    cambium_store_destroy(store);
    cambium_module_destroy(module);
  }

  void setBatch(Size size) {
    cambium_batch_destroy(batch);
    batch = nullptr;
    check(cambium_batch_create(entry, &batch));
    std::mt19937 random(1);
    for (int64_t i = 0; i < size.examples; ++i) {
      check(cambium_batch_begin_example(batch, static_cast<uint64_t>(i)));
      for (int64_t input = 0; cambium_entry_input(entry, input); ++input)
        setInput(input, size.rows, random);
      check(cambium_batch_end_example(batch));
    }
    check(cambium_batch_finish(batch));
    result.resize(static_cast<size_t>(cambium_batch_output_bytes(batch, 0)) /
                  sizeof(float));
  }

  void call() {
    cambium_buffer_t output = {result.data(),
                               int64_t(result.size() * sizeof(float))};
    check(cambium_call(session, entry, store, batch, &output, 1));
  }

  /// Seconds of one call: of enough calls for a few milliseconds.
  double time() {
    for (int64_t calls = 1;; calls *= 4) {
      double begin = seconds();
      for (int64_t i = 0; i < calls; ++i)
        call();
      double all = seconds() - begin;
      if (all > 0.02)
        return all / double(calls);
    }
  }

  std::vector<float> result;

private:
  void setInput(int64_t input, int64_t rows, std::mt19937 &random) {
    const cambium_tensor_info_t &info = *cambium_entry_input(entry, input);
    if (info.space < 0)
      rows = 1;
    auto size = static_cast<size_t>(rows * info.row_bytes / 4);
    std::vector<float> numbers(size);
    std::vector<int32_t> ids(size);
    for (size_t i = 0; i < size; ++i) {
      numbers[i] = float(random() % 2001) / 1000 - 1;
      ids[i] = int32_t(random() % uint32_t(info.limit ? info.limit : 1));
    }
    bool isIds = info.type == CAMBIUM_TYPE_I32;
    check(cambium_batch_set_input(batch, input, info.type, rows,
                                  isIds ? static_cast<const void *>(ids.data())
                                        : numbers.data()));
  }

  cambium_module_t *module = nullptr;
  const cambium_entry_t *entry = nullptr;
  cambium_store_t *store = nullptr;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
};

double difference(const std::vector<float> &x, const std::vector<float> &y) {
  double error = 0, size = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    error += double(x[i] - y[i]) * double(x[i] - y[i]);
    size += double(x[i]) * double(x[i]);
  }
  return std::sqrt(error / size);
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::unique_ptr<Model>> models;
  for (int i = 4; i < argc; ++i)
    models.push_back(std::make_unique<Model>(argv[i], argv[1]));
  std::string batches = argc > 3 ? argv[3] : "";
  for (size_t at = 0; at < batches.size();) {
    size_t end = std::min(batches.find(',', at), batches.size());
    std::string name = batches.substr(at, end - at);
    at = end + 1;
    Size size = {};
    if (std::sscanf(name.c_str(), "%ldx%ld", &size.examples, &size.rows) != 2)
      return 2;
    std::printf("difference %s", name.c_str());
    for (auto &model : models) {
      model->setBatch(size);
      model->call();
      std::printf(" %.3g", difference(models[0]->result, model->result));
    }
    for (int64_t round = 0; round < std::atoll(argv[2]); ++round) {
      std::printf("\n%s", name.c_str());
      for (auto &model : models)
        std::printf(" %.6g", model->time());
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
