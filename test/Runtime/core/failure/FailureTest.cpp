//===-- test/Runtime/core/failure/FailureTest.cpp - Each operation fails --===//
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
#include "Programs.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

#if !defined(__GLIBC__) || defined(CAMBIUM_SANITIZED)
int main() {
  std::puts("skipped: the allocator cannot be watched here");
  return 77;
}
#else

using namespace cambium::test;

namespace {

std::string folder;

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

void services() {
  World world;
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
}

void steps() {
  World world;
  std::string result, expected;
  (void)train(world, &expected);
  injectEverywhere(
      "a training step", Failure::Refused,
      [&] { return train(world, &result); },
      [&](bool failed) {
        require(failed || result == expected, "parameters after the step");
      });
}

void forests() {
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
      [](bool) {});
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
  services();
  steps();
  forests();
  metadata();
  for (Failure failure :
       {Failure::Refused, Failure::Full, Failure::Interrupted, Failure::Short})
    checkpoints(failure);
  const std::string path = folder + "/model.safetensors";
  unlink(path.c_str());
  rmdir(folder.c_str());
  std::printf("%d errors\n", numErrors());
  return numErrors() != 0;
}
#endif
