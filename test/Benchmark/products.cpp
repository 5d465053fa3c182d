//===-- test/Benchmark/products.cpp - Times of one product ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// products MODULE OPENBLAS ONEDNN COLUMNS DEPTH ROUNDS ROWS...
//
// Seconds of a processor for a product of products.mlir, by Cambium and by two
// libraries, one line for each number of rows and round:
// `rows cambium openblas onednn`; and first `peak`, the multiply-adds per
// second of a loop that does nothing else, and `core`, the processor that
// OpenBLAS takes this one for. One thread, in turn, the same numbers.
//
//===----------------------------------------------------------------------===//
#include "cambium/runtime.h"
#include "loops.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <random>
#include <vector>

using namespace loops;

namespace {

[[noreturn]] void fail(const char *what, const char *why) {
  std::fprintf(stderr, "products: error: %s: %s\n", what, why);
  std::exit(1);
}

void check(cambium_status_t status) {
  if (status)
    fail(cambium_status_name(status), cambium_last_error());
}

/// What the libraries give.
struct Peers {
  using Sgemm = void (*)(int, int, int, int, int, int, float, const float *,
                         int, const float *, int, float, float *, int);
  using DnnlSgemm = int (*)(char, char, int64_t, int64_t, int64_t, float,
                            const float *, int64_t, const float *, int64_t,
                            float, float *, int64_t);

  Peers(const char *openblas, const char *onednn) {
    auto setThreads =
        symbol<void (*)(int)>(openblas, "scipy_openblas_set_num_threads");
    setThreads(1);
    core = symbol<const char *(*)()>(openblas, "scipy_openblas_get_corename")();
    sgemm = symbol<Sgemm>(openblas, "scipy_cblas_sgemm");
    dnnl = symbol<DnnlSgemm>(onednn, "dnnl_sgemm");
  }

  template <typename Function>
  static Function symbol(const char *path, const char *name) {
    void *library = dlopen(path, RTLD_NOW);
    void *found = library ? dlsym(library, name) : nullptr;
    if (!found)
      fail(path, dlerror());
    return reinterpret_cast<Function>(found);
  }

  Sgemm sgemm;
  DnnlSgemm dnnl;
  /// The processor whose code OpenBLAS has chosen.
  const char *core;
};

/// The module with a weight, and batches of rows.
class Product {
public:
  explicit Product(const char *path) {
    check(cambium_module_load(path, &module));
    entry = cambium_module_find_entry(module, "product");
    check(cambium_store_create(module, nullptr, &store));
    cambium_session_options_t options = {};
    options.num_threads = 1;
    check(cambium_session_create(&options, &session));
  }
  ~Product() {
    cambium_batch_destroy(batch);
    cambium_session_destroy(session);
    cambium_store_destroy(store);
    cambium_module_destroy(module);
  }

  std::vector<float> weight(int64_t size) const {
    auto *values = static_cast<const float *>(cambium_store_value(store, 0));
    return {values, values + size};
  }

  void setRows(const std::vector<float> &values, int64_t rows) {
    cambium_batch_destroy(batch);
    batch = nullptr;
    check(cambium_batch_create(entry, &batch));
    int64_t depth = int64_t(values.size()) / rows;
    for (int64_t i = 0; i < rows; ++i) {
      check(cambium_batch_begin_example(batch, 0));
      check(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_F32, 1,
                                    values.data() + i * depth));
      check(cambium_batch_end_example(batch));
    }
    check(cambium_batch_finish(batch));
  }

  void call(std::vector<float> &result) {
    cambium_buffer_t output = {result.data(),
                               int64_t(result.size() * sizeof(float))};
    check(cambium_call(session, entry, store, batch, &output, 1));
  }

private:
  cambium_module_t *module = nullptr;
  const cambium_entry_t *entry = nullptr;
  cambium_store_t *store = nullptr;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
};

void checkEqual(const std::vector<float> &x, const std::vector<float> &y) {
  for (size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i] - y[i]) <= 1e-3f * (1 + std::abs(x[i]))))
      fail("results", "expected equal numbers");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 8)
    fail("expected", "MODULE OPENBLAS ONEDNN COLUMNS DEPTH ROUNDS ROWS...");
  Product product(argv[1]);
  Peers peers(argv[2], argv[3]);
  int64_t columns = std::atoll(argv[4]), depth = std::atoll(argv[5]);
  std::vector<float> weight = product.weight(columns * depth);
  std::printf("peak %.6g\ncore %s\n", peak(), peers.core);
  for (int64_t round = 0; round < std::atoll(argv[6]); ++round)
    for (int i = 7; i < argc; ++i) {
      int64_t rows = std::atoll(argv[i]);
      std::vector<float> x(static_cast<size_t>(rows * depth));
      std::mt19937 random(1);
      for (float &value : x)
        value = float(random() % 2001) / 1000 - 1;
      auto size = static_cast<size_t>(rows * columns);
      std::vector<float> ours(size), openblas(size), onednn(size);
      product.setRows(x, rows);
      double times[] = {
          timeOf([&] { product.call(ours); }), timeOf([&] {
            // Rows one after another, nothing transposed.
            peers.sgemm(101, 111, 111, int(rows), int(columns), int(depth), 1,
                        x.data(), int(depth), weight.data(), int(columns), 0,
                        openblas.data(), int(columns));
          }),
          timeOf([&] {
            peers.dnnl('N', 'N', rows, columns, depth, 1, x.data(), depth,
                       weight.data(), columns, 0, onednn.data(), columns);
          })};
      checkEqual(openblas, ours);
      checkEqual(openblas, onednn);
      std::printf("%lld %.6g %.6g %.6g\n", static_cast<long long>(rows),
                  times[0], times[1], times[2]);
    }
  return 0;
}
