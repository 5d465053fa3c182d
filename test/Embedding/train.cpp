//===-- test/Embedding/train.cpp - A C++ program that trains a model ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: train MODULE CHECKPOINT
/// Learns what tokens are worth from the sums of random trees, and saves it.
/// The next batch is prepared on a second thread while the current one is
/// computed. The program of docs/Embedding.md.
///
//===----------------------------------------------------------------------===//
#include "cambium/runtime.h"

#include <cstdio>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

/// Handles that give themselves back.
template <auto destroy> struct Destroy {
  template <typename T> void operator()(T *object) const { destroy(object); }
};
template <typename T, auto destroy>
using Handle = std::unique_ptr<T, Destroy<destroy>>;
using Module = Handle<cambium_module_t, cambium_module_destroy>;
using Store = Handle<cambium_store_t, cambium_store_destroy>;
using Session = Handle<cambium_session_t, cambium_session_destroy>;
using Batch = Handle<cambium_batch_t, cambium_batch_destroy>;

/// What went wrong, with its text: the text of the library is per thread.
struct Failure {
  std::string text;
};

void check(cambium_status_t status) {
  if (status)
    throw Failure{cambium_last_error()};
}

/// Creates an object through its `create` function.
template <typename HandleType, typename Create, typename... Arguments>
HandleType make(Create create, Arguments... arguments) {
  typename HandleType::pointer object = nullptr;
  check(create(arguments..., &object));
  return HandleType(object);
}

/// A token is worth three times its number, less ten.
float worthOf(int32_t token) { return 3.0f * static_cast<float>(token) - 10; }

/// Fills a batch with random trees and their sums.
void fill(cambium_batch_t *batch, uint64_t number) {
  constexpr int examples = 32;
  const cambium_entry_t *entry = cambium_batch_entry(batch);
  int64_t tokensInput = cambium_entry_find_input(entry, "tokens");
  int64_t targetInput = cambium_entry_find_input(entry, "target");
  std::mt19937_64 random(number);
  cambium_batch_clear(batch);
  for (int i = 0; i < examples; ++i) {
    auto size = static_cast<int32_t>(1 + random() % 8);
    std::vector<int32_t> parents, tokens;
    float target = 0;
    for (int32_t node = 0; node < size; ++node) {
      parents.push_back(
          node ? static_cast<int32_t>(random() % static_cast<uint64_t>(node))
               : -1);
      tokens.push_back(static_cast<int32_t>(random() % 10));
      target += worthOf(tokens.back());
    }
    check(cambium_batch_begin_example(batch, number * examples +
                                                 static_cast<uint64_t>(i)));
    check(cambium_batch_set_tree_parents(batch, 0, size, parents.data()));
    check(cambium_batch_set_input(batch, tokensInput, CAMBIUM_TYPE_I32, size,
                                  tokens.data()));
    check(cambium_batch_set_input(batch, targetInput, CAMBIUM_TYPE_F32, 1,
                                  &target));
    check(cambium_batch_end_example(batch));
  }
  check(cambium_batch_finish(batch));
}

void train(const char *modulePath, const char *checkpoint) {
  constexpr uint64_t steps = 500;
  Module module = make<Module>(cambium_module_load, modulePath);
  cambium_store_options_t storeOptions = {};
  storeOptions.seed = 1;
  Store store = make<Store>(cambium_store_create, module.get(), &storeOptions);
  cambium_session_options_t sessionOptions = {};
  sessionOptions.check_loss = true;
  Session session = make<Session>(cambium_session_create, &sessionOptions);

  const cambium_entry_t *accumulate = nullptr;
  check(cambium_module_find_step(module.get(), "train", &accumulate, nullptr));
  Batch current = make<Batch>(cambium_batch_create, accumulate);
  Batch next = make<Batch>(cambium_batch_create, accumulate);

  fill(current.get(), 0);
  for (uint64_t step = 0; step < steps; ++step) {
    auto prepared =
        std::async(std::launch::async, [&] { fill(next.get(), step + 1); });
    const cambium_learning_rate_t rate = {nullptr, 0.03};
    double loss = 0;
    check(cambium_step(session.get(), store.get(), current.get(), &rate, 1,
                       &loss));
    if (step % 100 == 0)
      std::printf("step %4d  loss %.6f\n", static_cast<int>(step), loss);
    prepared.get();
    std::swap(current, next);
  }
  check(cambium_store_set_metadata(store.get(), "made_by", "train.cpp"));
  check(cambium_store_save(store.get(), checkpoint, 0));
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: train MODULE CHECKPOINT\n");
    return 2;
  }
  try {
    train(argv[1], argv[2]);
  } catch (const Failure &failure) {
    std::fprintf(stderr, "train: error: %s\n", failure.text.c_str());
    return 1;
  }
  return 0;
}
