//===-- test/Packaging/runtime/worth.cpp - A tree from a file, predicted --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cambium/data.h>
#include <cambium/runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Gives every token the worth 1.
bool setWorth(cambium_store_t *store) {
  const std::vector<float> ones(10, 1.0f);
  return cambium_store_set_value(store, 0, CAMBIUM_TYPE_F32, 10, ones.data()) ==
         CAMBIUM_STATUS_OK;
}

/// The sum over a tree that model.mlir computes, which is here the
/// number of its nodes.
bool predict(const char *path, const cambium::data::Field &tree,
             float &answer) {
  cambium_module_t *module = nullptr;
  cambium_store_t *store = nullptr;
  cambium_session_t *session = nullptr;
  cambium_batch_t *batch = nullptr;
  int64_t nodes = tree.rows(0);
  std::vector<int32_t> tokens(static_cast<size_t>(nodes), 3);
  const cambium_entry_t *entry = nullptr;
  cambium_buffer_t output = {&answer, sizeof answer};
  bool ok = !cambium_module_load(path, &module) &&
            !cambium_store_create(module, nullptr, &store) && setWorth(store) &&
            !cambium_session_create(nullptr, &session) &&
            (entry = cambium_module_find_entry(module, "predict")) &&
            !cambium_batch_create(entry, &batch) &&
            !cambium_batch_begin_example(batch, 0) &&
            !cambium_batch_set_tree_parents(batch, 0, nodes, tree.intsOf(0)) &&
            !cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, nodes,
                                     tokens.data()) &&
            !cambium_batch_end_example(batch) && !cambium_batch_finish(batch) &&
            !cambium_call(session, entry, store, batch, &output, 1);
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  cambium_store_destroy(store);
  cambium_module_destroy(module);
  return ok;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: worth MODULE TREES\n");
    return 2;
  }
  auto reader = cambium::data::createReader("ptb");
  cambium::data::Dataset trees;
  cambium::data::Status status = reader->fit(argv[2]);
  if (status.ok())
    status = reader->read(argv[2], trees);
  if (!status.ok()) {
    std::fprintf(stderr, "worth: error: %s\n", status.message().c_str());
    return 1;
  }
  float answer = 0;
  if (!predict(argv[1], *trees.find("tree"), answer)) {
    std::fprintf(stderr, "worth: error: %s\n", cambium_last_error());
    return 1;
  }
  std::printf("%.1f\n", static_cast<double>(answer));
  return 0;
}
