//===-- test/Runtime/Failure/FailureTest.cpp - Every operation fails once -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: CambiumRuntimeFailureTest MODULE; exits with 77 where the allocator
/// cannot be watched.
///
/// Each scenario runs again and again; operation 1, 2, 3, ... fails, until a
/// run has no operation of that number. A failure is a status with a text,
/// loses nothing that was there before, leaves no file and no memory behind,
/// and the same scenario works right after it.
///
//===----------------------------------------------------------------------===//
#include "Injection.h"

#include "cambium/abi.h"
#include "cambium/runtime.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#if !defined(__GLIBC__) || defined(CAMBIUM_SANITIZED)
int main() {
  std::puts("skipped: the allocator cannot be watched here");
  return 77;
}
#else

using namespace cambium::test;

extern "C" const cambium_abi_module_t *fake_cambium_module_query(void);

namespace {

#define TRY(call)                                                              \
  do {                                                                         \
    if (cambium_status_t tried = (call))                                       \
      return tried;                                                            \
  } while (false)

int errors = 0;
int64_t current = 0;
std::string scenario, folder;

void require(bool condition, const char *text) {
  if (condition)
    return;
  Pause pause;
  ++errors;
  std::fprintf(stderr, "error: %s: %s (operation %lld, %s)\n", scenario.c_str(),
               text, static_cast<long long>(current), failedOperation());
}

void require(bool condition, const std::string &text) {
  require(condition, text.c_str());
}

std::string contentsOf(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> filesOf(const std::string &path) {
  std::set<std::string> names;
  DIR *listing = opendir(path.c_str());
  while (dirent *entry = readdir(listing))
    names.insert(entry->d_name);
  closedir(listing);
  return names;
}

/// Values, state, metadata and step count.
std::string contentsOf(const cambium_store_t *store) {
  Pause pause;
  const cambium_module_t *module = cambium_store_module(store);
  std::string contents;
  for (int64_t i = 0; i < cambium_module_num_parameters(module); ++i) {
    const cambium_parameter_info_t *info = cambium_module_parameter(module, i);
    auto bytes =
        static_cast<size_t>(info->num_elements * cambium_type_size(info->type));
    contents.append(static_cast<char *>(cambium_store_value(store, i)), bytes);
    for (int32_t slot = 0; slot < info->state_slots; ++slot) {
      const void *state = cambium_store_state(store, i, slot);
      // What is not there yet counts as zeros.
      contents.append(state
                          ? std::string(static_cast<const char *>(state), bytes)
                          : std::string(bytes, '\0'));
    }
  }
  for (int64_t i = 0; i < cambium_store_num_metadata(store); ++i) {
    const char *key = cambium_store_metadata_key(store, i);
    contents += std::string(key) + "=" + cambium_store_metadata(store, key);
  }
  return contents + std::to_string(cambium_store_step_count(store, nullptr));
}

/// Runs `body` until it has no operation that could still fail. `body` frees
/// what it made; `check` looks at the world after each run.
void injectEverywhere(const char *name, Failure failure,
                      const std::function<cambium_status_t()> &body,
                      const std::function<void(bool failed)> &check) {
  static constexpr const char *kNames[] = {"refused", "full", "interrupted",
                                           "short"};
  scenario = std::string(name) + ", " + kNames[static_cast<int>(failure)];
  bool hit = false;
  require(body() == CAMBIUM_STATUS_OK, cambium_last_error());
  check(false);
  int64_t failures = 0, number = 1;
  for (;; ++number) {
    int64_t before = livePieces();
    current = number;
    arm(number, failure);
    cambium_status_t status = body();
    const char *text = cambium_last_error();
    (void)disarm(hit);
    int64_t after = livePieces();
    failures += status != CAMBIUM_STATUS_OK;
    require(hit || !status, std::string("no reason to fail: ") + text);
    require(!status || *text, "a failure without a text");
    require(!status || failure == Failure::Refused || failure == Failure::Full,
            std::string("expected another try, but got: ") + text);
    check(status != CAMBIUM_STATUS_OK);
    // The text of the last error is the only thing that may stay.
    require(after - before <= 1,
            std::to_string(after - before) + " pieces of memory are lost");
    if (!hit)
      break;
    require(body() == CAMBIUM_STATUS_OK,
            std::string("does not work again: ") + cambium_last_error());
    check(false);
  }
  std::printf("%-44s %5lld operations %5lld failures\n", scenario.c_str(),
              static_cast<long long>(number - 1),
              static_cast<long long>(failures));
}

/// A module and a store for scenarios that begin with them.
struct World {
  cambium_module_t *module = nullptr;
  cambium_store_t *store = nullptr;

  World() {
    if (cambium_module_from_query(fake_cambium_module_query, &module) ||
        cambium_store_create(module, nullptr, &store))
      std::abort();
  }
  ~World() {
    cambium_store_destroy(store);
    cambium_module_destroy(module);
  }
};

const int32_t kTokens[] = {1, 2, 3, 4}, kParents[] = {-1, 0, 0, 1},
              kOffsets[] = {0, 2, 3, 3, 3}, kChildren[] = {1, 2, 3};
const float kVectors[] = {1, 2, 3, 4}, kScale[] = {2};
const double kWeights[] = {1, 2};
const int64_t kLabels[] = {1, 2, 3};

cambium_status_t addExample(cambium_batch_t *batch, bool asChildren) {
  TRY(cambium_batch_begin_example(batch, 1));
  TRY(asChildren
          ? cambium_batch_set_tree_children(batch, 0, 4, kOffsets, kChildren)
          : cambium_batch_set_tree_parents(batch, 0, 4, kParents));
  TRY(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, 4, kTokens));
  TRY(cambium_batch_set_input(batch, 1, CAMBIUM_TYPE_F32, 2, kVectors));
  TRY(cambium_batch_set_input(batch, 2, CAMBIUM_TYPE_F64, 2, kWeights));
  TRY(cambium_batch_set_input(batch, 3, CAMBIUM_TYPE_F32, 1, kScale));
  TRY(cambium_batch_set_input(batch, 4, CAMBIUM_TYPE_I64, 3, kLabels));
  return cambium_batch_end_example(batch);
}

/// Adds until it works, as a host would that waits for memory.
cambium_status_t addAndTryAgain(cambium_batch_t *batch, bool asChildren) {
  if (cambium_status_t status = addExample(batch, asChildren)) {
    cambium_batch_abandon_example(batch);
    require(!addExample(batch, asChildren), cambium_last_error());
    return status;
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t sum(const World &world, int32_t threads, int32_t *nodes) {
  cambium_session_options_t options = {};
  options.num_threads = threads;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  auto run = [&]() -> cambium_status_t {
    const cambium_entry_t *entry =
        cambium_module_find_entry(world.module, "sum");
    TRY(cambium_session_create(&options, &session));
    TRY(cambium_batch_create(entry, &batch));
    for (int i = 0; i < 3; ++i)
      TRY(addAndTryAgain(batch, i == 1));
    TRY(cambium_batch_finish(batch));
    cambium_buffer_t out = {nodes, 12 * sizeof(int32_t)};
    return cambium_call(session, entry, world.store, batch, &out, 1);
  };
  cambium_status_t status = run();
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  return status;
}

/// An entry with one input per example or row, called once.
template <typename T>
cambium_status_t callWith(const World &world, const char *name,
                          cambium_type_t type, const std::vector<T> &values,
                          bool asRows) {
  cambium_session_options_t options = {};
  options.num_threads = 1;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  auto run = [&]() -> cambium_status_t {
    const cambium_entry_t *entry =
        cambium_module_find_entry(world.module, name);
    TRY(cambium_session_create(&options, &session));
    TRY(cambium_batch_create(entry, &batch));
    TRY(cambium_batch_begin_example(batch, 0));
    auto rows = asRows ? static_cast<int64_t>(values.size()) : 1;
    TRY(cambium_batch_set_input(batch, 0, type, rows, values.data()));
    TRY(cambium_batch_end_example(batch));
    TRY(cambium_batch_finish(batch));
    return cambium_call(session, entry, world.store, batch, nullptr, 0);
  };
  cambium_status_t status = run();
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  return status;
}

/// One training step of a new store.
cambium_status_t train(const World &world, std::string *result) {
  cambium_session_options_t options = {};
  options.num_threads = 1;
  cambium_store_t *store = nullptr;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  auto run = [&]() -> cambium_status_t {
    TRY(cambium_store_create(world.module, nullptr, &store));
    TRY(cambium_session_create(&options, &session));
    const cambium_entry_t *entry = nullptr, *apply = nullptr;
    TRY(cambium_module_find_step(world.module, "train", &entry, &apply));
    TRY(cambium_batch_create(entry, &batch));
    const int32_t row = 3;
    const float target = 2;
    TRY(cambium_batch_begin_example(batch, 0));
    TRY(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, 1, &row));
    TRY(cambium_batch_set_input(batch, 1, CAMBIUM_TYPE_F32, 1, &target));
    TRY(cambium_batch_end_example(batch));
    TRY(cambium_batch_finish(batch));
    const cambium_learning_rate_t rate = {nullptr, 0.1};
    const std::string before = contentsOf(store);
    if (cambium_status_t status =
            cambium_step(session, store, batch, &rate, 1, nullptr)) {
      require(contentsOf(store) == before, "a failing step changed parameters");
      require(!cambium_step(session, store, batch, &rate, 1, nullptr),
              cambium_last_error());
      *result = contentsOf(store);
      return status;
    }
    *result = contentsOf(store);
    return CAMBIUM_STATUS_OK;
  };
  cambium_status_t status = run();
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  cambium_store_destroy(store);
  return status;
}

//===----------------------------------------------------------------------===//
// Scenarios
//===----------------------------------------------------------------------===//

void modules(const char *path) {
  auto nothing = [](bool) {};
  injectEverywhere(
      "load a module", Failure::Refused,
      [path] {
        cambium_module_t *module = nullptr;
        cambium_status_t status = cambium_module_load(path, &module);
        require((module != nullptr) == (status == CAMBIUM_STATUS_OK), "handle");
        cambium_module_destroy(module);
        return status;
      },
      nothing);
  injectEverywhere(
      "a module of the program, and a store", Failure::Refused,
      [] {
        cambium_module_t *module = nullptr;
        cambium_store_t *store = nullptr;
        cambium_status_t status =
            cambium_module_from_query(fake_cambium_module_query, &module);
        if (!status)
          status = cambium_store_create(module, nullptr, &store);
        if (!status)
          status = cambium_store_prepare_training(store);
        cambium_store_destroy(store);
        cambium_module_destroy(module);
        return status;
      },
      nothing);
}

void calls() {
  World world;
  for (int32_t threads : {1, 2}) {
    int32_t nodes[12] = {};
    injectEverywhere(
        threads == 1 ? "trees, a call" : "trees, a call, two threads",
        Failure::Refused, [&] { return sum(world, threads, nodes); },
        [&](bool failed) {
          const int32_t expected[] = {10, 6, 3, 4};
          for (int i = 0; i < 12 && !failed; ++i)
            require(nodes[i] == expected[i % 4], "sums of nodes");
          std::memset(nodes, 0, sizeof(nodes));
        });
  }
  auto nothing = [](bool) {};
  const std::vector<int32_t> parents = {-1, 0, 0, 1, 2};
  const std::vector<int64_t> bytes = {3000000};
  injectEverywhere(
      "services: chains and parents", Failure::Refused,
      [&] {
        return callWith<int32_t>(world, "chains", CAMBIUM_TYPE_I32, parents,
                                 true);
      },
      nothing);
  const std::vector<int32_t> steps = {3, 1, 2};
  for (const char *name : {"iterations", "group"})
    injectEverywhere(
        (std::string("services: ") + name).c_str(), Failure::Refused,
        [&] {
          return callWith<int32_t>(world, name, CAMBIUM_TYPE_I32, steps, true);
        },
        nothing);
  injectEverywhere(
      "services: workspace", Failure::Refused,
      [&] {
        return callWith<int64_t>(world, "memory", CAMBIUM_TYPE_I64, bytes,
                                 false);
      },
      nothing);
  std::string result, expected;
  (void)train(world, &expected);
  injectEverywhere(
      "a training step", Failure::Refused,
      [&] { return train(world, &result); },
      [&](bool failed) {
        require(failed || result == expected, "parameters after the step");
      });
  injectEverywhere(
      "a forest with a cycle and one without", Failure::Refused,
      [] {
        cambium_forest_t *forest = nullptr;
        const int32_t trees[] = {0, 4}, cycle[] = {-1, 2, 3, 1};
        cambium_status_t status = cambium_forest_create(&forest);
        if (!status) {
          status = cambium_forest_build_from_parents(forest, nullptr, 1, trees,
                                                     cycle);
          require(status != CAMBIUM_STATUS_OK, "a cycle");
          status = status == CAMBIUM_STATUS_INVALID_ARGUMENT
                       ? cambium_forest_build_from_children(
                             forest, nullptr, 1, trees, kOffsets, kChildren)
                       : status;
        }
        cambium_forest_destroy(forest);
        return status;
      },
      nothing);
}

void metadata() {
  World world;
  injectEverywhere(
      "metadata", Failure::Refused,
      [&] {
        cambium_store_t *store = world.store;
        TRY(cambium_store_set_metadata(store, "a key that is not short",
                                       "old"));
        cambium_status_t status = cambium_store_set_metadata(
            store, "a key that is not short", "a value that is not short");
        const char *value =
            cambium_store_metadata(store, "a key that is not short");
        require(value && std::strcmp(value,
                                     status ? "old"
                                            : "a value that is not short") == 0,
                "the old value or the new one");
        if (status) {
          Pause pause;
          (void)cambium_store_set_metadata(store, "a key that is not short",
                                           nullptr);
          return status;
        }
        status = cambium_store_set_metadata(store, "a key that is not short",
                                            nullptr);
        if (status) {
          Pause pause;
          (void)cambium_store_set_metadata(store, "a key that is not short",
                                           nullptr);
        }
        return status;
      },
      [](bool) {});
}

/// A failing save leaves the old checkpoint, a failing load the old parameters.
void checkpoints(Failure failure) {
  World world, other;
  const std::string path = folder + "/model.safetensors";
  (void)cambium_store_set_metadata(world.store, "epoch", "2");
  (void)cambium_store_prepare_training(world.store);
  if (cambium_store_save(other.store, path.c_str(), 0))
    std::abort();
  const std::string old = contentsOf(path);
  if (cambium_store_save(world.store, path.c_str(), 0))
    std::abort();
  const std::string fresh = contentsOf(path);
  injectEverywhere(
      "save", failure,
      [&] { return cambium_store_save(world.store, path.c_str(), 0); },
      [&](bool failed) {
        require(filesOf(folder) ==
                    std::set<std::string>{".", "..", "model.safetensors"},
                "a file is left behind");
        require(contentsOf(path) == (failed ? old : fresh),
                "neither the old checkpoint nor the new one");
        std::ofstream(path, std::ios::binary) << old;
      });
  std::ofstream(path, std::ios::binary) << fresh;
  const std::string expected = contentsOf(world.store);
  cambium_store_options_t options = {};
  options.seed = 5;
  cambium_store_t *store = nullptr;
  std::string before;
  injectEverywhere(
      "load", failure,
      [&]() -> cambium_status_t {
        cambium_status_t status =
            store ? CAMBIUM_STATUS_OK
                  : cambium_store_create(world.module, &options, &store);
        if (!store)
          return status;
        before = contentsOf(store);
        status = cambium_store_load(store, path.c_str(), 0);
        const std::string &wanted = status ? before : expected;
        require(contentsOf(store) == wanted,
                "neither the old parameters nor the new ones");
        cambium_store_destroy(store);
        store = nullptr;
        return status;
      },
      [](bool) {});
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  char pattern[] = "/tmp/cambium-failure-XXXXXX";
  folder = mkdtemp(pattern);
  modules(argv[1]);
  calls();
  metadata();
  for (Failure failure :
       {Failure::Refused, Failure::Full, Failure::Interrupted, Failure::Short})
    checkpoints(failure);
  const std::string path = folder + "/model.safetensors";
  unlink(path.c_str());
  rmdir(folder.c_str());
  std::printf("%d errors\n", errors);
  return errors != 0;
}
#endif
